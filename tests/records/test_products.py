"""Number formats against boards by type: what the matrix units multiply, and what is told where they do not."""

import tomllib
from pathlib import Path

import pytest

from counted import seen
from formula_eval import FormulaError

CASES = tomllib.loads((Path(__file__).parent / "products.toml").read_text(encoding="utf-8"))
MIXTURE = "qwen3-30b-a3b"
NAMES = ["activation_bits", "expert_activation_bits", "native_bits", "expert_native_bits"]
TIMES = ["inference.ttft", "inference.tpot", "inference.latency"]
TELLING = ("products_as_chosen", "expert_products_as_asked", "products_as_published")


def told(result):
    return [each.name for each in result.checks if not each.ok and each.name.endswith(TELLING)]


@pytest.mark.parametrize("board", CASES)
def test_a_board_multiplies_what_its_engines_do(board, formulas):
    for number_format, expected in CASES[board].items():
        result = formulas.evaluate(
            model=MIXTURE, gpu=board, number_format=number_format, only=[*NAMES, "inference.ttft"]
        )
        found = [result[name].value for name in NAMES]
        assert found[:2] == expected, number_format
        narrowed = found[0] > found[2] or found[1] > found[3]
        assert len(told(result)) == narrowed, number_format


@pytest.mark.parametrize(
    ("board", "asked", "alike"),
    [
        ("a100-sxm-80gb", "fp8", "w8a16"),
        ("v100-sxm-32gb", "fp8", "w8a16"),
        ("mi250x-gcd", "fp8", "w8a16"),
        ("v100-sxm-32gb", "int8", "w8a16"),
        ("b200-sxm", "int8", "w8a16"),
    ],
)
def test_weights_alone_take_the_times_of_a_weight_only_format(board, asked, alike, formulas):
    given = {"model": "llama2-7b", "gpu": board, "prompt": 1000, "batch": 4, "only": [*TIMES, "memory.total_bytes"]}
    one, other = (formulas.evaluate(**given, number_format=each) for each in (asked, alike))
    for name in seen(given["only"]):
        assert one[name].value == other[name].value


def test_no_board_runs_a_format_in_less_than_its_matrix_units_take(formulas):
    boards = [board for board in CASES if board != "b200-sxm"]
    for board in seen(boards):
        for number_format in seen(CASES[board]):
            given = {"model": MIXTURE, "gpu": board, "number_format": number_format}
            found = formulas.evaluate(only=[*NAMES, "operators.best_matrix_rate"], **given)
            peak = formulas.evaluate(only=[f"peak_{found['activation_bits'].value:g}"], **given)
            assert found["operators.best_matrix_rate"].value <= 1.1 * next(iter(peak.values.values())).value


def test_what_somebody_says_of_activations_holds(formulas):
    given = {"model": "llama2-7b", "gpu": "a100-sxm-80gb", "only": ["activation_bits", "inference.ttft"]}
    assert formulas.evaluate(**given, number_format="fp8", activation_bits=8)["activation_bits"].value == 8


@pytest.mark.parametrize(("board", "experts"), [("h100-sxm", 16), ("b200-sxm", 8), ("a100-sxm-80gb", 16)])
def test_a_checkpoint_with_experts_in_small_blocks(board, experts, formulas):
    result = formulas.evaluate(model="deepseek-v4-flash", gpu=board, tp=8, only=[*NAMES, *TIMES])
    assert result["expert_activation_bits"].value == experts
    assert bool(told(result)) == (experts == 16)


def test_training_in_8_bits_multiplies_floating_point_numbers(formulas):
    given = {"answer": "training", "model": "llama2-7b", "training_bits": 8, "tp": 8, "only": ["training.step_time"]}
    assert formulas.evaluate(**given, gpu="h100-sxm")["training.step_time"].value > 0
    with pytest.raises(FormulaError, match="multiplies FP8"):
        formulas.evaluate(**given, gpu="a100-sxm-80gb")
