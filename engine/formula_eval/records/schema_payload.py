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

_SHARED = len(FormulaSchema._fields) - len(("name", "place"))


def payload(schema: Schema) -> bytes:
    """Lines of JSON for a cache: the schema, then what has a copy under other inputs, a line for each binding.

    What many share (quantities, sentences, folders) stands once, and they say which.
    """
    import json  # noqa: PLC0415 - what it gives is kept

    shared = _Shared()
    formulas: dict[str, str] = {}
    copies: dict[str, dict[str, Sequence[int]]] = {}
    for name, each in schema.formulas.items():
        if each.original in schema.formulas:
            numbers = [*map(shared, (each.quantity, each.folders, each.needs))]
            copies.setdefault(name.partition(COPY_MARK)[2], {})[each.original] = numbers
        else:
            formulas[name] = _kept(each, shared)
    data = {
        "inputs": [
            [name, shared(each.quantity), *rest] for each in schema.inputs.values() for name, _, *rest in (each,)
        ],
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
    return b"\n".join(json.dumps(part).encode() for part in (data, *copies.values()))


def packed(text: bytes) -> bytes:
    """What `payload` gave, each line by itself in the form that this Python reads fastest."""
    import json  # noqa: PLC0415 - as above

    return marshal.dumps([marshal.dumps(_frozen(json.loads(line))) for line in text.split(b"\n")])


def _frozen(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The same with tuples for lists, which are read faster: the empty one is there already."""
    if isinstance(value, dict):
        return {name: _frozen(each) for name, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def schema_from(kept: bytes) -> Schema:
    """The schema that was `packed`, copies by what they copy."""
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
        _KeptFormulas(data, copies),
        {name: CheckSchema(name, *rest) for name, *rest in data["checks"]},
        {name: TableShape(name, *rest) for name, *rest in data["tables"]},
        {name: RecordKind(name, *rest) for name, *rest in data["kinds"]},
        kept_units(data["units"], synonyms.units),
        synonyms,
        data["parts"],
    )


def _kept(formula: FormulaSchema, shared: "_Shared") -> str:
    """All of a formula by number, since many have the same, then its place: a text is read faster than a list."""
    name_and_place = ("name", "place")
    numbers = [shared(value) for key, value in formula._asdict().items() if key not in name_and_place]
    return " ".join(map(str, (*numbers, formula.place)))


class _Shared:
    """Values by number, in the order in which they were first met."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def __call__(self, value: Any) -> int:  # noqa: ANN401 - anything that can be a key
        return self.numbers.setdefault(value, len(self.numbers))


class _KeptFormulas(Mapping[str, FormulaSchema]):
    """The formulas of a kept schema, each made when it is asked for: an answer reads a few of thousands."""

    def __init__(self, data: Mapping[str, Any], copies: Sequence[bytes]) -> None:
        self._formulas, self._shared = data["formulas"], data["shared"]
        self._copies = dict(zip(data["bindings"], copies, strict=True))
        self._read: dict[str, Mapping[str, Sequence[int]]] = {}
        self._made: dict[str, FormulaSchema] = {}

    def _copies_under(self, binding: str) -> Mapping[str, Sequence[int]]:
        """The formulas with a copy under other inputs, which are read when one of them is asked for."""
        if binding not in self._read:
            self._read[binding] = marshal.loads(self._copies[binding]) if binding in self._copies else {}  # noqa: S302 - as above
        return self._read[binding]

    def __getitem__(self, name: str) -> FormulaSchema:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> FormulaSchema:
        original, _, binding = name.partition(COPY_MARK)
        is_copy = name not in self._formulas
        *numbers, place = self._formulas[original if is_copy else name].split(" ", _SHARED)
        quantity, sentence, kind, namespace, folders, of, needs = (self._shared[int(number)] for number in numbers)
        if is_copy:
            quantity, folders, needs = (self._shared[number] for number in self._copies_under(binding)[original])
            of = original
        about = sentence, place, kind, namespace, folders, of, needs
        return FormulaSchema(name, Quantified(*quantity), *about)

    def __contains__(self, name: object) -> bool:
        original, mark, binding = str(name).partition(COPY_MARK)
        return name in self._formulas or (bool(mark) and original in self._copies_under(binding))

    def __iter__(self) -> Iterator[str]:
        yield from self._formulas
        for binding in self._copies:
            yield from (f"{original}{COPY_MARK}{binding}" for original in self._copies_under(binding))

    def __len__(self) -> int:
        return len(self._formulas) + sum(len(self._copies_under(binding)) for binding in self._copies)
