"""libraries/vision: what it computes is what the model classes count, and every answer about a model takes it along."""

import math
import random
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from counted import seen
from formula_eval import FormulaError, Formulas
from libraries import checked
from models.checkpoint_files import Shapes, size_of, write_folder

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "libraries" / "vision"
COUNTED = tomllib.loads((LIBRARY / "counted.toml").read_text(encoding="utf-8"))
IMAGES = [(model, image) for model, counted in COUNTED.items() for image in counted["images"]]
QUESTIONS = {
    "serving": "--model qwen2.5-vl-7b --image-width 1024 --image-height 1024",
    "scenario": "--inputs libraries/vision/scenarios/pages.toml --tp 2",
    "training": "--answer training --model qwen2.5-vl-7b --image-width 1024 --dp 8 --zero-stage 3",
}


def smart_resize(height: int, width: int, factor: int, least: int, most: int) -> tuple[int, int]:
    """As transformers/models/qwen2_vl/image_processing_qwen2_vl.py computes it."""
    high, wide = (max(factor, round(each / factor) * factor) for each in (height, width))
    if high * wide > most:
        beta = math.sqrt(height * width / most)
        return tuple(max(factor, math.floor(each / beta / factor) * factor) for each in (height, width))
    if high * wide < least:
        beta = math.sqrt(least / (height * width))
        return tuple(math.ceil(each * beta / factor) * factor for each in (height, width))
    return high, wide


def crops(width: int, height: int, most: int, side: int = 448) -> int:
    """As `dynamic_preprocess` of InternVL cuts an image, with the whole image beside its tiles."""
    ways = {(i, j) for i in range(1, most + 1) for j in range(1, most + 1) if i * j <= most}
    nearest, best = math.inf, (1, 1)
    for way in sorted(ways, key=lambda way: way[0] * way[1]):
        misfit = abs(width / height - way[0] / way[1])
        if misfit < nearest or (misfit == nearest and width * height > 0.5 * side**2 * way[0] * way[1]):
            nearest, best = misfit, way
    tiles = best[0] * best[1]
    return tiles + 1 if tiles > 1 else 1


def test_it_is_sound() -> None:
    assert checked(LIBRARY).findings == ()


@pytest.mark.parametrize("model", COUNTED)
def test_parameters_are_those_of_the_model_class(model: str, library: Formulas) -> None:
    names = ["params.total", "vision.encoder_params", "vision.projector_params", "params.parts_total"]
    found = library.evaluate(model=model, only=names).numbers
    counted = COUNTED[model]
    assert [found[name] for name in names] == [counted[key] for key in ("total", "encoder", "projector", "total")]


@pytest.mark.parametrize(("model", "image"), IMAGES, ids=str)
def test_tokens_and_work_are_those_of_the_model_class(model: str, image: dict[str, int], library: Formulas) -> None:
    size = {"image_width": image["width"], "image_height": image["height"], "video_frames": image.get("frames", 1)}
    names = ["vision.positions", "vision.image_tokens", "vision.prompt_flops", "vision.attention_flops"]
    found = library.evaluate(model=model, only=[*names, "vision.kernel_flops"], **size).numbers
    assert [found[name] for name in names] == [image[key] for key in ("positions", "tokens", "flops", "attention")]
    assert found["vision.kernel_flops"] == image["flops"]


def test_a_text_decoder_says_what_it_leaves_out(library: Formulas) -> None:
    records = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "models").glob("*.toml")}
    alone = {name: record for name, record in records.items() if record.get("text_alone")}
    assert {*alone} == {name for name, record in records.items() if "text decoder" in record["name"]}
    whole = [name for name in alone if (LIBRARY / "models" / f"{name}.toml").exists()]
    for name in seen(whole, at_least=5):
        kept = library.evaluate(model=name, only=["vision.kept_params"]).numbers
        assert alone[name]["uncounted_params"] == kept["vision.kept_params"], name


def test_layers_that_attend_to_images_keep_what_the_class_keeps(library: Formulas) -> None:
    given = {"model": "llama-3.2-90b-vision", "hardware": "b200", "tp": 8, "prompt": 100}
    names = ["memory.cross_kv_bytes", "memory.kv_bytes_per_token", "flops.prefill"]
    text, seen = (library.evaluate(**given, image_width=width, only=names).numbers for width in (0, 224))
    assert 8 * seen["memory.cross_kv_bytes"] == 524_615_680
    assert seen["memory.kv_bytes_per_token"] == text["memory.kv_bytes_per_token"]
    keys = 20 * 6404 * 2 * 2 * 8192 * 1024
    attention = 20 * 6404 * 101 * 4 * 8192
    mark = seen["flops.prefill"] - text["flops.prefill"] - keys - attention
    assert 2 * 80e9 < mark < 2 * 90e9


