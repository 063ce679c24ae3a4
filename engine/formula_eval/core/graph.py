"""Defines the graph of all formulas: static, typed, in the order of evaluation, frozen."""

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal

from formula_eval.core.closure import closure
from formula_eval.core.declaration import ColumnDeclaration, Declaration, InputDeclaration, PartDeclaration, local_names
from formula_eval.core.expression import Expression
from formula_eval.core.namespace import COPY_MARK, around, readings
from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import Kinds
from formula_eval.core.table import Cell, TableShape
from formula_eval.core.type import Choice, Type, quantified
from formula_eval.core.unit import Unit

Kind = Literal["input", "formula", "cell", "call", "argument", "check", "message"]


@dataclass(frozen=True, slots=True)
class Node:
    """One scalar of the graph.

    `name` is qualified (`params.total`, `operators.lm_head.flops`); nobody needs to take it apart:

    - `namespace` is the folder whose names its text uses;
    - `cell` says where a cell of a table stands, be it computed or an input;
    - `owner` is the node that a call, an argument or a message of a check is part of, `function` the `def` called;
    - a copy under other inputs has the `original` that it copies and says in `binding` what was replaced; both make
      its name (`operators.lm_head.flops@prefill`);
    - an input of another record has the name of that record (`draft_model`) before the name of the input it repeats;
    - `fixed` is the id of the record that a formula names itself, unless somebody says another in its place.

    `shown_in` is the unit that its author declared; values are held in base units.
    `expression` is lowered; for an input it is the default, or None. `author` is what stands in the chapter.
    `guard` is the condition under which a call inside a branch is computed at all; otherwise it counts 0.
    `needs` are the inputs that have no value unless somebody makes a choice, as far as this node has none without them.
    """

    name: str
    kind: Kind  # the role it plays, such as `input` or `message`
    type: Type  # a quantity, flag, choice, record or date
    shown_in: Unit
    expression: Expression | None
    declaration: Declaration  # the statement that it comes from
    author: Expression | None = None
    guard: Expression | None = None
    namespace: str = ""
    cell: Cell | None = None
    owner: str = ""
    function: str = ""
    original: str = ""
    binding: str = ""
    supplier: str = ""  # the kind of records, or `scenario`, that gives it
    record: str = ""
    key: str = ""  # an input's name without that of another record
    optional: bool = False  # whether it may go without a value
    low: float | None = None  # the least value allowed, in base units, if any
    high: float | None = None  # the greatest value allowed, in base units, if any
    allowed: tuple[float, ...] = ()  # the only numbers allowed; empty for the whole range
    needs: tuple[str, ...] = ()
    fixed: str = ""

    @property
    def is_open_choice(self) -> bool:
        """Whether this is a choice without a default, which somebody has to make."""
        is_said = self.optional or self.expression is not None or self.cell is not None or bool(self.record)
        return self.kind == "input" and isinstance(self.type, Choice) and not is_said

    @property
    def unit(self) -> str:
        """The unit that its author declared, as written."""
        return self.shown_in.text

    @property
    def base(self) -> str:
        """The name without what a copy replaces."""
        return self.original or self.name

    @property
    def is_part_of_another(self) -> bool:
        """Whether this is a call of a function or an argument of one, within the text of another node."""
        return self.kind in ("call", "argument")

    @property
    def quantity(self) -> Quantified:
        """What its value is, as plain data."""
        return quantified(self.type, self.shown_in)

    @property
    def sentence(self) -> str:
        """What it is, as its author says."""
        return self.declaration.notes.sentence

    @property
    def written(self) -> Expression | None:
        """What stands in the chapter, else what it was lowered to."""
        return self.author if self.author is not None else self.expression

    @property
    def is_replaced_input(self) -> bool:
        """Whether this is a copy of an input: a formula that gives the input, or its default under other inputs."""
        return self.kind == "formula" and isinstance(self.declaration, InputDeclaration | ColumnDeclaration)


# What of a node the values of those that read it depend on: not where it stands, nor what is said of it.
meaning_of = attrgetter("kind", "type", "shown_in", "expression", "guard", "cell", "supplier", "needs", "fixed")


_FIELDS = tuple(each.name for each in fields(Node))
_VALUES = attrgetter(*_FIELDS)


def changed_node(node: Node, **changes: Any) -> Node:  # noqa: ANN401 - as its fields
    """The node with other values of some fields; `dataclasses.replace` takes several times as long."""
    values = dict(zip(_FIELDS, _VALUES(node), strict=True))
    return Node(**{**values, **changes})


@dataclass(frozen=True, slots=True)
class Check:
    """A condition on the inputs: the node that holds it, its level, and its message with the nodes it quotes."""

    node: str
    level: Literal["refuse", "warn", "note"]
    message: tuple[str | Expression, ...]
    change: tuple[str, ...] = ()


