"""Extensions that say nothing change nothing, and those of one sort give the same in either order."""

from functools import cache

import pytest
from hypothesis import given, strategies as st

from formula_eval.evaluate.program import Program, compile_program
from formula_eval.resolve.passes import resolve
from language.cases import reader, units

BASE = '''"""Base."""

input a: byte = 2 byte
    "A"

input b: byte = 3 byte
    "B"

input x: whole = 4
    "X"

size: byte = a * x + b
    "Size"

large: flag = size > 10 byte
    "Whether it is large"

twice: byte = (size with x = 1) + size
    "What reads it, under another input too"
'''
SAYING_NOTHING = (
    "extend size * 1",
    "extend size + 0",
    "extend size at most infinity",
    "extend size at least 0",
    "extend large and true",
    "extend large or false",
    "replace size = original",
    "replace large = original and (original with x = x)",
)
ALIKE = [
    ("extend size + a", "extend size + 2 * b"),
    ("extend size * x", "extend size * 0.5"),
    ("extend size at most a", "extend size at most b"),
    ("extend size at least 5 * a", "extend size at least b"),
    ("extend large and x > 2", "extend large and a > b"),
    ("extend large or x > 2", "extend large or a > b"),
    ("extend size + a if x > 2", "extend size + b if a > b"),
]
NUMBERS = st.floats(0, 1e12)
GIVEN = st.fixed_dictionaries({"a": NUMBERS, "b": NUMBERS, "x": st.integers(1, 1000).map(float)})


@cache
def program(*changes: str) -> Program:
    """The base with these extensions, one library each."""
    texts = {"base.formula": BASE}
    for number, change in enumerate(changes):
        texts[f"l{number}/formulas/l{number}.formula"] = f'"""Changes."""\n\n{change}\n    "More"\n'
    chapters, findings = zip(*(reader(()).chapter(text, file, "") for file, text in texts.items()), strict=True)
    resolved = resolve(chapters, units(()))
    assert not any(findings)
    assert resolved.graph is not None, resolved.findings
    return compile_program(resolved.graph, ["size", "large", "twice"])


def values(numbers: dict[str, float], *changes: str) -> list[float]:
    made = program(*changes).evaluate(numbers)
    return [made[name] for name in ("size", "large", "twice")]


@pytest.mark.parametrize("change", SAYING_NOTHING)
@given(numbers=GIVEN)
def test_what_says_nothing_changes_nothing(change: str, numbers: dict[str, float]) -> None:
    assert values(numbers, change) == values(numbers)


@pytest.mark.parametrize(("one", "other"), ALIKE)
@given(numbers=GIVEN)
def test_changes_of_one_sort_commute(one: str, other: str, numbers: dict[str, float]) -> None:
    assert values(numbers, one, other) == pytest.approx(values(numbers, other, one), rel=1e-12)
