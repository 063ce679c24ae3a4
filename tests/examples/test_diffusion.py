"""libraries/diffusion: it computes what the classes of diffusers count, and nothing of language models is in sight."""

import math
import re
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
LIBRARY = ROOT / "libraries" / "diffusion"
COUNTED = tomllib.loads((LIBRARY / "counted.toml").read_text(encoding="utf-8"))
SIZES = [(name, size) for name, counted in COUNTED.items() for size in counted["sizes"]]
DECODES = [(name, size) for name, counted in COUNTED.items() for size in counted.get("decodes", ())]
# Seconds for an image of 1024 x 1024 by diffusers. FLUX.1: github.com/varadrane1707/BenchmarkFlux, mean of a run.
# SDXL, with fused attention: docs/source/en/tutorials/fast_diffusion.md of diffusers.
MEASURED = [
    ({"denoiser": "flux.1-dev", "steps": 28, "runtime": "eager", "hardware": "h100-sxm"}, 7.11),
    ({"denoiser": "flux.1-dev", "steps": 28, "runtime": "eager", "hardware": "a100-sxm-80gb"}, 14.29),
    ({"denoiser": "sdxl", "steps": 30, "runtime": "eager", "hardware": "a100-sxm-80gb"}, 3.31),
    ({"denoiser": "sdxl", "steps": 30, "runtime": "compiled", "hardware": "a100-sxm-80gb"}, 2.54),
]
QUESTIONS = {
    "dit": "--denoiser dit-xl-2 --images 16",
    "mmdit": "--denoiser sd3.5-medium --gpu rtx-4090",
    "flux": "--denoiser flux.1-dev --gpu a100-sxm-80gb --image-height 720 --image-width 1280 --runtime eager",
    "unet": "--denoiser sdxl --steps 30 --image-size 1024",
    "turbo": "--denoiser sd-turbo --images 8",
    "decoder": "--denoiser sdxl-turbo --decoder-bits 32 --gpu rtx-4090 --image-size 1024",
    "video": "--denoiser wan2.1-t2v-14b --frames 81 --image-size 1280x720 --steps 50",
    "experts": "--denoiser wan2.2 --gpu rtx-4090 --image-size 832x480 --bits 8",
    "linear": "--denoiser sana --images 4",
    "stream": "--denoiser cogvideox-5b --gpu rtx-4090 --no-resident",
    "guided": "--denoiser flux.1-dev --guidance classifier_free --images 40",
}
OF_OTHERS = re.compile(r"\bkv\b|kv[ _-](cache|bits)|vocab|language model|tokens/s|prefill|decode step|(?i:sequence)")


def asked_size(size: dict[str, int]) -> dict[str, int]:
    return {"image_width": size["width"], "image_height": size["height"], "frames": size.get("frames", 1)}


def test_it_is_sound() -> None:
    assert checked(LIBRARY).findings == ()


@pytest.mark.parametrize("name", COUNTED)
def test_parameters_are_those_of_the_classes(name: str, library: Formulas) -> None:
    keys = {
        "denoiser": "denoiser_params",
        "decoder": "decoder_params",
        "encoder": "vae_encoder_params",
        "text_encoders": "text_encoder_params",
    }
    found = library.evaluate(denoiser=name, only=[*keys.values(), "total_params"]).numbers
    counted = {key: quantity for key, quantity in keys.items() if key in COUNTED[name]}
    assert {key: found[f"diffusion.{quantity}"] for key, quantity in counted.items()} == {
        key: COUNTED[name][key] for key in counted
    }


@pytest.mark.parametrize(("name", "size"), SIZES, ids=str)
def test_work_of_a_step_is_that_of_the_classes(name: str, size: dict[str, int], library: Formulas) -> None:
    given = {**asked_size(size), "guidance": "none"}
    names = ["image_tokens", "step_flops", "attention_work", "linear_work"][: 4 if "attention" in size else 2]
    found = library.evaluate(denoiser=name, only=names, **given).numbers
    assert [found[f"diffusion.{each}"] for each in names] == [
        size[key] for key in ("tokens", "total", "attention", "linear")[: len(names)]
    ]


