"""`search --launch`: the best configuration as what runs it."""

import json

import pytest

from formula_eval.cli import main
from formula_eval.launch.launch_reader import read_launch

ASKED = ["search", "--model", "deepseek-v3", "--gpu", "h200-sxm", "--gpus", "8", "--top", "1", "--launch", "sglang"]


@pytest.mark.slow
def test_a_search_ends_in_what_runs_the_best(formulas, tmp_path, capfd):
    path = tmp_path / "best.sh"
    assert main([*ASKED, "-o", str(path)]) == 0
    assert "Best: the largest" in capfd.readouterr().out
    launch = read_launch(str(path), formulas.evaluator.library, formulas.evaluator.schema)
    assert main([*ASKED, "--format", "json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["launch"] == path.read_text()
    said = [name for name in ("tp", "pp", "attention_dp", "ep") if name in found["best"]]
    assert "tp" in said
    assert "ep" in said
    for name in said:
        assert launch.stated.get(name, 1) == found["best"][name], name
    assert launch.stated["tp"] * launch.stated.get("attention_dp", 1) <= 8
    assert "--engine sglang" in found["command"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--format", "csv"], "csv has no place"),
        (["--launch", "deepspeed"], "DeepSpeed is for training"),
        (["--launch", "megatron-lm", "--training", "--as", "docker"], "names no image of Megatron-LM"),
        (["--launch", "", "--as", "docker"], "nothing says what to launch"),
        (["--launch", "vlm"], "Did you mean `vllm`?"),
    ],
)
def test_what_cannot_be_launched_is_told_before_the_search(more, says, capfd):
    assert main([*ASKED, *more]) == 2
    assert says in capfd.readouterr().err
