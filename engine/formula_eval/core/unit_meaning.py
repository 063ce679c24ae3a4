"""Builds the table of all units from `unit` statements: their scales, with the prefixes that they take."""

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import zip_longest
from typing import Literal, NamedTuple

from formula_eval.core.unit import PLAIN, Dimension, Style, Unit, UnitTable, UnknownUnitError

_SPOKEN = {"K": "k", "B": "G", "thousand": "k", "million": "M", "billion": "G", "trillion": "T"}
PREFIXES: Mapping[str, Mapping[str, Fraction]] = {
    "decimal": {prefix: Fraction(1000) ** power for power, prefix in enumerate("kMGTPE", 1)},
    "binary": {f"{prefix}i": Fraction(1024) ** power for power, prefix in enumerate("KMGTP", 1)},
    "small": {prefix: 1 / Fraction(1000) ** power for power, prefix in enumerate("mun", 1)},
}
CENTS = "cents"
_NUMBER = r"[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3}(?![0-9]))?"  # as the grammar has it
_STATEMENT = (
    r"unit +(?P<name>[A-Za-z]+) *(?:(?P<kind>base|count +checked|count)\b"
    rf"|= *(?P<number>{_NUMBER}(?: */ *{_NUMBER})?)"
    r" *(?P<of>(?!with\b)(?:1/)?[A-Za-z]+[A-Za-z0-9*/]*)?) *(?:with +(?P<forms>[a-z, ]+))?"
)
_CALLED = re.compile(r' +"([A-Za-z]+)[":,]')
_LEAST_WORD = 3
_LEAST = Fraction(1, 10**290)  # a scale beyond this, or what is made of it, is no double


def multiple_of(prefix: str) -> Fraction:
    """What a prefix on a bare number multiplies by: `4k` tokens, `128Ki`, and as people write it, `128K` and `15B`."""
    written = _SPOKEN.get(prefix, prefix)
    return PREFIXES["binary" if written.endswith("i") else "decimal"][written.replace("ki", "Ki")]


class UnitMeaning(NamedTuple):
    """One `unit` statement: `number` times the unit `of`, or something of its own; `forms` are prefixes or `cents`.

    `word` is what its sentence calls it, where that is one word: `kilometre`.
    """

    name: str  # as formulas write it
    kind: Literal["base", "count", "checked", "multiple"]  # `checked`: a count that sums are checked for
    number: str = "1"
    of: str = ""
    forms: tuple[str, ...] = ()
    word: str = ""

    @property
    def scale(self) -> Fraction:
        """The number."""
        above, _, below = self.number.replace("_", "").partition("/")
        return Fraction(above) / Fraction(below or 1)

    @property
    def style(self) -> Style:
        """How a number of it is written: what is counted, and a word for a multiple such as `hour`, in the plural."""
        if CENTS in self.forms:
            return "cents"
        word = self.name.islower() and len(self.name) >= _LEAST_WORD and not self.forms and self.name != "percent"
        return "counted" if self.kind in ("count", "checked") or (self.kind == "multiple" and word) else ""

    @property
    def prefixed(self) -> Iterator[tuple[str, Fraction]]:
        """Its name with each prefix that it takes, and what that multiplies by."""
        for form in self.forms:
            yield from ((prefix + self.name, scale) for prefix, scale in PREFIXES.get(form, {}).items())


def meanings_in(text: str) -> Iterator[UnitMeaning]:
    """The `unit` statements of a chapter, without reading the rest; one that is misspelt is left for the reader."""
    lines = text.splitlines() if "unit " in text else []
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        found = re.match(_STATEMENT, line)
        if found is not None:
            forms = tuple(each.strip() for each in (found["forms"] or "").split(","))
            kind = " ".join((found["kind"] or "multiple").split()).removeprefix("count ")
            number = (found["number"] or "1").replace(" ", "")
            try:
                word = _CALLED.match(following)
                meaning = UnitMeaning(
                    found["name"],
                    kind,  # type: ignore[arg-type]
                    number,
                    found["of"] or "",
                    tuple(filter(None, forms)),
                    word[1].lower() if word else "",
                )
                if meaning.scale:
                    yield meaning
            except (ValueError, ZeroDivisionError):
                continue


def unit_table(meanings: Iterable[UnitMeaning]) -> UnitTable:
    """The table of these units; of two that bear one name the first counts, and what has no meaning is left out."""
    known = tuple(meanings)
    units = dict(_Units(known).items())
    called = {meaning.word: meaning.name for meaning in reversed(known) if meaning.word and meaning.word not in units}
    return UnitTable(units, called)


def unit_of(meaning: UnitMeaning, table: UnitTable) -> Unit:
    """The unit that a statement means, beside those of a table; raises UnknownUnitError."""
    name, kind = meaning.name, meaning.kind
    if kind == "multiple":
        known = table.parse(meaning.of) if meaning.of else Unit("1")
        if not _LEAST < abs(meaning.scale * known.scale) < 1 / _LEAST:
            raise UnknownUnitError(name)
        return Unit(name, meaning.scale * known.scale, known.dimension, style=meaning.style)
    dimension = PLAIN if kind == "count" else Dimension(((name, Fraction(1)),))
    return Unit(name, dimension=dimension, is_count=kind != "base", style=meaning.style)


class _Units(Mapping[str, Unit]):
    """Units by name, each made when another one needs it; what needs itself is not a unit."""

    def __init__(self, meanings: Iterable[UnitMeaning]) -> None:
        self._meanings: dict[str, UnitMeaning] = {}
        self._prefixed: dict[str, tuple[UnitMeaning, Fraction]] = {}
        for meaning in meanings:
            if meaning.name not in self._meanings and meaning.name not in self._prefixed:
                self._meanings[meaning.name] = meaning
                for name, scale in meaning.prefixed:
                    self._prefixed.setdefault(name, (meaning, scale))
        self._made: dict[str, Unit | None] = {}

    def __getitem__(self, name: str) -> Unit:
        if name not in self._made:
            self._made[name] = None
            self._made[name] = self._unit(name)
        made = self._made[name]
        if made is None:
            raise KeyError(name)
        return made

    def _unit(self, name: str) -> Unit | None:
        if name in self._meanings:
            try:
                return unit_of(self._meanings[name], UnitTable(self))
            except UnknownUnitError:
                return None
        if name not in self._prefixed:
            return None
        meaning, scale = self._prefixed[name]
        try:
            of = self[meaning.name]
        except KeyError:
            return None
        return Unit(name, scale * of.scale, of.dimension, of.is_count, of.style)

    def __iter__(self) -> Iterator[str]:
        for name in dict.fromkeys([*self._meanings, *self._prefixed]):
            if name in self:
                yield name

    def __len__(self) -> int:
        return sum(1 for _ in self)
