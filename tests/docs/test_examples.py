"""The tables of examples/ are what its command writes, its pictures are made, and every formula that it names exists.

`UPDATE_DOCS=1 pytest tests/docs/test_examples.py` writes tables and pictures anew; read the difference, and the text.
"""

import os
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from formula_eval import Formulas, load
from libraries import checked

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LLAMA = ROOT / "examples" / "llama"
PAGE = (LLAMA / "README.md").read_text(encoding="utf-8")
STUDY = tomllib.loads((LLAMA / "study.toml").read_text(encoding="utf-8"))
PRINTED = tomllib.loads((ROOT / "tests/published/llm_analysis_llama/gpu_hours.toml").read_text(encoding="utf-8"))
TOOL = {"namespace": "published.llm_analysis"}
RUN = {"model": "llama-7b", "hardware": "a100-sxm-80gb", "gpus": 2048, "seq": 2048, "training_tokens": 1e12}
LAYOUTS = [{"tp": 8, "pp": 8, "recompute": "core"}, {"tp": 4, "pp": 2}, {"tp": 8, "recompute": "full"}]


@pytest.fixture(scope="module")
def made(kept: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command fills; it writes the tables even where matplotlib is missing."""
    folder = LLAMA if os.environ.get("UPDATE_DOCS") == "1" else tmp_path_factory.mktemp("llama")
    environment = os.environ | {"PYTHONPATH": str(ROOT / "engine"), "FORMULA_EVAL_CACHE": str(kept)}
    command = [sys.executable, "-W", "error", str(LLAMA / "study.py"), "-o", str(folder)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0 or "pip install" in done.stderr, done.stderr
    return folder


@pytest.fixture(scope="module")
def study() -> Formulas:
    return load(LLAMA / "library")


def test_tables_are_what_the_command_writes(made: Path) -> None:
    assert (made / "README.md").read_text(encoding="utf-8") == (LLAMA / "README.md").read_text(encoding="utf-8")


def test_pictures_are_made(made: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in STUDY["pictures"]:
        assert f"]({name}.svg)" in PAGE
        assert (LLAMA / f"{name}.svg").exists()
        assert ET.parse(made / f"{name}.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize("row", PRINTED["rows"], ids=lambda row: row["name"])
def test_the_tool_says_what_its_page_prints(row: dict[str, str]) -> None:
    assert f"| {row['name']} | {row['paper']:,} | {row['gpu_hours']} ({row['difference']} %) |" in PAGE


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_the_parts_of_a_picture_add_up(study: Formulas, layout: dict[str, object]) -> None:
    given = {**RUN, **layout, "global_batch": 2048}
    for parts, whole, more in (
        ("llama.our_hours", "training.run_gpu_hours", {}),
        ("llama.our_memory", "training.device_bytes", {}),
        ("llama.our_decode", "inference.decode_time", {}),
        ("llama.llm_analysis_hours", "published.llm_analysis.training.gpu_hours", TOOL),
        ("llama.llm_analysis_memory", "published.llm_analysis.training.peak_bytes", TOOL),
        ("llama.llm_analysis_decode", "published.llm_analysis.inference.decode_time", TOOL),
    ):
        cell = {"hours": "gpu_hours", "memory": "bytes", "decode": "time"}[parts.rpartition("_")[2]]
        numbers = study.evaluate(only=[parts, whole], **more, **given).numbers
        found = sum(numbers[name] for name in numbers if name.startswith(f"{parts}.") and name.endswith(f".{cell}"))
        assert found == pytest.approx(numbers[whole], rel=1e-9), parts


def test_every_name_on_the_page_is_one(study: Formulas) -> None:
    known = [*study.evaluator.schema.formulas, *study.evaluator.schema.checks]
    named = re.findall(r"`((?:[a-z][a-z0-9_]*\.)+[a-z0-9_]+)`", PAGE)
    assert named
    for name in named:
        assert any(f"{each}.".startswith(f"{name}.") for each in known) or study[name].sentence


def test_its_formulas_are_sound() -> None:
    assert checked(LLAMA / "library").findings == ()
