"""The library of reinforcement learning: published step times, distributions and memory by hand, and its documents.

`UPDATE_DOCS=1` writes the outputs in its README anew.
"""

import json
import math
import re
import tomllib
from pathlib import Path

import openpyxl
import pytest

from docs.test_commands import BLOCK, UPDATE, commands, environment, environment_of, ran
from export.browser import showing
from export.office import Office
from export.pages import logged, value
from formula_eval import Formulas
from formula_eval.cli import main

pytestmark = pytest.mark.slow

__all__ = ["environment", "environment_of"]

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "libraries" / "reinforcement_learning"
SCENARIOS = LIBRARY / "scenarios"
LLAMA = {"model": "llama3-8b", "hardware": "h100-sxm"}
STATES = 8_030_261_248 * (2 + 12 / 8)  # bytes of weights, and an eighth of master weights and two moments in 32 bits


def computed(library: Formulas, name: str, **given: object) -> float:
    values = {key if key in ("model", "hardware", "prompt") else f"rl.{key}": each for key, each in given.items()}
    return float(library.evaluate(only=f"rl.{name}", **values)[f"rl.{name}"].value)


def scenario(name: str) -> dict[str, object]:
    said = tomllib.loads((SCENARIOS / f"{name}.toml").read_text(encoding="utf-8"))
    return {**{f"rl.{key}": each for key, each in said.pop("rl").items()}, **said}


def test_it_is_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(LIBRARY)]) == 0
    assert "examples hold." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("run", "tokens", "seconds"),
    [("llama", 1019, 92.8), ("llama_asynchronous", 1123, 64.8), ("qwen", 3251, 376), ("qwen_asynchronous", 3252, 200)],
)
def test_published_steps_take_somewhat_longer(library: Formulas, run: str, tokens: float, seconds: float) -> None:
    """NeMo RL 0.5 on H100: what is left out makes a step longer, by a half at most."""
    found = library.evaluate(only=["rl.step_time", "rl.sequence_tokens"], **scenario(run))
    assert found["rl.sequence_tokens"].value == pytest.approx(tokens, abs=1)
    assert 0.64 < float(found["rl.step_time"].value) / seconds < 0.85


@pytest.mark.parametrize(("run", "hours"), [("opt_13b", 10.8), ("opt_66b", 7.5)])
def test_published_hours_of_ppo(library: Formulas, run: str, hours: float) -> None:
    """DeepSpeed-Chat on A100, with a critic and a reward model of 350M."""
    found = float(library.evaluate(only="rl.run_time", **scenario(run))["rl.run_time"].value)
    assert 0.7 < found / 3600 / hours < 0.9


def test_a_small_critic_costs_next_to_nothing(library: Formulas) -> None:
    """In the limit a step of PPO is one of GRPO with as many answers."""
    asked = {
        **LLAMA,
        "accelerators": 8,
        "questions": 256,
        "group_size": 2,
        "rewards": "rule_based",
        "idle_models": "resident",
    }
    small = {**asked, "method": "ppo"}
    found = library.evaluate(
        only="rl.step_time", **{"rl.critic": "gpt2"}, **{k if k in LLAMA else f"rl.{k}": v for k, v in small.items()}
    )
    alone = computed(library, "step_time", **asked)
    assert float(found["rl.step_time"].value) == pytest.approx(alone, rel=0.05)
    assert computed(library, "step_time", **small) > 1.2 * alone


def test_pairs_are_read_and_not_generated(library: Formulas) -> None:
    """A step of DPO is a forward pass of the reference and an update: no more than a third beside the update."""
    pairs = {**LLAMA, "accelerators": 8, "method": "dpo"}
    update, step = computed(library, "update_time", **pairs), computed(library, "step_time", **pairs)
    assert update < step < 1.7 * update
    assert computed(library, "step_time", kl_penalty=False, **pairs) == pytest.approx(update)


