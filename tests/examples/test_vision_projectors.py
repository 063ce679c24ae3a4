"""Files of llama.cpp with the encoder of images beside its language model: both count, to the last number."""

import math
from pathlib import Path
from typing import Any

import pytest

from formula_eval import Formulas
from formula_eval.records.family_at import family_at
from models.checkpoint_files import METADATA, Shapes, gguf_shapes, gguf_size, write_gguf

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "libraries" / "vision"
W, F, H, DEPTH = 64, 128, 256, 4  # width and network of the encoder, width of the language model
VISION = {
    "general.architecture": "clip",
    "clip.has_vision_encoder": True,
    "clip.vision.block_count": DEPTH,
    "clip.vision.embedding_length": W,
    "clip.vision.feed_forward_length": F,
    "clip.vision.attention.head_count": 4,
    "clip.vision.image_size": 448,
    "clip.vision.patch_size": 14,
}
SQUARE = {f"attn_{name}": [W, W] for name in ("q", "k", "v", "out")}
PLAIN = {**SQUARE, "ffn_up": [F, W], "ffn_down": [W, F]}
GATED = {**PLAIN, "ffn_gate": [F, W]}
FOUR = [4 * W, 4 * W]  # a square of patches, joined
# What the loader of llama.cpp (tools/mtmd/clip.cpp) wants of each projector: its own metadata, the matrices of a layer,
# whether these and their norms have biases, vectors of a layer, and what stands outside; and the tokens of an image.
KINDS: dict[
    str, tuple[dict[str, Any], dict[str, list[int]], bool, bool, tuple[str, ...], dict[str, list[int]], int]
] = {
    "qwen2vl_merger": (
        {"clip.vision.feed_forward_length": 999},  # the file says another width here
        {**PLAIN, "ffn_up": [4 * W, W], "ffn_down": [W, 4 * W]},
        *(True, True, ()),
        {
            "v.patch_embd.weight": [W, 3, 14, 14],
            "v.patch_embd.weight.1": [W, 3, 14, 14],
            "v.post_ln.weight": [W],
            "v.post_ln.bias": [W],
            "mm.0.weight": FOUR,
            "mm.0.bias": [4 * W],
            "mm.2.weight": [H, 4 * W],
            "mm.2.bias": [H],
        },
        256,
    ),
    "qwen2.5vl_merger": (
        {"clip.vision.n_wa_pattern": 2},
        GATED,
        *(True, False, ()),
        {
            "v.patch_embd.weight": [W, 3, 14, 14],
            "v.patch_embd.weight.1": [W, 3, 14, 14],
            "v.post_ln.weight": [W],
            "mm.0.weight": FOUR,
            "mm.0.bias": [4 * W],
            "mm.2.weight": [H, 4 * W],
            "mm.2.bias": [H],
        },
        256,
    ),
    "qwen3vl_merger": (
        {"clip.vision.is_deepstack_layers": [False, True, True, False], "clip.vision.spatial_merge_size": 2},
        {"attn_qkv": [3 * W, W], "attn_out": [W, W], "ffn_up": [F, W], "ffn_down": [W, F]},
        *(True, True, ()),
        {
            "v.patch_embd.weight": [W, 3, 14, 14],
            "v.patch_embd.weight.1": [W, 3, 14, 14],
            "v.patch_embd.bias": [W],
            "v.position_embd.weight": [32 * 32, W],
            "v.post_ln.weight": [W],
            "v.post_ln.bias": [W],
            "mm.0.weight": FOUR,
            "mm.0.bias": [4 * W],
            "mm.2.weight": [H, 4 * W],
            "mm.2.bias": [H],
            **{f"v.deepstack.{n}.norm.{what}": [4 * W] for n in (1, 2) for what in ("weight", "bias")},
            **{f"v.deepstack.{n}.fc1.weight": FOUR for n in (1, 2)},
            **{f"v.deepstack.{n}.fc1.bias": [4 * W] for n in (1, 2)},
            **{f"v.deepstack.{n}.fc2.weight": [H, 4 * W] for n in (1, 2)},
            **{f"v.deepstack.{n}.fc2.bias": [H] for n in (1, 2)},
        },
        256,
    ),
    "gemma3": (
        {},
        PLAIN,
        *(True, True, ()),
        {
            "v.patch_embd.weight": [W, 3, 14, 14],
            "v.patch_embd.bias": [W],
            "v.position_embd.weight": [32 * 32, W],
            "v.post_ln.weight": [W],
            "v.post_ln.bias": [W],
            "mm.input_projection.weight": [H, W],
            "mm.soft_emb_norm.weight": [W],
        },
        64,
    ),
    "idefics3": (
        {"clip.vision.projector.scale_factor": 4},
        PLAIN,
        *(True, True, ()),
        {
            "v.patch_embd.weight": [W, 3, 14, 14],
            "v.patch_embd.bias": [W],
            "v.position_embd.weight": [32 * 32, W],
            "v.post_ln.weight": [W],
            "v.post_ln.bias": [W],
            "mm.model.fc.weight": [H, 16 * W],
        },
        17 * 64,
    ),
    "pixtral": (
        {"clip.vision.spatial_merge_size": 2},
        GATED,
        *(False, False, ()),
        {
            "v.patch_embd.weight": [W, 3, 14, 14],
            "v.pre_ln.weight": [W],
            "mm.input_norm.weight": [W],
            "mm.patch_merger.weight": [W, 4 * W],
            "mm.1.weight": [H, W],
            "mm.2.weight": [H, H],
        },
        272,
    ),
    "internvl": (
        {"clip.vision.projector.scale_factor": 2},
        PLAIN,
        *(True, True, ("ls1", "ls2")),
        {
            "v.class_embd": [W],
            "v.position_embd.weight": [32 * 32 + 1, W],
            "v.patch_embd.bias": [W],
            "v.patch_embd.weight": [W, 3, 14, 14],
            "mm.model.mlp.0.weight": [4 * W],
            "mm.model.mlp.0.bias": [4 * W],
            "mm.model.mlp.1.weight": [H, 4 * W],
            "mm.model.mlp.1.bias": [H],
            "mm.model.mlp.3.weight": [H, H],
            "mm.model.mlp.3.bias": [H],
        },
        256,
    ),
}


