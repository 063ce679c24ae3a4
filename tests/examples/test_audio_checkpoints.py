"""libraries/audio: files of weights that hear, whole and in halves, are counted as what they hold."""

import json
import struct
from pathlib import Path

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.records.family_at import family_at
from models.checkpoint_files import Shapes, gguf_size, size_of, write_folder, write_ggml
from models.onnx_files import initializers, model as onnx_model, write_onnx

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "libraries" / "audio"


def whisper_halves(dtype: str) -> tuple[Shapes, Shapes]:
    """The tensors of a small Whisper: those of its encoder, and those of its decoder."""
    norm = {"weight": (dtype, [64]), "bias": (dtype, [64])}

    def layer(named: str, mixers: tuple[str, ...]) -> Shapes:
        shapes: Shapes = {f"{named}.fc1.weight": (dtype, [96, 64]), f"{named}.fc1.bias": (dtype, [96])}
        shapes |= {f"{named}.fc2.weight": (dtype, [64, 96]), f"{named}.fc2.bias": (dtype, [64])}
        for mixer in mixers:
            shapes |= {f"{named}.{mixer}.{part}.weight": (dtype, [64, 64]) for part in ("q_proj", "k_proj", "v_proj")}
            shapes |= {f"{named}.{mixer}.out_proj.weight": (dtype, [64, 64])}
            shapes |= {f"{named}.{mixer}.{part}.bias": (dtype, [64]) for part in ("q_proj", "v_proj", "out_proj")}
        norms = [*(f"{mixer}_layer_norm" for mixer in mixers), "final_layer_norm"]
        return shapes | {f"{named}.{norm_of}.{part}": shape for norm_of in norms for part, shape in norm.items()}

    encoder: Shapes = {"encoder.conv1.weight": (dtype, [64, 80, 3]), "encoder.conv1.bias": (dtype, [64])}
    encoder |= {"encoder.conv2.weight": (dtype, [64, 64, 3]), "encoder.conv2.bias": (dtype, [64])}
    encoder |= {"encoder.embed_positions.weight": (dtype, [1500, 64])}
    decoder: Shapes = {"decoder.embed_tokens.weight": (dtype, [500, 64])}
    decoder |= {"decoder.embed_positions.weight": (dtype, [40, 64])}
    for half, shapes, mixers in (
        ("encoder", encoder, ("self_attn",)),
        ("decoder", decoder, ("self_attn", "encoder_attn")),
    ):
        shapes.update({f"{half}.layer_norm.{part}": shape for part, shape in norm.items()})
        for number in range(2):
            shapes.update(layer(f"{half}.layers.{number}", mixers))
    return encoder, decoder


SMALL = {
    "model_type": "whisper",
    "d_model": 64,
    "vocab_size": 500,
    "max_target_positions": 40,
    **{f"{half}_{key}": value for half in ("encoder", "decoder") for key, value in
       {"layers": 2, "attention_heads": 4, "ffn_dim": 96}.items()},
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["F16", "F32"])
def test_files_of_encoder_and_decoder_count_together(dtype: str, library: Formulas, tmp_path: Path) -> None:
    encoder, decoder = whisper_halves(dtype)
    size = size_of({**encoder, **decoder})
    names = ["memory.weights_bytes", "params.total"]
    folder = write_folder(tmp_path / "whole", SMALL, {**encoder, **decoder})
    whole = library.evaluate(model=str(folder), only=names).numbers
    assert whole["memory.weights_bytes"] == pytest.approx(size, rel=1e-12)
    assert whole["params.total"] == size / (2 if dtype == "F16" else 4)
    (tmp_path / "config.json").write_text(json.dumps(SMALL), encoding="utf-8")
    halves = [
        write_onnx(tmp_path / "onnx" / f"{name}_model{rest}.onnx", onnx_model(initializers(shapes)))
        for name, rest, shapes in (("encoder", "", encoder), ("decoder", "_merged", decoder))
    ]
    (tmp_path / "onnx" / "config.json").unlink()
    for named in (tmp_path, *halves):
        found = library.evaluate(model=str(named), only=names).numbers
        assert found["memory.weights_bytes"] == pytest.approx(size, rel=1e-12)
    assert family_at(str(halves[0])) == "whisper"
    halves[1].unlink()
    with pytest.raises(FormulaError, match=r"`decoder_model_merged\.onnx` is not beside it"):
        library.evaluate(model=str(halves[0]), only=names)


