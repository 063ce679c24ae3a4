"""Closed forms: with the rest put in, the numbers of the engine to the last bit, and the same algebra in SymPy."""

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import FormulaError
from formula_eval.records.givens import Question
from samples import samples

GIVEN = {"model": "llama3-8b", "tp": 2}


@pytest.fixture(scope="module")
def forms(formulas):
    """The closed forms of numbers and flags of a serving question, drawn by chance and always the same."""
    listed = [
        name
        for name, each in formulas.evaluator.schema.formulas.items()
        if each.is_listed and each.quantity.kind in ("number", "whole", "flag") and not each.needs
        if name.startswith(("inference.", "memory.", "operators.", "params.", "communication."))
    ]
    found = {}
    for name in Random(7).sample(listed, 12):
        with suppress(FormulaError):
            found[name] = formulas.derive(name, free=["batch", "prompt", "memory_bandwidth"], **GIVEN)
    return found


@settings(max_examples=samples(5))
@given(batch=st.integers(1, 600), prompt=st.integers(1, 9000), bandwidth=st.floats(1e11, 1e13))
def test_any_quantity_is_what_the_engine_computes(formulas, forms, batch, prompt, bandwidth):
    values = {"batch": float(batch), "prompt": float(prompt), "memory_bandwidth": bandwidth}
    given = formulas.evaluator.givens(Question({"model": "llama3-8b"}, {"tp": 2})).values
    engine = formulas.evaluator.program(list(forms)).evaluate({**given, **values})
    present = {name: value for name, value in engine.items() if name in forms and value == value}  # noqa: PLR0124
    assert len(present) > 6
    for name, value in present.items():
        assert forms[name].evaluate(**values) == value, name


def test_the_exact_equation(formulas):
    form = formulas.derive("memory.kv_cache_bytes", free="batch,prompt", model="llama2-70b")
    (line,) = form.lines
    assert line.text == "327680 byte * batch * (16 * ceil(prompt / 16) + 128)"
    assert form.unit == "byte"
    assert form.evaluate(batch=2, prompt=100) == 327680 * 2 * (112 + 128)
    assert "batch" in form.python
    assert form.latex.startswith(r"M_{\mathrm{KV}} = 327{,}680\,\mathrm{byte}")


@pytest.mark.slow
def test_sympy_says_the_same(formulas):
    import sympy  # noqa: PLC0415 - a second to import

    form = formulas.derive("inference.tpot", free=["batch", "memory_bandwidth"], **GIVEN)
    batch, bandwidth = (sympy.Symbol(each, real=True) for each in form.free)
    exact = form.expr.subs({batch: 24, bandwidth: 2 * 10**12})
    assert float(exact) == pytest.approx(form.evaluate(batch=24, memory_bandwidth="2 TB/s"), rel=1e-12)


@pytest.mark.parametrize("name", ["inference.tpot", "inference.ttft", "memory.total_bytes"])
def test_a_derivative_is_the_slope_of_the_quantity(formulas, name):
    form = formulas.derive(name, free=["memory_bandwidth", "batch"], **GIVEN)
    at, step = {"memory_bandwidth": 2.5e12, "batch": 20}, 1e8
    bandwidth = at["memory_bandwidth"]
    above, below = (
        (
            form.evaluate(**{each: {**at, "memory_bandwidth": bandwidth + change}[each] for each in form.free})
            for change in (step, -step)
        )
        if "memory_bandwidth" in form.free
        else (0.0, 0.0)
    )
    slope = form.diff("memory_bandwidth")
    value = slope.evaluate(**{each: at[each] for each in slope.free})
    assert value == pytest.approx((above - below) / (2 * step), rel=1e-5)


def test_a_derivative_has_the_unit_of_a_slope(formulas):
    form = formulas.derive("inference.tpot", free="memory_bandwidth", **GIVEN).diff("memory_bandwidth")
    assert form.unit == "s**2/byte"
    assert form.name == "d inference.tpot / d memory_bandwidth"
    assert form.evaluate(memory_bandwidth=2e12) < 0


def test_a_free_word_stands_by_its_name(formulas):
    form = formulas.derive("operators.pass_operators.attention_core.time", free="phase", **GIVEN)
    assert "phase == prefill" in form.lines[0].text or "phase == decode" in form.lines[0].text
    for phase in ("prefill", "decode"):
        engine = formulas.evaluate(only="operators.pass_operators.attention_core.time", phase=phase, **GIVEN)
        assert form.evaluate(phase=phase) == float(engine["operators.pass_operators.attention_core.time"])


def test_every_line_reads_as_a_formula(formulas):
    form = formulas.derive("training.step_time", free=["micro_batch"], model="llama3-8b", gpus=8, global_batch=64)
    assert len(form.latex.splitlines()) == len(form.lines)


@pytest.mark.parametrize(
    ("name", "free", "message"),
    [
        ("memory.kv_cache_bytes", "btch", "Did you mean `batch`"),
        ("memory.kv_cache_byte", "", "No quantity is named"),
        ("memory.kv_cache_bytes", "", "Nothing stays free"),
        ("memory.kv_cache_bytes", "tp", "is given a value and free"),
        ("memory.kv_cache_bytes", "model", "is a record"),
        ("operators.pass_operators", "batch", "quantities"),
        ("operators.pass_flops", "batch", "needs `phase`"),
    ],
)
def test_bad_input_is_refused(formulas, name, free, message):
    with pytest.raises(FormulaError) as refused:
        formulas.derive(name, free=free, **GIVEN)
    assert message in str(refused.value)


def test_bad_values_are_refused(formulas):
    form = formulas.derive("memory.kv_cache_bytes", free="batch,prompt", model="llama2-70b")
    with pytest.raises(FormulaError, match="depends on prompt"):
        form.evaluate(batch=1)
    with pytest.raises(FormulaError, match="is not an input"):
        form.evaluate(batch=1, promt=5)
    with pytest.raises(FormulaError, match="is not free"):
        form.diff("tp")
    with pytest.raises(FormulaError, match="is a word, which no equation gives"):
        formulas.derive("operators.pass_operators.attention_core.bound", free="batch", phase="decode", **GIVEN)
    with pytest.raises(FormulaError, match="word or a flag"):
        formulas.derive("operators.pass_operators.attention_core.time", free="phase", **GIVEN).diff("phase")