@pytest.mark.parametrize(("name", "size"), DECODES, ids=str)
def test_work_of_decoding_is_that_of_the_class(name: str, size: dict[str, int], library: Formulas) -> None:
    found = library.evaluate(denoiser=name, only="decode_flops", **asked_size(size)).numbers
    assert found["diffusion.decode_flops"] == size["total"]


@pytest.mark.parametrize("name", [name for name, counted in COUNTED.items() if "text_flops" in counted])
def test_work_of_texts_is_that_of_the_classes(name: str, library: Formulas) -> None:
    found = library.evaluate(denoiser=name, guidance="none", only="encode_flops").numbers
    assert found["diffusion.encode_flops"] == COUNTED[name]["text_flops"]


def test_the_paper_says_so_too(library: Formulas) -> None:
    names = ["denoiser_params", "step_flops"]
    found = library.evaluate(denoiser="dit-xl-2", guidance="none", only=names).numbers
    assert found["diffusion.denoiser_params"] == 675129632
    assert round(found["diffusion.step_flops"] / 2e9, 1) == 118.6


@pytest.mark.parametrize(("given", "seconds"), MEASURED, ids=str)
def test_times_are_near_those_measured(given: dict[str, Any], seconds: float, library: Formulas) -> None:
    found = library.evaluate(only="batch_time", attention_generation="flash_2", **given).numbers
    assert found["diffusion.batch_time"] == pytest.approx(seconds, rel=0.2)


def test_guidance_doubles_the_work_of_steps_and_texts_alone(library: Formulas) -> None:
    names = ["step_flops", "encode_flops", "decode_flops", "denoiser_params"]
    guided, free = (
        library.evaluate(denoiser="sd3.5-medium", guidance=each, only=names).numbers
        for each in ("classifier_free", "none")
    )
    assert [guided[f"diffusion.{each}"] / free[f"diffusion.{each}"] for each in names] == [2, 2, 1, 1]


def test_cost_follows_from_time(library: Formulas) -> None:
    names = ["batch_time", "images_per_hour", "usd_per_thousand_images", "encode_time", "step_time", "decode_time"]
    given: dict[str, Any] = {"denoiser": "sd3.5-large", "images": 4, "steps": 30, "price": "3 USD/hour"}
    found = {key.rpartition(".")[2]: value for key, value in library.evaluate(only=names, **given).numbers.items()}
    total = found["encode_time"] + 30 * found["step_time"] + found["decode_time"]
    assert found["batch_time"] == pytest.approx(total)
    assert found["images_per_hour"] == pytest.approx(4 / total)
    assert found["usd_per_thousand_images"] == pytest.approx(3 * total / 3600 / 4 * 1000)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer(name: str, columns: int, screen: Callable[[str, int], str]) -> None:
    assert not OF_OTHERS.search(screen(name, columns))


@pytest.mark.parametrize("given", ["--help", "--denoiser flux.1-dev --format json", "--only diffusion.*"])
def test_nothing_of_language_models_is_in_sight(given: str, asked: Asked) -> None:
    code, out, err = asked(given)
    assert (code, err) == (0, "")
    assert not OF_OTHERS.search(out)
    assert not re.search(r"--(model|engine|number-format|batch)\b", out)  # a check of links names --tp


def test_help_names_what_the_answer_reads(asked: Asked) -> None:
    _, out, _ = asked("--help")
    for option in ("--denoiser ID", "--gpu, --hardware ID", "--vae ID", "--diffusion.steps", "--price", "--peak-16"):
        assert option in out