def test_sizes_are_those_of_the_processor(library: Formulas) -> None:
    draw = random.Random(7)
    sizes = [(28, 70), (3584, 3584), (5000, 40), (56, 56), *((draw.randint(1, 6000), 0) for _ in range(40))]
    names = ["vision.images.1.resized_height", "vision.images.1.resized_width"]
    for height, other in seen(sizes):
        width = other or draw.randint(math.ceil(height / 200), min(200 * height, 6000))
        size = {"image_width": width, "image_height": height}
        found = library.evaluate(model="qwen2.5-vl-7b", only=names, **size).numbers
        assert tuple(found[name] for name in names) == smart_resize(height, width, 28, 3136, 12845056), size


def test_tiles_are_those_of_the_processor(library: Formulas) -> None:
    draw = random.Random(11)
    sizes = [(1000, 1000), (448, 448), (1280, 720), (600, 800), (100, 1200), (900, 600)]
    for width, height in seen([*sizes, *((draw.randint(20, 4000), draw.randint(20, 4000)) for _ in range(30))]):
        most = draw.choice((1, 2, 4, 6))
        given = {"image_width": width, "image_height": height, "most_tiles": most, "fixed_side": 448}
        found = library.evaluate(
            model="llava-1.5-7b", only=["vision.image_count", "vision.image_tokens"], **given
        ).numbers
        assert found["vision.image_count"] == crops(width, height, most), given
        assert found["vision.image_tokens"] == crops(width, height, most) * 1024


def test_nothing_changes_without_images(library: Formulas, formulas: Formulas) -> None:
    names = ["inference.ttft", "memory.total_bytes", "memory.largest_batch", "training.step_time", "training.mfu"]
    given = {"model": "llama2-7b", "hardware": "h100-sxm", "only": names}
    theirs, ours = (each.evaluate(**given).numbers for each in (library, formulas))
    assert [theirs[name] for name in names] == [ours[name] for name in names]


@pytest.mark.parametrize("model", sorted(COUNTED))
def test_every_model_answers_without_images_too(model: str, library: Formulas) -> None:
    names = ["inference.ttft", "vision.image_tokens"]
    text, seen = (
        library.evaluate(model=model, hardware="h100-sxm", only=names, **images).numbers
        for images in ({}, {"images_per_prompt": 1, "image_size": "1024x768"})
    )
    assert text["vision.image_tokens"] == 0
    assert seen["inference.ttft"] > text["inference.ttft"]


def test_a_size_is_one_in_a_scenario_too(library: Formulas, tmp_path: Path) -> None:
    (tmp_path / "scenario.yaml").write_text("model: qwen2.5-vl-7b\nimages_per_prompt: 1\nimage_size: 1024x768\n")
    sized = {"model": "qwen2.5-vl-7b", "images_per_prompt": 1, "image_size": "1024x768"}
    tokens = [
        library.evaluate(**given, only=["vision.image_tokens"]).numbers["vision.image_tokens"]
        for given in ({"inputs": tmp_path / "scenario.yaml"}, sized)
    ]
    assert tokens == [999, 999]


def test_images_enter_every_answer(library: Formulas) -> None:
    names = [
        "inference.ttft",
        "memory.weights_bytes",
        "memory.largest_batch",
        "inference.usd_per_million_output_tokens",
    ]
    given = {"model": "qwen2.5-vl-7b", "hardware": "h100-sxm", "batch": 8, "only": [*names, "flops.first_token"]}
    text = library.evaluate(**given).numbers
    seen = library.evaluate(**given, image_width=1024).numbers
    assert seen["memory.weights_bytes"] == text["memory.weights_bytes"] == 2 * 8292166656
    assert seen["inference.ttft"] > text["inference.ttft"]
    assert seen["memory.largest_batch"] < text["memory.largest_batch"]
    assert seen["inference.usd_per_million_output_tokens"] > text["inference.usd_per_million_output_tokens"]
    assert seen["flops.first_token"] - text["flops.first_token"] > 8 * 7700229242880


