"""reports/palette.toml to the colours of data in every document: parts of a bar, what time waits for, states."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.export.layout import check_keys
from formula_eval.library import OURS, Library
from formula_eval.text_files import read_toml

THEMES = ("light", "dark")
PALETTE_FILE = "reports/palette.toml"
_HEX = "#[0-9A-Fa-f]{6}"
_TABLES = ("waits", "parts", "status", "terminal")


class Palette(NamedTuple):
    """Colours by name, and the names of those that things have."""

    shown: str
    colours: Mapping[str, str]
    turn: Sequence[str]
    waits: Mapping[str, str]
    parts: Mapping[str, str]
    status: Mapping[str, str]
    terminal: Mapping[str, str]

    def colour(self, name: str) -> str:
        """The six digits of a colour by its name, or as it is; raises FormulaError for what is neither."""
        if name in self.colours or re.fullmatch(_HEX, name):
            return self.colours.get(name, name)
        help_ = nearest(name, self.colours) or "Write a name of [colours] there, or six digits behind a #."
        raise refuse("bad-report", f"{self.shown}: `{name}` is not a colour", help=help_)

    def of_parts(self, quantities: Sequence[str]) -> list[str]:
        """The colours of the parts of one bar, none twice while there are enough."""
        named = [self.parts.get(each, "") for each in quantities]
        return self._filled(named, [each for each in self.turn if each not in named])

    def of_waits(self, words: Sequence[str]) -> dict[str, str]:
        """The colour of each word for what time waits for; those without one take, in turn, what no other word has."""
        named = [self.waits.get(each, "") for each in words]
        taken = set(self.waits.values())
        return dict(zip(words, self._filled(named, [each for each in self.turn if each not in taken]), strict=True))

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
    check_keys(data, ("colours", "turn", "status"), shown)
    check_keys(data["status"], ("good", "bad", "warn", "other"), f"{shown}: [status]")
    palette = Palette(shown, data["colours"], data["turn"], *(data.get(each, {}) for each in _TABLES))
    for name in (*palette.turn, *palette.colours.values(), *(x for each in palette[3:] for x in each.values())):
        palette.colour(name)
    return palette
