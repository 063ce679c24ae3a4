"""Writes a document as a standalone Python module: a function for each quantity, whose arguments are its inputs.

Every formula is a method of one class, computed when it is read and then kept, so that a function computes what it
needs and no more; the arithmetic is that of our own program, operation for operation.
"""

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from textwrap import wrap

from formula_eval.core import expression as e
from formula_eval.core.expression import references
from formula_eval.core.graph import Node
from formula_eval.core.needed_inputs import NeededInputs
from formula_eval.core.type import Choice, Date, Flag, Record
from formula_eval.evaluate.codegen import deciding_flags, guarded, tested_inputs
from formula_eval.evaluate.value import base_unit, typed_value
from formula_eval.export.document import Document
from formula_eval.export.escaping import visible
from formula_eval.export.python.prelude import HEAD, RESERVED, TAKEN, prelude
from formula_eval.export.quantities import subject_of, title_of
from formula_eval.export.shell_text import lines_of
from formula_eval.printing import printer
from formula_eval.printing.identifiers import distinct
from formula_eval.printing.python import PythonPrinter
from formula_eval.printing.text import expression_text
from formula_eval.version import __version__

_WIDTH = 100
_ONCE, _TWICE = "\\", "\\\\"


def python_module(document: Document) -> str:
    """The text of the module."""
    return _Module(document).text()


class _Printer(PythonPrinter):
    """Prints a formula as the body of a method: every name is a property of `self`."""

    def __init__(
        self, arguments: Mapping[str, str], records: Container[str], names: printer.Names, conditions: printer.Names
    ) -> None:
        super().__init__(names, conditions)
        self._arguments = arguments
        self._records = records

    def choice(self, x: e.ChoiceValue) -> printer.Printed:
        """A word of a choice as a number: type checkers see that two different literals are never equal."""
        return repr(float(x.index)), printer.ATOM

    def given(self, x: e.Given) -> printer.Printed:
        """Whether an input has a value of its own; a record is given if the question of the module named it."""
        if x.node not in self._arguments:
            return repr(x.node in self._records), printer.ATOM
        return f"{self._arguments[x.node]!r} in self._given", printer.COMPARE


class _Module:
    """Spells the names of one document and prints its parts."""

    def __init__(self, document: Document) -> None:
        self._document = document
        graph = document.graph
        self._nodes = [graph.nodes[name] for name in document.derivation]
        self._nodes = [node for node in self._nodes if not isinstance(node.type, Record)]
        self._names = _spelled(self._nodes, RESERVED)
        self._spelling = {name: f"self.{spelled}" for name, spelled in self._names.items()}
        flags = deciding_flags(self._nodes, self._spelling)
        self._printer = _Printer(self._names, document.givens.files, self._spelling.__getitem__, flags)
        self._asked = tested_inputs(self._nodes)
        self._input_nodes = [node for node in self._nodes if node.kind == "input"]
        self._wanted = [node for node in self._nodes if document.is_wanted(node.name)]
        self._functions = _spelled(self._wanted, TAKEN)

    def text(self) -> str:
        """The head, the functions, the formulas, and what they use of arithmetic."""
        formulas = "\n".join(self._method(node) for node in self._nodes)
        functions = "\n\n".join(self._function(node) for node in self._wanted)
        return f"{self._head()}\n\n\n{functions}\n{_CLASS}{formulas}{prelude(formulas)}"

    def _head(self) -> str:
        own, subject = self._document.evaluator.library.title, subject_of(self._document)
        title = f"Costs of {subject}" if subject and not own else title_of(self._document)
        lines = [f"{title}, written by formula-eval {__version__}."]
        lines += ["", _PREAMBLE]
        names = ",\n".join(f'    "{self._functions[node.name]}"' for node in self._wanted)
        said = _docstring(lines, "")
        if command := "\n".join(map(visible, lines_of(self._document.command, _WIDTH))):
            said = f"{said.rstrip()}\n\n{command}\n"
        raw = _ONCE in command
        text = f'{"r" * raw}"""{said.replace(_TWICE, _ONCE) if raw else said}"""'
        return f"{text}\n\n{HEAD}\n\n__all__ = [\n{names},\n]" if names else text

    def _function(self, node: Node) -> str:
        inputs = [each for each in self._inputs(node) if each.name != node.name]
        arguments = "".join(self._arguments[each.name] for each in inputs)
        taken = f"\n    *,{arguments}\n" if inputs else ""
        head = f"def {self._functions[node.name]}({taken}) -> {_returned(node)}:"
        value = f"_Values({'locals()' if inputs else '{}'}).{self._names[node.name]}"
        return f'{head}\n    """{self._explained(node, inputs)}"""\n    return {_converted(node, value)}\n'

    def _explained(self, node: Node, inputs: list[Node]) -> str:
        """Sentence, unit, formula, source, and what None stands for."""
        lines = [self._open_defaults[each.name] for each in inputs if each.name in self._open_defaults]
        return _docstring([*_about(node), *(["", "Where None is given:", *lines] if lines else [])], "    ")

    @cached_property
    def _arguments(self) -> Mapping[str, str]:
        """How a function takes each input."""
        nodes = {node.name: node for node in self._input_nodes}
        kinds = {name: _kind(node, optional=self._is_open(node)) for name, node in nodes.items()}
        return {
            name: f"\n    {self._names[name]}: {kinds[name]} = {self._default(node)}," for name, node in nodes.items()
        }

    @cached_property
    def _open_defaults(self) -> Mapping[str, str]:
        """What None stands for, by the input that may be None."""
        opened = (
            input_node
            for input_node in self._input_nodes
            if self._is_open(input_node) and input_node.author is not None
        )
        return {node.name: f"    {self._names[node.name]}: {self._document.written_text(node)}" for node in opened}

    @cached_property
    def _needed_inputs(self) -> NeededInputs:
        return NeededInputs(self._document.graph.parents, (input_node.name for input_node in self._input_nodes))

    def _inputs(self, node: Node) -> Iterator[Node]:
        """The inputs that a quantity reads, by way of other defaults too."""
        needed = self._needed_inputs[node.name]
        return (input_node for input_node in self._input_nodes if input_node.name in needed)

    def _is_open(self, node: Node) -> bool:
        """Whether the user gave this input no value, and its default is absent or reads others."""
        if not math.isnan(self._document.givens.values.get(node.name, math.nan)):
            return False
        return node.expression is None or node.name in self._asked or any(True for _ in references(node.expression))

    def _default(self, node: Node) -> str:
        if self._is_open(node):
            return "None"
        value = self._document.numbers[node.name]
        if isinstance(node.type, Choice):
            return repr(node.type.values[int(value)])
        if isinstance(node.type, Flag):
            return repr(bool(value))
        if isinstance(node.type, Date):
            return repr(value)
        return "inf" if math.isinf(value) else repr(typed_value(value, node.quantity))

    def _method(self, node: Node) -> str:
        known = node.original in self._names
        notes = [f"{node.original}, as it was written there,"] if known else _about(node)
        notes += [f"under {node.binding}."] if node.binding else []
        shown = "".join(f"    # {visible(line)}".rstrip() + "\n" for line in notes)
        head = f"    @cached_property\n    def {self._names[node.name]}(self) -> {_held(node)}:\n"
        return f"{shown}{head}        return {self._body(node)}\n"

    def _body(self, node: Node) -> str:
        computed = self._printer.text(guarded(node))
        if node.kind != "input":
            return computed
        given = f"self._given[{self._names[node.name]!r}]"
        value = f"{node.type.values!r}.index({given})" if isinstance(node.type, Choice) else f"{_held(node)}({given})"
        return f"{value} if {self._names[node.name]!r} in self._given else {computed}"


