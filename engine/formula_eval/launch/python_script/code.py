"""Reads what Python code calls with which values, as far as plain assignments tell them; nothing of it is run."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.launch.python_script.expressions import Values, dotted, parsed
from formula_eval.launch.shell.simple_commands import SimpleCommand
from formula_eval.records.open_text import left_open

_PROMPT = re.compile(r"^(?:>>>|\.\.\.) ?|^[ \t]*[!%].*$", re.MULTILINE)
_SHOWING = ("print", "logging.info", "logger.info")


class PythonCall(NamedTuple):
    """A call: its dotted name, the values of its arguments; None for what another call makes."""

    name: str
    positional: tuple[Any, ...]
    keywords: Mapping[str, Any]


class PythonObject(NamedTuple):
    """An object that a call made, and the values of the attributes that were set on it: `cfg.model.num_layers = 32`."""

    made_by: str
    values: Mapping[str, Any]


class PythonCode(NamedTuple):
    """The calls of a text in order, the commands that it hands to a shell or starts by their words, its configurations.

    Only Python `imports`: a text that does is no script of a shell, whatever else it says.
    """

    calls: tuple[PythonCall, ...] = ()
    commands: tuple[SimpleCommand, ...] = ()
    imports: bool = False
    configurations: tuple[PythonObject, ...] = ()


def python_code(text: str, shown: str = "") -> PythonCode:
    """What a text calls, if it is Python; nothing of any other. Raises FormulaError for one `shown` as a file of it."""
    try:
        tree = parsed(_PROMPT.sub("", text))
        reader = _Reader()
        reader.visit(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if shown:
            reason = f"{error.msg}, line {error.lineno}" if isinstance(error, SyntaxError) else str(error)
            raise refuse("bad-python", f"`{shown}` is not valid Python: {reason}") from error
        return PythonCode()
    imports = any(isinstance(each, ast.Import | ast.ImportFrom) for each in tree.body)
    return PythonCode(tuple(reader.calls), tuple(reader.commands), imports, tuple(reader.configurations()))


class _Reader(ast.NodeVisitor):
    """Follows plain assignments in the order of the text."""

    def __init__(self) -> None:
        self.calls: list[PythonCall] = []
        self.commands: list[SimpleCommand] = []
        self._known: dict[str, Any] = {}
        self._values = Values(self._known)
        self._made: dict[str, PythonObject] = {}
        self._functions: dict[str, dict[str, PythonObject]] = {}

    def configurations(self) -> Iterator[PythonObject]:
        """The configurations of each function, then those of the module, that have attributes set."""
        for made in (*self._functions.values(), self._made):
            yield from (each for each in made.values() if each.values)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Take the defaults of a function for the values of its arguments."""
        places = [*node.args.posonlyargs, *node.args.args]
        last = places[len(places) - len(node.args.defaults) :]
        pairs = [
            *zip(last, node.args.defaults, strict=True),
            *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
        ]
        self._known.update({place.arg: self._values.visit(expr) for place, expr in pairs if expr is not None})
        outer, self._made = self._made, {}
        self.generic_visit(node)
        self._functions[node.name], self._made = self._made, outer

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        self._assign(node.targets, self._values.visit(node.value))
        for target in node.targets:
            self._configure(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        if node.value is not None:
            self._assign([node.target], self._values.visit(node.value))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            before = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            both = ast.copy_location(ast.BinOp(before, node.op, node.value), node)
            self._assign([node.target], self._values.visit(both))

    def visit_For(self, node: ast.For) -> None:
        names = [each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)]
        self._known.update({name: left_open(name) for name in names})
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        """Leave open what the branches do not both say."""
        self.visit(node.test)
        before = dict(self._known)
        after = []
        for branch in (node.body, node.orelse):
            self._now(before)
            for stmt in branch:
                self.visit(stmt)
            after.append(dict(self._known))
        one, other = after
        same = {name: value for name, value in one.items() if name in other and other[name] == value}
        self._now({**{name: left_open(name) for name in {**one, **other}}, **same})

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self._values.visit(keyword.value)
            unpacked = keyword.arg is None and isinstance(value, dict)
            keywords |= value if unpacked else {keyword.arg or ast.unparse(keyword.value): value}
        call = PythonCall(dotted(node.func), tuple(map(self._values.visit, node.args)), keywords)
        self.calls.append(call)
        if call.name not in _SHOWING:
            found = (_command(keyword, node.lineno) for keyword in (*call.positional, *keywords.values()))
            self.commands += [command for command in found if command is not None]

    def _assign(self, targets: Sequence[ast.expr], value: object) -> None:
        self._known.update({target.id: value for target in targets if isinstance(target, ast.Name)})

    def _configure(self, target: ast.expr, value: ast.expr) -> None:
        """Note an object that a call makes, or a value that an attribute of one is set to."""
        root, _, path = dotted(target).partition(".")
        if not path and isinstance(target, ast.Name) and isinstance(value, ast.Call):
            name = dotted(value.func)
            before = next(iter(self._functions.get(name, {}).values()), PythonObject(name, {}))
            self._made[root] = before._replace(values={**before.values, **self._keywords(value)})
        elif path and root in self._made:
            before = self._made[root]
            said = self._keywords(value) if isinstance(value, ast.Call) and value.keywords else self._said(value)
            self._made[root] = before._replace(values={**before.values, path: said})

    def _keywords(self, call: ast.Call) -> dict[str, Any]:
        return {keyword.arg: self._said(keyword.value) for keyword in call.keywords if keyword.arg}

    def _said(self, value: ast.expr) -> Any:  # noqa: ANN401 - whatever Python says
        """The value of an expression; what a call gives is left open as it is written."""
        return left_open(ast.unparse(value)) if isinstance(value, ast.Call) else self._values.visit(value)

    def _now(self, known: Mapping[str, Any]) -> None:
        self._known.clear()
        self._known.update(known)


def _command(value: object, line: int) -> SimpleCommand | None:
    """The command that an argument of a call may be: a text for a shell, or its words."""
    if isinstance(value, str) and re.search(r"\S\s+\S", value):
        return SimpleCommand(("sh", "-c", value), {}, line)
    if isinstance(value, list) and len(value) > 1 and all(isinstance(each, str | int | float) for each in value):
        return SimpleCommand(tuple(map(str, value)), {}, line)
    return None