def ggml_shapes(width: int, layers: tuple[int, int], mels: int, vocab: int, dtype: str) -> Shapes:
    """The tensors of a Whisper as whisper.cpp calls them: vectors and positions in 32 bits, convolutions in 16."""
    shapes: Shapes = {"encoder.positional_embedding": ("F32", [1500, width])}
    shapes |= {"decoder.positional_embedding": ("F32", [448, width])}
    shapes |= {f"encoder.conv{n}.weight": ("F16", [width, of, 3]) for n, of in ((1, mels), (2, width))}
    shapes |= {f"encoder.conv{n}.bias": ("F32", [width, 1]) for n in (1, 2)}
    shapes |= {"decoder.token_embedding.weight": (dtype, [vocab, width])}
    norms = ["encoder.ln_post", "decoder.ln"]
    for half, count, mixers in zip(("encoder", "decoder"), layers, (("attn",), ("attn", "cross_attn")), strict=True):
        for layer in (f"{half}.blocks.{n}" for n in range(count)):
            norms += [f"{layer}.{norm}_ln" for norm in (*mixers, "mlp")]
            matrices = {f"{mixer}.{part}": [width] * 2 for mixer in mixers for part in ("query", "key", "value", "out")}
            matrices |= {"mlp.0": [4 * width, width], "mlp.2": [width, 4 * width]}
            shapes |= {f"{layer}.{name}.weight": (dtype, shape) for name, shape in matrices.items()}
            biased = ((name, shape) for name, shape in matrices.items() if not name.endswith("key"))
            shapes |= {f"{layer}.{name}.bias": ("F32", shape[:1]) for name, shape in biased}
    return shapes | {f"{norm}.{part}": ("F32", [width]) for norm in norms for part in ("weight", "bias")}


@pytest.mark.parametrize(
    ("numbers", "dtype", "params", "published"),  # the size that models/README.md of whisper.cpp says, in MiB
    [
        ((51865, 1500, 512, 8, 6, 448, 512, 8, 6, 80, 1), "F16", 72593920, 141.11),
        ((51866, 1500, 1280, 20, 32, 448, 1280, 20, 4, 128, 2008), "Q5_0", 808878080, 547),
    ],
    ids=["base", "turbo"],
)
def test_files_of_whisper_cpp(  # noqa: PLR0913, PLR0917 - a row of the table, and fixtures
    numbers: tuple[int, ...], dtype: str, params: int, published: float, library: Formulas, tmp_path: Path
) -> None:
    shapes = ggml_shapes(numbers[2], (numbers[4], numbers[8]), numbers[9], numbers[0], dtype)
    file = write_ggml(tmp_path / "ggml.bin", numbers, shapes)
    found = library.evaluate(
        model=str(file), only=["memory.weights_bytes", "params.total", "checkpoint_params"]
    ).numbers
    assert found["memory.weights_bytes"] == pytest.approx(gguf_size(shapes), rel=1e-9)
    assert found["memory.weights_bytes"] == pytest.approx(published * 2**20, rel=0.005)
    assert found["params.total"] == found["checkpoint_params"] == params
    assert family_at(str(file)) == "ggml"


WHISPER = (51865, 1500, 512, 8, 6, 448, 512, 8, 6, 80, 1)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PK\x03\x04" + bytes(100), r"of a kind that is not read \(\.bin\)"),
        (b"", r"of a kind that is not read \(\.bin\)"),
        (b"lmgg" + struct.pack("<7i", 50257, 1024, 768, 12, 12, 1, 50257) + bytes(99), "no Whisper: its n_text_state"),
        (b"lmgg" + struct.pack("<11i", *WHISPER), "the file has only 0 more"),
        (b"lmgg" + struct.pack("<14i", *WHISPER, 0, 0, 2**31 - 1), "2,147,483,647 tokens"),
        (b"lmgg" + struct.pack("<17i", *WHISPER, 0, 0, 0, 2, 5, 999), "type 999"),
        (b"lmgg" + struct.pack("<19i", *WHISPER, 0, 0, 0, 2, 4, 6, 33, 1) + b"name", "not whole blocks of Q5_0"),
        (b"lmgg" + struct.pack("<19i", *WHISPER, 0, 0, 0, 2, 4, 0, 512, 9) + b"name", "the file has only 0 more"),
        (b"lmgg" + struct.pack("<14i", *WHISPER, 0, 0, 0), "holds no tensor of a layer"),
    ],
)
def test_other_files_of_weights_are_refused(content: bytes, says: str, library: Formulas, tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(content)
    with pytest.raises(FormulaError, match=says):
        library.evaluate(model=str(tmp_path / "model.bin"), only=["params.total"])
