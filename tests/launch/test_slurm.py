"""What Slurm gives a script: nodes and accelerators of its `#SBATCH` lines, and the variables that tell them."""

import pytest

from formula_eval.launch.launch_reader import read_launch


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("--gpus-per-node=h100:8", "8"),
        ("--gpus-per-node=8", "$SLURM_GPUS_PER_NODE"),
        ("--gres=gpu:h100:8", "8"),
        ("--gpus=32", "8"),
    ],
)
def test_what_slurm_gives_is_followed(asked, said, formulas):
    text = (
        f"#!/bin/bash\n#SBATCH --job-name=x\n#SBATCH --nodes=4  # of eight\n#SBATCH {asked}\n"
        f"srun torchrun --nnodes $SLURM_NNODES --nproc_per_node {said} pretrain_gpt.py --bf16"
    )
    launch = read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)
    assert launch.stated["gpus"] == 32
    assert launch.stated.get("hardware") == ("h100" if "h100" in asked else None)
    assert not launch.remarks


def test_a_type_that_no_record_is_called_is_told(formulas):
    text = "#!/bin/bash\n#SBATCH --gres=gpu:tesla:4\nsrun vllm serve Qwen/Qwen3-8B -tp 4"
    launch = read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)
    assert "hardware" not in launch.stated
    assert "--gres: tesla is not known here: give --gpu." in launch.remarks
