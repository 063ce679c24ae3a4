"""What is followed in a script, and what is said to be open in it."""

from pathlib import Path

import pytest
import tomli

from formula_eval.records.launch.launch_reader import read_launch

SCRIPTS = [
    each
    for name in ("scripts", "wrapped")
    for each in tomli.loads((Path(__file__).parent / f"{name}.toml").read_text())["script"]
]


@pytest.mark.parametrize("script", SCRIPTS, ids=[each["id"] for each in SCRIPTS])
def test_a_script_states_what_a_shell_would_pass(script, formulas):
    evaluator = formulas.evaluator
    launch = read_launch(script["text"], evaluator.library, evaluator.schema)
    assert {name: launch.stated.get(name) for name in script["expect"]} == script["expect"]
    assert list(launch.unknown) == script.get("unknown", [])
