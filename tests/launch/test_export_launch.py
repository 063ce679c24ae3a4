"""`export launch`: the command for a configuration, with reasons, and what it cannot say."""

from formula_eval.cli import main
from formula_eval.records.launch.launch_reader import read_launch

ASKED = ["--model", "llama3.1-70b", "--gpu", "h100-sxm", "--tp", "4", "--prompt", "8000", "--generated", "192"]


def test_a_command_says_the_configuration(formulas, capfd):
    assert main(["export", "launch", "--program", "vllm", *ASKED, "--request-rate", "3 request/s"]) == 0
    text = capfd.readouterr().out
    launch = read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)
    assert launch.stated["tp"] == 4
    assert launch.stated["prompt"] + launch.stated["generated"] == 8192
    assert "# --tensor-parallel-size 4: tp = 4: Tensor-parallel degree." in text


def test_what_cannot_be_written_is_told(capfd):
    assert main(["export", "launch", *ASKED]) == 2
    assert "--program vllm" in capfd.readouterr().err
    assert main(["export", "launch", "--program", "vlm", *ASKED]) == 2
    assert "Did you mean `vllm`?" in capfd.readouterr().err
    assert main(["export", "launch", "--program", "megatron", *ASKED]) == 2
    assert "Add --training." in capfd.readouterr().err
    assert main(["export", "excel", *ASKED]) == 2
    assert "Missing option '-o'" in capfd.readouterr().err