def test_what_is_proposed_fits_and_more_images_only_where_they_gain(asked: Asked) -> None:
    _, out, _ = asked("--denoiser flux.1-dev")
    assert "Next" not in out
    _, out, _ = asked("--denoiser flux.1-dev --images 500")
    assert "--images 29  542.5 images/hour" in out
    _, out, _ = asked("--denoiser flux.1-dev --gpu rtx-4090")
    assert "--bits 8          129.3 images/hour" in out
    assert "--resident false  102.5 images/hour" in out
    _, out, _ = asked("--denoiser wan2.2 --gpu rtx-4090 --image-size 832x480")
    assert "--resident false --bits 8" in out


@pytest.mark.parametrize(("said", "bits"), [("fp8", 8), ("int8", 8), ("8-bit", 8), ("8 bits", 8), ("bf16", 16)])
def test_a_number_format_says_the_bits(said: str, bits: int, asked: Asked) -> None:
    options = f"--denoiser flux.1-dev --gpu rtx-4090 --bits {bits}"
    assert asked(f"flux.1-dev rtx-4090 {said}") == asked(options)


@pytest.mark.parametrize(("denoiser", "made"), [("wan2.2", "videos_per_hour"), ("flux.1-dev", "images_per_hour")])
def test_throughput_is_of_what_is_made(denoiser: str, made: str, asked: Asked) -> None:
    asking = f"--denoiser {denoiser} --only"
    assert asked(f"{asking} throughput") == asked(f"{asking} {made}")
    assert asked(f"{asking} image_tokens --size 512x768") == asked(f"{asking} image_tokens --image-size 512x768")


def test_weights_that_move_take_time(library: Formulas) -> None:
    names = ["batch_time", "moving_time", "denoiser_bytes", "text_encoder_bytes", "decoder_bytes"]
    given: dict[str, Any] = {"denoiser": "wan2.2", "hardware": "rtx-4090", "host_bandwidth": "20 GB/s"}
    stay, move = (
        {
            key.rpartition(".")[2]: value
            for key, value in library.evaluate(only=names, resident=each, **given).numbers.items()
        }
        for each in (True, False)
    )
    weights = sum(move[key] for key in names[2:])
    assert stay["moving_time"] == 0
    assert move["moving_time"] == pytest.approx(2 * weights / 20e9)
    assert move["batch_time"] - stay["batch_time"] == pytest.approx(move["moving_time"])


def test_a_search_finds_what_fits(library: Formulas) -> None:
    hardware = ["h100-sxm", "rtx-4090"]
    found = library.search(denoiser="flux.1-dev", hardware=hardware, minimise="usd_per_image")
    assert found.best is not None
    cheapest = library.evaluate(
        denoiser="flux.1-dev", only="usd_per_image", hardware="rtx-4090", resident=False
    ).numbers
    assert found.best["diffusion.usd_per_image"] == cheapest["diffusion.usd_per_image"]
    kept = library.search(denoiser="flux.1-dev", hardware=hardware, resident=True, minimise="usd_per_image")
    assert kept.best is not None
    assert kept.best["hardware"] == "h100-sxm"
    none = library.search(denoiser="flux.1-dev", hardware="rtx-4090", resident=True)
    assert none.best is None
    assert "diffusion.fits" in " ".join(none.stops)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--image-height 250", "250 x 250 is not a whole number of patches: both sides are multiples of 16"),
        ("--gpu v100-sxm-32gb --bits 8", "no units for 8-bit products"),
        ("--denoiser flx", "Unknown denoiser `flx`"),
        ("--denoiser sd3.5-medium --dual-blocks 30", "stand in joint blocks"),
        ("--denoiser sdxl --frames 81", "makes images, with an autoencoder of images: frames = 1"),
        ("--denoiser wan2.1-t2v-14b --frames 80", "frames = 77 or 81"),
        ("--denoiser cogvideox-5b --frames 53", "frames = 49 or 57"),
        ("--denoiser sdxl --image-size 1023", "1,023 x 1,023 is not a whole number of patches"),
        ("--denoiser wan2.2-5b --image-size 1280x720", "multiples of 32, such as 1,280 x 704"),
        ("--denoiser sdxl --image-size 0", "image_width"),
        ("--guidance strong", "guidance = strong` is none of none, classifier_free"),
    ],
)
def test_what_cannot_be_is_refused(given: str, said: str, refused: Callable[[str], str]) -> None:
    assert said in refused(given)


