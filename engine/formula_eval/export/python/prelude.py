"""Selects the arithmetic that a formula module needs beyond Python's own, with types, from its source text.

A closed form is such a module: its function, and the arithmetic that this calls.
"""

import ast
import re

from formula_eval.analyse.closed_form import ClosedForm
from formula_eval.core.closure import closure
from formula_eval.printing.python import PRELUDE

HEAD = """\
import math
from collections.abc import Mapping
from functools import cached_property
from math import inf
from math import nan
from typing import Any
from typing import Literal"""
# Where a type checker would not know what the arithmetic gives.
_EXACT = {
    "return base**exponent": "return float(base**exponent)",
    "range(min(bound, root)": "range(int(min(bound, root))",
}


def prelude(source: str) -> str:
    """The definitions of `printing.python.PRELUDE` that the text calls, and those that these call."""
    parts = _definitions()
    calls = {name: _called(text) for name, text in parts.items()}
    wanted = closure(parts.keys() & _called(source), lambda name: parts.keys() & calls[name])
    return "".join(f"\n\n{parts[name]}\n" for name in parts if name in wanted)


def closed_form_python(form: ClosedForm) -> str:
    """The text of the module."""
    called = prelude(form.python)
    whole = re.sub(r'"""[^"]*"""', "", called + form.python)
    words = {each: re.search(rf"\b{each}\b", whole) for each in ("math", "inf", "nan")}
    imports = [f"from math import {name}" if name != "math" else "import math" for name, used in words.items() if used]
    parts = ["\n".join(imports), called.strip(), form.python.rstrip()]
    return "\n\n\n".join(part for part in parts if part) + "\n"


def _called(source: str) -> set[str]:
    """The names of all that a text calls."""
    return set(re.findall(r"(?<![\w.])(\w+)\(", source))


def _definitions() -> dict[str, str]:
    """The text of each function by name, with types."""
    functions = [stmt for stmt in ast.parse(PRELUDE).body if isinstance(stmt, ast.FunctionDef)]
    return {function.name: _typed(ast.get_source_segment(PRELUDE, function) or "") for function in functions}


def _typed(function: str) -> str:
    head, colon, body = function.partition(":\n")
    name, _, parameters = head.partition("(")
    written = (each.strip().partition("=") for each in parameters.rstrip(")").split(","))
    typed = ", ".join(f"{name}: float{equals and f' = {default}'}" for name, equals, default in written)
    for untyped, exact in _EXACT.items():
        body = body.replace(untyped, exact)
    return f"{name}({typed}) -> float{colon}{body}"


# Names that a function cannot have, and those that an argument or a property cannot.
RESERVED = frozenset({"self", "locals", "float", "bool", "int", "str", "cached_property", "Any", "Literal", "Mapping"})
TAKEN = frozenset({*RESERVED, *_definitions(), "math", "inf", "nan", "abs"})
