"""The shipped tables read the public points as they should, and the formulas stay as near to them as they were."""

import random
from collections import Counter
from pathlib import Path

import pytest

from counted import seen
from formula_eval.analyse.validate.points import read_points
from formula_eval.analyse.validate.sources import read_sources, source_of
from formula_eval.analyse.validate.statistics import summary
from formula_eval.analyse.validate.validation import validation_of, with_measured
from formula_eval.export.accuracy.report import FORMATS, accuracy_text
from formula_eval.records.input_names import input_named
from formula_eval.records.record_files import find_record
from libraries import checked

pytestmark = pytest.mark.slow

POINTS = Path(__file__).parents[1] / "measured"

# Mean absolute errors as shares: what they were when written, and a tenth of it more.
BOUNDS = {
    ("BigScience sweep", "iteration_time_s"): 0.055,
    ("BigScience sweep", "memory_bytes_per_gpu"): 0.10,
    ("FasterTransformer", "latency_s"): 0.105,
    ("Korthikanti 2022", "iteration_time_s"): 0.05,
    ("MPT on FSDP", "iteration_time_s"): 0.042,
    ("MegaScale", "iteration_time_s"): 0.045,
    ("Megatron-Bridge", "iteration_time_s"): 0.17,
    ("Megatron-Core 2024", "iteration_time_s"): 0.08,
    ("Narayanan 2021", "iteration_time_s"): 0.055,
    ("Serving benchmarks", "tpot_s"): 0.12,
    ("Serving benchmarks", "ttft_s"): 0.38,
    ("SimuMax B200", "iteration_time_s"): 0.06,
    ("SimuMax B200", "memory_bytes_per_gpu"): 0.03,
    ("TensorRT-LLM 0.5 and 0.6", "latency_s"): 0.14,
    ("TensorRT-LLM 0.5 and 0.6", "ttft_s"): 0.06,
    ("TensorRT-LLM 1.0", "throughput_tok_s"): 0.09,
    ("TorchTitan", "iteration_time_s"): 0.13,
    ("Zero bubble", "iteration_time_s"): 0.055,
    ("Zero bubble", "memory_bytes_per_gpu"): 0.045,
    ("gpt-fast and exllama", "tpot_s"): 0.10,
    ("litgpt generation", "tpot_s"): 0.13,
}


@pytest.fixture(scope="module")
def evaluator(formulas):
    return with_measured(formulas.evaluator)


@pytest.fixture(scope="module")
def points():
    return read_points(POINTS)


@pytest.fixture(scope="module")
def validation(evaluator, points):
    return validation_of(evaluator, points)


@pytest.fixture(scope="module")
def tables(evaluator):
    return read_sources(evaluator.library)


def test_every_table_names_inputs_quantities_and_records_that_there_are(evaluator, tables):
    for table in seen(tables):
        for name in (*table.table("inputs"), *table.table("assumed")):
            assert input_named(name, evaluator.schema), (table.shown, name)
        for stated in table.table("metrics").values():
            quantity = stated.get("quantity") if isinstance(stated, dict) else stated
            assert quantity is None or quantity in evaluator.schema.formulas, (table.shown, quantity)
        for supplier, stated in table.table("records").items():
            if stated in table.table("let"):  # the point names the record
                continue
            patterns = table.table("words").get(stated, {"": {"": stated}})
            kind = supplier if supplier in evaluator.schema.kinds else evaluator.schema.inputs[supplier].quantity.unit
            for wanted in {word for each in patterns.values() for word in each.values()}:
                find_record(evaluator.library, evaluator.schema, kind, wanted)


def test_the_formulas_of_measurements_hold():
    assert checked(Path(__file__).parents[2] / "presets" / "measured" / "library").findings == ()


def test_every_source_has_a_table_of_its_own_that_says_where_it_is_from(points, tables):
    for each in seen(points):
        found = source_of(each, tables)
        assert found is not None
        assert found.sources, each.source


def test_what_is_not_run_is_left_out_on_purpose(validation, tables):
    """Every reason is one that some table states: nothing is left out because it could not be read."""
    stated = {str(why) for table in tables for why in table.table("skip").values()}
    stated |= {each["skip"] for t in tables for each in t.table("metrics").values() if isinstance(each, dict)}
    assert {each.reason for each in validation.rows if not each.ran} <= stated


def test_most_points_are_run(validation):
    run = {each.point.id for each in validation.rows if each.ran and not each.answer}
    assert len(run) > 1200


@pytest.mark.parametrize(("group", "metric"), BOUNDS, ids=str)
def test_errors_stay_as_small_as_they_were(validation, group, metric):
    found = next(each for each in validation.summaries if (each.group, each.metric) == (group, metric))
    assert found.mean <= BOUNDS[group, metric]


def test_layouts_are_ranked_as_they_were_measured(validation):
    ranks = {each.group: each.rank for each in validation.totals if each.metric in ("iteration_time_s", "tpot_s")}
    assert ranks["all training"] > 0.8
    assert ranks["all inference"] > 0.9


def test_runs_that_did_not_fit_are_told_from_those_that_did(validation):
    answers = [each for each in validation.rows if each.ran and each.answer]
    assert summary("", "fits", [each for each in answers if each.measured]).mean == 0
    assert summary("", "fits", [each for each in answers if not each.measured]).mean < 0.25


@pytest.mark.parametrize("form", FORMATS)
def test_every_form_of_the_report_can_be_written(validation, form):
    assert "Zero bubble" in accuracy_text(validation, form, None)


JUNK = [None, "", "words", -1, 0, 3.7, [], [1], {}, {"a": 1}, True, False, 10**30, 10**400, float("nan"), "fp8", "8"]


def broken(point, dice):
    """The point with one thing in it replaced by nonsense, perhaps from a source that nobody knows."""
    inputs = {key: dict(value) if isinstance(value, dict) else value for key, value in point.inputs.items()}
    inner = dice.choice([inputs, *(each for each in inputs.values() if isinstance(each, dict) and each)])
    key = dice.choice(sorted(inner))
    if dice.random() < 0.3:
        del inner[key]
    else:
        inner[key] = dice.choice(JUNK)
    measured = {name: dice.choice(JUNK) if dice.random() < 0.1 else value for name, value in point.measured.items()}
    return point._replace(inputs=inputs, measured=measured, source=dice.choice([point.source, "Nobody"]))


def test_nonsense_is_not_run_and_never_a_crash(evaluator, points):
    dice = random.Random(0)
    found = validation_of(evaluator, [broken(dice.choice(points), dice) for _ in range(400)])
    assert Counter(each.ran for each in found.rows)[True] > 100
    assert accuracy_text(found, "json", None)
