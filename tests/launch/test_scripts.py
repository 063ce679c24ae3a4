"""What is followed in a script, and what is said to be open in it."""

from pathlib import Path

import pytest
import tomli

from formula_eval.launch.launch_reader import read_launch

SCRIPTS = [
    each
    for name in ("scripts", "wrapped")
    for each in tomli.loads((Path(__file__).parent / f"{name}.toml").read_text())["script"]
]


@pytest.mark.parametrize("script", SCRIPTS, ids=[each["id"] for each in SCRIPTS])
def test_a_script_states_what_a_shell_would_pass(script, formulas):
    evaluator = formulas.evaluator
    launch = read_launch(script["text"], evaluator.library, evaluator.schema)
    assert {name: launch.stated.get(name) for name in script["expect"]} == script["expect"]
    assert list(launch.unknown) == script.get("unknown", [])


def test_a_model_that_a_text_spells_out_is_answered(formulas):
    text = (
        "torchrun pretrain_gpt.py --num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 "
        "--group-query-attention --num-query-groups 8 --swiglu --untie-embeddings-and-output-weights "
        "--vocab-size 128256 --seq-length 8192 --max-position-embeddings 8192 --bf16 --position-embedding-type rope "
        "--normalization RMSNorm --disable-bias-linear"
    )
    launch = formulas.read_launch(text)
    answer = formulas.evaluate(only="params.total", **launch.stated)
    assert answer["params.total"].value == 8_030_261_248  # Llama 3 8B
