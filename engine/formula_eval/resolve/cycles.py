"""Finds functions that call themselves, and formulas that read each other if other findings leave calls unexpanded."""

from collections.abc import Iterable, Mapping

from formula_eval.core import expression as e
from formula_eval.core.closure import circle, closure
from formula_eval.core.graph import Node
from formula_eval.resolve.nodes import Function
from formula_eval.resolve.order import ordered, reads
from formula_eval.resolve.scope import Scope


def check_recursion(functions: Mapping[str, Function], scope: Scope) -> None:
    """Find `def`s that call themselves, directly or through others."""
    calls = {name: _calls_of(function.body, functions) for name, function in functions.items()}
    reported: set[str] = set()
    for name, function in functions.items():
        chain = [] if name in reported else circle(name, calls.__getitem__)
        if chain:
            path = " -> ".join(f"`{each}`" for each in chain)
            message = f"A function cannot call itself: {path}"
            help_ = "Write the closed form, or a table with a row for each step."
            scope.find("recursion", message, function.declaration.span, help=help_)
            reported.update(chain)


def check_cycles(typed: Iterable[Node], functions: Mapping[str, Function], scope: Scope) -> None:
    """Find formulas that read each other; what a function reads, its callers read."""
    read_by = {name: _read_by(name, functions) for name in functions}
    nodes = {node.name: node for node in typed}
    parents = {
        name: (*reads(node), *(name for called in _calls_of(node.expression, functions) for name in read_by[called]))
        for name, node in nodes.items()
    }
    ordered(parents, scope, nodes)


def _read_by(name: str, functions: Mapping[str, Function]) -> dict[str, None]:
    """The nodes that a function reads, itself or by way of the functions that it calls."""
    called = closure([name], lambda each: _calls_of(functions[each].body, functions))
    return dict.fromkeys(read for each in called for read in e.references(functions[each].body))


def _calls_of(x: e.Expression | None, functions: Mapping[str, Function]) -> tuple[str, ...]:
    """The `def`s that an expression calls, each once, in the author's order."""
    if x is None:
        return ()
    called = (node.function for node in e.walk(x) if isinstance(node, e.Call) and node.function in functions)
    return tuple(dict.fromkeys(called))
