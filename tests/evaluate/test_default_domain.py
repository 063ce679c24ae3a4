"""Defaults that are formulas are held to their domain, as what somebody gives is."""

import pytest

from formula_eval.core.diagnostic import FormulaError


def refused(formulas, **givens: object) -> str:
    with pytest.raises(FormulaError) as error:
        formulas.evaluate(**givens)
    (finding,) = error.value.diagnostics
    return f"{finding.message}\n{finding.help}"


@pytest.mark.parametrize("only", ["memory.kv_bytes_per_token", "inference.ttft", "params.total"])
def test_a_default_beyond_its_domain_names_what_made_it_so(only, formulas):
    said = refused(formulas, only=only, model="llama2-7b", hardware="h100-sxm", hidden=7)
    assert said == (
        "`head_dim` would be 0, outside 1 to 10,000: its default is `floordiv(hidden, heads)`\n"
        "That follows from hidden = 7 (argument) and heads = 32 (models/llama2-7b.toml). "
        "Correct it, or give `head_dim` itself."
    )


def test_what_is_given_instead_is_answered(formulas):
    result = formulas.evaluate(only="memory.kv_bytes_per_token", model="llama2-7b", hidden=7, head_dim=128)
    assert result["memory.kv_bytes_per_token"].value == 524288


def test_checks_that_say_more_go_first(formulas):
    said = refused(formulas, only="training.step_time", model="llama2-7b", hardware="h100-sxm", gpus=3, tp=2)
    assert "gpus = 3" in said


@pytest.mark.parametrize("name", ["memory_bandwidth", "host_bandwidth", "host_link", "network_bandwidth"])
def test_nothing_is_no_bandwidth_to_divide_by(name, formulas):
    assert "is outside 1 to" in refused(formulas, only="params.total", model="gpt2", **{name: "0 byte/s"})


def test_experts_of_a_token_have_to_exist(formulas):
    said = refused(formulas, only="inference.ttft", model="llama2-7b", hardware="h100-sxm", experts_per_token=8)
    assert "the model has no experts" in said
