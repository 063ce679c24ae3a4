"""Computes the values of one published run from its row: as printed, translated by `words`, or by a `let` formula."""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from formula_eval.analyse.validate.points import Point
from formula_eval.analyse.validate.sources import SourceTable
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.library import Library
from formula_eval.records.mapping.interpreter import Reading
from formula_eval.records.mapping.reader import parsed
from formula_eval.records.schema import Schema


def choice_words(schema: Schema) -> tuple[str, ...]:
    """All words of all choices."""
    return tuple(sorted({word for input_schema in schema.inputs.values() for word in input_schema.quantity.words}))


class PointValues(Mapping[str, Any]):
    """Maps names to the values of one point: computed by `let`, translated by `words`, or as printed."""

    def __init__(self, point: Point, table: SourceTable, library: Library, words: tuple[str, ...]) -> None:
        """Read a point by its table."""
        about = {"source": point.source, "id": point.id, "kind": point.kind, "measured": point.measured}
        self._printed: dict[str, Any] = {**about, **point.inputs}
        self._table = table
        self._library = library
        self._words = words
        self._known: dict[str, Any] = {}
        self._open: set[str] = set()
        self.missing: dict[str, str] = {}

    def with_more(self, more: Mapping[str, Any]) -> "PointValues":
        """The same point with further printed values."""
        other = PointValues.__new__(PointValues)
        other.__dict__.update(self.__dict__, _printed={**self._printed, **more}, _known={}, missing={})
        return other

    def value(self, text: str, what: str) -> Any:  # noqa: ANN401 - as printed
        """The value of an expression; raises FormulaError, `missing-value` where the point lacks what it needs."""
        try:
            return Reading(self, self._words).value(parsed(self._library, text, f"{self._table.shown} {what}"))
        except FormulaError as error:
            raise self._explained(error) from error
        except (ZeroDivisionError, OverflowError, TypeError, ValueError) as error:
            raise refuse("bad-value", f"`{what}` cannot be computed as `{text}`") from error

    def _explained(self, error: FormulaError) -> FormulaError:
        """Explains a missing value by its origin."""
        first = error.diagnostics[0]
        if first.code != "missing-value" or not first.subject:
            return error
        name = first.subject.partition(".")[0]
        return refuse("missing-value", self.missing.get(name, f"the point does not say `{first.subject}`"))

    def says(self, name: str) -> bool:
        """Whether the point itself states it."""
        return self._printed.get(name) is not None

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - as printed
        """The value of a name; raises KeyError, or FormulaError where it cannot be computed."""
        if name in self._known:
            return self._known[name]
        is_defined = name in self._table.table("let") or name in self._table.table("words")
        if name in self._open or not is_defined:
            return self._printed[name]
        self._open.add(name)
        try:
            self._known[name] = self._computed(name)
        finally:
            self._open.discard(name)
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        """Whether a name has a value; if not, `missing` holds the reason."""
        try:
            return self[str(name)] is not None
        except KeyError:
            return False
        except FormulaError as error:
            self.missing[str(name)] = error.diagnostics[0].message
            return False

    def __iter__(self) -> Iterator[str]:
        """All names."""
        return iter({*self._printed, *self._table.table("words"), *self._table.table("let")})

    def __len__(self) -> int:
        """How many there are."""
        return sum(1 for _ in self)

    def _computed(self, name: str) -> Any:  # noqa: ANN401 - as printed
        expression = self._table.table("let").get(name)
        if expression is not None:
            return self.value(str(expression), name)
        for key, patterns in self._table.table("words")[name].items():
            printed = self._text_of(key).lower()
            for pattern, word in patterns.items():
                if fnmatchcase(printed, pattern.lower()):
                    return word
        key = next(iter(self._table.table("words")[name]))
        raise refuse("missing-value", f"`{key} = {self._text_of(key)}` is not known")

    def _text_of(self, key: str) -> str:
        """The text that a point prints under a key, such as `model.name`; empty if it prints none."""
        value: Any = self
        for part in key.split("."):
            value = value[part] if isinstance(value, Mapping) and part in value else None
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
