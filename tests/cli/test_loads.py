"""The rows of the default answer by clients are the answers with so many clients, and a long sequence must fit."""

import re

import pytest

from formula_eval.evaluate.display import shown_value

COLUMNS = ("inference.serving_ttft", "inference.running_tpot", "inference.serving_tokens_per_second")


@pytest.mark.parametrize(("model", "tp"), [("llama3.1-70b", 4), ("deepseek-v3", 16), ("gemma2-9b", 1)])
def test_a_row_is_the_answer_with_so_many_clients(model, tp, run, formulas):
    text = run("--model", model, "--tp", str(tp)).out.partition("Under load")[2].partition("\n\n")[0]
    rows = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()[1:]]
    assert len(rows) > 2
    for title, *figures, _ in rows:
        clients = int(title.removesuffix(" clients").replace(",", ""))
        answer = formulas.evaluate(only=COLUMNS, model=model, tp=tp, concurrency=clients)
        assert figures == [shown_value(answer[name].value, answer[name].quantity) for name in COLUMNS]


def test_the_last_row_is_the_most_that_runs_at_once(run, formulas):
    text = run("--model", "llama3.1-70b", "--tp", "4").out.partition("Under load")[2].partition("\n\n")[0]
    most = formulas.evaluate(only=["memory.running_capacity"], model="llama3.1-70b", tp=4)["memory.running_capacity"]
    assert text.splitlines()[-1].split()[0] == f"{most.value:,.0f}"


@pytest.mark.parametrize("asked", [("--batch", "4"), ("--concurrency", "4"), ("--request-rate", "1 request/s")])
def test_a_stated_load_is_answered_alone(asked, run):
    assert "8 clients  " not in run("--model", "llama3.1-8b", *asked).out


def test_a_sequence_that_cannot_be_held_is_warned_of(run, formulas):
    said = run("--model", "llama3.1-8b", "--gpu", "l4", "--max-model-len", "131072").out
    assert "does not fit" in said
    assert "Try --max-model-len" in " ".join(said.split())
    longest = int(re.search(r"--max-model-len\s+([\d,]+)", said)[1].replace(",", ""))
    fits = {"model": "llama3.1-8b", "gpu": "l4", "only": ["memory.fits"]}
    assert formulas.evaluate(max_model_len=longest, **fits)["memory.fits"].value
    assert not formulas.evaluate(max_model_len=longest + 64, **fits)["memory.fits"].value
