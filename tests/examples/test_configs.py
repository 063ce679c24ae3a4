"""Configs of models that see or hear: what the tables of a library read is what its record of the same model says."""

import json
from functools import lru_cache
from pathlib import Path

import pytest

from formula_eval import Formulas, load
from formula_eval.cli import main

pytestmark = pytest.mark.slow

CONFIGS = json.loads((Path(__file__).parent / "configs.json").read_text(encoding="utf-8"))
CASES = [(library, model) for library, configs in CONFIGS.items() for model in configs]
# What both say, and for an image or a recording of what length.
ASKED = {
    "vision": (
        [
            *("params.total", "memory.kv_bytes_per_token", "vision.encoder_params", "vision.projector_params"),
            *("vision.positions", "vision.image_tokens", "vision.prompt_flops", "vision.attention_flops"),
        ],
        {"image_width": 1280, "image_height": 720},
    ),
    "audio": (
        [
            *("params.total", "params.encoder_total", "speech.hearing_params", "speech.positions"),
            *("speech.audio_tokens", "speech.encoder_flops", "speech.stem_flops", "speech.prompt_flops"),
        ],
        {"audio": 20},
    ),
}


@lru_cache(maxsize=1)
def read(library: str) -> Formulas:
    return load(library)


@pytest.fixture
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    library, model = request.param
    path = tmp_path / model / "config.json"
    path.parent.mkdir()
    path.write_text(json.dumps(CONFIGS[library][model]), encoding="utf-8")
    return path


@pytest.mark.parametrize(("library", "model", "written"), [(*case, case) for case in CASES], indirect=["written"])
def test_a_config_says_what_the_record_says(library: str, model: str, written: Path) -> None:
    names, given = ASKED[library]
    config, record = (read(library).evaluate(model=str(each), only=names, **given).numbers for each in (written, model))
    assert {name: config[name] for name in names} == {name: record[name] for name in names}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (("vision", "gemma3-4b"), "--images 2 --image-size 1024x768 --only vision.image_tokens"),
        (("vision", "qwen2.5-vl-7b"), "--only params.total"),
        (("audio", "whisper-small"), "--audio 1h --batch 16 --only rtfx"),
        (("audio", "qwen3-omni-30b-a3b-thinker"), "--audio 30s --only speech.audio_tokens"),
    ],
    indirect=["written"],
)
def test_a_config_is_read_by_the_library_that_reads_all_of_it(
    written: Path, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    library = next(name for name, configs in CONFIGS.items() if written.parent.name in configs)
    assert main(["--model", str(written), *said.split()]) == 0
    assert f"note: answered by the library `{library}`" in capsys.readouterr().err


@pytest.mark.parametrize(
    "written",
    [("audio", "qwen2.5-omni-7b"), ("audio", "qwen3-omni-30b-a3b-thinker")],
    indirect=True,
    ids=["qwen2.5-omni-7b", "qwen3-omni-30b-a3b"],
)
def test_what_rests_beside_vision_is_what_hears(written: Path) -> None:
    name = "params.total"
    totals = {load(library).evaluate(model=str(written), only=[name]).numbers[name] for library in CONFIGS}
    assert len(totals) == 1


def test_what_no_table_counts_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = json.loads(json.dumps(CONFIGS["vision"]["llava-1.5-7b"]))
    config["vision_config"]["model_type"] = "pixtral"
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert main(["--model", str(tmp_path), "--only", "params.total"]) == 0
    output, errors = capsys.readouterr()
    assert "neither CLIP nor SigLIP" in " ".join((output + errors).split())
    assert "6,738" in output
