"""libraries/audio: what it computes is what the model classes count, and speech enters the answers."""

import json
import struct
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from examples.conftest import Asked
from formula_eval import FormulaError, Formulas
from formula_eval.records.family_at import family_at
from libraries import checked
from models.checkpoint_files import Shapes, gguf_size, size_of, write_folder, write_ggml
from models.onnx_files import initializers, model as onnx_model, write_onnx

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "libraries" / "audio"
COUNTED = tomllib.loads((LIBRARY / "counted.toml").read_text(encoding="utf-8"))
DECODERS = [model for model, counted in COUNTED.items() if "decode_flops" in counted]
ENCODERS = [model for model, counted in COUNTED.items() if not {"decode_flops", "tokens"} & counted.keys()]
# What a model class counts, by what is computed.
EXACT = {
    "params.total": "total",
    "params.parts_total": "total",
    "params.encoder_total": "encoder",
    "speech.hearing_params": "hearing",
    "speech.positions": "positions",
    "speech.audio_tokens": "tokens",
    "speech.encoder_flops": "encoder_flops",
    "speech.stem_flops": "convolution_flops",
    "speech.prompt_flops": "audio_flops",
    "memory.cross_kv_bytes": "cross_bytes",
}
QUESTIONS = {
    "window": "--model whisper-large-v3 --audio 30s",
    "listener": "--model voxtral-mini-3b --audio 5min --tp 2",
    "encoder": "--model parakeet-tdt-0.6b-v2 --audio 1h --batch 16",
    "hour": "--model whisper-large-v3-turbo --gpu l4 --audio 1h --batch 16",
}


@pytest.mark.parametrize("name", ["audio", "omni"])
def test_it_is_sound(name: str) -> None:
    assert checked(LIBRARY.parent / name).findings == ()


@pytest.mark.parametrize("model", COUNTED)
def test_a_model_is_counted_as_its_class_is(model: str, library: Formulas) -> None:
    exact = {name: COUNTED[model][key] for name, key in EXACT.items() if key in COUNTED[model]}
    found = library.evaluate(model=model, audio=30, only=list(exact)).numbers
    assert {name: found[name] for name in exact} == exact


@pytest.mark.parametrize("model", COUNTED)
def test_shares_of_an_answer_are_no_more_than_the_whole(model: str, library: Formulas) -> None:
    """A row that tells what another one holds already has no share of its own; those that are left out are small."""
    reports = (ROOT / "reports", LIBRARY / "reports")
    layouts = [tomllib.loads((path / "answers" / "serving.toml").read_text(encoding="utf-8")) for path in reports]
    sections = [section for layout in layouts for section in layout["section"] if section["title"] == "Parameters"]
    rows = [row for section in sections for row in section["entries"] if "share_of" in row]
    conditions = {row["when"] for row in rows if "when" in row}
    found = library.evaluate(model=model, only=["params.total", *conditions, *(row["name"] for row in rows)]).numbers
    told = sum(found[row["name"]] for row in rows if "when" not in row or found[row["when"]])
    assert 0.99 * found["params.total"] <= told <= found["params.total"]


@pytest.mark.parametrize("model", DECODERS)
def test_passes_of_the_decoder_are_those_of_the_class(model: str, library: Formulas) -> None:
    names = ["flops.prefill", "flops.decode_step", "params.lm_head_matrix", "hidden", "layers", "prompt"]
    found = library.evaluate(model=model, step_context=255, only=names).numbers
    assert found["flops.decode_step"] == COUNTED[model]["decode_flops"]
    # The class makes logits of all first tokens, an engine of the last; it counts pairs that the mask hides.
    first = found["prompt"]
    unread = (first - 1) * 2 * found["params.lm_head_matrix"]
    masked = 4 * first * (first - 1) / 2 * found["hidden"] * found["layers"]
    assert found["flops.prefill"] + unread + masked == COUNTED[model]["prefill_flops"]


@pytest.mark.parametrize("model", ENCODERS)
def test_kernels_of_an_encoder_alone_do_all_its_work(model: str, library: Formulas) -> None:
    for batch in (1, 6):
        given = {"model": model, "audio": 12, "batch": batch, "hardware": "h100-sxm", "phase": "prefill"}
        found = library.evaluate(**given, only=["flops.first_token", "operators.pass_flops"]).numbers
        assert found["operators.pass_flops"] == pytest.approx(found["flops.first_token"], rel=1e-12)


def test_pieces_of_a_recording_are_as_long_together(library: Formulas) -> None:
    names = ["speech.stretches", "speech.stretch_length", "prompt"]
    for audio, pieces in ((20, 1), (30, 1), (31, 2), (3600, 120)):
        found = library.evaluate(model="wav2vec2-base-960h", audio=audio, only=names).numbers
        assert found["speech.stretches"] == pieces
        assert found["speech.stretches"] * found["speech.stretch_length"] == pytest.approx(audio)