@pytest.mark.parametrize(
    ("denoiser", "split"),
    [
        ("flux.1-dev", {"ulysses": 4}),
        ("flux.1-dev", {"ulysses": 2, "ring": 2}),
        ("wan2.1-t2v-1.3b", {"guidance_split": 2, "ulysses": 3}),
        ("sd3.5-large", {"guidance_split": 2}),
        ("sdxl", {"guidance_split": 2}),
    ],
)
def test_accelerators_that_share_an_image_share_its_work(
    denoiser: str, split: dict[str, int], library: Formulas
) -> None:
    names = ["step_flops", "attention_work", "image_gpus", "step_time", "phases.denoising.activations", "kernels"]
    alone, shared = (library.evaluate(denoiser=denoiser, only=names, **given) for given in ({}, split))
    before, after = alone.numbers, shared.numbers
    assert [before[f"diffusion.{each}"] for each in names[:2]] == [after[f"diffusion.{each}"] for each in names[:2]]
    several = after["diffusion.image_gpus"]
    assert several == math.prod(split.values())
    assert before["diffusion.step_time"] / several < after["diffusion.step_time"] < before["diffusion.step_time"]
    work = sum(
        after[f"diffusion.kernels.{row}.count"] * after[f"diffusion.kernels.{row}.flops"]
        for row in {name.split(".")[2] for name in after if name.startswith("diffusion.kernels.")}
    )
    # What makes scales and gates of the condition is small, and each computes it.
    assert work * several == pytest.approx(after["diffusion.step_flops"], rel=2e-3)


def test_pieces_that_follow_each_other_take_a_share_of_the_steps_behind_the_first(library: Formulas) -> None:
    names = ["step_time", "denoising_time", "denoiser_bytes", "stale_bytes", "piped_step_time"]
    given: dict[str, Any] = {"denoiser": "flux.1-dev", "steps": 29}
    alone, piped = (library.evaluate(only=names, pipefusion=each, **given).numbers for each in (1, 4))
    step = alone["diffusion.step_time"]
    assert piped["diffusion.piped_step_time"] == pytest.approx(step / 4)
    assert piped["diffusion.denoising_time"] == pytest.approx(step + 28 * step / 4 + 3 / 4 * step / 4)
    assert 4 * piped["diffusion.denoiser_bytes"] == alone["diffusion.denoiser_bytes"]
    assert alone["diffusion.stale_bytes"] == 0 < piped["diffusion.stale_bytes"]


def test_fewer_replicas_than_planned_keep_no_promise(library: Formulas) -> None:
    names = ["replicas", "fleet_late_time", "keeps_target", "fleet_load"]
    given: dict[str, Any] = {"denoiser": "flux.1-dev", "steps": 28, "image_rate": "5000 image/hour", "image_target": 6}
    planned = library.evaluate(only=names, **given).numbers
    fewer = library.evaluate(only=names, replicas=planned["diffusion.replicas"] - 1, **given).numbers
    assert planned["diffusion.keeps_target"]
    assert not fewer["diffusion.keeps_target"]
    assert planned["diffusion.fleet_late_time"] <= 6 < fewer["diffusion.fleet_late_time"]
    assert planned["diffusion.fleet_load"] < 1


@pytest.mark.parametrize(("said", "sizes"), [("512,1024,2048", 3), ("512x768,1024", 2), ("256..2048*2", 4)])
def test_sizes_of_a_sweep_are_whole_ones(said: str, sizes: int, asked: Asked) -> None:
    code, out, _ = asked(f"sweep --model flux.1-dev --image-size {said} --only diffusion.batch_time --format csv")
    assert (code, len(out.splitlines()) - 1) == (0, sizes)
