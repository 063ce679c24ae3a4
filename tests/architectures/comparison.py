"""What was counted of a model to comparisons: which formula, under which givens, must give which number."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PARTS: Mapping[str, Any] = tomllib.loads((Path(__file__).parent / "parts.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Comparison:
    """A number of the reference, and the formulas whose sum, less another, must equal it."""

    what: str
    expected: float
    formulas: tuple[str, ...]
    less: tuple[str, ...] = ()
    givens: Mapping[str, Any] = field(default_factory=dict)
    exact: bool = True


def parameters(counted: Mapping[str, Any]) -> Iterator[Comparison]:
    """The total, what one token touches, and every category."""
    active = counted["params_active_per_token"]
    yield Comparison("total", counted["params_total"], ("params.total",))
    yield Comparison("sum of parts", counted["params_total"], ("params.parts_total",))
    yield Comparison("active", active["incl_embedding"], ("params.active",))
    yield Comparison("active", active["excl_input_embedding"], ("params.active_without_embedding",))
    yield Comparison("active", active["matmul_weights_per_token"], ("params.active_matrices",))
    yield from _parts(counted["params_by_category"])


def _parts(found: Mapping[str, int]) -> Iterator[Comparison]:
    """One comparison for each category; a model without a category must have none of its parts either."""
    known = dict(PARTS)
    if "norm" not in found:  # the norms of a pure Mamba are called after its mixer
        known["ssm_other"] = [*known["ssm_other"], *known.pop("norm")]
    for category, parts in known.items():
        yield Comparison("part", found.get(category, 0), tuple(f"params.parts.{each}.count" for each in parts))
    for category in found.keys() - known.keys():
        yield Comparison(f"part {category}", found[category], ())


def cache(counted: Mapping[str, Any]) -> Iterator[Comparison]:
    """What a token adds to the cache at 16 bits, and the states that do not grow."""
    found = counted["kv_cache_bytes_per_token_bf16"]
    token = found.get("bytes", found.get("decoder_self_bytes_per_token", 0))
    yield Comparison("cache", token, ("memory.kv_bytes_per_token",), givens={"index_key_bits": 16})
    encoded = found.get("cross_bytes_per_encoder_token", 0)
    yield Comparison("cache", encoded, ("memory.cross_kv_bytes_per_token",))
    if "constant_state_bytes" in found:
        yield Comparison("state", found["constant_state_bytes"], ("memory.state_bytes",))
