"""The FLOP that were counted of a model to comparisons, each under the counter's own conventions."""

from collections.abc import Iterator, Mapping
from typing import Any

from architectures.comparison import Comparison

# A counter sees no mask and no selection, takes logits of every position, and finds products only.
COUNTER = {
    "attention_pairs": "full",
    "logits_of": "all",
    "latent_products": "expanded",
    "scan_count": "matrix_products",
    "sparse_pairs": "all",
}


def work(counted: Mapping[str, Any]) -> Iterator[Comparison]:
    """All passes that were counted without an error."""
    passes = [each for each in counted["flops"] if "error" not in each]
    prefill = next((each for each in passes if each["phase"] == "prefill"), None)
    for each in passes:
        match each["phase"]:
            case "prefill" | "encoder":
                yield from _prompt(each)
            case "decode":
                yield from _step(each)
            case "encdec_forward":
                given = {"prompt": each["seq"], "encoder_prompt": each["seq"]}
                yield from _both("encoder and decoder", each, "flops.first_token", "flops.prefill_logits", given)
            case "encdec_decode":
                given = {"step_context": each["past"], "encoder_prompt": each["seq"]}
                yield from _both("decode", each, "flops.decode_step", "flops.decode_logits", given)
            case "train_fwd_bwd" if "warning" not in each:
                yield _training(each, prefill)
            case "train_fwd_bwd":  # the counter overcounts the backward pass of a convolution
                pass
            case other:
                yield Comparison(f"unknown phase {other}", each["total"], ())


def _both(
    what: str, counted: Mapping[str, Any], formula: str, logits: str, given: Mapping[str, Any]
) -> Iterator[Comparison]:
    """A pass, and the same without logits."""
    givens = {**COUNTER, "batch": counted["batch"], **given}
    yield Comparison(what, counted["total_normalized"], (formula,), (), givens, exact=False)
    without = counted["total_excl_lm_head"]
    yield Comparison(f"{what} without logits", without, (formula,), (logits,), givens, exact=False)


def _prompt(counted: Mapping[str, Any]) -> Iterator[Comparison]:
    """A whole prompt: over the full square, and over causal pairs, where an indexer still scores the square."""
    given = {"prompt": counted["seq"]}
    yield from _both(counted["phase"], counted, "flops.prefill", "flops.prefill_logits", given)
    if "total_causal_exact" in counted:
        givens = {**COUNTER, **given, "batch": counted["batch"], "attention_pairs": "causal"}
        masked = counted.get("by_category", {}).get("indexer_core", 0) * (1 - (1 + 1 / counted["seq"]) / 2)
        total = counted["total_causal_exact"] - masked
        yield Comparison("causal prefill", total, ("flops.prefill",), (), givens, exact=False)
        core = counted["attn_core_causal_exact"]
        yield Comparison("causal attention", core, ("flops.prefill_attention",), (), givens, exact=False)


def _step(counted: Mapping[str, Any]) -> Iterator[Comparison]:
    """One token of each sequence; latent attention expanded, absorbed, and absorbed over what an indexer selects."""
    given = {"step_context": counted["past"]}
    yield from _both("decode", counted, "flops.decode_step", "flops.decode_logits", given)
    variants = counted.get("mla_variants", {})
    for name, selected in (("absorbed", "all"), ("absorbed_dsa_sparse", "selected")):
        if name in variants:
            more = {"batch": counted["batch"], "latent_products": "absorbed", "sparse_pairs": selected}
            givens = {**COUNTER, **given, **more}
            yield Comparison("latent decode", variants[name], ("flops.decode_step",), (), givens, exact=False)


def _training(counted: Mapping[str, Any], prefill: Mapping[str, Any] | None) -> Comparison:
    """A forward and backward pass, freed of experts that nobody chose, with the gradients an indexer lacks there."""
    batch, seq = counted["batch"], counted["seq"]
    total = counted["total"]
    if prefill:
        rows = prefill["batch"] * prefill["seq"]
        unchosen = prefill.get("total", prefill["total_normalized"]) - prefill["total_normalized"]
        total -= 3 * batch * seq * unchosen / rows
        indexer = prefill.get("by_category", {})
        total += 2 * batch * seq * indexer.get("indexer_proj", 0) / rows
        total += 2 * batch * seq**2 * indexer.get("indexer_core", 0) / (rows * prefill["seq"])
    givens = {**COUNTER, "micro_batch": batch, "seq": seq}
    return Comparison("training", total, ("flops.training_step",), (), givens, exact=False)
