"""Evaluates an expression of Python to plain data, as far as plain assignments tell it; nothing is run."""

import ast
import shlex
from collections.abc import Callable, Mapping
from operator import add, floordiv, mul, sub
from typing import Any
from warnings import catch_warnings, simplefilter

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.launch.shell.expansion import LONGEST, check_length
from formula_eval.records.open_text import left_open

_CONVERTERS = {"str": str, "int": int, "float": float}
_LARGEST = 2**63
_NUMBERS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.FloorDiv: floordiv,
    ast.Pow: pow,
}
_LARGEST_BASE, _LARGEST_POWER = 4096, 16
_ENVIRONMENT = ("os.environ.get", "os.getenv", "environ.get", "getenv")
_MOST = 10_000


def parsed(text: str, mode: str = "exec") -> Any:  # noqa: ANN401 - a module or an expression
    """The tree of a text of Python, without what Python itself would tell of its style."""
    with catch_warnings():
        simplefilter("ignore")
        return ast.parse(text, mode=mode)


def dotted(node: ast.expr) -> str:
    """The name of what is called, `os.environ.get`; empty where it has none."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=inner, attr=name):
            return f"{dotted(inner)}.{name}"
    return ""


class Values(ast.NodeVisitor):
    """`visit` gives plain data; None for what another call makes, a place left open for what is not known."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        """Take the values of names; whoever assigns them may add to them later."""
        self._known = known

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401 - whatever Python says, here and below
        """The value of an expression; raises FormulaError for one that unfolds without end."""
        value = super().visit(node)
        if isinstance(value, int) and abs(value) > _LARGEST:
            return left_open(ast.unparse(node))
        if isinstance(value, str | list | dict):
            check_length(_length(value))
        return value

    def generic_visit(self, node: ast.AST) -> Any:  # noqa: ANN401
        return left_open(ast.unparse(node))

    def visit_Constant(self, node: ast.Constant) -> Any:  # noqa: ANN401
        plain = node.value is None or isinstance(node.value, bool | int | float | str)
        return node.value if plain else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:  # noqa: ANN401
        return self._known[node.id] if node.id in self._known else self.generic_visit(node)

    def visit_List(self, node: ast.List) -> Any:  # noqa: ANN401
        return [self.visit(elt) for elt in node.elts]

    def visit_Tuple(self, node: ast.Tuple) -> Any:  # noqa: ANN401
        return [self.visit(elt) for elt in node.elts]

    def visit_Dict(self, node: ast.Dict) -> Any:  # noqa: ANN401
        pairs = zip(node.keys, node.values, strict=True)
        return {str(self.visit(key)): self.visit(expr) for key, expr in pairs if key is not None}

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:  # noqa: ANN401
        return "".join(str(self.visit(expr)) for expr in node.values)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:  # noqa: ANN401
        return self.visit(node.value)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:  # noqa: ANN401
        value = self.visit(node.operand)
        number = isinstance(node.op, ast.USub) and isinstance(value, int | float)
        return -value if number else self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:  # noqa: ANN401
        """`torch.bfloat16` is called so; other attributes are of objects that nobody made."""
        return node.attr if dotted(node.value) == "torch" else self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:  # noqa: ANN401
        holds = self.visit(node.test)
        return self.visit(node.body if holds else node.orelse) if isinstance(holds, bool) else self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:  # noqa: ANN401
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(left, int | float) and isinstance(right, int | float):
            known = type(node.op) in _NUMBERS and (right or not isinstance(node.op, ast.FloorDiv))
            if isinstance(node.op, ast.Pow):
                known = abs(left) <= _LARGEST_BASE and 0 <= right <= _LARGEST_POWER
            return _NUMBERS[type(node.op)](left, right) if known else self.generic_visit(node)
        if isinstance(node.op, ast.Add) and type(left) is type(right) and isinstance(left, str | list):
            return left + right
        items, times = (left, right) if isinstance(left, list) else (right, left)
        if isinstance(node.op, ast.Mult) and isinstance(items, list) and isinstance(times, int):
            check_length(len(items) * times)
            return items * times
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:  # noqa: ANN401
        """What the few functions give that people write values with."""
        name, values = dotted(node.func), [self.visit(argument) for argument in node.args]
        if name == "dict" and not values:
            return {keyword.arg: self.visit(keyword.value) for keyword in node.keywords if keyword.arg}
        if name in _ENVIRONMENT and len(values) > 1:
            return values[1]
        if len(values) == 1 and isinstance(values[0], str | int | float) and name in _CONVERTERS:
            return _converted(name, values[0])
        if len(values) == 1 and isinstance(values[0], str) and name == "shlex.split":
            return _split(values[0])
        return self._of_text(node.func, values)

    def _of_text(self, called: ast.expr, values: list[Any]) -> Any:  # noqa: ANN401
        """What a method of a text gives: `" ".join(words)`, `text.split()`."""
        text = self.visit(called.value) if isinstance(called, ast.Attribute) else None
        match called, values:
            case ast.Attribute(attr="join"), [list() as words] if isinstance(text, str):
                return text.join(map(str, words))
            case ast.Attribute(attr="split"), [] if isinstance(text, str):
                return text.split()
            case ast.Attribute(attr="strip"), [] if isinstance(text, str):
                return text.strip()
        return None


def _length(value: str | list[Any] | dict[str, Any]) -> int:
    """The characters of all texts in a value, each other value as one; counted until they are too many."""
    total, rest = 0, [value]
    while rest and total <= LONGEST:
        each = rest.pop()
        total += len(each) if isinstance(each, str) else 1
        rest += each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
    return total


def _converted(name: str, value: str | float) -> Any:  # noqa: ANN401
    try:
        return _CONVERTERS[name](value)
    except (ValueError, OverflowError):
        return value


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:  # a quote that nothing closes
        return text.split()


def repeated(text: str, written: str) -> list[int]:
    """The items of a list as Python repeats it, `([0]*3+[1]*58)`; of a number n, one 1 in n; raises FormulaError."""
    try:
        found = Values({}).visit(parsed(text.strip(), "eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError, FormulaError):
        found = None
    if type(found) is int and 0 < found <= _MOST:
        return [0] * (found - 1) + [1]
    if not isinstance(found, list) or not 0 < len(found) <= _MOST or any(type(each) is not int for each in found):
        help_ = "Write a list of 0 and 1, such as `[0]*3+[1]*58`, or a whole number."
        raise refuse("bad-value", f"`{written}` is `{text}`, which is no such list", help=help_)
    return found
