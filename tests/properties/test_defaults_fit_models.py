"""Default lengths against what a model can read, and remedies against what they promise."""

from hypothesis import HealthCheck, given, settings, strategies as st

from formula_eval.libraries import find_library
from samples import samples


def test_no_default_sequence_exceeds_its_model(formulas):
    names = ["seq", "prompt", "generated", "max_context", "causal"]
    shortest = set()
    for _, path in find_library().files("models/*.toml"):
        found = formulas.evaluate(model=path.stem, only=names)
        seq, prompt, generated, most, causal = (found[name].value for name in names)
        assert seq <= most, path.stem
        assert prompt + (generated if causal else 0) <= most, path.stem
        shortest |= {(seq, prompt)} if most < 4096 else set()
    assert {(2048, 512), (512, 512)} <= shortest


def test_a_long_answer_shortens_the_default_prompt(formulas):
    found = formulas.evaluate(model="gpt2", generated=1000, only=["prompt", "inference.ttft"])
    assert found["prompt"].value == 24
    assert not [each for each in found.checks if each.name == "inference.length_within_model" and not each.ok]


FIT = ["memory.fits", "memory.largest_batch", "memory.smallest_tp", "gpus_per_node"]


@settings(max_examples=samples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    model=st.sampled_from(["llama3.1-405b", "llama2-70b", "mixtral-8x7b"]),
    hardware=st.sampled_from(["h100-sxm", "a100-sxm-80gb", "l4", "b200-sxm"]),
    tp=st.sampled_from([1, 2, 8]),
    attention_dp=st.sampled_from([1, 2]),
    batch=st.sampled_from([1, 16, 4000]),
)
def test_a_smaller_batch_is_advised_only_where_it_fits(formulas, batch, **asked):
    result = formulas.evaluate(only=FIT, batch=batch, **asked)
    fits, largest = result["memory.fits"].value, float(result["memory.largest_batch"].value)
    told = [each.message for each in result.checks if not each.ok and "Does not fit" in each.message]
    assert len(told) == (not fits)
    for text in told:
        if "ower batch" in text:
            assert 1 <= largest < batch
            assert formulas.evaluate(only="memory.fits", batch=int(largest), **asked)["memory.fits"].value
        elif "Try --tp" not in text:
            assert largest < 1
