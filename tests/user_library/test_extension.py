"""A library extends our formulas: every answer follows and says so, and what we state is held without it."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from formula_eval import load
from formula_eval.cli.command import cli

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
VISION, REFORM = HERE / "vision_library", HERE / "reform_library"
TOWER = 12 * 32 * 1280**2
HOOKS = "vision_library/formulas/vision/hooks.formula"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in arguments], catch_exceptions=False)


def values(**given: object) -> dict[str, float]:
    wanted = [
        "params.total",
        "params.active",
        "params.active_compute",
        "memory.weights_bytes",
        "memory.total_bytes",
        "memory.largest_batch",
        "inference.ttft",
        "inference.tokens_per_second",
        "flops.first_token",
        "flops.prefill",
        "training.step_time",
        "training.weights_bytes",
        "inference.usd_per_million_input_tokens",
    ]
    made = load(VISION).evaluate(only=wanted, model="house-vlm", hardware="h100-sxm", prompt=512, **given)
    return {name: float(value.value) for name, value in made.values.items()}


def test_every_answer_follows_the_hooks() -> None:
    """Parameters, memory, batch, time, work, cost and training, each from one extension."""
    plain, tower, pictures = values(vision_depth=0), values(images=0), values(images=2)
    assert tower["params.total"] - plain["params.total"] == TOWER
    assert tower["params.active"] - plain["params.active"] == TOWER
    assert tower["params.active_compute"] == plain["params.active_compute"]
    assert tower["memory.weights_bytes"] - plain["memory.weights_bytes"] == 2 * TOWER
    assert tower["memory.total_bytes"] - plain["memory.total_bytes"] == 2 * TOWER
    assert tower["memory.largest_batch"] < plain["memory.largest_batch"]
    assert tower["training.weights_bytes"] > plain["training.weights_bytes"]
    assert tower["inference.ttft"] == plain["inference.ttft"]
    tokens, work = 2 * 256, 2 * 2 * 256 * TOWER
    longer = load(VISION).evaluate(only="flops.prefill", model="house-vlm", hardware="h100-sxm", prompt=512 + tokens)
    assert pictures["flops.prefill"] == longer["flops.prefill"].value
    assert pictures["flops.first_token"] == pictures["flops.prefill"] + work
    assert pictures["inference.ttft"] > tower["inference.ttft"] + work / 989e12
    assert pictures["inference.usd_per_million_input_tokens"] != tower["inference.usd_per_million_input_tokens"]
    assert pictures["training.step_time"] > tower["training.step_time"]


def test_answers_say_what_is_felt() -> None:
    """A change that adds nothing is not told of; one that does is, with its place."""
    asked = ["--library", VISION, "--model", "house-vlm", "--gpu", "h100-sxm"]
    without = run(*asked, "--only", "inference.ttft", "--vision-depth", 0).output
    assert "extended" not in without
    assert "extended" not in run("--model", "llama2-7b", "--only", "params.total").output
    told = "".join(run(*asked, "--only", "params.total").output.split())
    assert f"params.totalisextendedbyvision_library({VISION.parent}/{HOOKS}:3)" in told
    assert "weights_bytes" not in told
    whole = " ".join(run(*asked, "--images", 2).output.split())
    assert (
        "vision_library extends params.total, memory.weights_bytes and prompt and adds rows to "
        "operators.encoder_operators and operators.pass_operators; `formula-eval show NAME` says how."
    ) in whole
    assert whole.partition(" formula-eval --model ")[0].count("vision_library") == 1
    everything = json.loads(run(*asked, "--images", 2, "--format", "json").stdout)["checks"]
    told = " ".join(each["message"] for each in everything if not each["ok"])
    for each in ("memory.weights_bytes is extended", "prompt is extended", "pass_operators has the row image_newlines"):
        assert each in told
    data = json.loads(run(*asked, "--only", "params.total", "--format", "json").stdout)
    (note,) = [each for each in data["checks"] if each["name"] == "params.total.plus_vision.note"]
    assert (note["level"], note["ok"]) == ("note", False)


@pytest.mark.parametrize("kind", ["html", "markdown", "latex", "json", "python", "excel"])
def test_documents_say_it_too(kind: str, tmp_path: Path) -> None:
    """Page, papers, data, module and workbook name the library and its rows."""
    target = tmp_path / f"document.{'xlsx' if kind == 'excel' else kind}"
    only = ("--only", "inference.first_decode_step_time") if kind == "excel" else ()  # of all it takes half a minute
    done = run("export", kind, "--library", VISION, "--model", "house-vlm", "--images", 2, *only, "-o", target)
    assert done.exit_code == 0, done.output
    if kind == "excel":
        shutil.unpack_archive(target, tmp_path / "book", "zip")
        text = "".join(each.read_text("utf-8") for each in (tmp_path / "book" / "xl").rglob("*.xml"))
    else:
        text = target.read_text("utf-8")
    assert "vision_library" in text.replace("\\", "")
    assert "image_newlines" in text.replace("\\", "") or kind in ("markdown", "latex", "python")


def test_the_picture_draws_added_rows(tmp_path: Path) -> None:
    """A row that a library adds is an operator like ours."""
    target = tmp_path / "picture.svg"
    assert (
        run("export", "graph", "--library", VISION, "--model", "house-vlm", "--images", 2, "-o", target).exit_code == 0
    )
    assert "image newlines" in target.read_text("utf-8")


def test_explain_and_show_name_both_places() -> None:
    """The text of the formula, of what extends it, and where each stands."""
    shown = run("show", "params.total", "--library", VISION).output
    assert "total: param = layers_total + encoder_total + outer_total" in shown
    assert "extend params.total + parameters" in shown
    told = " ".join(run("explain", "params.total", "--library", VISION, "--model", "house-vlm").output.split())
    assert "layers_total + encoder_total + outer_total + params.total.plus_vision" in told
    assert f"{HOOKS}:3" in told


def test_libraries_compose_and_one_replaces() -> None:
    """Two extend the same formula: both count; a replacement is told of with what stood there."""
    both = load(VISION, REFORM).evaluate(only=["params.total", "inference.ttft"], model="house-vlm")
    assert both["params.total"].value == 3_125_947_392 + TOWER + 1000
    told = [each.message for each in both.checks if not each.ok]
    assert any("inference.ttft is replaced by reform_library" in each for each in told)
    assert any("instead of formulas/inference/prefill.formula:" in each for each in told)
    ours = load().evaluate(only="inference.*", model="llama2-7b", hardware="h100-sxm")
    theirs = load(REFORM).evaluate(only="inference.*", model="llama2-7b", hardware="h100-sxm")
    later = theirs["inference.latency"].value - ours["inference.latency"].value
    assert later == pytest.approx(theirs["inference.ttft"].value - ours["inference.ttft"].value)
    assert later > 0


def test_examples_are_held_by_their_own_layer() -> None:
    """Both libraries are sound, alone and together, though each changes what the other's examples would give."""
    assert run("check", VISION).output == "5 formulas, 5 examples hold.\n"
    done = run("check", VISION, "--library", REFORM)
    assert done.exit_code == 0, done.output
    done = run("check", "--library", VISION, "--only", "params.total")
    assert done.exit_code == 0, done.output


def test_the_later_of_two_replacements_stands(tmp_path: Path) -> None:
    """And says what it goes without."""
    other = tmp_path / "other" / "formulas" / "other"
    other.mkdir(parents=True)
    (other / "times.formula").write_text('"""Another."""\n\nreplace inference.ttft = 1 s\n', "utf-8")
    made = load(REFORM, tmp_path / "other").evaluate(only="inference.ttft", model="llama2-7b")
    assert made["inference.ttft"].value == 1
    (told,) = [each.message for each in made.checks if not each.ok]
    assert "inference.ttft is replaced by other" in told
    assert "without what reform_library changed" in told
