"""Which files a text may name, what is shown of them, and texts without sense: told in words, nothing given away."""

import os
import warnings

import pytest

from formula_eval import FormulaError
from formula_eval.launch.tables.program_reader import programs_of

COMMAND = "vllm serve Qwen/Qwen3-8B"


def _script(folder, text):
    path = folder / "launch.sh"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("name", ["../private.yaml", "{outside}", "link.yaml"])
def test_a_file_elsewhere_is_not_read(name, formulas, tmp_path):
    outside = tmp_path / "private.yaml"
    outside.write_text("tensor-parallel-size: 2\nline-of-it: 1\n")
    folder = tmp_path / "job"
    folder.mkdir()
    (folder / "link.yaml").symlink_to(outside)
    launch = formulas.read_launch(_script(folder, f"{COMMAND} --config {name.format(outside=outside)}"))
    assert launch.stated["tp"] == 1
    assert "line" not in str(launch.unknown)
    assert any("only files beside the text" in each for each in launch.remarks)


def test_a_file_beneath_is_read(formulas, tmp_path):
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "a.yaml").write_text("tensor-parallel-size: 2\n")
    assert formulas.read_launch(_script(tmp_path, f"{COMMAND} --config configs/a.yaml")).stated["tp"] == 2


def test_lines_of_a_file_that_is_not_understood_are_not_shown(formulas, tmp_path):
    (tmp_path / "a.yaml").write_text("database: 'x\n  hunter2: [1\n")
    with pytest.raises(FormulaError) as caught:
        formulas.read_launch(_script(tmp_path, f"{COMMAND} --config a.yaml"))
    assert "is not valid YAML" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_what_a_here_document_leaves_open_is_no_strange_sign(formulas):
    text = f"cat > a.yaml <<EOF\nmax-model-len: 4096\nserved-model-name: $NAME\nEOF\n{COMMAND} --config a.yaml"
    assert formulas.read_launch(text).stated["max_model_len"] == 4096
    with pytest.raises(FormulaError, match=r"\$TP"):
        formulas.read_launch(text.replace("served-model-name: $NAME", "tensor-parallel-size: $TP"))


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000,
        "if true; then\n" * 3_000 + f"{COMMAND}\n" + "fi\n" * 3_000,
        "if [ $X = 1 ]; then\n" * 3_000 + f"{COMMAND}\n" + "fi\n" * 3_000,
        "echo $((" + "(" * 5_000,
        "x = " + "(" * 20_000,
        '{"a":' * 20_000,
        "a: " + "[" * 20_000,
    ],
    ids=["parentheses", "if", "if of unknown", "arithmetic", "Python", "JSON", "YAML"],
)
def test_what_stands_too_deep_is_refused(text, formulas):
    with pytest.raises(FormulaError):
        formulas.read_launch(text)


def test_a_script_in_the_output_of_a_command_has_an_end(formulas):
    text = 'srun bash -c "$(cat <<END\nvllm serve Qwen/Qwen3-8B -tp 2\nEND\n)"'
    with pytest.raises(FormulaError, match="starts no program"):
        formulas.read_launch(text)


def test_a_pipe_is_not_waited_for(formulas, tmp_path):
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(FormulaError, match="pipe"):
        formulas.evaluate(model=str(tmp_path))


@pytest.mark.parametrize("text", ["x" * 300, "/" + "x" * 300, f"vllm serve {'x' * 300}"])
def test_a_long_name_is_refused_in_words(text, formulas):
    with pytest.raises(FormulaError):
        formulas.evaluate(**formulas.read_launch(text).stated)


def test_python_says_nothing_of_style(formulas):
    text = "from vllm import LLM\nx = 1if True else 2\ny = '\\d'\nLLM(model='Qwen/Qwen3-8B', tensor_parallel_size=2)"
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert formulas.read_launch(text).stated["tp"] == 2
    assert not told


MEGATRON = "pretrain_gpt.py --num-layers 2 --hidden-size 64 --num-attention-heads 4 --micro-batch-size 1"


@pytest.mark.parametrize(
    ("text", "written", "meant"),
    [
        (f"torchrun --nproc_per_node 8 --nndes 16 {MEGATRON}", "--nndes", "--nnodes"),
        (f"python -m torch.distributed.run --nproc-per-nodes 8 {MEGATRON}", "--nproc-per-nodes", "--nproc-per-node"),
        (f"srun --nodes 2 --gpus-per-nod 8 {MEGATRON}", "--gpus-per-nod", "--gpus-per-node"),
        (f"#SBATCH --ntasks-per-nodes=8\nsrun --gpus 8 {MEGATRON}", "--ntasks-per-nodes", "--ntasks-per-node"),
        (f"deepspeed --num_gpu 8 {MEGATRON}", "--num_gpu", "--num_gpus"),
        (f"accelerate launch --num_proceses 8 {MEGATRON}", "--num_proceses", "--num_processes"),
        (f"mpirun --map-bt node {MEGATRON}", "--map-bt", "--map-by"),
        (f"numactl --membin=0 {COMMAND}", "--membin", "--membind"),
        ("docker run --gpu all vllm/vllm-openai --model Qwen/Qwen3-8B", "--gpu", "--gpus"),
        (f"srun docker run --sm-size 1g image torchrun --nnodes 2 {MEGATRON}", "--sm-size", "--shm-size"),
    ],
)
def test_an_option_that_a_launcher_does_not_have_is_told(text, written, meant, formulas):
    launch = formulas.read_launch(text, gpus=8)
    assert [each.split()[0] for each in launch.unknown] == [written]
    assert any(f"no option {written}" in each and f"`{meant}`" in each for each in launch.remarks), launch.remarks


def test_the_tables_of_launchers_say_where_their_options_are_from(formulas):
    launchers = {name for name, each in programs_of(formulas.evaluator.library).items() if each.purpose == "launcher"}
    assert {"torchrun", "slurm", "mpirun", "deepspeed-launcher", "accelerate-launcher", "container"} <= launchers
