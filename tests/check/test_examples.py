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
