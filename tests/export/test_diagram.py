"""The picture of the operators: its numbers are those of the engine, its text is harmless, its bytes never vary."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from counted import seen
from export.papers import evaluator, usual
from formula_eval import load
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.diagram.drawing import fitted, plain
from formula_eval.export.diagram.picture import quantities_of, svg_of
from formula_eval.export.diagram.placement import placed
from formula_eval.export.diagram.structure import structure_of
from formula_eval.export.document import Document, document_of
from formula_eval.export.formats import write_document
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

_MODELS = {
    "llama2-70b": {"tp": 8, "batch": 16},
    "gemma3-27b": {"tp": 2, "pp": 2, "batch": 8},
    "qwen3-235b-a22b": {"tp": 8},
    "falcon-7b": {},
    "llama3.1-405b": {},
}


def document(model: str, **values: object) -> Document:
    return document_of(evaluator(), Question({"model": model}, values), ["params.total"])


def with_layout(folder: Path, old: str, new: str) -> Document:
    """A document of a library that has a layout of its own, and our formulas, which are resolved already."""
    ours = (find_library().folders[0] / "reports" / "structure.toml").read_text()
    assert old in ours
    (folder / "reports").mkdir(parents=True)
    (folder / "reports" / "structure.toml").write_text(ours.replace(old, new))
    theirs = load(folder).evaluator
    theirs.__dict__.update({each: getattr(evaluator(), each) for each in ("resolved", "schema")})
    return replace(document("gpt2"), evaluator=theirs)


@pytest.mark.parametrize("model", _MODELS)
def test_the_operators_of_a_phase_take_the_time_of_the_phase(model: str) -> None:
    structure = structure_of(document(model, **_MODELS[model]))
    for phase in seen(structure.phases):
        times = sum(each.time.value for each in phase.operators.values())
        assert times == pytest.approx(phase.total.value, rel=1e-9)
        assert sum(each.share for each in phase.operators.values()) == pytest.approx(1)
    for chart in seen(structure.charts):
        for bar in chart.bars:
            assert sum(part.share for part in bar.parts) == pytest.approx(bar.length)


@pytest.mark.parametrize("model", _MODELS)
def test_no_two_operators_overlap_and_every_arrow_goes_down(model: str) -> None:
    for phase in seen(structure_of(document(model, **_MODELS[model])).phases):
        places = placed(tuple(phase.operators), phase.arrows)
        standing = sorted((layer, lane) for lane, layer in places.nodes.values())
        for (layer, lane), (next_layer, next_lane) in pairwise(standing):
            assert layer != next_layer or next_lane - lane > 1 - 1e-9
        for arrow in places.arrows:
            assert [layer for _, layer in arrow] == list(range(arrow[0][1], arrow[-1][1] + 1))
        reached = {after for _, after in phase.arrows} | {before for before, _ in phase.arrows}
        assert reached == set(phase.operators)


def test_the_picture_is_sound_xml_and_the_same_every_time() -> None:
    def drawn() -> str:
        return svg_of(structure_of(document("qwen3-235b-a22b", tp=8)), evaluator().library)

    text = drawn()
    root = ET.fromstring(text)
    assert root[0].tag.endswith("title")
    assert root[1].tag.endswith("desc")
    assert root[1].text.startswith("Prefill: ")
    assert text == drawn()


def test_a_training_run_is_drawn_kernel_by_kernel(tmp_path: Path) -> None:
    question = Question(
        {"model": "mixtral-8x7b"}, {"gpus": 64, "tp": 4, "ep": 8, "global_batch": 512}, purpose="training"
    )
    job = document_of(evaluator(), question, usual(training=True, form="graph"))
    structure = structure_of(job)
    (phase,) = structure.phases
    assert {"embedding_lookup", "qkv_projection", "attention_core", "experts_in", "lm_head"} <= phase.operators.keys()
    assert "ffn_in" not in phase.operators
    assert phase.total.value == pytest.approx(sum(each.time.value for each in phase.operators.values()), rel=1e-12)
    assert ("router", "expert_sorting") in phase.arrows
    step, memory, *_ = structure.charts
    for chart in (step, memory):
        (bar,) = chart.bars
        assert len({part.colour for part in bar.parts}) == len(bar.parts)
    assert sum(part.share for part in step.bars[0].parts) == pytest.approx(1, rel=1e-9)
    write_document(job, "graph", tmp_path / "picture.svg")
    assert "One micro-batch" in (tmp_path / "picture.svg").read_text()


def test_the_figures_of_a_training_run_are_drawn_with_what_they_come_from(tmp_path: Path) -> None:
    question = Question({"model": "gpt2"}, {"gpus": 8, "global_batch": 64}, purpose="training")
    job = document_of(evaluator(), question, usual(training=True, form="graph"))
    drawn = quantities_of(job)
    (phase,) = drawn.phases
    assert {"training.step_time", "training.mfu", "training.device_bytes"} <= phase.operators.keys()
    assert len(phase.operators) <= len(job.wanted) + 24
    numbers = [job.numbers[name] for name in phase.operators if name not in job.wanted]
    assert all(numbers)
    assert {name for arrow in phase.arrows for name in arrow} == set(phase.operators)
    (tmp_path / "picture.svg").write_text(svg_of(drawn, evaluator().library))
    assert "tokens per second" in (tmp_path / "picture.svg").read_text()


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    name = '=a"><script>x</script> & \u202ereversed\x1b ' + "long " * 2000
    asked = with_layout(tmp_path / "library", '"Prefill"', json.dumps(name.replace("\x1b", "")))
    write_document(asked, "graph", tmp_path / "picture.svg")
    text = (tmp_path / "picture.svg").read_text()
    assert "<script" not in text
    assert "\u202e" not in text
    ET.fromstring(text)
    assert plain("a\x00\u202eb\n c") == "a\ufffd\ufffdb c"
    assert len(plain(name)) == 300
    assert fitted("W" * 100, 100, 14).endswith("…")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "operators.pass_operators"', 'name = "operators.passes"', "no table is named `operators.passes`"),
        ('"params.total"', '"params.totl"', "no quantity is named `params.totl`"),
        ('flops = "flops"', 'flopz = "flops"', r"\[table\] has no key `flopz`"),
        ('title = "Decode step"', 'titel = "Decode step"', r"a \[\[phase\]\] has no key `titel`"),
        ('column = "bytes"', 'column = "kilobytes"', "`kilobytes` is not known"),
    ],
)
def test_a_layout_with_a_slip_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    asked = with_layout(tmp_path, old, new)
    with pytest.raises(FormulaError, match=message):
        structure_of(asked)


def test_a_row_of_a_users_own_library_is_drawn_after_the_row_before_it(tmp_path: Path) -> None:
    asked = with_layout(tmp_path, " -> ffn_out -> elementwise", " -> elementwise")
    structure = structure_of(asked)
    for phase in seen(structure.phases):
        assert {("ffn_in", "ffn_out"), ("ffn_out", "elementwise")} <= set(phase.arrows)
