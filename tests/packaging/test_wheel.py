"""The wheel holds formulas, models, hardware and templates, and answers with no checkout near."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bare environment with the built wheel, and what the wheel says it needs, in it.

    Our own pip fills it, and compiles nothing: the modules that no command reads are most of what is installed.
    """
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True, cwd=folder)
    (wheel,) = folder.glob("formula_eval-*.whl")
    venv.create(folder / "env", symlinks=True)
    into = ["--python", str(folder / "env"), "install", "--no-compile"]
    subprocess.run([*pip, *into, str(wheel)], check=True, cwd=folder)
    return folder


def run(installed: Path, *arguments: str) -> str:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FORMULA_EVAL"))},
        "FORMULA_EVAL_CACHE": str(installed / "cache"),
    }
    command = [installed / "env/bin/formula-eval", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=installed, env=environment, check=True)
    return done.stdout


def test_the_wheel_answers_on_its_own(installed: Path) -> None:
    answer = json.loads(run(installed, "--model", "llama2-70b", "--format", "json"))
    assert answer["values"]["params.total"]["value"] == 68_976_648_192


def test_the_wheel_holds_the_whole_library(installed: Path) -> None:
    for kind, folder in (("models", "models"), ("hardware", "hardware.toml")):
        ids = {each["id"] for each in json.loads(run(installed, "list", kind, "--format", "json"))}
        if kind == "models":
            places = [ROOT / folder, *ROOT.glob(f"libraries/*/{folder}"), *ROOT.glob("libraries/*/denoisers")]
            assert ids == {path.stem for place in places for path in place.glob("*.toml")}
        assert len(ids) >= 25
    assert "examples hold" in run(installed, "check", "--only", "params.*")


def test_the_package_is_typed(installed: Path) -> None:
    assert list(installed.glob("env/lib/python*/site-packages/formula_eval/py.typed"))
