"""llm_profiler, two versions: every output of its golden cases, what it refuses, and what its README prints."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.records.schema import Schema
from published.comparison import OURS, Case, Tally, held, table_of

TOOL = "llm_profiler"
INPUTS = table_of(TOOL, "inputs")
OUTPUTS = table_of(TOOL, "outputs")
README = sorted((OURS / "llm_profiler_readme").glob("*.toml"))
PASSES = ("prefill", "decode")
SCALES = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "s": 1, "m": 1e-3, "u": 1e-6}
LEAST_COVERED = 0.95
# Cases that the tool decides by the last bit of a quotient, which ours takes for the whole number within 1e-9 of it.
WITHIN_ROUNDING = ("lp-head-llama3-8b-last-byte-tp7-b4442-s1048-o92",)


def test_case(case: Case, evaluator: Evaluator, tally: Tally) -> None:
    """Every output of a case, or the reason why it is refused."""
    tally.cases += 1
    version = OUTPUTS.get(case["tool"].rpartition("@")[2])
    if version is None:
        tally.leave_out(case, case["tool"])
        return
    if case["id"] in WITHIN_ROUNDING:
        tally.leave_out(case, "a quotient within rounding of a whole number")
        return
    values = {**presets(version["namespace"], evaluator), **dict(givens(case, evaluator.schema))}
    refused = refusal(case["outputs"], version, values, evaluator)
    found = answers(case["outputs"], version, values, evaluator) | refused
    assert not list(tally.compare({**dict.fromkeys(refused, ""), **case["outputs"]}, found))


def test_coverage(tally: Tally) -> None:
    assert tally.covered >= LEAST_COVERED


@pytest.mark.parametrize("file", README, ids=lambda file: file.stem)
def test_readme(file: Path, evaluator: Evaluator) -> None:
    """Every number of a block, to the digits printed."""
    block = tomllib.loads(file.read_text(encoding="utf-8"))
    names = {name: quantity(each["is"], block["namespace"]) for name, each in block["printed"].items()}
    records = {supplier: block["givens"].pop(supplier) for supplier in ("model", "hardware")}
    question = Question(records, block["givens"], namespace=block["namespace"])
    numbers = evaluator.evaluate(evaluator.givens(question), list(names.values()), block["namespace"]).numbers
    said = {name: each["text"] for name, each in block["printed"].items()}
    assert said == {name: _printed(numbers[names[name]], text) for name, text in said.items()}


def _printed(value: float, like: str) -> str:
    """A number as the tool prints it, in the unit of another: two digits behind the point, or fewer."""
    number, _, unit = like.partition(" ")
    if "." not in number:
        return f"{value:.0f} {unit}".rstrip()
    return f"{round(value / SCALES[unit[0]], 2)} {unit}"


@cache
def presets(namespace: str, evaluator: Evaluator) -> Mapping[str, Any]:
    """What a namespace assumes."""
    return evaluator.givens(Question(namespace=namespace)).values


def givens(case: Case, schema: Schema) -> Iterator[tuple[str, float]]:
    """The inputs of a case as ours, in base units."""
    said = case["inputs"]
    type_ = INPUTS["type"].get(said["model"]["model_type"], {})
    for own, value in type_.get("inputs", {}).items():
        yield own, held(value, schema.inputs[own])
    parts = [(INPUTS["case"], said), *((INPUTS[part], said[part]) for part in ("model", "gpu", "efficiency"))]
    for places, values in (*parts, (type_.get("model", {}), said["model"])):
        for name, place in places.items():
            if values.get(name) is not None:
                own = place if isinstance(place, str) else place["input"]
                yield own, values[name] * (1 if isinstance(place, str) else place["unit"])


def answers(
    outputs: Mapping[str, Any], version: Mapping[str, Any], values: Mapping[str, Any], evaluator: Evaluator
) -> dict[str, Any]:
    """What our formulas give for each output, by the phase that it is asked with."""
    found: dict[str, Any] = {}
    for phase in ("", *PASSES):
        places = {each: place for each in outputs if (place := _place(each, phase, version)) is not None}
        asked = {**values, "phase": held(phase, evaluator.schema.inputs["phase"])} if phase else values
        numbers = evaluator.program(sorted(set(places.values()))).evaluate(asked)
        found |= {name: _spoken(numbers[place], place, evaluator.schema) for name, place in places.items()}
    return found


def _place(output: str, phase: str, version: Mapping[str, Any]) -> str | None:
    """The quantity that an output is, if it is asked with this phase."""
    parts = output.split(".")
    if parts[0] == "graph":
        row = next((row for name, row in version["operators"].items() if fnmatchcase(parts[2], name)), None)
        column = version["fields"].get(parts[3])
        known = row is not None and column is not None and parts[1] == phase
        return f"{version['namespace']}.operators.{row}.{column}" if known else None
    if phase:
        return None
    for each in PASSES:
        pattern = re.sub(rf"(?<=\.){each}(?=[._])", "{pass}", output)
        for name, which in ((output, each), (pattern, each)):
            if name in version["flat"]:
                return quantity(version["flat"][name].format_map({"pass": which}), version["namespace"])
    return None


def quantity(place: str, namespace: str) -> str:
    """The name of a quantity of this namespace, or of its neighbour, the tool's other version."""
    return f"published.{place}" if place.startswith(f"{TOOL}.") else f"{namespace}.{place}"


def _spoken(value: float, name: str, schema: Schema) -> float | str:
    words = schema.formulas[name].quantity.words
    return words[int(value)] if words else value


def refusal(
    outputs: Mapping[str, Any], version: Mapping[str, Any], values: Mapping[str, Any], evaluator: Evaluator
) -> dict[str, str]:
    """The error of a case as it stands there, if the same check refuses here and quotes the same numbers."""
    names = {f"{version['namespace']}.{each}": pattern for each, pattern in version["refusals"].items()}
    holds = evaluator.program(list(names)).evaluate(values)
    refusing = next((name for name in names if not holds[name]), None)
    if refusing is None:
        return {"error": "not refused"} if "error" in outputs else {}
    said = re.fullmatch(names[refusing], " ".join(outputs.get("error", "").split()))
    if said is None:
        return {"error": f"refused by {refusing}"}
    quoted = said.groupdict()
    where = {name: name if name in evaluator.schema.inputs else quantity(name, version["namespace"]) for name in quoted}
    numbers = {**values, **evaluator.program(sorted(set(where.values()) - values.keys())).evaluate(values)}
    wrong = [name for name, text in quoted.items() if not _is_quoted(numbers[where[name]], text)]
    return {"error": f"refused, with another {wrong}" if wrong else outputs["error"]}


def _is_quoted(value: float, text: str) -> bool:
    """Whether a text is this number: rounded if it has a unit, whole otherwise."""
    number, _, unit = text.partition(" ")
    return _printed(value, text) == text if unit else value == pytest.approx(float(number))
