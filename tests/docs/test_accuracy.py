"""The tables of docs/accuracy.md say what the formulas give, to one of the last digit that they print.

Fits end a last bit apart on other processors, so a figure may round to its neighbour, and no further.

`UPDATE_DOCS=1 pytest tests/docs/test_accuracy.py` writes them anew; read the difference, and the text around them.
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from benchmarks.fitting.kept_fits import repeated_fits

from aims import aims_table
from docs_tables import beside_peers, filled
from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.intervals import intervals
from formula_eval.analyse.validate.parameters import read_fits
from formula_eval.analyse.validate.points import read_points
from formula_eval.analyse.validate.validation import validation_of, with_measured

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "accuracy.md"
README = ROOT / "README.md"
MEASURED = ROOT / "tests" / "measured"
UPDATE = os.environ.get("UPDATE_DOCS") == "1"
FIGURE = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?")


@pytest.fixture(scope="module")
def made(formulas):
    evaluator = with_measured(formulas.evaluator)
    found = validation_of(evaluator, read_points(MEASURED))
    found = found._replace(refits=repeated_fits(evaluator, found))
    ends = intervals(evaluator.library, found.rows, found.refits)

    def rows_of(place: str) -> Sequence[MeasuredRow]:
        return validation_of(evaluator, read_points(MEASURED / place)).rows if place else found.rows

    aims = aims_table(evaluator.library, found, ends, rows_of)
    return filled(PAGE.read_text(encoding="utf-8"), found, ends, aims)


@pytest.mark.slow
def test_the_readme_shows_what_is_kept(formulas):
    told, evaluator = README.read_text(encoding="utf-8"), formulas.evaluator
    now = beside_peers(told, evaluator.library, read_fits(evaluator.library, evaluator.schema))
    if UPDATE:
        README.write_text(now, encoding="utf-8")
    assert "| formula-eval, source left out | Calculon |" in now
    assert README.read_text(encoding="utf-8") == now


@pytest.mark.slow
def test_tables_are_up_to_date(made):
    if UPDATE:
        PAGE.write_text(made, encoding="utf-8")
    told, found = PAGE.read_text(encoding="utf-8").splitlines(), made.splitlines()
    assert [_words(line) for line in told] == [_words(line) for line in found]
    for shown, now in zip(told, found, strict=True):
        for (a, digit), (b, _) in zip(_figures(shown), _figures(now), strict=True):
            assert abs(a - b) <= 1.001 * digit, f"{shown}\nis now\n{now}"


def _words(line: str) -> str:
    return " ".join(FIGURE.sub("#", line).split())


def _figures(line: str) -> list[tuple[float, float]]:
    """The figures of a line, each with one of its last digit."""
    return [(float(each.replace(",", "")), _last_digit(each)) for each in FIGURE.findall(line)]


def _last_digit(figure: str) -> float:
    number, _, power = figure.partition("e")
    return 10.0 ** (int(power or 0) - len(number.partition(".")[2]))


def test_a_figure_is_held_to_its_last_digit():
    assert _figures("0.94 of 1,200, and -2.6e-05") == [(0.94, 0.01), (1200.0, 1.0), (-2.6e-05, pytest.approx(1e-6))]
