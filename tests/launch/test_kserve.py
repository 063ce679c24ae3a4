"""KServe's own manifests: what their services and runtimes start."""

from pathlib import Path

import pytest
import tomli

from formula_eval.launch.launch_reader import read_launch

MANIFESTS = tomli.loads((Path(__file__).parent / "kserve.toml").read_text())["manifest"]


@pytest.mark.parametrize("manifest", MANIFESTS, ids=[each["id"] for each in MANIFESTS])
def test_a_manifest_states_what_its_controller_passes(manifest, formulas):
    evaluator = formulas.evaluator
    launch = read_launch(manifest["text"], evaluator.library, evaluator.schema)
    assert {name: launch.stated.get(name) for name in manifest["expect"]} == manifest["expect"]
    assert not launch.unknown
    assert [each for each in manifest.get("instead", []) if each not in str(launch.without_input)] == []