_PREAMBLE = (
    "All numbers are in base units: byte, FLOP, s, USD, J. Arguments that are not given have the values of the "
    "question that this module was written for; None stands for the default that the docstring states."
)
_CLASS = '''
class _Values:
    """Every formula under some inputs, computed when it is read; nan is absent, a choice the place of its word."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = {name: value for name, value in given.items() if value is not None}

'''


def _about(node: Node) -> list[str]:
    """The sentence, unit, formula and sources of a quantity, each on a line."""
    notes = node.declaration.notes
    unit = "s since 1970-01-01" if isinstance(node.type, Date) else base_unit(node.quantity)
    lines = [f"{notes.sentence or node.name}{f' [{unit}]' if unit else ''}."]
    if node.author is not None:
        lines += ["", f"{node.name} = {expression_text(node.author)}"]
    lines += [f"Source: {source.key}{f', {source.locator}' if source.locator else ''}." for source in notes.sources]
    lines += [f"Derived: {notes.derived}."] if notes.derived else []
    return [line for line in lines if line] if node.kind != "formula" else lines


def _converted(node: Node, value: str) -> str:
    return f"{node.type.values!r}[int({value})]" if isinstance(node.type, Choice) else value


def _returned(node: Node) -> str:
    """A choice is told by its word."""
    return "str" if isinstance(node.type, Choice) else _held(node)


def _kind(node: Node, *, optional: bool = False) -> str:
    name = f"Literal[{', '.join(map(repr, node.type.values))}]" if isinstance(node.type, Choice) else _held(node)
    return f"{name} | None" if optional else name


def _held(node: Node) -> str:
    """How a value is held among the formulas."""
    return "bool" if isinstance(node.type, Flag) else "float"


def _docstring(lines: Iterable[str], margin: str) -> str:
    """Lines within triple quotes, none of which can end them."""
    shown: list[str] = []
    for line in lines:
        safe = visible(line).replace("\\", "\\\\").replace('"""', "'''")
        indent = safe[: len(safe) - len(safe.lstrip())]
        shown += wrap(
            safe.strip(),
            _WIDTH,
            initial_indent=indent,
            subsequent_indent=f"{indent}    " if indent else "",
            break_on_hyphens=False,
        ) or [""]
    text = "\n".join(f"{margin}{line}".rstrip() for line in shown).strip()
    ending = f"\n{margin}" if len(shown) > 1 else ""
    return f"{text}{' ' if text.endswith(chr(34)) and not ending else ''}{ending}"


def _spelled(nodes: Iterable[Node], taken: frozenset[str]) -> Mapping[str, str]:
    """A Python name for each node, all different; copies keep their parts apart."""
    wished = ((node.name, node.name.replace(".", "__" if node.original else "_")) for node in nodes)
    plain = ((name, re.sub(r"[^a-zA-Z0-9_]+", "_", wish)) for name, wish in wished)
    return distinct(((name, wish.strip("_") or "value") for name, wish in plain), taken, "n_")
