"""What llm-analysis refuses is refused, and what it accepts though it makes no sense is warned of."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from formula_eval import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Givens
from formula_eval.records.values import InBaseUnits, read_value
from published.comparison import OURS, Case, cases_of, json_of, table_of
from published.llm_analysis_cases import NAMESPACE, TOOL, givens, presets

REFUSALS = table_of(TOOL, "refusals")
REFUSED = REFUSALS["refused"]
CHECKED = [error for error, what in REFUSED.items() if isinstance(what, str)]
OUT_OF_RANGE = [error for error in REFUSED if error not in CHECKED]
ERRORS = {error["id"]: error for error in json_of(OURS / TOOL / "errors.json")}
CASES = {case["id"]: case for case in cases_of(TOOL, None)}
WANTED = {
    "training": [f"{NAMESPACE}.training.run_time", f"{NAMESPACE}.training.peak_bytes"],
    "inference": [f"{NAMESPACE}.inference.total_time"],
}
RECORDS = {case["inputs"]["gpu"]["name"]: case["inputs"]["gpu"] for case in CASES.values()}


@pytest.mark.parametrize("error", CHECKED)
def test_refused(error: str, evaluator: Evaluator) -> None:
    """A check of level `refuse` fails."""
    case = completed(ERRORS[error])
    assert f"{NAMESPACE}.{REFUSED[error]}" in set(failing(case, "refuse", evaluator))
    with pytest.raises(FormulaError) as refused:
        evaluator.evaluate(Givens(values_of(case, evaluator)), WANTED[case["kind"]], NAMESPACE)
    assert {each.code for each in refused.value.diagnostics} == {"refused"}


@pytest.mark.parametrize("error", OUT_OF_RANGE)
def test_out_of_range(error: str, evaluator: Evaluator) -> None:
    """The input is refused before anything is computed."""
    name = REFUSED[error]["range"]
    value = dict(givens(completed(ERRORS[error]), evaluator.schema))[name]
    with pytest.raises(FormulaError):
        read_value(InBaseUnits(value), evaluator.schema.inputs[name], evaluator.library.units, "case")


@pytest.mark.parametrize("accepted", REFUSALS["warned"])
def test_warned(accepted: str, evaluator: Evaluator) -> None:
    """A check of level `warn` fails and none refuses: the tool gives these numbers."""
    warned = set(failing(CASES[accepted], "warn", evaluator))
    assert f"{NAMESPACE}.{REFUSALS['warned'][accepted]}" in warned
    assert not list(failing(CASES[accepted], "refuse", evaluator))


def test_all_are_known() -> None:
    known = {*REFUSED, *REFUSALS["outside"], *REFUSALS["warned"]}
    assert known == set(ERRORS)


@pytest.mark.parametrize("golden", CASES.values(), ids=CASES)
def test_nothing_else_is_refused(golden: Case, evaluator: Evaluator) -> None:
    """The tool computes all of its golden cases."""
    assert not list(failing(golden, "refuse", evaluator))


def failing(case: Case, level: str, evaluator: Evaluator) -> Iterator[str]:
    """The checks of a level that fail; one that cannot be computed says nothing."""
    values = values_of(case, evaluator)
    folders = (NAMESPACE, f"{NAMESPACE}.{case['kind']}")
    for name, check in evaluator.schema.checks.items():
        if check.level == level and name.rpartition(".")[0] in folders:
            try:
                holds = evaluator.program([name]).evaluate(values)[name]
            except FormulaError:
                continue
            if not holds:
                yield name


def values_of(case: Case, evaluator: Evaluator) -> dict[str, Any]:
    """All givens of a case."""
    return {**presets(evaluator), **dict(givens(case, evaluator.schema))}


def completed(error: Case) -> dict[str, Any]:
    """An entry with its records in full, as a case that the tool computes has them."""
    said = error["inputs"]
    if "ModelConfig" in said:
        return {"kind": "training", "inputs": {"model": said["ModelConfig"], "args": {}, "parallelism_given": {}}}
    bits = re.fullmatch(r"w(\d+)a(\d+)e(\d+)", said["dtype_name"])
    assert bits is not None
    names = ("weight_bits", "activation_bits", "embedding_bits")
    records = {
        "gpu": RECORDS[said["gpu_name"]],
        "dtype": dict(zip(names, map(int, bits.groups()), strict=True)),
        "model": _model(said["model_given"]),
    }
    return {"kind": error["kind"], "inputs": {**said, **records}}


def _model(given: Mapping[str, Any]) -> dict[str, Any]:
    """A model whose network is as wide as the tool takes it to be."""
    ratio = given.get("expansion_ratio", 4)
    return {**given, "ffn_embed_dim": given.get("ffn_embed_dim", ratio * given["hidden_dim"])}