@pytest.mark.parametrize("count", [16, 64, 1024])
def test_the_longest_of_memoryless_answers(library: Formulas, count: int) -> None:
    harmonic = sum(1 / each for each in range(1, count + 1))
    given = {"questions": 1, "group_size": count, "mean_answer": 100, "answer_limit": 100_000}
    assert computed(library, "longest", **given) == pytest.approx(100 * harmonic, rel=1e-3)


@pytest.mark.parametrize("shape", [1, 1.5, 2, 3])
@pytest.mark.parametrize("limit", [500, 1000, 3000])
def test_the_mean_of_answers_that_a_limit_cuts_off(library: Formulas, shape: float, limit: int) -> None:
    scale, steps = 500 / math.gamma(1 + 1 / shape), 10_000
    exact = sum(math.exp(-(((i + 0.5) * limit / steps / scale) ** shape)) for i in range(steps)) * limit / steps
    given = {"mean_answer": 500, "answer_limit": limit, "length_shape": shape}
    assert computed(library, "answer_tokens", **given) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("states_bytes", {}, STATES),
        ("offload_time", {}, 2 * STATES / 50e9),
        ("transfer_bytes", {}, STATES + 2 * 8_030_261_248),
        ("transfer_bytes", {"placement": "separate"}, STATES),
        ("reference_bytes", {}, 2 * 8_030_261_248),
        ("reference_bytes", {"separate_reference": False}, 0),
        ("critic_states_bytes", {"method": "ppo"}, (8_030_261_248 - 128_255 * 4096) * (2 + 12 / 8)),
        ("answers", {}, 1024),
        ("step_gpus", {"placement": "separate", "generators": 24}, 32),
    ],
)
def test_by_hand(library: Formulas, name: str, given: dict[str, object], expected: float) -> None:
    hardware = {**LLAMA, "accelerators": 8}
    assert computed(library, name, **hardware, **given) == pytest.approx(expected, rel=1e-9)


def test_other_accelerators_generate_as_if_they_were_the_ones(library: Formulas) -> None:
    separate = {"placement": "separate", "accelerators": 8, "model": "llama3-8b"}
    other = computed(library, "rollout_time", hardware="a100-sxm-80gb", rollout_hardware="h100-sxm", **separate)
    assert other == computed(library, "rollout_time", hardware="h100-sxm", **separate)
    assert other < computed(library, "rollout_time", hardware="a100-sxm-80gb", **separate)


def test_a_global_batch_is_that_of_the_update(library: Formulas) -> None:
    assert computed(library, "answers", method="dpo") == 128
    given = {"global_batch": 256, "only": ["rl.answers", "rl.updates"]}
    found = [library.evaluate(**{**given, "rl.method": method}) for method in ("dpo", "grpo")]
    assert [float(each["rl.answers"].value) for each in found] == [512, 1024]
    assert [float(each["rl.updates"].value) for each in found] == [1, 4]


def test_checks_speak_with_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--library", str(LIBRARY), "--model", "llama3-8b", "--rl.accelerators"]
    assert main([*asked, "2"]) == 0
    assert "Try --recompute full, --zero-stage 3 or a larger tp." in re.sub(r"\s+", " ", capsys.readouterr().out)
    assert main([*asked, "8", "--rl.group-size", "1"]) == 2
    assert "One answer to each question leaves a group nothing" in capsys.readouterr().err
    assert main([*asked, "8", "--rl.rollout-tp", "3"]) == 2
    assert "rollout_tp = 3 cannot split 32 attention heads. Try 2." in capsys.readouterr().err


