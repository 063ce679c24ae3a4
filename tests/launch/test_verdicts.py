"""Public commands and files with a known verdict on memory: ours is the same."""

from pathlib import Path

import pytest
import tomli

from formula_eval.records.values import read_value

VERDICTS = tomli.loads((Path(__file__).parent / "verdicts.toml").read_text())["verdict"]
NAMES = [f"{number}-{each['hardware']}" for number, each in enumerate(VERDICTS)]
NEARNESS = 0.15


@pytest.mark.parametrize("verdict", VERDICTS, ids=NAMES)
def test_whether_a_public_command_fits(verdict, formulas):
    beside = {name: verdict[name] for name in ("hardware", "model", "prompt", "seq") if name in verdict}
    launch = formulas.read_launch(verdict["text"], **beside)
    fits = "training.fits" if launch.purpose == "training" else "memory.fits"
    wanted = [fits, *(["training.device_bytes"] if "device_bytes" in verdict else [])]
    answer = formulas.evaluate(only=wanted, **{**launch.stated, **beside})
    assert bool(answer[fits].value) == verdict["fits"], verdict["source"]
    if "device_bytes" in verdict:
        schema = formulas.evaluator.schema
        said = read_value(verdict["device_bytes"], schema.inputs["context_bytes"], schema.units, "device_bytes")
        assert answer["training.device_bytes"].value == pytest.approx(said, rel=NEARNESS), verdict["source"]
