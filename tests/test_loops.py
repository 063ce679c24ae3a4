"""Tests whose assertions all stand in a loop over something computed say how many they saw: `counted.seen`."""

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

from counted import seen

TESTS = Path(__file__).parent
_PASSING_ON = frozenset(
    ["range", "enumerate", "zip", "product", "sorted", "combinations", "permutations", "reversed", "list", "set"]
)
_CHECKS = ("assert", "check", "same", "agree", "expect", "hold", "compare")


def is_written(over: ast.expr) -> bool:  # noqa: PLR0911 - a case for each form
    """Whether what a loop goes through stands in the file, or is counted."""
    match over:
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict() | ast.Constant():
            return True
        case ast.Name(id=name):
            return name.isupper()
        case ast.Attribute(value=value) | ast.Subscript(value=value):
            return is_written(value)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as arguments):
            return name in _PASSING_ON and all(is_written(each) for each in arguments)
        case ast.Call(func=ast.Attribute(attr="items" | "values" | "keys", value=value)):
            return is_written(value)
        case ast.BinOp(left=left, right=right):
            return is_written(left) or is_written(right)
    return False


def _is_counted(over: ast.expr) -> bool:
    return isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "seen"


def always_asserts(body: Sequence[ast.stmt]) -> bool:
    """Whether some assertion is reached whatever was computed."""
    return any(_asserts(each) for each in body)


def _asserts(one: ast.stmt) -> bool:  # noqa: PLR0911 - a case for each form
    match one:
        case ast.Assert():
            return True
        case ast.For(iter=over, body=body):
            return _is_counted(over) or (is_written(over) and always_asserts(body))
        case ast.With(items=items, body=body):
            return any("raises" in ast.dump(each.context_expr) for each in items) or always_asserts(body)
        case ast.If(body=body, orelse=[_, *_] as other):
            return always_asserts(body) and always_asserts(other)
        case ast.Try(body=body):
            return always_asserts(body)
        case ast.Match(cases=cases):
            return all(always_asserts(each.body) for each in cases)
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name.lstrip("_").startswith(_CHECKS)
    return False


def loops_that_may_be_empty(text: str) -> list[str]:
    """The tests of a file that assert only in a loop over something computed."""
    tests = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef))
    return [
        each.name for each in tests if each.name.startswith("test") and _loops(each) and not always_asserts(each.body)
    ]


def _loops(test: ast.FunctionDef) -> bool:
    loops = [each for each in ast.walk(test) if isinstance(each, ast.For)]
    return any(isinstance(each, ast.Assert) for loop in loops for each in ast.walk(loop))


def test_every_loop_over_something_computed_is_counted() -> None:
    found = []
    for path in seen(sorted(TESTS.rglob("test_*.py")), at_least=100):
        found += [
            f"{path.relative_to(TESTS)}: {name}" for name in loops_that_may_be_empty(path.read_text(encoding="utf-8"))
        ]
    assert found == [], "write `for each in seen(...)` (tests/counted.py), or assert what there must be"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("for x in made():\n        assert x", True),
        ("for x in seen(made()):\n        assert x", False),
        ("for x in (1, 2):\n        assert x", False),
        ("for x in made():\n        assert x\n    assert made()", False),
        ("for x in made():\n        for y in (1, 2):\n            assert y", True),
    ],
)
def test_the_rule(body, found):
    assert bool(loops_that_may_be_empty(f"def test_it():\n    {body}\n")) is found


def test_a_loop_over_too_little_fails() -> None:
    with pytest.raises(AssertionError, match="saw 1, and expected 2"):
        list(seen([1], at_least=2))
    assert list(seen([1, 2])) == [1, 2]
