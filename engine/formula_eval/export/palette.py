"""Reads reports/palette.toml: the colours of bar parts, of what bounds a time, and of states in every document."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.library import OURS, Library
from formula_eval.text_files import read_toml
from formula_eval.toml_shape import Lookup
from formula_eval.toml_table import check_table, table

THEMES = ("light", "dark")
PALETTE_FILE = "reports/palette.toml"
_HEX = "#[0-9A-Fa-f]{6}"
_TABLES = ("waits", "parts", "status", "terminal")
_COLOURS = table("*:colour")
_STATUS = table("good:colour bad:colour warn:colour other:colour")
PALETTE = table(
    "colours:named turn:[colour] waits?:named parts?:parts status:status terminal?:named",
    named=_COLOURS,
    parts=table("*quantity:colour"),
    status=_STATUS,
)


class Palette(NamedTuple):
    """Colours by name, and the names of those that things have."""

    shown: str  # the file, as messages name it
    colours: Mapping[str, str]  # `#` and six digits, by name
    turn: Sequence[str]  # names for parts and lines, one after another
    waits: Mapping[str, str]  # by what time is spent on
    parts: Mapping[str, str]  # by quantities that are parts of a whole
    status: Mapping[str, str]  # of `good`, `bad`, `warn` and `other`
    terminal: Mapping[str, str]  # of notes and bars on a screen

    def colour(self, name: str) -> str:
        """The six digits of a colour by its name, or as it is; raises FormulaError for what is neither."""
        wrong = colours_in({"colours": self.colours})(name)
        if wrong is not None:
            raise refuse("unknown-colour", f"{self.shown}: {wrong[0]}", help=wrong[1])
        return self.colours.get(name, name)

    def of_parts(self, quantities: Sequence[str]) -> list[str]:
        """The colours of the parts of one bar, none twice while there are enough."""
        named = [self.parts.get(quantity, "") for quantity in quantities]
        return self._filled(named, [name for name in self.turn if name not in named])

    def of_waits(self, words: Sequence[str]) -> dict[str, str]:
        """The colour of each word for what time waits for; those without one take, in turn, what no other word has."""
        named = [self.waits.get(word, "") for word in words]
        taken = set(self.waits.values())
        return dict(zip(words, self._filled(named, [name for name in self.turn if name not in taken]), strict=True))

    def state(self, word: str) -> str:
        """The colour of `good`, `bad`, `warn` or `other`."""
        return self.colour(self.status[word])

    def series(self, number: int) -> str:
        """The colour of a line or a group of points, by its place."""
        return self.colour(self.turn[number % len(self.turn)])

    def _filled(self, named: Sequence[str], free: Sequence[str]) -> list[str]:
        others: Iterator[str] = ((free or self.turn)[n % len(free or self.turn)] for n in range(len(named)))
        return [self.colour(name or next(others)) for name in named]


def palette_of(library: Library) -> Palette:
    """The palette of the last folder that has one, else ours; raises FormulaError for an unknown colour."""
    return _palette(*library.last_or_ours(PALETTE_FILE))


def our_palette() -> Palette:
    """The palette of this package."""
    return _palette(PALETTE_FILE, read_toml(OURS / PALETTE_FILE, PALETTE_FILE))


def _palette(shown: str, data: Mapping[str, Any]) -> Palette:
    check_table(PALETTE, data, shown, {"colour": colours_in(data)})
    return Palette(shown, data["colours"], data["turn"], *(data.get(each, {}) for each in _TABLES))


def colours_in(data: Mapping[str, Any]) -> Lookup:
    """Looks up the colours of a palette, as the file holds it."""
    colours = data.get("colours", {})

    def wrong(name: str) -> tuple[str, str] | None:
        if name in colours or re.fullmatch(_HEX, name):
            return None
        help_ = nearest(name, colours) or "Write a name of [colours] of the palette, or six digits behind a #."
        return f"`{name}` is not a colour", help_

    return wrong