def overlaid(nodes: Mapping[str, Node], more: Mapping[str, Node]) -> Mapping[str, Node]:
    """The nodes, and more of them behind or instead of some; none of those that were there is read for that."""
    own, base = (nodes.maps[0], nodes.maps[-1]) if isinstance(nodes, ChainMap) else ({}, nodes)
    return ChainMap({**own, **more}, base)  # type: ignore[arg-type]  # nobody changes a graph


class PrintedNodes:
    """What is kept of the texts of nodes while a graph and those derived from it are in use; a pickle holds none."""

    __slots__ = ("texts",)

    def __init__(self) -> None:
        """Keep nothing yet."""
        self.texts: dict[str, dict[str, tuple[Node, tuple[str, ...]]]] = {}  # by notation and name, with the node

    def __reduce__(self) -> tuple[type["PrintedNodes"], tuple[()]]:
        """Keep nothing in a pickle."""
        return PrintedNodes, ()


@dataclass(frozen=True)
class FormulaGraph:
    """All nodes, each after those that it reads; nobody checks them again."""

    nodes: Mapping[str, Node]
    parents: Mapping[str, tuple[str, ...]]  # by node, the nodes that it reads
    checks: tuple[Check, ...] = ()
    tables: Mapping[str, TableShape] = field(default_factory=dict)  # the shapes of tables that have rows, by name
    kinds: Kinds = field(default_factory=dict)  # the kinds of records, by name
    functions: Mapping[str, Declaration] = field(default_factory=dict)  # the `def` statements, by qualified name
    parts: Mapping[str, PartDeclaration] = field(default_factory=dict)  # the `part` statements, likewise
    printed: PrintedNodes = field(
        default_factory=PrintedNodes, compare=False, repr=False
    )  # texts of nodes, as long as it is used

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """By node, the nodes that read it."""
        found: dict[str, list[str]] = {name: [] for name in self.nodes}
        for name, read in self.parents.items():
            for parent in read:
                found[parent].append(name)
        return {name: tuple(each) for name, each in found.items()}

    @cached_property
    def copies(self) -> Mapping[str, tuple[str, ...]]:
        """Each node that is not a copy, with its copies under other inputs behind it."""
        found: dict[str, list[str]] = {}
        for name in self.nodes:
            found.setdefault(name.partition(COPY_MARK)[0], []).append(name)
        return {name: tuple(names) for name, names in found.items()}

    def cells(self, names: Iterable[str]) -> list[Node]:
        """The nodes of these cells, as far as there are such nodes."""
        return [self.nodes[name] for name in names if name in self.nodes]

    def declared(self, written: str, namespace: str) -> Declaration | None:
        """What a name as written in a folder means: the declaration of a function, or of a node."""
        for name in readings(written, namespace):
            found = self.functions.get(name) or (self.nodes[name].declaration if name in self.nodes else None)
            if found is not None:
                return found
        return None

    def symbols_in(self, declared: Declaration, namespace: str, node: Node | None) -> Callable[[str], str]:
        """The symbol of a name as a statement of this folder, and of the node, writes it; none for its own names."""
        own = local_names(declared)
        outside = declared.name if isinstance(declared, ColumnDeclaration) and declared.supplier else ""

        def symbol(name: str) -> str:
            if name in own:
                return ""
            beside = node.cell.beside(name, node.record) if node and node.cell and name != outside else ""
            found = self.declared(beside, "") or self.declared(name, namespace)
            return found.notes.symbol if found is not None else ""

        return symbol

    def written_in(self, node: Node) -> Node:
        """What a call, an argument or a message is part of in the end; any other node itself."""
        while node.owner:
            node = self.nodes[node.owner]
        return node

    def chapter_of(self, node: Node) -> str:
        """The file that a formula stands in; of a quantity of a part, the name of the part."""
        written = self.written_in(node)
        part = next((name for name in around(written.namespace) if name in self.parts), "")
        return part or written.declaration.span.file

    def reads(self, name: str) -> Iterator[str]:
        """What a node reads, calls of functions seen through, each of them once."""
        return self.read_through(name, lambda parent: self.nodes[parent].is_part_of_another)

    def read_through(self, name: str, is_seen_through: Callable[[str], bool]) -> Iterator[str]:
        """What a node reads, with some of it replaced by what that reads, which is looked at once."""
        pending, seen = [*reversed(self.parents[name])], set[str]()
        while pending:
            parent = pending.pop()
            if not is_seen_through(parent):
                yield parent
            elif parent not in seen:
                seen.add(parent)
                pending += reversed(self.parents[parent])

    def ancestors(self, names: tuple[str, ...] | list[str], known: Collection[str] = ()) -> list[str]:
        """These nodes and all that they need, in the order of evaluation; not what only those that are `known` need."""
        needed = closure(names, lambda name: () if name in known else self.parents[name])
        return sorted(needed, key=self.places.__getitem__)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each node stands in the order of evaluation."""
        return {name: place for place, name in enumerate(self.nodes)}
