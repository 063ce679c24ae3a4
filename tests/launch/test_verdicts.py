"""Public commands with a known verdict on memory: ours is the same."""

from pathlib import Path

import pytest
import tomli

VERDICTS = tomli.loads((Path(__file__).parent / "verdicts.toml").read_text())["verdict"]
NAMES = [f"{number}-{each['hardware']}" for number, each in enumerate(VERDICTS)]


@pytest.mark.parametrize("verdict", VERDICTS, ids=NAMES)
def test_whether_a_public_command_fits(verdict, formulas):
    beside = {name: verdict[name] for name in ("hardware", "model", "prompt") if name in verdict}
    launch = formulas.read_launch(verdict["text"], **beside)
    answer = formulas.evaluate(only="memory.fits", **{**launch.stated, **beside})
    assert bool(answer["memory.fits"].value) == verdict["fits"], verdict["source"]
