"""Configs of models that see, hear or draw: what a library reads of them is what its record of the same model says."""

import json
from functools import lru_cache
from pathlib import Path

import pytest

from formula_eval import FormulaError, Formulas, load
from formula_eval.cli import main

pytestmark = pytest.mark.slow

CONFIGS = json.loads((Path(__file__).parent / "configs.json").read_text(encoding="utf-8"))
# Configs of models without a record, or unlike it in form, with the parameters that were counted elsewhere.
PUBLISHED = json.loads((Path(__file__).parent / "published_configs.json").read_text(encoding="utf-8"))
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
    "diffusion": (
        [
            *("diffusion.denoiser_params", "diffusion.text_encoder_params", "diffusion.step_flops"),
            *("diffusion.batch_time", "diffusion.needed_bytes"),
        ],
        {},
    ),
}
KIND = {"diffusion": "denoiser"}  # of which kind the records are, where not models


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
    kind = KIND.get(library, "model")
    config, record = (
        read(library).evaluate(**{kind: str(each)}, only=names, **given).numbers for each in (written, model)
    )
    assert {name: config[name] for name in names} == {name: record[name] for name in names}


@pytest.mark.parametrize(
    ("library", "name"), [(library, name) for library, configs in PUBLISHED.items() for name in configs]
)
def test_a_config_has_as_many_parameters_as_are_published(library: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(PUBLISHED[library][name]["config"]), encoding="utf-8")
    found = read(library).evaluate(model=str(tmp_path), only=["params.total"]).numbers
    assert found["params.total"] == PUBLISHED[library][name]["total"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (("vision", "gemma3-4b"), "--images 2 --image-size 1024x768 --only vision.image_tokens"),
        (("vision", "qwen2.5-vl-7b"), "--only params.total"),
        (("audio", "whisper-small"), "--audio 1h --batch 16 --only rtfx"),
        (("audio", "qwen3-omni-30b-a3b-thinker"), "--audio 30s --only speech.audio_tokens"),
        (("diffusion", "flux.1-dev"), "--steps 4 --only batch_time"),
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
    totals = {read(library).evaluate(model=str(written), only=[name]).numbers[name] for library in ("vision", "audio")}
    assert len(totals) == 1


def test_a_tower_that_lacks_keys_names_them(tmp_path: Path) -> None:
    config = json.loads(json.dumps(CONFIGS["vision"]["internvl3-1b"]))
    for key in ("num_hidden_layers", "intermediate_size"):
        config["vision_config"].pop(key, None)
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    found = read("vision").evaluate(model=str(tmp_path), only=["vision.encoder_params"])
    told = " ".join(check.message for check in found.checks if not check.ok)
    assert "vision_config.num_hidden_layers = 24" in told
    assert "vision_config.intermediate_size = 4,096" in told


def test_a_pipeline_is_read_component_by_component(tmp_path: Path) -> None:
    config = json.dumps(CONFIGS["diffusion"]["wan2.1-t2v-14b"])
    parts = {"transformer": "WanTransformer3DModel", "transformer_2": "WanTransformer3DModel"}
    index = {"_class_name": "WanPipeline", **{name: ["diffusers", each] for name, each in parts.items()}}
    (tmp_path / "model_index.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(FormulaError, match="is not there"):
        read("diffusion").evaluate(denoiser=str(tmp_path), only=["diffusion.needed_bytes"])
    for name in parts:
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(config, encoding="utf-8")
    wanted, given = ASKED["diffusion"]
    found = read("diffusion").evaluate(denoiser=str(tmp_path), only=wanted, **given).numbers
    known = read("diffusion").evaluate(denoiser="wan2.2-t2v-a14b", only=wanted, **given).numbers
    assert {name: found[name] for name in wanted} == {name: known[name] for name in wanted}


def test_what_no_table_counts_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = json.loads(json.dumps(CONFIGS["vision"]["llava-1.5-7b"]))
    config["vision_config"]["model_type"] = "aimv2"
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert main(["--model", str(tmp_path), "--only", "params.total"]) == 0
    output, errors = capsys.readouterr()
    assert "neither CLIP nor SigLIP nor Pixtral" in " ".join((output + errors).split())
    assert "6,738" in output
