"""The hardest pieces that the formulas must say, written in the language and held to numbers found elsewhere."""

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from formula_eval.core.graph import FormulaGraph
from formula_eval.evaluate.program import compile_program
from language.cases import check, load, messages

HERE = Path(__file__).parent
MODES = ("none", "core", "attention", "norm_attention_norm", "full")


@cache
def graph(name: str) -> FormulaGraph:
    """The graph of one piece."""
    case = load(HERE / f"{name}.formula")
    resolved, findings = check(case)
    assert not findings, messages(case, findings)
    assert resolved.graph is not None
    return resolved.graph


def values(name: str, wanted: tuple[str, ...], givens: Mapping[str, Any]) -> dict[str, float]:
    """What the compiled formulas give."""
    return compile_program(graph(name), wanted).evaluate(givens)


def golden(name: str) -> list[Any]:
    """Golden cases: givens by node name, and expected values."""
    cases = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(case["givens"], case["expected"], id=case["id"]) for case in cases]


@pytest.mark.parametrize(
    ("mode", "tp", "sequence_parallel", "expected"),
    [
        ("none", 1, False, 7_079_985_152),
        ("none", 8, False, 1_325_400_064),
        ("none", 8, True, 884_998_144),
        ("core", 8, False, 654_311_424),
        ("core", 8, True, 213_909_504),
        ("full", 8, False, 100_663_296),
        ("attention", 1, False, (3 * 2 + 19) * 2048 * 4 * 6144),
        ("norm_attention_norm", 1, False, (2 + 19) * 2048 * 4 * 6144),
    ],
)
def test_activations_of_the_22b_model(mode: str, tp: int, expected: int, *, sequence_parallel: bool) -> None:
    """Table 2 and equations 1 to 6 of Korthikanti et al. 2022, to the byte."""
    givens = {"micro_batch": 4, "tp": tp, "sequence_parallel": sequence_parallel, "recompute": MODES.index(mode)}
    assert values("activations", ("layer_bytes",), givens)["layer_bytes"] == expected


@pytest.mark.parametrize(("givens", "expected"), golden("batch_choice"))
def test_batch_choice(givens: dict[str, float], expected: dict[str, float]) -> None:
    """What llm-analysis chooses, loop and all."""
    found = values("batch_choice", tuple(expected), givens)
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize("givens", [case.values[0] for case in golden("batch_choice")])
def test_batch_choice_without_a_loop(givens: dict[str, float]) -> None:
    """The closed form is where the loop ends."""
    free, each, loss, ahead = (givens[f"{name}_bytes"] for name in ("free", "sequence", "loss", "prefetch"))
    batch = math.floor(free / each)
    while free < max(ahead, batch * loss) + batch * each:
        batch -= 1
    assert values("batch_choice", ("largest_micro_batch",), givens)["largest_micro_batch"] == batch


@pytest.mark.parametrize(("givens", "expected"), golden("chunked_prefill"))
def test_chunked_prefill(givens: dict[str, Any], expected: dict[str, float]) -> None:
    """What GenZ computes for a list of chunks and a list of decodes."""
    found = values("chunked_prefill", tuple(expected), givens)
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("givens", [case.values[0] for case in golden("chunked_prefill")])
def test_chunked_prefill_by_hand(givens: dict[str, Any]) -> None:
    """Sums over the rows that are filled, and only those."""
    chunks = [n for n in range(1, 5) if givens.get(f"chunks.{n}.filled")]
    decodes = [n for n in range(1, 9) if givens.get(f"decodes.{n}.filled")]
    tokens = {n: givens[f"chunks.{n}.tokens"] for n in chunks}
    seen = {n: tokens[n] + givens[f"chunks.{n}.past"] for n in chunks}
    rows = sum(tokens.values()) + sum(givens[f"decodes.{n}.count"] for n in decodes)
    contexts = [*seen.values(), *(givens[f"decodes.{n}.context"] for n in decodes)]
    pairs = sum(tokens[n] * seen[n] for n in chunks)
    pairs += sum(givens[f"decodes.{n}.count"] * givens[f"decodes.{n}.context"] for n in decodes)
    heads = max(math.ceil(givens["heads"] / givens["tp"]), 1)
    found = values("chunked_prefill", ("rows", "longest_context", "attention_flops", "slowest_is_ffn"), givens)
    assert found["rows"] == rows
    assert found["longest_context"] == max(contexts)
    assert found["attention_flops"] == 4 * givens["layers"] * heads * givens["head_dim"] * pairs
    assert found["slowest_is_ffn"] == 1


MODEL = {"layers": 80, "hidden": 8192, "heads": 64, "kv_heads": 8}
DRAFT = {"layers": 16, "hidden": 2048, "heads": 32}
REQUEST = {"batch": 8, "prompt": 1000, "generated": 201, "tp": 4, "draft_tp": 2, "draft_weight_bits": 8}


def by_hand(  # noqa: PLR0913 - a pass has that many inputs
    model: Mapping[str, int], tp: int, *, batch: int, new: int, seen: int, weight_bytes: float = 2
) -> float:
    """One pass, straight from its definition."""
    hidden, share = model["hidden"], model.get("kv_heads", model["heads"]) / model["heads"]
    kernels = (
        (
            2 * batch * new * hidden * (hidden + 2 * hidden * share),
            weight_bytes * hidden * (hidden + 2 * hidden * share),
        ),
        (4 * batch * new * seen * hidden, 4 * batch * seen * hidden * share),
        (16 * batch * new * hidden**2, 8 * weight_bytes * hidden**2),
    )
    return sum(model["layers"] * max(flops / tp / 500e12, moved / tp / 2e12) for flops, moved in kernels)


def test_passes_under_other_inputs() -> None:
    """Prefill, decode, the last token and the draft model, all from one table."""
    givens = {**MODEL, **REQUEST, **{f"draft_model.{name}": value for name, value in DRAFT.items()}}
    names = (
        "prefill_time",
        "decode_time",
        "last_token_time",
        "draft_time",
        "verify_time",
        "speculative_time",
        "two_drafts",
    )
    found = values("passes", names, givens)
    decode, draft = {"new": 1, "seen": 1100}, {"new": 1, "seen": 1100, "weight_bytes": 1}
    verify = by_hand(MODEL, 4, batch=40, **decode)
    drafted = by_hand(DRAFT, 2, batch=8, **draft)
    expected = {
        "prefill_time": by_hand(MODEL, 4, batch=8, new=1000, seen=1000),
        "decode_time": by_hand(MODEL, 4, batch=8, **decode),
        "last_token_time": by_hand(MODEL, 4, batch=8, new=1, seen=1200),
        "draft_time": drafted,
        "verify_time": verify,
        "speculative_time": (verify + 4 * drafted) / sum(0.8**n for n in range(5)),
        "two_drafts": by_hand(DRAFT, 8, batch=2, **draft) + by_hand(DRAFT, 2, batch=2, **draft),
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)


def test_draft_model_has_defaults_of_its_own() -> None:
    """What the draft model's record leaves out comes from its own other values, not from the target's."""
    draft = graph("passes").nodes["draft_model.kv_heads"]
    assert draft.expression is not None
    assert draft.expression.node == "draft_model.heads"  # type: ignore[attr-defined]


def test_equal_bindings_share_their_copies() -> None:
    """Each distinct binding is copied once, and what it does not change is not copied."""
    nodes = graph("passes").nodes
    assert "kernels.qkv.flops@prefill" in nodes
    assert "weight_bytes@prefill" not in nodes
    assert len([name for name in nodes if name.startswith("kernels.ffn.time")]) < 12