def test_the_workbook_and_the_page_compute_the_same(
    library: Formulas, office: Office, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--library", str(LIBRARY), "--inputs", str(SCENARIOS / "llama_asynchronous.toml"), "--only", "step_time"]
    book, page = tmp_path / "step.xlsx", tmp_path / "step.html"
    assert main(["export", "excel", *asked, "-o", str(book)]) == 0
    assert main(["export", "html", *asked, "-o", str(page)]) == 0
    assert "1 quantity" in capsys.readouterr().out
    wanted = float(library.evaluate(only="rl.step_time", **scenario("llama_asynchronous"))["rl.step_time"].value)
    office.open(book)
    cells = office.read("Outputs")
    (row,) = (number for number, each in enumerate(cells) if "rl.step_time" in each)
    column = cells[row].index("rl.step_time")
    assert float(cells[row - 1][column]) == pytest.approx(wanted, rel=1e-9)
    with showing(page) as browser:
        assert value(browser, "rl.step_time") == pytest.approx(wanted, rel=1e-9)
        assert not logged(browser)


@pytest.mark.parametrize("generators", [2, 8, 12])
def test_a_split_that_is_advised_is_kept_and_takes_least(generators: int, library: Formulas) -> None:
    asked = {"model": "qwen3-8b", "hardware": "h100-sxm", "rl.placement": "separate", "rl.asynchronous": True}

    def split(count: int) -> tuple[float, float]:
        given = {**asked, "rl.generators": count, "rl.accelerators": 16 - count}
        found = library.evaluate(**given, only=["rl.step_time", "rl.balanced_generators"]).numbers
        return found["rl.step_time"], found["rl.balanced_generators"]

    advised = int(split(generators)[1])
    time, again = split(advised)
    assert again == advised
    assert time <= min(split(advised - 1)[0], split(advised + 1)[0])


def test_its_readme_shows_what_commands_print(environment: dict[str, str]) -> None:
    page = LIBRARY / "README.md"
    text = page.read_text(encoding="utf-8")

    def run(found: re.Match[str]) -> str:
        shown = (command + ran(command, LIBRARY, environment) for command, _ in commands(found[1]))
        return f"```console\n{''.join(shown)}```"

    made = BLOCK.sub(run, text)
    if UPDATE:
        page.write_text(made, encoding="utf-8")
    assert made == (made if UPDATE else text)


def planned(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, float]:
    """What a plan of the cheapest alternative tells, in base units."""
    asked = ["--training", "--method", "grpo", "--model", "qwen3-8b", "--gpu", "h100,h200", "--format", "json"]
    assert main(["plan", *asked, *more]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert "steps take" in plan["verdict"]
    cheapest, *others = plan["alternatives"]
    values = cheapest["values"]
    assert all(values["all steps cost"] <= each["values"]["all steps cost"] for each in others)
    assert values["all steps"] == pytest.approx(values["steps"] * values["a step"])
    hours = values["all steps"] / 3600 * values["accelerators"]
    assert values["all steps cost"] == pytest.approx(hours * values["price of a GPU"] * 3600)
    return values


def test_a_plan_keeps_the_deadline_and_sooner_costs_more(capsys: pytest.CaptureFixture[str]) -> None:
    late, soon = planned(capsys, "--deadline", "1d"), planned(capsys, "--deadline", "2h")
    assert late["all steps"] <= 86_400
    assert soon["all steps"] <= 7_200
    assert soon["all steps cost"] > late["all steps cost"]
    assert soon["accelerators"] > late["accelerators"]


def test_a_budget_that_nothing_keeps_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--training", "--method", "grpo", "--model", "qwen3-8b", "--gpu", "h100", "--run-budget", "10 USD"]
    assert main(["plan", *asked]) == 0
    assert "comes nearest to what is asked, and misses it." in " ".join(capsys.readouterr().out.split())


def test_a_plan_is_written_as_brief_sheet_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in ("md", "xlsx", "html"):
        asked = ["plan", "--training", "--method", "grpo", "--model", "qwen3-8b", "--gpu", "h100", "--deadline", "1d"]
        assert main([*asked, "-o", str(tmp_path / f"plan.{ending}")]) == 0
    capsys.readouterr()
    told = (tmp_path / "plan.md").read_text(encoding="utf-8")
    assert told.startswith(
        "# Reinforcement learning of Qwen3 8B\n\n1,000 steps of 16 requests with 64 sequences each, within"
    )
    book = openpyxl.load_workbook(tmp_path / "plan.xlsx")
    assert any(str(cell.value).startswith("=") for row in book.worksheets[0].iter_rows() for cell in row)
