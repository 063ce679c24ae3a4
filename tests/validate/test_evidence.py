"""What `list evidence` counts is what the formulas give, and the page of the docs shows it.

`UPDATE_DOCS=1 pytest tests/validate/test_evidence.py` writes the tables of docs/evidence.md anew.
"""

import os
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from benchmarks.evidence_counts import counted_evidence, measured_points
from benchmarks.fitting.kept_fits import repeated_fits

from docs_tables import with_evidence
from formula_eval.analyse.evidence import evidence_groups, read_evidence_layout
from formula_eval.analyse.validate.validation import validation_of, with_measured

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "evidence.md"
WRITE = "run `python -m benchmarks.runs` and read the difference of presets/measured/evidence.tsv"
ROUNDED = 0.11  # percent: fits end a last bit apart on other processors
# Sources that hold all the runs of some groups, and a few words that only these groups have.
SAMPLES = {
    "Pope 2022*": "tpu-v4",
    "TorchTitan*": "torchtitan",
    "exllamav2*": "exllamav2",
    "Qwen3 speed*": "h20",
    "Intel, Gaudi 3": "gaudi3",
}


def kept(formulas):
    return evidence_groups(formulas.evaluator.library)


def counted(formulas, fitted, others, with_fits):
    evaluator = with_measured(formulas.evaluator)
    found = validation_of(evaluator, fitted)
    rows = (*found.rows, *validation_of(evaluator, others).rows)
    fits = repeated_fits(evaluator, found) if with_fits else []
    return counted_evidence(evaluator, read_evidence_layout(evaluator.library), rows, fits)


def is_sample(point):
    return any(fnmatchcase(point.source, glob) for glob in SAMPLES)


def assert_same(found, groups):
    assert [each[:6] for each in found] == [each[:6] for each in groups], WRITE
    assert [each.publishers for each in found] == [each.publishers for each in groups], WRITE
    for now, then in zip(found, groups, strict=True):
        assert (now.off, now.bias) == pytest.approx((then.off, then.bias), abs=ROUNDED), WRITE


@pytest.mark.slow
def test_samples_are_counted_as_they_are_kept(formulas):
    fitted, others = ([each for each in points if is_sample(each)] for points in measured_points())
    names = set(SAMPLES.values())
    groups = [each for each in kept(formulas) if {each.board, each.engine} & names]
    assert {*names} <= {name for each in groups for name in (each.board, each.engine)}
    assert_same(counted(formulas, fitted, others, with_fits=False), groups)


@pytest.mark.slow
def test_all_are_counted_as_they_are_kept(formulas):
    found = counted(formulas, *measured_points(), with_fits=True)
    assert_same(found, kept(formulas))
    for now, then in zip(found, kept(formulas), strict=True):
        assert now.left_out == (None if then.left_out is None else pytest.approx(then.left_out, abs=ROUNDED)), WRITE


def test_the_page_shows_what_is_kept(formulas):
    told = PAGE.read_text(encoding="utf-8")
    now = with_evidence(told, formulas.evaluator.library)
    if os.environ.get("UPDATE_DOCS") == "1":
        PAGE.write_text(now, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == now
    for each in kept(formulas):
        assert f"| {each.board} | {each.engine} | {each.model} | {each.format} | {each.runs} | {each.off} |" in now
