"""Intervals of our formulas: their ends lie on both sides of the value, whatever is asked."""

import pytest

from counted import seen
from formula_eval import Formulas
from golden import numbers

PINNED = {"dense_decode_low": 0.5, "dense_decode_high": 2, "mixture_decode_low": 0.5, "mixture_decode_high": 2}


@pytest.fixture(scope="module")
def known(formulas: Formulas) -> list[str]:
    nodes = formulas.evaluator.graph.nodes.values()
    return [node.name for node in nodes if not node.original and node.declaration.notes.interval is not None]


def test_the_ends_lie_on_both_sides(known: list[str]) -> None:
    table = numbers.read()
    for name in seen(known):
        held = {scenario: float(value) for scenario, value in table[name].items() if value}
        assert held, name
        for scenario, value in held.items():
            low, high = (float(table[f"{name}_{end}"][scenario]) for end in ("low", "high"))
            assert low <= value <= high, (name, scenario)


@pytest.mark.parametrize("model", ["llama3-8b", "mixtral-8x7b"])
def test_an_end_is_what_measured_runs_say(formulas: Formulas, known: list[str], model: str) -> None:
    names = [each for each in known if each.startswith("inference.") and "ttft" not in each]
    only = [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
    given = {"model": model, "hardware": "h100-sxm", "engine": "vllm", "concurrency": 8, **PINNED}
    found = formulas.evaluate(only=only, **given).numbers
    for name in seen(names):
        assert found[f"{name}_low"] == pytest.approx(found[name] / 2)
        assert found[f"{name}_high"] == pytest.approx(found[name] * 2)
