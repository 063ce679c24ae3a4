"""Words narrow the groups of measured runs; where none is left, the nearest are shown, and it is said that they are."""

from pathlib import Path

import pytest

from formula_eval.analyse.evidence import LAYOUT, EvidenceNarrowing, evidence_groups, read_evidence_layout
from formula_eval.analyse.listing import listing
from formula_eval.core.diagnostic import FormulaError

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def narrowing(formulas):
    return EvidenceNarrowing(formulas.evaluator.library, formulas.evaluator.schema)


# Words, and of all groups that are left what they are about.
MEASURED = [
    ("h20", {"board": {"h20"}, "engine": {"sglang-0.4"}}),
    ("h200 mixture vllm", {"board": {"h200-sxm"}, "engine": {"vllm-1"}, "model": {"mixture"}}),
    ("deepseek-v3 h20", {"board": {"h20"}, "model": {"mixture"}}),
    ("llama3.1-70b h20 fp8", {"board": {"h20"}, "model": {"dense"}, "format": {"w8a8"}}),
    ("A100 80GB token vllm", {"board": {"a100-sxm-80gb"}, "engine": {"vllm-0.2"}, "figure": {"token"}}),
    ("w4a4 megatron", {"engine": {"megatron-bridge"}, "format": {"w4a4"}, "figure": {"step"}}),
    ("b200 sglang", {"board": {"b200-sxm"}}),
    ("training gb300 MoE", {"board": {"gb300"}, "model": {"mixture"}, "figure": {"step"}}),
    ("h200 TTFT sglang", {"board": {"h200-sxm"}, "figure": {"first"}}),
    ("Alibaba", {"publishers": {("Alibaba",)}}),
]


@pytest.mark.parametrize(("words", "about"), MEASURED)
def test_what_was_measured_is_shown_without_a_word(narrowing, words, about):
    found = narrowing.narrowed(words.split())
    assert found.note == ""
    assert {name: {getattr(each, name) for each in found.groups} for name in about} == about


# Words, what the note says of them, what the nearest have in common, and what the nearest are about.
NOT_MEASURED = [
    ("h100 sglang int4", "h100-sxm with sglang-0.5, int4 (w4a16)", "the same engine", {"board": {"h100-sxm"}}),
    (
        "a100-sxm-80gb vllm-0.6",
        "a100-sxm-80gb with vllm-0.6",
        "another version of the engine",
        {"engine": {"vllm-0.2"}},
    ),
    ("b300 vllm", "b300-sxm with vllm-1", "runs on the same accelerator.", {"engine": {"sglang-0.5"}}),
    ("mi325x vllm-0.8", "mi325x with vllm-0.8", "another version of the engine on", {"board": {"mi300x"}}),
    ("rtx-4080 exllamav2", "rtx-4080 with exllamav2", "of the same generation", {"board": {"rtx-4090"}}),
    ("RTX 5090 vllm", "rtx-5090 with vllm-1", "of the same generation", {"board": {"rtx-pro-6000"}}),
    ("gb300 megatron-lm", "gb300, megatron-lm", "the same accelerator", {"engine": {"megatron-bridge"}}),
    ("gaudi2 mixtral-8x7b", "gaudi2, mixture models (mixtral-8x7b)", "the same accelerator", {"board": {"gaudi2"}}),
]


@pytest.mark.parametrize(("words", "told", "nearest", "about"), NOT_MEASURED)
def test_what_was_not_measured_is_said_with_the_nearest(narrowing, words, told, nearest, about):
    found = narrowing.narrowed(words.split())
    assert f"No measured run of {told} stands behind an answer. Nearest: " in found.note
    assert nearest in found.note
    assert {name: {getattr(each, name) for each in found.groups} for name in about} == about


def test_what_nothing_is_near_is_said(narrowing):
    found = narrowing.narrowed(["llama.cpp", "xeon-8480"])
    assert (list(found.groups), found.note[-23:]) == ([], ", nor any that is near.")


def test_the_version_that_an_engine_is_read_as_is_said(narrowing):
    assert "`vllm-1` is used instead" in narrowing.narrowed(["h100", "vllm-0.13"]).note


@pytest.mark.parametrize("word", ["nonsense", "\x00", "nowhere/model", "%", "12345678"])
def test_a_word_that_says_nothing_is_refused(narrowing, word):
    with pytest.raises(FormulaError, match="stands in no row"):
        narrowing.narrowed([word])


def test_a_likeness_that_runs_cannot_have_is_refused(formulas, tmp_path):
    ours = (ROOT / LAYOUT).read_text(encoding="utf-8")
    path = tmp_path / LAYOUT
    path.parent.mkdir(parents=True)
    path.write_text(ours.replace('"board"', '"bord"', 1), encoding="utf-8")
    with pytest.raises(FormulaError, match=r"(?s)runs have no `bord` in common.*`board`"):
        read_evidence_layout(formulas.evaluator.library.and_folder(tmp_path))


def test_a_note_stands_in_the_data(formulas):
    rows = listing(formulas.evaluator, "evidence", ["b300", "vllm"]).to_data()
    assert all(row["note"].startswith("No measured run of b300-sxm with vllm-1") for row in rows)
    assert "note" not in listing(formulas.evaluator, "evidence", ["b300"]).to_data()[0]


def test_every_group_is_on_an_accelerator_that_there_is(formulas):
    groups = evidence_groups(formulas.evaluator.library)
    assert len(groups) > 100
    assert {each.board for each in groups} <= set(formulas.hardware)
    assert all(each.runs > 0 and each.publishers for each in groups)
    assert len(formulas.list("evidence")) == len(groups)
