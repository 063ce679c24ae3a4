"""Files of llama.cpp in which the encoder of audio stands beside its language model: both count, to the last number."""

import math
from pathlib import Path

import pytest

from formula_eval import Formulas
from formula_eval.records.family_at import family_at
from models.checkpoint_files import METADATA, Shapes, gguf_shapes, gguf_size, write_gguf

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "libraries" / "audio"
W, F, H, DEPTH = 64, 256, 256, 2  # width and network of the encoder, width of the language model
# What stands behind the encoder, and how many tokens 30 s become.
KINDS = {
    "voxtral": ({"mm.a.mlp.1.weight": [H, 4 * W], "mm.a.mlp.2.weight": [H, H]}, 375),
    "qwen2a": ({"mm.a.fc.weight": [H, W], "mm.a.fc.bias": [H]}, 750),
}


def encoder_shapes(kind: str) -> Shapes:
    """The tensors of such a file, as the loader of llama.cpp (tools/mtmd/clip.cpp) wants them."""
    layer = {f"attn_{name}.weight": [W, W] for name in ("q", "k", "v", "out")}
    layer |= {f"attn_{name}.bias": [W] for name in ("q", "v", "out")}
    layer |= {"ffn_up.weight": [F, W], "ffn_up.bias": [F], "ffn_down.weight": [W, F], "ffn_down.bias": [W]}
    layer |= {f"{norm}.{what}": [W] for norm in ("ln1", "ln2") for what in ("weight", "bias")}
    shapes = {
        "a.position_embd.weight": [1500, W],
        "a.post_ln.weight": [W],
        "a.post_ln.bias": [W],
        "a.conv1d.1.weight": [W, 128, 3],
        "a.conv1d.1.bias": [W, 1],
        "a.conv1d.2.weight": [W, W, 3],
        "a.conv1d.2.bias": [W, 1],
        **{f"a.blk.{n}.{name}": shape for n in range(DEPTH) for name, shape in layer.items()},
        **KINDS[kind][0],
    }
    return {name: ("F16" if len(shape) > 1 else "F32", shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_an_encoder_in_a_file_of_its_own_counts(kind: str, library: Formulas, tmp_path: Path) -> None:
    shapes = encoder_shapes(kind)
    metadata = {
        "general.architecture": "clip",
        "clip.has_audio_encoder": True,
        "clip.projector_type": kind,
        "clip.audio.block_count": DEPTH,
        "clip.audio.embedding_length": W,
        "clip.audio.feed_forward_length": F,
        "clip.audio.attention.head_count": 4,
        "clip.audio.num_mel_bins": 128,
    }
    write_gguf(tmp_path / "mmproj-f16.gguf", metadata, shapes)
    path = write_gguf(tmp_path / "small.gguf", METADATA, gguf_shapes())
    assert family_at(str(path)) == kind
    names = ["params.total", "checkpoint_params", "speech.hearing_params", "speech.audio_tokens"]
    found = library.evaluate(model=str(path), only=[*names, "memory.weights_bytes"], audio=30).numbers
    assert found["speech.hearing_params"] == sum(math.prod(shape) for _, shape in shapes.values())
    assert found["params.total"] == found["checkpoint_params"]
    assert found["speech.audio_tokens"] == KINDS[kind][1]
    held = gguf_size(shapes) + gguf_size(gguf_shapes())
    assert found["memory.weights_bytes"] == pytest.approx(held, rel=1e-12)