def test_audio_enters_the_answers_of_a_language_model(library: Formulas) -> None:
    names = ["inference.ttft", "memory.weights_bytes", "memory.largest_batch", "flops.first_token"]
    given = {"model": "voxtral-mini-3b", "hardware": "h100-sxm", "batch": 4, "only": names}
    text, heard = (library.evaluate(**given, audio=length).numbers for length in (0, 600))
    assert heard["memory.weights_bytes"] == text["memory.weights_bytes"] == 2 * COUNTED["voxtral-mini-3b"]["total"]
    assert heard["inference.ttft"] > text["inference.ttft"]
    assert heard["memory.largest_batch"] < text["memory.largest_batch"]
    assert heard["flops.first_token"] - text["flops.first_token"] > 4 * 20 * COUNTED["voxtral-mini-3b"]["audio_flops"]


def test_audio_of_any_length_is_read_as_it_is(library: Formulas) -> None:
    names = ["encoder_prompt", "speech.positions", "speech.stretches", "flops.encoder"]
    short, long = (library.evaluate(model="moonshine-tiny", audio=length, only=names).numbers for length in (5, 20))
    # What a LiteRT export of the model states for 80,000 samples.
    assert short["speech.positions"] == 207
    assert short["speech.stretches"] == long["speech.stretches"] == 1
    assert long["flops.encoder"] > 4 * short["flops.encoder"]
    asked = library.evaluate(model="moonshine-tiny", audio=60, only=names).numbers
    assert asked["speech.stretches"] == 2


def test_long_recordings_are_windows(library: Formulas) -> None:
    names = ["speech.stretches", "speech.passes", "speech.transcription_time", "inference.latency"]
    found = library.evaluate(model="whisper-small", hardware="h100-sxm", audio=3600, batch=16, only=names).numbers
    assert found["speech.stretches"] == 120
    assert found["speech.passes"] == 8
    assert found["speech.transcription_time"] == pytest.approx(8 * found["inference.latency"])


def test_nothing_changes_without_audio(library: Formulas, formulas: Formulas) -> None:
    names = ["inference.ttft", "memory.total_bytes", "memory.largest_batch", "params.total", "flops.first_token"]
    for model in ("llama2-7b", "t5-base", "gpt2"):
        given = {"model": model, "hardware": "h100-sxm", "only": names}
        theirs, ours = (each.evaluate(**given).numbers for each in (library, formulas))
        assert [theirs[name] for name in names] == [ours[name] for name in names]


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer(name: str, columns: int, screen: Callable[[str, int], str]) -> None:
    assert "audio" in screen(name, columns)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--model llama3-8b --audio 30s", "hears nothing"),
        ("--model t5-base --audio 30s", "hears nothing"),
        ("--model whisper-tiny --audio 0s", "has no text"),
        ("--model qwen2.5-omni-7b --audio 6min", "5 minutes at most"),
        ("--model voxtral-mini-3b --audio 30s --tp 8", "20 attention heads of the encoder of audio"),
        ("--model wav2vec2-base-960h --audio 0s", "has no text"),
        ("--model wav2vec2-base-960h --prompt 100", "reads audio and no text"),
        ("--model whisper-tiny --audio=-3s", "outside 0 to"),
        ("--model whisper-tiny --audio 30", "unit"),
    ],
)
def test_what_cannot_be_is_refused(given: str, said: str, refused: Callable[[str], str]) -> None:
    assert said in refused(given)


def test_a_short_recording_is_told(asked: Callable[[str], tuple[int, str, str]]) -> None:
    code, out, _ = asked("--model whisper-tiny --audio 10s --only speech.transcription_time")
    assert code == 0
    assert "silence" in " ".join((out + _).split())


def test_clients_are_transcribed_at_once(library: Formulas) -> None:
    names = ["transcription_time", "usd_per_audio_hour", "inference.requests_per_second"]
    given: dict[str, Any] = {"model": "whisper-large-v3", "hardware": "t4", "audio": "1000 hour", "only": names}
    one, many = (library.evaluate(concurrency=clients, **given).numbers for clients in (1, 16))
    assert many["speech.transcription_time"] == pytest.approx(120_000 / many["inference.requests_per_second"])
    assert many["speech.transcription_time"] < one["speech.transcription_time"] / 3
    price = many["speech.transcription_time"] / one["speech.transcription_time"]
    assert many["speech.usd_per_audio_hour"] == pytest.approx(one["speech.usd_per_audio_hour"] * price)
    four = library.evaluate(concurrency=16, serving_replicas=4, **given).numbers
    assert four["speech.transcription_time"] == pytest.approx(many["speech.transcription_time"] / 4)
    assert four["speech.usd_per_audio_hour"] == pytest.approx(many["speech.usd_per_audio_hour"])


def test_a_plan_with_a_deadline_counts_the_windows(asked: Asked) -> None:
    given = "--model whisper-large-v3 --gpu t4 --deadline 2h --seconds 20"
    code, out, err = asked(f"plan {given} --audio 1000h")
    assert (code, err) == (0, "")
    assert "120,000 requests are answered in" in out
    stated = asked(f"plan {given} --job-requests 120000")[1]
    assert out.partition("Command")[0] == stated.partition("Command")[0]


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
