"""Cases of GenZ to our givens."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from published.comparison import Case, held
from published.genz_places import INPUTS, NAMESPACE, NotCoveredError

Givens = Mapping[str, float]
Stated = Mapping[str, Any]


class UnknownWordError(Exception):
    """A word that none of our choices has."""


@cache
def presets(evaluator: Evaluator) -> Givens:
    """What the namespace assumes."""
    return evaluator.givens(Question(namespace=NAMESPACE)).values


def givens(case: Case, evaluator: Evaluator, call: str = "") -> Givens:
    """The inputs of a case as ours, in base units."""
    said = case["inputs"]
    found = dict(_stated(said))
    if call:
        found[f"{NAMESPACE}.call"] = call
    if said.get("draft_model"):
        found |= {"draft_model": True, **{f"draft_model.{key}": value for key, value in _model(said["draft_model"])}}
    schema = evaluator.schema
    if len(entries(said.get("workload") or {})) > len(schema.tables[f"{NAMESPACE}.mixed_batch"][0]):
        raise NotCoveredError("mixed iterations of many different entries")
    unknown = [value for name, value in found.items() if _is_unknown(name, value, evaluator)]
    if unknown:
        raise UnknownWordError(unknown[0])
    return {**presets(evaluator), **{name: held(value, schema.inputs[name]) for name, value in found.items()}}


def _is_unknown(name: str, value: Any, evaluator: Evaluator) -> bool:
    return isinstance(value, str) and value not in evaluator.schema.inputs[name].quantity.words


def _stated(said: Stated) -> Iterator[tuple[str, Any]]:
    yield from _model(said.get("model") or {})
    system = said.get("system") or {}
    for part in ("args", "system", "parallelism", "workload", "power_breakdown"):
        yield from _translated(INPUTS[part], said.get(part) or {})
    if system and system["mem_capacity_bytes"] is None:
        yield "memory_capacity", math.inf
    yield from _translated(INPUTS["gear"], system.get("gear") or {})
    yield from _translated(INPUTS["inputs"], said)
    yield from _entries(said.get("workload") or {})


def _translated(table: Mapping[str, Any], said: Stated) -> Iterator[tuple[str, Any]]:
    for key, place in table.items():
        value = said.get(key)
        if value is not None and isinstance(place, str):
            yield place, value
        elif value is not None and "words" in place:
            yield place["input"], place["words"][str(value).lower() if isinstance(value, bool) else str(value)]
        elif value is not None:
            yield place["input"], value / place["each"] * place["is"]


def _model(said: Stated) -> Iterator[tuple[str, Any]]:
    yield from _translated(INPUTS["model"], said)
    if said.get("is_moe"):
        yield from _translated(INPUTS["mixture"], said)
    if said.get("n_shared_experts"):
        yield "shared_expert_hidden", said["n_shared_experts"] * said["shared_expert_intermediate_size"]
    if said.get("is_mamba"):
        yield "ssm_inner", said["mamba_expand"] * said["hidden_size"]


def _entries(workload: Stated) -> Iterator[tuple[str, Any]]:
    for number, row in enumerate(entries(workload), start=1):
        yield f"{NAMESPACE}.mixed_batch.{number}.filled", True
        for key, value in row.items():
            yield f"{NAMESPACE}.mixed_batch.{number}.{key}", value


def entries(workload: Stated) -> Sequence[Stated]:
    """The rows of a mixed iteration; equal ones behind each other are one."""
    rows = [{"new": each["chunk"], "cached": each["past"]} for each in workload.get("prefill", ())]
    rows += [row for each in workload.get("decode", ()) for row in _decoding(each)]
    return [{"count": len(list(equal)), **row} for row, equal in groupby(rows)]


def _decoding(entry: int | Sequence[int]) -> Iterator[dict[str, Any]]:
    """One sequence, several of their own caches, or beams: those of one prompt, and what they have generated."""
    match entry:
        case int(cached):
            yield {"sequences": 1, "cached": cached}
        case [sequences, cached]:
            yield {"sequences": sequences, "cached": cached}
        case [prompts, beams, prompt, generated]:
            yield {"sequences": prompts, "caches": 1, "cached": prompt, "prefix": True}
            yield {"sequences": beams, "caches": 1, "cached": generated}
