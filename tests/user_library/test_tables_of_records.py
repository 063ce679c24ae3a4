"""Tables that records fill: defaults for their cells, a first row that always stands, rows of another model."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from formula_eval import FormulaError, Formulas, load
from formula_eval.cli.command import cli
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.records.record import RecordFile
from formula_eval.records.record_values import read_record

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).parent / "adapters_library"
SHAPE = {"layers": 32, "hidden": 64, "heads": 2, "vocab": 100}


@pytest.fixture(scope="module")
def adapted() -> Formulas:
    return load(LIBRARY)


def value(formulas: Formulas, name: str, **given: Any) -> Any:
    return formulas.evaluate(only=[name], **given)[name].value


def test_it_is_checked_like_ours() -> None:
    done = CliRunner().invoke(cli, ["check", str(LIBRARY)], catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("mean_depth", {"model": "early-7b"}, 0.25 * 8 + 0.25 * 16 + 0.5 * 32),
        ("mean_depth", {"model": "llama2-7b"}, 32),
        ("halved_depth", {"model": "early-7b"}, 0.25 * 8 + 0.25 * 16 + 0.5 * 16),
        ("small_depth", {"model": "llama2-70b", "small_model": "early-7b"}, 22),
        ("small_depth", {"model": "early-7b", "small_model": "llama2-7b"}, 32),
        ("small_depth", {"model": "early-7b"}, None),
        ("own_head_params", {"model": "early-7b"}, 4096 * 32001 + 4096 * 1000),
        ("adapter_bytes", {"model": "early-7b"}, 32 * (4 * 2 * 8 * 4096 * 2 + 7 * 2 * 64 * 4096)),
        ("adapter_bytes", {"model": "llama2-7b"}, 0),
        ("first_output", {"model": "early-7b"}, "own"),
        ("first_output", {"model": "llama2-7b"}, "shared"),
        ("mean_depth", {"model": "early-7b", "exits.2.depth": 20}, 23),
        ("mean_depth", {"model": "early-7b", "exits.3.filled": False}, 6),
        ("adapter_bytes", {"model": "llama2-7b", "loaded.2.filled": True, "loaded.2.rank": 8}, 2**24),
    ],
)
def test_rows_count(adapted: Formulas, name: str, given: dict[str, Any], expected: Any) -> None:
    assert value(adapted, f"adapters.{name}", **given) == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"exits.2.depth": 8}, "row 2 of `exits` is not filled, so `exits.2.depth` has no meaning"),
        ({"loaded.1.filled": True}, "Row 1 of `adapters.loaded` lacks `rank`"),
        ({"small_model": "early-7b", "small_model.adapters.loaded.1.rank": 2000}, "is outside 1 to 1,024"),
        ({"small_model": "llama2-7b", "small_model.exits.2.depth": 3}, "row 2 of `exits` is not filled"),
        ({"exits.1.depht": 8}, "`exits.1.depht` is not an input"),
        ({"exits.4.depth": 8}, "`exits.4.depth` is not an input"),
        ({"exits.1.filled": True}, "`exits.1.filled` is not an input"),
        ({"exits.1.output_params": 8}, "It is computed"),
        ({"exits": 8}, "It is a table; set a cell of it, such as `exits.1.depth`"),
        ({"exits.1.output": "none"}, "is none of shared, own"),
    ],
    ids=str,
)
def test_what_cannot_be_set(adapted: Formulas, given: dict[str, Any], said: str) -> None:
    with pytest.raises(FormulaError) as told:
        value(adapted, "adapters.mean_depth", model="llama2-7b", **given)
    first = told.value.diagnostics[0]
    assert said in f"{first.message} {first.help}"


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"exits": [{"depht": 2}]}, "`exits` has no column `depht`; Did you mean `depth`?"),
        ({"exits": [{"filled": True}]}, "`exits` has no column `filled`"),
        ({"exits": [{"output_params": 1}]}, "`exits` has no column `output_params`"),
        ({"exits": [{"depth": 0}]}, "`exits.1.depth = 0` is outside 1 to 10,000"),
        ({"exits": [{}, {"depth": "two"}]}, "`exits.2.depth = two` is not a number"),
        ({"exits": [{"output": "none"}]}, "`exits.1.output = none` is none of shared, own"),
        ({"exits": {"depth": 2}}, "a row of `exits` is a table of its own; Write `[[exits]]` once for each row"),
        ({"exits": [3]}, "a row of `exits` is a table of its own"),
        ({"exits": [{}] * 4}, "`exits` takes at most 3 rows, not 4"),
        ({"loaded": [{"rank": 4}, {"bits": 8}]}, "row 2 of `loaded` lacks `rank`"),
        ({"loaded": [{"rank": 4, "bits": 12}]}, "is none of 16, 8"),
        ({"exit": [{}]}, "`exit` is not an input of a model; Did you mean `exits`"),
        ({"requests": [{}]}, "`requests` is not an input of a model"),
    ],
    ids=str,
)
def test_what_a_record_cannot_say(adapted: Formulas, tables: dict[str, Any], said: str) -> None:
    with pytest.raises(FormulaError) as told:
        read_record(
            RecordFile("model", "mine", "mine.toml", {**SHAPE, **tables}),
            adapted.evaluator.schema,
        )
    first = told.value.diagnostics[0]
    assert said in f"{first.message}; {first.help}"


def test_a_scenario_gives_rows(adapted: Formulas, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[[exits]]\ndepth = 4\n[[adapters.requests]]\nlength = 10\n[[adapters.requests]]\n")
    given = {"inputs": path, "prompt": 100}
    assert value(adapted, "adapters.asked_layers", model="llama2-7b", **given) == (10 + 100) * 4
    with pytest.raises(FormulaError, match="`exits` has rows already, those of"):
        value(adapted, "adapters.asked_layers", model="early-7b", **given)
    path.write_text("[exits.2]\ndepth = 4\n")
    assert value(adapted, "adapters.mean_depth", model="early-7b", inputs=path) == 0.25 * 8 + 0.25 * 4 + 0.5 * 32
    path.write_text(f"model = {{ {', '.join(f'{k} = {v}' for k, v in SHAPE.items())}, exits = [{{ depth = 5 }}] }}\n")
    assert value(adapted, "adapters.mean_depth", inputs=path) == 5


def test_the_command_line_sets_a_cell() -> None:
    asked = ["--library", str(LIBRARY), "--model", "early-7b", "--only", "adapters.mean_depth", "--format", "json"]
    for options in (["--set", "exits.2.depth=20"], ["--exits.2.depth", "20"]):
        done = CliRunner().invoke(cli, [*asked, *options], catch_exceptions=False)
        answer = json.loads(done.stdout)
        assert answer["values"]["adapters.mean_depth"]["value"] == 23
        assert answer["inputs"]["exits.2.depth"] == {"value": 20, "unit": "layer", "origin": "--exits.2.depth"}
        assert answer["inputs"]["exits.3.depth"]["origin"] == "default"


def test_a_column_is_listed_once() -> None:
    done = CliRunner().invoke(cli, ["list", "inputs", "--library", str(LIBRARY), "--format", "json"])
    listed = {each["option"]: each for each in json.loads(done.stdout)}
    assert listed["--exits.N.depth"]["default"] == "layers"
    assert listed["--adapters.loaded.N.rank"]["default"] == "required"
    assert listed["--exits.N.filled"]["default"] == "false"
    assert not any(".1." in option for option in listed)


def test_an_explanation_names_rows(adapted: Formulas) -> None:
    text = str(adapted.explain("adapters.mean_depth", model="early-7b"))
    assert "row 3 = 16 layers" in text
    assert "share * depth\n" in text
    assert "filled" not in text


def test_many_at_once(adapted: Formulas) -> None:
    names = ["adapters.mean_depth", "adapters.own_head_params", "adapters.halved_depth"]
    program = adapted.evaluator.program(names)
    fixed = {"layers": 32.0, "hidden": 64.0, "vocab": 100.0, "exits.1.share": 0.5, "exits.2.depth": 8.0}
    filled, output = np.array([True, False]), np.array([[0], [1]])
    many = evaluate_many(program, {**fixed, "exits.2.filled": filled, "exits.1.output": output})
    for name in names:
        one = [
            [program.evaluate({**fixed, "exits.2.filled": bool(f), "exits.1.output": int(o)})[name] for f in filled]
            for (o,) in output
        ]
        assert np.broadcast_to(many[name], (2, 2)).tolist() == one
    assert not math.isnan(float(many[names[0]].sum()))
