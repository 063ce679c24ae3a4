"""libraries/audio: what it computes is what the model classes count, and speech enters the answers."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from examples.conftest import Asked
from formula_eval import Formulas
from libraries import checked

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