def test_a_frozen_encoder_takes_less(library: Formulas) -> None:
    names = ["training.step_time", "training.device_bytes", "training.mfu"]
    given = {"model": "qwen2.5-vl-7b", "hardware": "h100-sxm", "image_width": 1024, "dp": 8, "zero_stage": 3}
    trained, frozen = (library.evaluate(**given, train_vision=each, only=names).numbers for each in (True, False))
    assert frozen["training.step_time"] < trained["training.step_time"]
    assert frozen["training.device_bytes"] < trained["training.device_bytes"] - 7e9


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer(name: str, columns: int, screen: Callable[[str, int], str]) -> None:
    assert "images" in screen(name, columns)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--model llama3-8b --image-width 1024", "has no vision encoder"),
        ("--model qwen2.5-vl-7b --image-width 6000 --image-height 20", "more than 200 times as long as wide"),
        ("--model qwen2.5-vl-7b --image-width 1024 --tp 32", "more than the 28 attention heads"),
    ],
)
def test_what_cannot_be_is_refused(given: str, said: str, refused: Callable[[str], str]) -> None:
    assert said in refused(given)


def test_images_without_a_size_have_the_usual_one(library: Formulas) -> None:
    names = ["vision.image_tokens", "vision.image_width"]
    found = library.evaluate(model="qwen2.5-vl-7b", images_per_prompt=4, only=names)
    assert float(found["vision.image_width"].value) == 1024
    stated = library.evaluate(model="qwen2.5-vl-7b", images_per_prompt=4, image_width=1024, only=names)
    assert found["vision.image_tokens"].value == stated["vision.image_tokens"].value
    assert float(library.evaluate(model="qwen2.5-vl-7b", only=names)["vision.image_width"].value) == 0


def clip_shapes() -> Shapes:
    """The tensors of openai/clip-vit-large-patch14 as CLIPModel calls them, in 16 bits."""
    shapes: Shapes = {}
    for tower, width, depth in (("vision_model", 1024, 24), ("text_model", 768, 12)):
        matrices = {f"self_attn.{name}_proj": [width, width] for name in ("q", "k", "v", "out")}
        matrices |= {"mlp.fc1": [4 * width, width], "mlp.fc2": [width, 4 * width]}
        layer = {f"{name}.weight": shape for name, shape in matrices.items()}
        layer |= {f"{name}.bias": shape[:1] for name, shape in matrices.items()}
        layer |= {f"layer_norm{n}.{part}": [width] for n in (1, 2) for part in ("weight", "bias")}
        for n in range(depth):
            shapes |= {f"{tower}.encoder.layers.{n}.{name}": ("F16", shape) for name, shape in layer.items()}
    patches = {"class_embedding": [1024], "patch_embedding.weight": [1024, 3, 14, 14]}
    tables = {"vision_model.embeddings.position_embedding": [257, 1024], "visual_projection": [768, 1024]}
    tables |= {"text_model.embeddings.token_embedding": [49408, 768], "text_projection": [768, 768]}
    tables |= {"text_model.embeddings.position_embedding": [77, 768]}
    norms = {"vision_model.pre_layrnorm": 1024, "vision_model.post_layernorm": 1024, "text_model.final_layer_norm": 768}
    shapes |= {f"vision_model.embeddings.{name}": ("F16", shape) for name, shape in patches.items()}
    shapes |= {f"{name}.weight": ("F16", shape) for name, shape in tables.items()}
    shapes |= {f"{name}.{part}": ("F16", [width]) for name, width in norms.items() for part in ("weight", "bias")}
    return {**shapes, "logit_scale": ("F16", [])}


def test_files_of_an_encoder_alone_hold_both_towers(tmp_path: Path, library: Formulas) -> None:
    keys = ("hidden_size", "intermediate_size", "num_attention_heads", "num_hidden_layers")
    sizes = {"text_config": (768, 3072, 12, 12), "vision_config": (1024, 4096, 16, 24)}
    config = {name: dict(zip(keys, size, strict=True)) for name, size in sizes.items()}
    config["vision_config"] |= {"patch_size": 14, "image_size": 224}
    shapes = {**clip_shapes(), "vision_model.embeddings.position_ids": ("I64", [1, 257])}
    folder = write_folder(tmp_path, {"model_type": "clip", "projection_dim": 768, **config}, shapes)
    names = ["params.total", "checkpoint_params", "memory.weights_bytes", "weight_bits"]
    found = library.evaluate(model=str(folder), only=names)
    assert [found[name].value for name in names] == [427616513, 427616513, size_of(clip_shapes()), 16]
    del shapes["vision_model.encoder.layers.3.mlp.fc1.weight"]
    with pytest.raises(FormulaError, match="layer 3 lacks"):
        library.evaluate(model=str(write_folder(tmp_path / "gap", {"model_type": "clip", **config}, shapes)))
