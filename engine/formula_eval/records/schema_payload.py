"""Serialises a schema to bytes for a cache, and reads it back, each formula only when it is asked for."""

import marshal
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formula_eval.core.namespace import COPY_MARK
from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import RecordKind
from formula_eval.core.table import Cell, TableShape
from formula_eval.core.unit import kept_units
from formula_eval.records.schema import CheckSchema, FormulaSchema, InputSchema, Schema
from formula_eval.records.synonyms import Synonyms

_FORMAT = 4  # which every Python that we run on reads: a package carries what another one wrote
_SHARED = len(FormulaSchema._fields) - len(("name", "place"))


def payload(schema: Schema) -> bytes:
    """The parts of a schema for a cache, each read by itself: most of it, then what is copied under each binding.

    What many share (quantities, sentences, folders) stands once, and they say which.
    """
    shared = SharedValues()
    formulas: dict[str, str] = {}
    copies: dict[str, dict[str, Sequence[int]]] = {}
    for name, formula in schema.formulas.items():
        if formula.original in schema.formulas:
            copies.setdefault(name.partition(COPY_MARK)[2], {})[formula.original] = copy_row(formula, shared)
        else:
            formulas[name] = formula_row(formula, shared)
    data = {
        "inputs": [input_row(input_schema, shared) for input_schema in schema.inputs.values()],
        "formulas": formulas,
        "bindings": list(copies),
        "checks": list(schema.checks.values()),
        "tables": list(schema.tables.values()),
        "kinds": list(schema.kinds.values()),
        "shared": list(shared.numbers),
        "units": schema.units.to_data(),
        "synonyms": list(schema.synonyms),
        "parts": schema.parts,
    }
    return marshal.dumps([marshal.dumps(plain(part), _FORMAT) for part in (data, *copies.values())], _FORMAT)


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a schema holds
    """A value as `payload` keeps it: tuples for lists and for those with names."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return tuple(map(plain, value)) if isinstance(value, list | tuple) else value


def schema_from(kept: bytes) -> Schema:
    """The schema of a `payload`, copies by what they copy."""
    main, *copies = marshal.loads(kept)  # noqa: S302 - a cache entry of the user's own
    data = marshal.loads(main)  # noqa: S302 - as above
    shared, synonyms = data["shared"], Synonyms(*data["synonyms"])
    quantities = {kind: Quantified(*shared[kind]) for kind in {each[1] for each in data["inputs"]}}
    inputs = {
        name: InputSchema._make((name, quantities[kind], *rest, Cell(*cell) if cell else None))
        for name, kind, *rest, cell in data["inputs"]
    }
    return Schema(
        inputs,
        KeptFormulas(data, copies),
        {name: CheckSchema(name, *rest) for name, *rest in data["checks"]},
        {name: TableShape(name, *rest) for name, *rest in data["tables"]},
        {name: RecordKind(name, *rest) for name, *rest in data["kinds"]},
        kept_units(data["units"], synonyms.units, synonyms.advised),
        synonyms,
        data["parts"],
    )


def input_row(input_schema: InputSchema, shared: "SharedValues") -> list[Any]:
    """All of an input, its quantity by number."""
    name, quantity, *rest = input_schema
    return [name, shared(quantity), *rest]


def copy_row(schema: FormulaSchema, shared: "SharedValues") -> list[int]:
    """What a copy has of its own, by number."""
    return [*map(shared, (schema.quantity, schema.folders, schema.needs))]


def formula_row(formula: FormulaSchema, shared: "SharedValues") -> str:
    """All of a formula by number, since many have the same, then its place: a text is read faster than a list."""
    name_and_place = ("name", "place")
    numbers = [shared(value) for key, value in formula._asdict().items() if key not in name_and_place]
    return " ".join(map(str, (*numbers, formula.place)))


class SharedValues:
    """Values by number, in the order in which they were first met."""

    def __init__(self, known: Sequence[Any] = ()) -> None:
        """Begin with these."""
        self.numbers: dict[Any, int] = {each: number for number, each in enumerate(known)}

    def __call__(self, value: Any) -> int:  # noqa: ANN401 - anything that can be a key
        """The number of a value."""
        return self.numbers.setdefault(value, len(self.numbers))


class KeptFormulas(Mapping[str, FormulaSchema]):
    """The formulas of a kept schema, each made when it is asked for: an answer reads a few of thousands."""

    def __init__(self, data: Mapping[str, Any], copies: Sequence[bytes]) -> None:
        """Those of the first line, and of a line for each binding."""
        self._formulas, self._shared = data["formulas"], data["shared"]
        self._copies = dict(zip(data["bindings"], copies, strict=True))
        self._read: dict[str, Mapping[str, Sequence[int]]] = {}
        self._made: dict[str, FormulaSchema] = {}
        self._quantities: dict[tuple[Any, ...], Quantified] = {}

    def copies_under(self, binding: str) -> Mapping[str, Sequence[int]]:
        """The formulas with a copy under other inputs, which are read when one of them is asked for."""
        if binding not in self._read:
            self._read[binding] = marshal.loads(self._copies[binding]) if binding in self._copies else {}  # noqa: S302 - as above
        return self._read[binding]

    def __getitem__(self, name: str) -> FormulaSchema:
        """The formula of this name; raises KeyError."""
        found = self._made.get(name)
        if found is None:
            found = self._made[name] = self._make(name)
        return found

    def _make(self, name: str) -> FormulaSchema:
        original, _, binding = name.partition(COPY_MARK)
        is_copy = name not in self._formulas
        *numbers, place = self._formulas[original if is_copy else name].split(" ", _SHARED)
        quantity, sentence, kind, namespace, folders, of, needs = [self._shared[int(number)] for number in numbers]
        if is_copy:
            quantity, folders, needs = (self._shared[number] for number in self.copies_under(binding)[original])
            of = original
        if quantity not in self._quantities:
            self._quantities[quantity] = Quantified(*quantity)
        about = sentence, place, kind, namespace, folders, of, needs
        return FormulaSchema(name, self._quantities[quantity], *about)

    def __contains__(self, name: object) -> bool:
        """Whether there is one."""
        original, mark, binding = str(name).partition(COPY_MARK)
        return name in self._formulas or (bool(mark) and original in self.copies_under(binding))

    def __iter__(self) -> Iterator[str]:
        """The names, those of copies last."""
        yield from self._formulas
        for binding in self._copies:
            yield from (f"{original}{COPY_MARK}{binding}" for original in self.copies_under(binding))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._formulas) + sum(len(self.copies_under(binding)) for binding in self._copies)
