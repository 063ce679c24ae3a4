"""Calls that a type checker accepts, and slips that it finds: mypy reads this file and refuses an idle `ignore`."""

from typing import assert_type

from formula_eval import Answer, Formulas, load


def calls() -> None:
    ours, own = load(), load("vision")
    assert_type(ours.evaluate(model="llama3.1-70b", gpu="h100-sxm", tp=4, batch="2k"), Answer)
    assert_type(own, Formulas)
    assert_type(own.evaluate(model="qwen2.5-vl-7b", images=2), Answer)
    ours.sweep(model=["llama2-7b", "llama2-70b"], tp=[1, 2], attention_kernel="unfused")
    ours.evaluate(tpp=4)  # type: ignore[call-arg]
    ours.evaluate(tp=[1, 2])  # type: ignore[arg-type]
    ours.evaluate(attention_kernel="fuse")  # type: ignore[arg-type]
