"""What the everyday command must know of the formulas, as plain data that a cache can hold."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from formula_eval.core.namespace import COPY_MARK, around
from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import Kinds, RecordKind, kind_called
from formula_eval.core.table import FILLED, Cell, TableShape
from formula_eval.core.unit import UnitTable, kept_units
from formula_eval.records.synonyms import NO_SYNONYMS, Synonyms, plain_name


class InputSchema(NamedTuple):
    """One input: what it is, who supplies it, what it may be; `cell` says where it stands if it is one of a table.

    `also` are what others call the words of a choice, each with ours.
    """

    name: str
    quantity: Quantified
    sentence: str
    place: str
    supplier: str = ""
    record: str = ""
    key: str = ""
    default: str = ""
    optional: bool = False
    low: float | None = None
    high: float | None = None
    allowed: tuple[float, ...] = ()
    needs: tuple[str, ...] = ()
    fixed: str = ""
    also: tuple[tuple[str, str], ...] = ()
    cell: Cell | None = None

    @property
    def is_required(self) -> bool:
        """Whether someone has to give it."""
        return not self.default and not self.optional

    @property
    def is_open_choice(self) -> bool:
        """Whether it is a choice that has no default."""
        return self.quantity.kind == "choice" and self.is_required and self.cell is None and not self.record


class FormulaSchema(NamedTuple):
    """One quantity that can be asked for, the folders with checks of all that it needs, and what it is a copy of.

    `needs` are the inputs without which it has no value, since somebody has to make a choice.
    """

    name: str
    quantity: Quantified
    sentence: str
    place: str
    kind: str
    namespace: str = ""
    folders: tuple[str, ...] = ()
    original: str = ""
    needs: tuple[str, ...] = ()

    @property
    def is_listed(self) -> bool:
        """Whether a list or a pattern shows it: copies under other inputs, and what messages quote, only by name."""
        return self.kind in ("formula", "cell") and not self.original

    def kept(self, shared: Callable[[object], int]) -> list[object]:
        """The place, and all else by number: many have the same."""
        return [
            self.place,
            *map(
                shared,
                (self.quantity, self.sentence, self.kind, self.namespace, self.folders, self.original, self.needs),
            ),
        ]


class CheckSchema(NamedTuple):
    """One check, its message as texts and the names of nodes (in braces), and the choices that it needs."""

    name: str
    level: str
    message: tuple[str, ...]
    place: str
    namespace: str = ""
    needs: tuple[str, ...] = ()
    change: tuple[str, ...] = ()


@dataclass(frozen=True)
class Schema:
    """All inputs, quantities, checks, tables and kinds of records by name, and the units in which they are written.

    `read_records` are the records that were read by it: the contents of each, and the values that they supply.
    """

    inputs: Mapping[str, InputSchema] = field(default_factory=dict)
    formulas: Mapping[str, FormulaSchema] = field(default_factory=dict)
    checks: Mapping[str, CheckSchema] = field(default_factory=dict)
    tables: Mapping[str, TableShape] = field(default_factory=dict)
    kinds: Kinds = field(default_factory=dict)
    units: UnitTable = field(default_factory=UnitTable)
    synonyms: Synonyms = NO_SYNONYMS
    read_records: dict[tuple[str, str, str], tuple[Mapping[str, Any], Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def quantity(self, name: str) -> Quantified:
        """What the value of an input or formula is."""
        found = self.inputs.get(name) or self.formulas[name]
        return found.quantity

    def unchosen(self, name: str, given: Collection[str]) -> tuple[str, ...]:
        """The choices without a default that a quantity needs and nobody made."""
        asked = self.inputs.get(name)
        if asked is not None and (name in given or asked.is_open_choice):
            return () if name in given else (name,)
        found: InputSchema | FormulaSchema = asked or self.formulas[name]
        return tuple(dict.fromkeys(each for need in found.needs for each in self.unchosen(need, given)))

    def input_name(self, name: str, namespace: str = "") -> str | None:
        """The input of this name, the only one of a folder that ends so, or the one that others call so; else None.

        Where several end so, those of the namespace go first, then those of the folders around it.
        """
        if name in self.inputs:
            return name
        ending = [each for each in self.inputs.values() if each.name.endswith(f".{name}")]
        inner = [each.name for each in ending if not each.record or name.startswith(f"{last_part(each.record)}.")]
        for space in around(namespace)[:-1]:
            if len(inner) > 1:
                inner = [each for each in inner if each.startswith(f"{space}.")] or inner
        if len(inner) != 1:
            meant = self.synonyms.inputs.get(plain_name(name))
            return meant if meant in self.inputs else None
        return inner[0]

    def kind_named(self, word: str) -> RecordKind | None:
        """The kind of records that an option or a scenario calls so, or another program."""
        return kind_called(word, self.kinds) or self.kinds.get(self.synonyms.records.get(plain_name(word), ""))

    def quantity_called(self, name: str) -> str:
        """The formula that people call so; nothing where there is none."""
        meant = self.synonyms.quantities.get(plain_name(name), "")
        return meant if meant in self.formulas else ""

    def inputs_of(self, supplier: str) -> Mapping[str, InputSchema]:
        """The inputs that records of a kind give, by name."""
        return self._by_supplier.get(supplier, {})

    @cached_property
    def _by_supplier(self) -> Mapping[str, Mapping[str, InputSchema]]:
        found: dict[str, dict[str, InputSchema]] = {}
        for name, each in self.inputs.items():
            if not each.record:
                found.setdefault(each.supplier, {})[name] = each
        return found

    @cached_property
    def records(self) -> tuple[InputSchema, ...]:
        """The inputs that are records."""
        return tuple(each for each in self.inputs.values() if each.quantity.kind == "record")

    @cached_property
    def filled(self) -> tuple[InputSchema, ...]:
        """The flags that say whether a row of a table is there."""
        return tuple(each for each in self.inputs.values() if each.cell is not None and each.cell.column == FILLED)

    @cached_property
    def shared(self) -> tuple[tuple[InputSchema, str], ...]:
        """The inputs without a default of a kind that another record may bring along, each with its own outside."""
        return tuple(
            (each, each.name.removeprefix(f"{each.record}."))
            for each in self.inputs.values()
            if each.record and not each.default and f"{each.record}.{each.supplier}" in self.inputs
        )

    def table_name(self, name: str, supplier: str) -> str | None:
        """The table of this name, or the only one of a folder that ends so, whose rows this supplier's records give."""
        found = [each for each, table in self.tables.items() if table.supplier == supplier and supplier]
        if name in found:
            return name
        inner = [each for each in found if each.endswith(f".{name}")]
        return inner[0] if len(inner) == 1 else None

    def payload(self) -> bytes:
        """Lines of JSON for a cache: the schema, then what has a copy under other inputs, a line for each binding.

        What many share (quantities, sentences, folders) stands once, and they say which.
        """
        shared = _Shared()
        copies: dict[str, dict[str, Sequence[int]]] = {}
        for name, each in self.formulas.items():
            if self._is_copy(each):
                numbers = [*map(shared, (each.quantity, each.folders, each.needs))]
                copies.setdefault(name.partition(COPY_MARK)[2], {})[each.original] = numbers
        data = {
            "inputs": [
                [name, shared(each.quantity), *rest] for each in self.inputs.values() for name, _, *rest in (each,)
            ],
            "formulas": {name: each.kept(shared) for name, each in self.formulas.items() if not self._is_copy(each)},
            "bindings": list(copies),
            "checks": list(self.checks.values()),
            "tables": list(self.tables.values()),
            "kinds": list(self.kinds.values()),
            "shared": list(shared.numbers),
            "units": self.units.to_data(),
            "synonyms": list(self.synonyms),
        }
        return b"\n".join(json.dumps(part).encode() for part in (data, *copies.values()))

    def _is_copy(self, formula: FormulaSchema) -> bool:
        """Whether it is a formula under other inputs, which is kept with little more than its name."""
        return formula.original in self.formulas


