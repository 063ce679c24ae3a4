"""Describes what the everyday command must know of the formulas, as plain data that a cache can hold."""

from collections import ChainMap
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from formula_eval.core.namespace import ROOT, around, is_published, qualified
from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import Kinds, RecordKind, kind_called
from formula_eval.core.table import FILLED, Cell, TableShape
from formula_eval.core.unit import UnitTable
from formula_eval.records.synonyms import NO_SYNONYMS, Synonyms, plain_name
from formula_eval.toml_shape import Vocabulary
from formula_eval.toml_table import of_names


class InputSchema(NamedTuple):
    """One input: what it is, who supplies it, what it may be; `cell` says where it stands if it is one of a table.

    `also` are what others call the words of a choice, each with ours.
    """

    name: str  # with its folders, and its record's name ahead
    quantity: Quantified  # its unit, its dimension, or its words
    sentence: str  # what it is, empty where nobody says
    place: str  # file and line of its declaration
    supplier: str = ""  # the `from` of its declaration, empty for none
    record: str = ""  # another record that it is of, or empty
    key: str = ""  # its name without that of the record
    default: str = ""  # as the chapter writes it, empty for none
    optional: bool = False  # whether it may be absent without a default
    low: float | None = None  # in base units, None for no bound
    high: float | None = None  # in base units, None for no bound
    allowed: tuple[float, ...] = ()  # all that it may be, empty for any
    needs: tuple[str, ...] = ()  # inputs without which its default has no value
    fixed: str = ""  # the record that a formula names, or empty
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

    name: str  # with its folders; a copy's has an `@`
    quantity: Quantified
    sentence: str  # what it is, empty where nobody says
    place: str  # file and line of its declaration
    kind: str  # `formula`, `cell`, `message` or `condition`
    namespace: str = ""  # folder whose names its text uses
    folders: tuple[str, ...] = ()
    original: str = ""  # what it copies under other inputs, or empty
    needs: tuple[str, ...] = ()

    @property
    def is_listed(self) -> bool:
        """Whether a list or a pattern shows it: copies under other inputs, and what messages quote, only by name."""
        return self.kind in ("formula", "cell") and not self.original


class CheckSchema(NamedTuple):
    """One check, its message as texts and the names of nodes (in braces), and the choices that it needs."""

    name: str  # of the node that holds its condition
    level: str  # `refuse`, `warn` or `note`
    message: tuple[str, ...]
    place: str  # file and line of its declaration
    namespace: str = ""  # folder whose names its text uses
    needs: tuple[str, ...] = ()
    change: tuple[str, ...] = ()  # who, what was done, to what; or empty

    @property
    def told(self) -> str:
        """The first sentence of its message, with dots where a value stands; nothing where it has no message."""
        text = "".join("{}" if name.startswith("{") else name for name in self.message)
        return text.partition(". ")[0].rstrip(".").replace("{}", "...")


class _Declared(NamedTuple):
    inputs: Mapping[str, InputSchema]
    formulas: Mapping[str, FormulaSchema]
    checks: Mapping[str, CheckSchema]
    tables: Mapping[str, TableShape]
    kinds: Kinds
    units: UnitTable
    synonyms: Synonyms = NO_SYNONYMS
    parts: Mapping[str, str] = {}  # the folder that each part uses


