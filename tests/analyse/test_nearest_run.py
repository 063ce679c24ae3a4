"""The measured run that stands beneath an answer: the nearest, with what differs, and none where all are far."""

import pytest

from counted import seen
from formula_eval.analyse.nearest_run import FOLDER, PREDICTED, SOURCE, nearest_run
from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.records.givens import Question
from formula_eval.records.record_files import all_records


def sections(evaluator, purpose):
    return [each for each in read_answer_layout(evaluator.library, purpose).sections if each["kind"] == "nearest"]


def nearest(formulas, section, records, **values):
    evaluator = formulas.evaluator
    names = [each["name"] for each in section["by"] if "name" in each]
    result = evaluator.evaluate(evaluator.givens(Question(records, values)), names)
    return nearest_run(section, result, evaluator)


@pytest.mark.parametrize("purpose", ["serving", "training"])
def test_the_runs_hold_what_their_section_reads(formulas, purpose):
    for section in seen(sections(formulas.evaluator, purpose)):
        (path,) = (path for _, path in formulas.evaluator.library.files(f"{FOLDER}/{section['runs']}.tsv"))
        head, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
        figures = [name for each in section["entries"] for name in (each["name"], f"{each['name']}{PREDICTED}")]
        assert head == [SOURCE, "model", *(each.get("record") or each["name"] for each in section["by"]), *figures]
        assert len(rows) > 200
        numbers = [place for place, name in enumerate(head) if place > 1 and name not in ("hardware", "engine")]
        assert all(float(row[place]) >= 0 for row in rows for place in numbers if row[place])
        assert all(any(row[-len(figures) :]) for row in rows)


def test_a_run_that_was_measured_is_its_own_nearest(formulas):
    section = sections(formulas.evaluator, "serving")[0]
    asked = {"tp": 2, "batch": 2, "prompt": 512, "generated": 128}
    records = {"model": "llama2-70b", "hardware": "h100-sxm", "engine": "vllm-0.2"}
    found = nearest(formulas, section, records, **asked)
    assert (found.source, found.model, found.differences) == ("Splitwise perf_model", "llama2-70b", [])
    figures = {each.name: each.measured for each in found.figures}
    assert figures == pytest.approx({"inference.ttft": 0.15584, "inference.tpot": 0.037389}, rel=1e-3)
    other = nearest(formulas, section, records, **asked | {"batch": 3})
    assert [(each.by["name"], each.here) for each in other.differences] == [("batch", 3)]


def test_what_is_far_from_all_is_beside_none(formulas):
    section = sections(formulas.evaluator, "serving")[0]
    assert nearest(formulas, section, {"model": "gpt2", "hardware": "xeon-8480"}, batch=2000) is None
    assert nearest(formulas, {**section, "runs": "nowhere"}, {"model": "gpt2", "hardware": "h100-sxm"}) is None


# A board, and of the nearest run's: its maker, the generation that it shares, and whether the run is far.
OTHER_BOARDS = (
    ("h100-nvl", "NVIDIA", "hopper", False),
    ("b200-sxm", "NVIDIA", None, None),
    ("mi325x", "AMD", "cdna3", False),
    ("mi355x", "AMD", None, None),
    ("gaudi3", "Intel", "gaudi", None),
    ("tpu-v5e", None, None, True),
    ("trainium2", None, None, True),
)


@pytest.mark.parametrize(("board", "maker", "generation", "is_far"), OTHER_BOARDS)
def test_the_same_generation_comes_first_then_the_same_maker(formulas, board, maker, generation, is_far):
    evaluator = formulas.evaluator
    boards = {each.id: each for each in all_records(evaluator.library, evaluator.schema.kinds["hardware"])}
    found = nearest(formulas, sections(evaluator, "serving")[0], {"model": "llama3.1-8b", "hardware": board})
    differs = (boards[each.there] for each in found.differences if each.by["title"] == "accelerator")
    there = next(differs, boards[board])
    assert maker is None or there.data["name"].startswith(f"{maker} ")
    assert generation is None or there.data["family"] == generation
    assert is_far is None or found.is_far == is_far
