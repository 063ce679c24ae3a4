"""Deep, huge and senseless input is refused with a message, soon, and never with a RecursionError."""

import random
import string

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval.check.notes import completeness
from formula_eval.evaluate.program import compile_program
from formula_eval.language.formatter import chapter_text
from formula_eval.language.limits import MOST_DEPTH
from formula_eval.resolve.passes import resolve
from formula_eval.resolve.scope import MOST_COMPARED
from language.cases import reader, units
from samples import samples

pytestmark = pytest.mark.slow

ALPHABET = st.sampled_from(
    [
        "x",
        "1",
        "(",
        ")",
        "\n",
        "    ",
        '"',
        "=",
        "+",
        "**",
        " if ",
        " else ",
        "match ",
        "->",
        "|",
        ":",
        ",",
        "def ",
        ".",
    ]
)


def codes(text: str) -> list[str]:
    chapter, findings = reader().chapter(text, "x.formula", "")
    found = [*findings, *resolve([chapter], units()).findings]
    assert all(each.message and each.labels for each in found)
    return [each.code for each in found]


@pytest.mark.parametrize("size", [200, 2_000, 20_000])
@pytest.mark.parametrize(
    "piece", ["(", "-", "not ", "f(", "1 + ", "2 ** ", "1 if x else ", "(match x: a -> ", "(1 with x = "]
)
def test_open_ends_without_end(piece: str, size: int) -> None:
    assert codes(f"x = {piece * size}1\n")


@pytest.mark.parametrize("size", [300, 2_000, 10_000])
@pytest.mark.parametrize(
    ("opening", "closing"),
    [("(", ")"), ("max(", ")"), ("(match x: a -> ", ")"), ("(1 with x = ", ")"), ("sum(", " for r in t)"), ("-(", ")")],
)
def test_nests_without_end(opening: str, closing: str, size: int) -> None:
    assert codes(f"x = {opening * size}1{closing * size}\n")


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("max(", ", 1)"),
        ("-(", ")"),
        ("(2 * ", ")"),
        ("(1 if 1 > ", " else 2)"),
        ("(match mode: 1 -> ", ", 2 -> a)"),
        ("sum(row.n * ", " for row in t)"),
        ("double(", ")"),
        ("(1 + ", " with mode = 1)"),
    ],
)
def test_what_is_deep_but_allowed_works(opening: str, closing: str) -> None:
    head = "input a = 1\ninput mode = 1 in 1 | 2\ndef double(n) = 2 * n\ntable t\n    n\n    row one\n        n = a\n"
    for depth in range(MOST_DEPTH, 0, -1):
        text = f"{head}x = {opening * depth}a{closing * depth}\n"
        chapter, findings = reader().chapter(text, "x.formula", "")
        resolved = resolve([chapter], units())
        if not findings and resolved.graph is not None:
            break
    assert resolved.graph is not None
    assert reader().chapter(chapter_text(chapter), "x.formula", "") == (chapter, [])
    assert compile_program(resolved.graph, ("x",)).evaluate({})
    assert completeness(resolved, [chapter], {chapter.file}, {})


def test_many_statements() -> None:
    text = "".join(f"x{n} = {n}\n" for n in range(5_000))
    chapter, findings = reader().chapter(text, "x.formula", "")
    assert not findings
    assert len(chapter.declarations) == 5_000


def test_many_wrong_statements() -> None:
    assert len(codes("x = = 1\n" * 900)) == 900
    assert codes("x = = 1\n" * 90_000)[-1] == "too-many"


# Each names what is not there: a formula, the word of a choice, a function, a unit, an input, a table, a folder's.
@pytest.mark.parametrize(
    "wrong",
    [
        "name_{n} = nam_{n}x",
        "name_{n} = 1 if nam_{n}x == nam_{n}y else 2",
        "name_{n} = fun_{n}(1)",
        "name_{n}: uni_{n} = 1",
        "name_{n} = 1 if given(nam_{n}x) else 2",
        "name_{n} = sum(row.time for row in nam_{n}x)",
        "name_{n} = (1 with nam_{n}x = 2)",
        "name_{n} = elsewhere_{n}",
        "name_{n} = folder",
    ],
)
def test_advice_does_not_grow_with_the_mistakes(wrong: str) -> None:
    many = 1_000
    text = "".join(f"{wrong.format(n=n)}\n" for n in range(many))
    other = "".join(f"elsewhere_{n} = {n}\n" for n in range(many))
    chapters = [reader().chapter(text, "x.formula", "")[0], reader().chapter(other, "folder/y.formula", "folder")[0]]
    resolved = resolve(chapters, units())
    assert len(resolved.findings) >= many
    assert resolved.scope.compared <= MOST_COMPARED + 4 * many


@pytest.mark.parametrize(
    "text", ["", "\n", "   \n\n", '"""Only a docstring."""', '"""', '""""""', "\ufeff", "\r\n\r\n"]
)
def test_next_to_nothing(text: str) -> None:
    assert codes(text) in ([], ["open-text"])


@pytest.mark.parametrize("text", ["x = 1", "x = 1\r\n", "\ufeffx = 1\n", '\ufeff"""A."""\r\n\r\nx = 1\r\n    "X"\r\n'])
def test_ends_of_lines_and_marks_of_order(text: str) -> None:
    chapter, findings = reader().chapter(text, "x.formula", "")
    assert not findings
    assert [each.name for each in chapter.declarations] == ["x"]


def test_binary() -> None:
    noise = random.Random(0)
    for _ in range(20):
        assert codes("".join(chr(noise.randrange(256)) for _ in range(3_000)))
    for _ in range(20):
        codes("".join(noise.choice(string.printable) for _ in range(3_000)))


@settings(max_examples=samples(300))
@given(st.lists(ALPHABET, max_size=60).map("".join))
def test_anything(text: str) -> None:
    codes(text)


@settings(max_examples=samples(200))
@given(st.text(max_size=80))
def test_any_expression(text: str) -> None:
    expression, findings = reader().expression(text, "x")
    assert (expression is None) == bool(findings)
