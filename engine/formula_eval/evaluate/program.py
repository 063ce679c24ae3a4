"""Runs generated modules, for one configuration or many, and reports their errors at the formula to blame."""

import marshal
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import compress, count
from operator import ne
from types import CodeType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from formula_eval.cache import of_kind
from formula_eval.core.closure import closure
from formula_eval.core.diagnostic import Diagnostic, FormulaError, Label
from formula_eval.core.quantity import Quantified
from formula_eval.core.span import Span
from formula_eval.evaluate.node_values import NodeValues

if TYPE_CHECKING:
    from formula_eval.core.graph import FormulaGraph

PIECES_KEPT = 1024  # pieces that programs of this process may share
_FAILURES = (ZeroDivisionError, OverflowError, ValueError)
_HELD: Mapping[str, Callable[[Any], Any]] = {"number": float, "flag": bool, "choice": int, "record": lambda each: each}


class Rows(Protocol):
    """Rows of numbers, perhaps each looked up when it is asked for."""

    def __getitem__(self, row: int, /) -> Sequence[int]:
        """The numbers of a row."""


class Later(NamedTuple):
    """What is asked of a program but now and then, and made then.

    `reads` gives for each of some nodes the turns of those among them that it reads, `vector_code` what computes many
    configurations, `rows_text` the rows for messages, as `codegen.rows_text`.
    """

    reads: Callable[[Sequence[str]], Rows]
    vector_code: Callable[[], CodeType]
    rows_text: Callable[[], str]


class Row(NamedTuple):
    """Describes a node for messages: where it stands, what its author wrote, and what its value is."""

    place: tuple[str, int, int, int, int]
    text: str
    quantity: Quantified


def compile_program(graph: "FormulaGraph", wanted: Sequence[str]) -> "Program":
    """The program of these nodes and all that they need."""
    from formula_eval.evaluate import codegen, scalar_source  # noqa: PLC0415 - a cached program needs no printer
    from formula_eval.evaluate.graph_outline import Reads  # noqa: PLC0415 - as above

    source = scalar_source.program_source(graph, wanted)
    later = Later(
        partial(Reads, source.outline),
        lambda: compiled(codegen.vector_source(graph, wanted)),
        lambda: codegen.rows_text(graph, wanted),
    )
    return Program([*map(compiled_once, source.texts)], later)


def compiled(source: str) -> CodeType:
    """The code of generated source."""
    return compile(source, "<formulas>", "exec")


compiled_once = lru_cache(PIECES_KEPT)(compiled)


def loaded(payload: bytes) -> CodeType:
    """The code object that these bytes serialise; raises for what is none."""
    code: CodeType = of_kind(marshal.loads(payload), CodeType)  # noqa: S302 - a cache entry of the user's own
    return code


