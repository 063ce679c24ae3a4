"""What GenZ's README and notebooks print: the bits of its data types, and latencies."""

import math
import re

import pytest

from formula_eval.evaluate.evaluator import Evaluator
from published.comparison import cases_of, table_of
from published.genz_givens import givens
from published.genz_operators import CALLS
from published.genz_places import NAMESPACE, TOOL

CASES = {case["id"]: case for case in cases_of(TOOL, None)}
TYPES = table_of("genz_documents", "data_types")["rows"]
NOTEBOOKS = table_of("genz_documents", "notebooks")["rows"]


@pytest.mark.parametrize("row", TYPES, ids=[row["type"] for row in TYPES])
def test_data_types(row, evaluator: Evaluator) -> None:
    name = f"{NAMESPACE}.data_type"
    place = evaluator.schema.inputs[name].quantity.words.index(row["type"])
    found = evaluator.program([f"{NAMESPACE}.element"]).evaluate({name: place})
    assert found[f"{NAMESPACE}.element"] * 8 == row["bits"]


@pytest.mark.parametrize("row", NOTEBOOKS, ids=[row["case"] for row in NOTEBOOKS])
def test_notebooks(row, evaluator: Evaluator) -> None:
    case = CASES[row["case"]]
    call = f"{case['kind']}_call"
    assert call in CALLS
    asked = {**givens(case, evaluator, call), **row.get("givens", {})}
    found = evaluator.program([f"{NAMESPACE}.latency"]).evaluate(asked)[f"{NAMESPACE}.latency"] * 1e3
    assert math.isclose(found, float(row["printed"]), rel_tol=row.get("within", 1e-12))


def test_names(evaluator: Evaluator) -> None:
    """Every quantity that the README of the folder names is there."""
    text = (evaluator.library.folders[0] / "formulas/published/genz/README.md").read_text(encoding="utf-8")
    tables = text.partition("## Calls")[2].partition("## Left out")[0]
    rows = [line.split("|") for line in tables.splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in re.findall(r"`(\w+)", row[2])}
    places = (*evaluator.schema.formulas, *evaluator.schema.inputs, *evaluator.schema.tables)
    own = {part for name in places if name.startswith(f"{NAMESPACE}.") for part in name.split(".")}
    assert not named - own