class Schema(_Declared):
    """All inputs, quantities, checks, tables and kinds of records by name, and the units in which they are written."""

    @cached_property
    def read_records(self) -> dict[tuple[str, str, str], tuple[Mapping[str, Any], Any]]:
        """The records that were read by it: the contents of each, and the values that they supply."""
        return {}

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What tables of TOML may name of it."""
        known = {"input": self.inputs, "formula": self.formulas, "check": self.checks, "table": self.tables}
        quantities: Collection[str] = ChainMap(self.formulas, self.inputs)  # type: ignore[arg-type]
        named = {what: of_names(names, what) for what, names in known.items()}
        return {**named, "quantity": of_names(quantities, "quantity")}

    @cached_property
    def _by_last_part(self) -> Mapping[str, Sequence[InputSchema]]:
        """The inputs by what their names end with."""
        found: dict[str, list[InputSchema]] = {}
        for name, input_schema in self.inputs.items():
            found.setdefault(last_part(name), []).append(input_schema)
        return found

    def quantity(self, name: str) -> Quantified:
        """What the value of an input or formula is."""
        found = self.inputs.get(name) or self.formulas[name]
        return found.quantity

    def unread_in_part(self, name: str) -> str:
        """What to write so that a part has a quantity of its folder that no formula reads; nothing for other names."""
        for part, folder in self.parts.items():
            for start in (f"{part}.", f"{last_part(part)}."):
                inside = name.removeprefix(start)
                if inside != name and qualified(folder, inside) in self.formulas:
                    written = f"`... = {last_part(part)}.{inside}`"
                    return f"The part `{part}` has what formulas read of it: write one, {written}."
        return ""

    def unchosen(self, name: str, given: Collection[str]) -> tuple[str, ...]:
        """The choices without a default that a quantity needs and nobody made."""
        asked = self.inputs.get(name)
        if asked is not None and (name in given or asked.is_open_choice):
            return () if name in given else (name,)
        found: InputSchema | FormulaSchema = asked or self.formulas[name]
        return tuple(dict.fromkeys(each for need in found.needs for each in self.unchosen(need, given)))

    def input_name(self, name: str, namespace: str = "") -> str | None:
        """The input of this name, the only one of a folder that ends so, or the one that others call so; else None.

        Where several end so, those of the namespace go first, then those of the folders around it, then the root's.
        """
        for space in around(namespace):
            if (inside := qualified(space, name)) in self.inputs:
                return inside
        if (outside := name.removeprefix(f"{ROOT}.")) in self.inputs:
            return outside
        alike = self._by_last_part.get(last_part(name), ())
        ending = [input_schema for input_schema in alike if input_schema.name.endswith(f".{name}")]
        inner = [
            input_schema.name
            for input_schema in ending
            if not input_schema.record or name.startswith(f"{last_part(input_schema.record)}.")
        ]
        for space in around(namespace)[:-1]:
            if len(inner) > 1:
                inner = [each for each in inner if each.startswith(f"{space}.")] or inner
        advised = inner and is_published(inner[0]) and not is_published(namespace) and self.synonyms.advised(name)
        if len(inner) != 1 or advised:
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
        for name, input_schema in self.inputs.items():
            if not input_schema.record:
                found.setdefault(input_schema.supplier, {})[name] = input_schema
        return found

    @cached_property
    def records(self) -> tuple[InputSchema, ...]:
        """The inputs that are records."""
        return tuple(input_schema for input_schema in self.inputs.values() if input_schema.quantity.kind == "record")

    @cached_property
    def filled(self) -> tuple[InputSchema, ...]:
        """The flags that say whether a row of a table is there."""
        return tuple(
            input_schema
            for input_schema in self.inputs.values()
            if input_schema.cell is not None and input_schema.cell.column == FILLED
        )

    @cached_property
    def shared(self) -> tuple[tuple[InputSchema, str], ...]:
        """The inputs without a default of a kind that another record may bring along, each with its own outside."""
        return tuple(
            (input_schema, input_schema.name.removeprefix(f"{input_schema.record}."))
            for input_schema in self.inputs.values()
            if input_schema.record
            and not input_schema.default
            and f"{input_schema.record}.{input_schema.supplier}" in self.inputs
        )

    def table_name(self, name: str, supplier: str) -> str | None:
        """The table of this name, or the only one of a folder that ends so, whose rows this supplier's records give."""
        found = [each for each, table in self.tables.items() if table.supplier == supplier and supplier]
        if name in found:
            return name
        inner = [each for each in found if each.endswith(f".{name}")]
        return inner[0] if len(inner) == 1 else None


def last_part(name: str) -> str:
    """A name without its folders."""
    return name.rpartition(".")[2]