def last_part(name: str) -> str:
    """A name without its folders."""
    return name.rpartition(".")[2]


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
            self._read[binding] = json.loads(self._copies.get(binding, b"{}"))
        return self._read[binding]

    def __getitem__(self, name: str) -> FormulaSchema:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> FormulaSchema:
        original, _, binding = name.partition(COPY_MARK)
        is_copy = name not in self._formulas
        place, *numbers = self._formulas[original if is_copy else name]
        quantity, sentence, kind, namespace, folders, of, needs = (self._shared[number] for number in numbers)
        if is_copy:
            quantity, folders, needs = (self._shared[number] for number in self._copies_under(binding)[original])
            of = original
        about = sentence, place, kind, namespace, tuple(folders), of, tuple(needs)
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


def schema_from(payload: bytes) -> Schema:
    """The schema of `Schema.payload`: each of its tuples was kept as a list, and copies by what they copy."""
    main, *copies = payload.split(b"\n")
    data = json.loads(main)
    shared = data["shared"]
    inputs = {
        name: InputSchema._make((name, Quantified(*shared[kind]), *rest, Cell(*cell) if cell else None))
        for name, kind, *rest, cell in data["inputs"]
    }
    return Schema(
        inputs,
        _KeptFormulas(data, copies),
        {name: CheckSchema(name, *rest) for name, *rest in data["checks"]},
        {name: TableShape(name, *rest) for name, *rest in data["tables"]},
        {
            name: RecordKind(name, path, default, tuple(suppliers), *rest)
            for name, path, default, suppliers, *rest in data["kinds"]
        },
        kept_units(data["units"]),
        Synonyms(*data["synonyms"]),
    )