class Program:
    """Computes the wanted nodes of a graph; built from a code object alone, so that it can come from a cache.

    `wanted` and `names` (all that is computed, in order) are names of nodes; `inputs` says of each input that is read
    whether it is a number, a flag or a choice (given as the index of its word); `kinds` adds records; those
    `without_default` may be absent.
    """

    def __init__(self, codes: Sequence[CodeType], later: Later) -> None:
        """Run a generated module and its pieces."""
        namespace: dict[str, Any] = {"__name__": "formulas"}
        for code in codes:
            exec(code, namespace)  # noqa: S102 - generated above from a tree, never from text
        self.codes = tuple(codes)
        self._later = later
        self._namespace = namespace
        self._scalar: Callable[[Mapping[str, float]], tuple[float, ...]] = namespace["scalar"]
        self._pieces = [piece.__code__ for piece in namespace["PIECES"]]
        self.size = sum(len(piece.co_code) for piece in self._pieces)  # bytes; rows and the code for many: twenty times
        self.largest_divisor: Callable[[float, float], float] = namespace["largest_divisor"]
        self.wanted: tuple[str, ...] = namespace["WANTED"]
        self.names = tuple[str, ...](namespace["NAMES"].splitlines())
        self.starts: Sequence[int] = namespace["STARTS"]  # the first place of each piece
        self.without_default = frozenset[str](namespace["ABSENT"])
        self.kinds: Mapping[str, str] = namespace["INPUTS"]
        self.inputs = {name: kind for name, kind in self.kinds.items() if kind != "record"}
        self._accounted_for: set[tuple[int, ...]] = set()  # numbers of the nodes that were nan, each time with a reason

    @cached_property
    def rows(self) -> Mapping[str, Row]:
        """The descriptions of all nodes, for messages."""
        import json  # noqa: PLC0415 - few programs are ever asked

        quantities, rows = json.loads(self._later.rows_text())
        known = [
            Quantified(kind, unit, of, tuple(words), tuple(scale), style)
            for kind, unit, of, words, scale, style in quantities
        ]
        return {name: Row(tuple(place), text, known[number]) for name, (place, text, number) in rows.items()}

    @cached_property
    def parents(self) -> Rows:
        """The places of what each node reads, in order."""
        return self._later.reads(self.names)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where the value of each computed node stands among all."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def vector(self) -> Callable[[Any, Any], None]:
        """The function for many configurations, compiled when they are first asked for."""
        exec(self._later.vector_code(), self._namespace)  # noqa: S102 - as above
        computed: Callable[[Any, Any], None] = self._namespace["vector"]
        return computed

    def evaluate(self, givens: Mapping[str, float]) -> Mapping[str, float]:
        """All values of one configuration; nan is absent, given or not. Raises FormulaError.

        Values are in base units: floats, flags as bools, choices as the index of their word.
        """
        try:
            values = self._values(givens)
        except _FAILURES as error:
            raise self._explained(error) from error
        number = self._unaccounted(values)
        if number is not None:
            read = {self.names[parent]: values[self.names[parent]] for parent in self.parents[number]}
            raise self._error("not-a-number", number, "is not a number", read)
        return values

    def attempt(self, givens: Mapping[str, float]) -> Mapping[str, float] | None:
        """The same for who does not ask why there are none: None in place of an error, which takes long to tell."""
        try:
            values = self._values(givens)
        except _FAILURES:
            return None
        return values if self._unaccounted(values) is None else None

    def _values(self, givens: Mapping[str, float]) -> NodeValues[float]:
        items = ((name, self.kinds[name], value) for name, value in givens.items() if name in self.kinds)
        held = {name: _HELD[kind](value) for name, kind, value in items if value is not None and value == value}  # noqa: PLR0124
        return NodeValues(self.places, self._scalar(held))

    def why_absent(self, values: Mapping[str, float], name: str) -> str | None:
        """The nearest input whose absence makes this value absent; None if it has a value."""
        if values[name] == values[name]:
            return None
        origin = self.names[self._origins(values, [name])[self.places[name]]]
        if origin not in self.without_default:
            return None
        level = [self.places[name]]
        while level:
            found = next((self.names[number] for number in level if self.names[number] in self.inputs), None)
            if found is not None:
                return found
            read = dict.fromkeys(parent for number in level for parent in self.parents[number])
            level = [number for number in read if values[self.names[number]] != values[self.names[number]]]
        return origin

    def text_of(self, name: str) -> str:
        """The text of a node as its author wrote it."""
        return self.rows[name].text

    def ancestors(self, names: Iterable[str], known: Collection[str] = ()) -> list[str]:
        """These nodes and all that they need, in order; of inputs that are `known` not what their default needs."""
        given = {self.places[name] for name in known if name in self.places}
        needed = closure((self.places[name] for name in names), lambda at: () if at in given else self.parents[at])
        return [self.names[number] for number in sorted(needed)]

    def dependents(self, names: Collection[str]) -> set[str]:
        """These nodes and all that need one of them."""
        found = {self.places[name] for name in names}
        for number in range(len(self.names) if found else 0):
            if not found.isdisjoint(self.parents[number]):
                found.add(number)
        return {self.names[number] for number in found}

    def failure(self, givens: Mapping[str, float], place: tuple[int, ...]) -> FormulaError:
        """The error of one configuration of many."""
        where = f" (configuration {', '.join(map(str, place))})" if place else ""
        try:
            self.evaluate(givens)
        except FormulaError as error:
            return FormulaError(
                *(diagnostic._replace(message=diagnostic.message + where) for diagnostic in error.diagnostics)
            )
        return FormulaError(Diagnostic("not-a-number", f"A formula has no value{where}"))

    def _origins(self, values: Mapping[str, float], names: Sequence[str]) -> dict[int, int]:
        """Traces each of these nan nodes to the first node that is nan although all that it reads has a value."""

        def absent(number: int) -> list[int]:
            read = ((parent, values[self.names[parent]]) for parent in self.parents[number])
            return [parent for parent, value in read if value != value]  # noqa: PLR0124

        found: dict[int, int] = {}
        for number in sorted(closure((self.places[name] for name in names), absent)):
            parents = self.parents[number]
            found[number] = min((found[parent] for parent in parents if parent in found), default=number)
        return found

    def _unaccounted(self, values: NodeValues[float]) -> int | None:
        """The node for which a wanted value is nan, if not for an input that nobody gave; None if there is none."""
        absent = tuple(compress(count(), map(ne, values.numbers, values.numbers)))
        if absent in self._accounted_for:
            return None
        names = [name for name in self.wanted if values[name] != values[name]]
        missing = frozenset(absent)
        if names and not all(
            self.names[place] in self.without_default or not missing.isdisjoint(self.parents[place]) for place in absent
        ):
            origins = self._origins(values, names)
            for number in dict.fromkeys(origins[self.places[name]] for name in names):
                if self.names[number] not in self.without_default:
                    return number
        self._accounted_for.add(absent)
        return None

    def _explained(self, error: ArithmeticError | ValueError) -> FormulaError:
        """Translates the error of a generated statement to one of its formula."""
        trace: TracebackType | None = error.__traceback__
        while trace is not None and trace.tb_frame.f_code not in self._pieces:
            trace = trace.tb_next
        if trace is None:
            raise error
        from formula_eval.evaluate.scalar_source import HEAD, values_seen  # noqa: PLC0415 - only where something is wrong

        code = trace.tb_frame.f_code
        number = self.starts[self._pieces.index(code)] + trace.tb_lineno - code.co_firstlineno - HEAD
        seen = values_seen(trace.tb_frame.f_locals)
        read = {self.names[parent]: seen[parent] for parent in self.parents[number] if parent in seen}
        if isinstance(error, ZeroDivisionError):
            return self._error("division-by-zero", number, "divides by zero", read)
        if isinstance(error, OverflowError):
            return self._error("overflow", number, "is too large a number", read)
        reason = str(error) if trace.tb_next is not None else "a logarithm or root that does not exist"
        return self._error("not-a-number", number, f"is not a number ({reason})", read)

    def _error(self, code: str, number: int, what: str, read: Mapping[str, float]) -> FormulaError:
        folder = f"{self.names[number].rpartition('.')[0]}."  # whose names its author writes without it
        shown = ((name.removeprefix(folder), self.rows[name].quantity) for name in read)
        values = ", ".join(
            f"{name} = {_shown(value, of)}" for (name, of), value in zip(shown, read.values(), strict=True)
        )
        row = self.rows[self.names[number]]
        label = Label(Span(*row.place))
        message = f"`{self.names[number]}` {what}: `{row.text}`"
        return FormulaError(Diagnostic(code, message, (label,), f"Here {values}." if values else ""))


def _shown(value: float, quantity: Quantified) -> str:
    """A value as its author declared it."""
    from formula_eval.evaluate.display import shown_value  # noqa: PLC0415 - only where something is wrong

    if quantity.kind in ("flag", "choice"):
        return shown_value(quantity.words[int(value)] if quantity.words else bool(value), quantity)
    return shown_value(value if value == value else None, quantity)  # noqa: PLR0124
