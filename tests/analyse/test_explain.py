"""Derivations: what they say, that they say it once, and that they end with who set each input."""

from collections.abc import Iterator

import pytest

from formula_eval import FormulaError
from formula_eval.analyse.explain import Step


def steps(step: Step) -> Iterator[Step]:
    yield step
    for each in step.steps:
        yield from steps(each)


def explained(formulas, name, **given):
    return formulas.explain(name, **{"model": "llama2-70b", "phase": "decode", "depth": 99, **given}).step


@pytest.mark.slow
def test_the_root(formulas):
    step = explained(formulas, "memory.kv_bytes_per_token")
    assert step.value == "327,680 byte/token"
    assert step.formula == "full_kv_bytes_per_token + windowed_kv_bytes_per_token"
    assert step.place.startswith("formulas/memory/kv_cache.formula:")


def test_leaves_say_who_set_them(formulas):
    origins = {each.name: each.origin for each in steps(explained(formulas, "inference.decode_time", tp=8))}
    assert origins["layers"] == "models/llama2-70b.toml"
    assert origins["memory_bandwidth"] == "hardware.toml [h100-sxm]"
    assert origins["tp"] == "argument"
    assert origins["batch"] == "default"


@pytest.mark.parametrize("name", ["inference.ttft", "inference.tpot", "params.total", "memory.largest_context"])
def test_nothing_is_explained_twice_and_every_node_can_be(name, formulas):
    explained_nodes = [each for each in steps(explained(formulas, name)) if each.steps]
    assert explained_nodes
    assert all(not each.deeper for each in steps(explained(formulas, name)))


def test_depth(formulas):
    shallow = explained(formulas, "inference.tpot", depth=1)
    assert all(each.deeper or not each.formula for each in shallow.steps)


def test_a_sum_over_a_table_shows_its_largest_terms(formulas):
    step = explained(formulas, "operators.operators_time", depth=1)
    assert [each.name for each in step.steps][-1].endswith("smaller terms")
    numbers = [each.number for each in step.steps[:-1]]
    assert numbers == sorted(numbers, reverse=True)
    total = sum(each.number for each in step.steps)
    assert total == pytest.approx(step.number)


def test_only_the_branch_that_was_taken(formulas):
    names = {each.name for each in steps(explained(formulas, "communication.pipeline_time", pp=1))}
    assert "message_bytes" not in names


def test_text_fits_the_width(formulas):
    text = str(formulas.explain("inference.tpot", model="llama2-70b", depth=9))
    assert "see above" in text
    assert max(len(line) for line in text.splitlines()) <= 100


@pytest.mark.slow
def test_formulas_of_all_kinds_can_be_explained(formulas):
    """One formula and one cell of each folder, the last of them, which stands on the others."""
    kinds = formulas.evaluator.schema.formulas
    last = {(kinds[name].kind, name.split(".")[0]): name for name in formulas}
    assert len(last) > 8
    for name in last.values():
        assert formulas.explain(name, model="mixtral-8x7b", tp=2, phase="decode", depth=1).step.name


def test_unknown(formulas):
    with pytest.raises(FormulaError, match=r"params\.totl"):
        formulas.explain("params.totl", model="llama2-70b")


def test_the_terms_of_a_row_that_is_looked_for_are_numbers(formulas):
    step = explained(formulas, "training.peak_stage", model="llama3-8b")
    assert step.value == "first"
    assert all(each.number > 1 for each in step.steps)
