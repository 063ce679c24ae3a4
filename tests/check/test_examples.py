"""When an example agrees, and what is said when it does not."""

import pytest

from formula_eval.check.examples import agrees
from formula_eval.language.reader import Reader
from formula_eval.libraries import find_library
from libraries import checked


@pytest.fixture(scope="module")
def reader():
    return Reader(find_library().units)


@pytest.mark.parametrize(
    ("expected", "value", "holds"),
    [
        ("320 KiB", 327_680.0, True),
        ("320 KiB", 327_680.0 * 1.001, True),
        ("320 KiB", 327_680.0 * 1.01, False),
        ("68_976_648_192", 68_976_648_192.0, True),
        ("68_976_648_192", 68_976_648_193.0, False),
        ("17.5 ms", 0.01754, True),
        ("17.5 ms", 0.01756, False),
        ("1.2e3", 1249.0, True),
        ("1.2e3", 1251.0, False),
        ("(100 GB/s)", 100.4e9, True),
        ("(100 GB/s)", 100.6e9, False),
        ("0", 0.0, True),
        ("0 s", 0.6, False),
        ("-5", -5.0, True),
        ("-5", 5.0, False),
        ("true", True, True),
        ("true", False, False),
        ("infinity", float("inf"), True),
        ("compute", "compute", True),
        ("compute", "memory", False),
    ],
)
def test_agrees(expected, value, holds, reader):
    expression, findings = reader.expression(expected, "test")
    assert not findings
    assert agrees(value, expression) is holds


CHAPTER = '''"""Doubling."""

def twice(x: dim) -> dim = 2 * x
    "Twice as much"
    derived "twice the width"
    example x = 3 -> {twice}

doubled: dim = twice(hidden)
    "Twice the width"
    derived "twice the width"
    example model = gpt2 -> {doubled}

wide: flag = doubled > 1000
    "Whether that is much"
    derived "twice the width"
    example hidden = 2000 -> true

check too_wide warn: not wide
    "It is."
'''


def findings(tmp_path, text):
    path = tmp_path / "doubling.formula"
    path.write_text(text, encoding="utf-8")
    return checked(path).findings


@pytest.mark.slow
def test_wrong_examples_of_a_file_are_found_and_no_others(tmp_path):
    first, second = findings(tmp_path, CHAPTER.format(twice=7, doubled=1537))
    assert first.message == "The example of `twice` gives 6, not 7"
    assert second.message == "The example of `doubled` gives 1536, not 1537"
    assert first.labels[0].span.line == 6


STATED = '''"""Waiting."""

def late(time: s) -> flag = time > 2 * three
    "Whether a time is late"
    derived "twice the other"
    example time = 3 s, three = 2 s -> {late}
    example time = 5 s, three = 2 s -> true

pace: s = hidden * 1 s
    "A pace"
    derived "a second for each number"
    example hidden = 2 -> 2 s

three: s = 3 * pace
    "Three paces"
    derived "three of them"
    example pace = 5 s -> {three}

wait: s = three - pace if three < 10 s or late(three) else three + (pace with hidden = 4)
    "The wait"
    derived "what is left"
    example three = 7 s, pace = 2 s -> {wait}
    example pace = 2 s -> 4 s
    example three = 11 s, pace = 2 s -> 13 s
    example hidden = 5 -> 19 s
{more}'''


def stated(tmp_path, late="false", three="15 s", wait="5 s", more=""):
    return [each.message for each in findings(tmp_path, STATED.format(late=late, three=three, wait=wait, more=more))]


@pytest.mark.slow
def test_an_example_states_what_the_formula_reads_in_place_of_its_formula(tmp_path):
    assert stated(tmp_path) == []
    assert stated(tmp_path, late="true", three="16 s", wait="4 s") == [
        "The example of `late` gives false, not true",
        "The example of `three` gives 15 s, not 16 s",
        "The example of `wait` gives 5 s, not 4 s",
    ]


@pytest.mark.slow
def test_an_example_that_states_something_else_is_found(tmp_path):
    wrong = {
        "wait = 2 s": "The example of `wait` cannot be computed: it does not read `wait`",
        "params.total = 2": "The example of `wait` cannot be computed: it does not read `params.total`",
        "three = 2": "The example's `three` is `s`, and its value is not",
        "thre = 2 s": "The example gives `thre`, which is neither an input nor a quantity",
    }
    found = stated(tmp_path, more="".join(f"    example {given} -> 4 s\n" for given in wrong))
    assert [*map(str.strip, found)] == [*wrong.values()]
