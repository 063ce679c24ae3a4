"""The inputs of our library to the types of the Python interface's keywords: `python editors/stubs.py`.

Editors complete `load().evaluate(model=..., tp=...)`, and a type checker finds a misspelt input or word. A library of
the user's own may declare any input, so `load("folder")` keeps its keywords open.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from formula_eval import Formulas, load
from formula_eval.api.questions import SEVERAL
from formula_eval.records.schema import InputSchema, Schema

API = Path(__file__).parents[1] / "engine" / "formula_eval" / "api"
STUB = API / "shipped.pyi"
READ = ("questions.py", "formulas.py")  # the modules of the methods that take inputs by keyword
OPEN = {"read_launch"}  # methods that take a command, and inputs beside it
_TYPES = {"whole": "Whole", "number": "Number", "flag": "bool", "date": "Day", "record": "Named"}
_HEAD = '''"""The keywords of our inputs, by type: what `load()` gives. Written by `python editors/stubs.py`."""

{imports}

Whole = int | str
Number = float | str
Day = date | str
Named = str | Path | Mapping[str, Any]
Rows = Sequence[Mapping[str, Any]]
'''


def stub() -> str:
    """The text of the module of types."""
    methods = list(_methods())
    taken = {each.arg for method in methods for each in (*method.args.args, *method.args.kwonlyargs)}
    keys = {name: type_ for name, type_ in _keys(load().evaluator.schema) if name not in taken}
    one = [f"    {name}: {type_}" for name, type_ in keys.items()]
    several = [
        f"    {name}: {type_ if type_ == 'Rows' else f'{type_} | Sequence[{type_}]'}" for name, type_ in keys.items()
    ]
    lines = [
        _HEAD.format(imports="\n".join(_imports(methods))),
        "class Given(TypedDict, total=False):",
        *one,
        "",
        "class SeveralGiven(TypedDict, total=False):",
        *several,
        "",
        f"class Shipped{Formulas.__name__}({Formulas.__name__}):",
        *map(_typed, methods),
    ]
    return "\n".join(lines) + "\n"


def _keys(schema: Schema) -> Iterator[tuple[str, str]]:
    """What may be given by keyword, and the type of each: kinds of records, tables and inputs."""
    for kind in schema.kinds.values():
        for name in sorted({kind.name, kind.word}):
            yield name, "Named"
    for table in schema.tables:
        if table.isidentifier():
            yield table, "Rows"
    for each in sorted(schema.inputs.values(), key=lambda each: each.name):
        if each.name.isidentifier() and not each.record:
            yield each.name, _type(each)


def _type(each: InputSchema) -> str:
    if each.quantity.kind == "choice":
        return f"Literal[{', '.join(repr(word) for word in each.quantity.words)}]".replace("'", '"')
    return _TYPES[each.quantity.kind]


def _methods() -> Iterator[ast.FunctionDef]:
    for name in READ:
        for each in ast.walk(ast.parse((API / name).read_text(encoding="utf-8"))):
            if isinstance(each, ast.FunctionDef) and each.args.kwarg and each.name[0] != "_" and each.name not in OPEN:
                yield each


def _typed(method: ast.FunctionDef) -> str:
    """The method's head with its keywords typed."""
    given = "SeveralGiven" if method.name in SEVERAL else "Given"
    method.args.kwarg = ast.arg("given", ast.Name(f"Unpack[{given}]"))
    method.body = [ast.Expr(ast.Constant(...))]
    return f"    {' '.join(ast.unparse(method).split())}  # type: ignore[override]"


def _imports(methods: Iterable[ast.FunctionDef]) -> list[str]:
    """The imports of what the heads of the methods name."""
    named = {each.id for method in methods for each in ast.walk(method.args) if isinstance(each, ast.Name)}
    named |= {
        each.id
        for method in methods
        if method.returns
        for each in ast.walk(method.returns)
        if isinstance(each, ast.Name)
    }
    named |= {
        each.value.strip()
        for method in methods
        if isinstance(each := method.returns, ast.Constant) and isinstance(each.value, str)
    }
    found = {
        ("datetime", "date"),
        ("collections.abc", "Mapping"),
        ("collections.abc", "Sequence"),
        ("pathlib", "Path"),
        *(("typing", each) for each in ("Any", "Literal", "TypedDict", "Unpack")),
        ("formula_eval.api.formulas", Formulas.__name__),
    }
    for name in READ:
        for each in ast.walk(ast.parse((API / name).read_text(encoding="utf-8"))):
            if isinstance(each, ast.ImportFrom) and each.module:
                found |= {(each.module, alias.name) for alias in each.names if alias.name in named}
    modules = sorted({module for module, _ in found}, key=lambda module: (module.startswith("formula_eval"), module))
    return [
        f"from {module} import {', '.join(sorted(name for where, name in found if where == module))}"
        for module in modules
    ]


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
