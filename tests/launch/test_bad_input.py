"""Texts that are refused: what is wrong, where, and what to do."""

from pathlib import Path

import pytest
import tomli

from formula_eval import FormulaError
from formula_eval.cli import main
from formula_eval.launch.launch_reader import read_launch
from formula_eval.records.launch_reading import Beside

CASES = tomli.loads((Path(__file__).parent / "bad_input.toml").read_text())["case"]


@pytest.mark.parametrize("case", CASES, ids=[each["id"] for each in CASES])
def test_it_says_what_is_wrong(case, formulas, tmp_path):
    given = case["text"]
    for part, times in case.get("times", {}).items():
        given = given.replace(part, part * times)
    if "file" in case:
        (tmp_path / case["file"]).write_text(given)
        given = str(tmp_path / case["file"])
    with pytest.raises(FormulaError) as caught:
        read_launch(given, formulas.evaluator.library, formulas.evaluator.schema)
    assert case["says"] in str(caught.value)


def test_a_large_file_is_refused(formulas, tmp_path):
    path = tmp_path / "launch.sh"
    path.write_text("# " + "x" * 10_000_000)
    with pytest.raises(FormulaError, match="larger than 1 MB"):
        read_launch(str(path), formulas.evaluator.library, formulas.evaluator.schema)


def test_nothing_of_a_script_is_run(formulas, tmp_path):
    made = tmp_path / "made"
    script = f"touch {made}\nX=$(touch {made})\nvllm serve Qwen/Qwen3-8B --host $X `touch {made}`"
    launch = read_launch(script, formulas.evaluator.library, formulas.evaluator.schema)
    assert launch.stated["model"] == "qwen3-8b"
    assert not made.exists()


def test_the_command_ends_with_2(capsys):
    assert main(["--from", "vllm serve Qwen/Qwen3-8B -tp 2 -tp 4"]) == 2
    assert "Give it once." in capsys.readouterr().err


def test_a_number_chooses_among_commands(formulas, tmp_path):
    path = tmp_path / "launch.sh"
    path.write_text("vllm serve openai/gpt-oss-20b\nvllm serve openai/gpt-oss-120b -tp 4")
    launch = read_launch(f"{path}#2", formulas.evaluator.library, formulas.evaluator.schema)
    assert (launch.stated["model"], launch.stated["tp"]) == ("gpt-oss-120b", 4)


def test_an_option_of_another_version_is_told(formulas):
    text = "docker run vllm/vllm-openai:v0.8.5 --model Qwen/Qwen3-8B --decode-context-parallel-size 2"
    launch = read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)
    assert launch.version == "0.8.5"
    assert any("there is one from 0.10 on" in each for each in launch.remarks)


def test_what_stands_beside_may_be_left_open(formulas):
    beside = Beside({"model": "qwen3-8b"}, {"tp": "2"})
    launch = read_launch("vllm serve $MODEL -tp $TP", formulas.evaluator.library, formulas.evaluator.schema, beside)
    assert "model" not in launch.stated


def test_accelerators_that_nobody_tells_are_refused(formulas):
    text = "torchrun --nproc_per_node $COUNT pretrain_gpt.py --tensor-model-parallel-size 8 --bf16"
    with pytest.raises(FormulaError, match=r"`--nproc_per_node` is `\$COUNT`"):
        read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)
    beside = Beside({}, {"gpus": "16"})
    assert read_launch(text, formulas.evaluator.library, formulas.evaluator.schema, beside).stated["tp"] == 8


def test_the_standard_input_is_read(monkeypatch, tmp_path, capsys):
    said = tmp_path / "said"
    said.write_text("vllm serve Qwen/Qwen3-8B -tp 4")
    monkeypatch.setattr("formula_eval.launch.detect.launch_text.INPUT", said)
    assert main(["--from", "-", "--only", "memory.fits"]) == 0
    assert "yes" in capsys.readouterr().out