def encoder_shapes(kind: str) -> Shapes:
    """The tensors of such a file: matrices in 16 bits, all else in 32."""
    _, matrices, biased, norm_biased, vectors, outer, _ = KINDS[kind]
    layer = {f"{name}.weight": shape for name, shape in matrices.items()}
    layer |= {f"{name}.bias": shape[:1] for name, shape in matrices.items() if biased}
    layer |= {f"{norm}.weight": [W] for norm in ("ln1", "ln2", *vectors)}
    layer |= {f"{norm}.bias": [W] for norm in ("ln1", "ln2") if norm_biased}
    shapes = {**outer, **{f"v.blk.{n}.{name}": shape for n in range(DEPTH) for name, shape in layer.items()}}
    return {name: ("F16" if len(shape) > 1 else "F32", shape) for name, shape in shapes.items()}


def decoder_shapes(kind: str) -> Shapes:
    """The tensors of the language model, which has biases in Qwen2-VL and Qwen2.5-VL."""
    biases = {"attn_q": 256, "attn_k": 128, "attn_v": 128} if kind in {"qwen2vl_merger", "qwen2.5vl_merger"} else {}
    return gguf_shapes() | {f"blk.{n}.{name}.bias": ("F32", [rows]) for n in range(2) for name, rows in biases.items()}


def written(folder: Path, kind: str) -> Path:
    said = {**VISION, "clip.projector_type": kind, **KINDS[kind][0]}
    write_gguf(folder / "small-mmproj-f16.gguf", said, encoder_shapes(kind))
    return write_gguf(folder / "small-q4_k_m.gguf", METADATA, decoder_shapes(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_an_encoder_in_a_file_of_its_own_counts(kind: str, library: Formulas, tmp_path: Path) -> None:
    path, shapes = written(tmp_path, kind), encoder_shapes(kind)
    assert family_at(str(path)) == family_at(str(tmp_path)) == kind
    names = ["params.total", "checkpoint_params", "vision.tower_params", "vision.image_tokens", "vision.weights_bytes"]
    alone = library.evaluate(model=str(path), only=["memory.weights_bytes"], image_width=448, image_height=448)
    found = library.evaluate(model=str(tmp_path), only=names, image_width=448, image_height=448).numbers
    counted = sum(math.prod(shape) for _, shape in shapes.values())
    assert found["vision.tower_params"] == counted
    assert found["params.total"] == found["checkpoint_params"]
    assert found["vision.image_tokens"] == KINDS[kind][-1]
    assert found["vision.weights_bytes"] == pytest.approx(gguf_size(shapes), rel=1e-12)
    held = gguf_size(shapes) + gguf_size(decoder_shapes(kind))
    assert alone.numbers["memory.weights_bytes"] == pytest.approx(held, rel=1e-12)
    told = " ".join(check.message for check in alone.checks if not check.ok)
    assert "`small-mmproj-f16.gguf`, the encoder beside it, is counted too" in told


def test_one_that_no_table_reads_is_told_of(library: Formulas, tmp_path: Path) -> None:
    path = written(tmp_path, "gemma3")
    write_gguf(tmp_path / "small-mmproj-f16.gguf", {**VISION, "clip.projector_type": "ldpv2"}, encoder_shapes("gemma3"))
    result = library.evaluate(model=str(path), only=["params.total"])
    told = " ".join(check.message for check in result.checks if not check.ok)
    assert "`small-mmproj-f16.gguf`, the encoder beside it (ldpv2), is not counted" in told


def test_one_that_lacks_a_size_says_which(library: Formulas, tmp_path: Path) -> None:
    path = written(tmp_path, "qwen2.5vl_merger")
    lacking = {key: value for key, value in VISION.items() if not key.endswith("block_count")}
    file = {**lacking, "clip.projector_type": "qwen2.5vl_merger", "clip.vision.n_wa_pattern": 2}
    write_gguf(tmp_path / "small-mmproj-f16.gguf", file, encoder_shapes("qwen2.5vl_merger"))
    with pytest.raises(Exception, match="block_count"):
        library.evaluate(model=str(path), only=["params.total"])
