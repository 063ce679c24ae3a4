"""What `export launch --as` wraps a command in: it can start, on one node and on several, and is read as it was."""

import re

import kubernetes_validate
import pytest
import yaml

from counted import seen
from formula_eval import FormulaError
from formula_eval.export.launch import launch_for
from formula_eval.launch.launch_reader import read_launch
from formula_eval.launch.write.launch_values import programs_to_write
from formula_eval.records.givens import Question

MODEL = "llama3.1-70b"


def _text(formulas, program, shape, **values):
    records = {"model": MODEL, "hardware": "h100-sxm"}
    return launch_for(program, shape, Question(records, {"prompt": "8000", **values}), formulas.evaluator).text


@pytest.mark.parametrize("shape", ["shell", "docker", "kubernetes", "kserve", "slurm"])
@pytest.mark.parametrize("program", ["vllm", "sglang"])
@pytest.mark.parametrize("pp", [1, 2])
def test_a_command_is_the_same_in_every_shape(program, shape, pp, formulas):
    if shape == "kserve" and pp > 1:
        with pytest.raises(FormulaError, match="on one node"):
            _text(formulas, program, shape, tp="8", pp=str(pp))
        return
    text = _text(formulas, program, shape, tp="8", pp=str(pp))
    launch = read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)
    assert (launch.program, launch.stated["model"], launch.stated["tp"]) == (program, MODEL, 8)
    assert launch.stated["pp"] == pp
    assert "Not said" not in text
    assert ("--nnodes" in text) == (pp > 1)
    if shape == "kubernetes" and pp == 1:  # LeaderWorkerSet is not of Kubernetes itself
        kubernetes_validate.validate(yaml.safe_load(text), kubernetes_validate.latest_version(), strict=True)


def test_workers_serve_nothing_themselves(formulas):
    group = yaml.safe_load(_text(formulas, "vllm", "kubernetes", tp="8", pp="2"))["spec"]["leaderWorkerTemplate"]
    leader, worker = (group[f"{each}Template"]["spec"]["containers"][0]["args"] for each in ("leader", "worker"))
    assert worker == [*leader, "--headless"]
    assert group["size"] == 2


def test_an_image_that_runs_its_program_is_not_told_to_run_it_again(formulas):
    programs = programs_to_write(formulas.evaluator)
    for name, program in seen(programs.items()):
        if program.container.get("runs"):
            lines = [line for line in _text(formulas, name, "docker").splitlines() if not line.startswith("#")]
            assert not re.search(rf"\b{program.container['runs']}\b", "\n".join(lines)), name


@pytest.mark.parametrize("program", ["tgi", "llama.cpp"])
def test_a_program_of_one_node_is_not_written_for_two(program, formulas):
    degree = {"tgi": {"tp": "16"}, "llama.cpp": {"pp": "10"}}[program]
    with pytest.raises(FormulaError, match="runs on one node"):
        _text(formulas, program, "shell", **degree)


def test_nodes_share_the_accelerators_evenly(formulas):
    records = {"model": MODEL, "hardware": "h100-sxm"}
    question = Question(records, {"tp": "4", "dp": "3"}, purpose="training")
    text = launch_for("megatron-lm", "slurm", question, formulas.evaluator).text
    assert "#SBATCH --nodes=2" in text
    assert "#SBATCH --gpus-per-node=6" in text
