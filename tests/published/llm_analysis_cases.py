"""Cases of llm-analysis to our givens, and what our formulas give for them."""

from collections.abc import Container, Iterator, Mapping
from functools import cache
from typing import Any

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.records.schema import Schema
from published.comparison import Case, held, table_of

TOOL = "llm_analysis"
NAMESPACE = f"published.{TOOL}"
INPUTS = table_of(TOOL, "inputs")
ZERO_IS_ABSENT = INPUTS["zero_is_absent"]
OUTPUTS = table_of(TOOL, "outputs")


def outputs(kind: str, table: Mapping[str, Any]) -> dict[str, Any]:
    """Where the outputs of training or inference are found."""
    return {**table["both"], **table[kind]}


def answers(case: Case, wanted: Mapping[str, Any], evaluator: Evaluator) -> dict[str, Any]:
    """What our formulas give for each output of a case."""
    places = {name: place if isinstance(place, Mapping) else {"is": place} for name, place in wanted.items()}
    names = {name: quantity(place["is"]) for name, place in places.items()}
    program = evaluator.program(sorted(set(names.values())))
    values = program.evaluate({**presets(evaluator), **dict(givens(case, evaluator.schema))})
    return {name: _spoken(values[names[name]], place) for name, place in places.items()}


def quantity(place: str) -> str:
    """The name of a quantity of this namespace, or of an input."""
    return place.removeprefix("input.") if place.startswith("input.") else f"{NAMESPACE}.{place}"


def _spoken(value: float, place: Mapping[str, Any]) -> Any:
    return place["words"][int(value)] if "words" in place else value / place.get("per", 1)


@cache
def presets(evaluator: Evaluator) -> Mapping[str, Any]:
    """What the namespace assumes."""
    return evaluator.givens(Question(namespace=NAMESPACE)).values


def givens(case: Case, schema: Schema) -> Iterator[tuple[str, float]]:
    """The inputs of a case as ours, in base units."""
    said = case["inputs"]
    parts = {part: said[part] for part in INPUTS if part in said} | {case["kind"]: said["args"]}
    absent = {*ZERO_IS_ABSENT.get(said.get("entry"), ()), *ZERO_IS_ABSENT.get(case["kind"], ())}
    for part, values in parts.items():
        for name, place in INPUTS[part].items():
            if _is_given(name, values.get(name), absent):
                own, value = _translated(values[name], place)
                yield own, held(value, schema.inputs[own])
    yield from _layout(said["parallelism_given"], absent)


def _is_given(name: str, value: Any, absent: Container[str]) -> bool:
    return value is not None and not (value == 0 and name in absent)


def _translated(value: Any, place: Any) -> tuple[str, Any]:
    if isinstance(place, str):
        return place, value
    return place["input"], place["words"][int(value)] if "words" in place else value * place["unit"]


def _layout(said: Mapping[str, Any], absent: Container[str]) -> Iterator[tuple[str, float]]:
    """Sequence parallelism is a flag with us, and copied replicas follow from the number of accelerators."""
    if _is_given("sp_size", said.get("sp_size"), absent):
        yield "sequence_parallel", said["sp_size"] > 1
    if said.get("rdp_size") is not None:
        yield "gpus", said["tp_size"] * said["pp_size"] * said["dp_size"] * said["rdp_size"]
