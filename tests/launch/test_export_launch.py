"""`export launch`: the command for a configuration, with reasons, and what it cannot say."""

import json

import pytest

from formula_eval.cli import main
from formula_eval.launch.launch_reader import read_launch

ASKED = ["--model", "llama3.1-70b", "--gpu", "h100-sxm", "--tp", "4", "--prompt", "8000", "--generated", "192"]


def test_a_command_says_the_configuration(formulas, capfd):
    assert main(["export", "launch", "--program", "vllm", *ASKED, "--request-rate", "3 request/s"]) == 0
    text = capfd.readouterr().out
    launch = read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)
    assert launch.stated["tp"] == 4
    assert launch.stated["max_model_len"] == 8192
    assert "# --tensor-parallel-size 4: tp = 4: Tensor-parallel degree." in text


def test_what_cannot_be_written_is_told(capfd):
    assert main(["export", "launch", *ASKED]) == 2
    assert "--program vllm" in capfd.readouterr().err
    assert main(["export", "launch", "--program", "vlm", *ASKED]) == 2
    assert "Did you mean `vllm`?" in capfd.readouterr().err
    assert main(["export", "launch", "--program", "megatron", *ASKED]) == 2
    assert "Ask with --answer training." in capfd.readouterr().err
    assert main(["export", "excel", *ASKED]) == 2
    assert "Missing option '-o'" in capfd.readouterr().err


def test_json_tells_what_became_of_each_option(capfd):
    text = "vllm serve Qwen/Qwen3-8B -tp 2 --port 80 --offload-group-size 4 --no-such-option 1"
    assert main(["--from", text, "--gpu", "h100-sxm", "--only", "memory.fits", "--format", "json"]) == 0
    launch = json.loads(capfd.readouterr().out)["launch"]
    assert {"option": "-tp", "said": 2, "input": "tp", "value": 2} in launch["used"]
    assert "memory_fraction" in [each["input"] for each in launch["defaults"]]
    assert (list(launch["without_effect"]), list(launch["without_input"])) == (["--port"], ["--offload-group-size"])
    assert launch["unknown"] == ["--no-such-option"]


@pytest.mark.parametrize(
    "model", ["llama2-70b", "llama3.1-8b", "llama4-scout", "qwen3-0.6b", "deepseek-v3", "mistral-7b-v0.1"]
)
def test_torchtitan_names_its_own_models_by_family_and_size(model, formulas, capfd):
    assert main(["export", "launch", "--program", "torchtitan", "--training", "--model", model]) == 0
    text = capfd.readouterr().out
    launch = read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)
    assert launch.stated["model"] == model
    assert ("--model.flavor" in text) == (model != "mistral-7b-v0.1")


@pytest.mark.parametrize(("split", "boards", "share"), [("0.7,0.3", 1, 0.3), ("3,1", 1, 0.25), ("2,1,1", 2, 0.5)])
def test_llama_cpp_tells_the_share_of_a_second_kind(split, boards, share, capfd):
    launch = f"llama-server -hf Qwen/Qwen3-32B-GGUF:Q4_K_M --tensor-split {split}"
    asked = ["--gpu", "rtx-4090", "--second-gpu", "rtx-3090", "--second-gpus", str(boards)]
    assert main(["--from", launch, *asked, "--only", "second_share,pp", "--format", "json"]) == 0
    stated = json.loads(capfd.readouterr().out)["launch"]["stated"]
    assert (stated["second_share"], stated["pp"]) == (pytest.approx(share), 1)


@pytest.mark.parametrize(
    ("asked", "split", "back"),
    [
        ("--second-share 0.3", "0.7,0.3", [0.3, 1]),
        ("--second-layers 16", "48,16", [0.25, 1]),
        ("--second-gpus 2 --second-share 0.5", "0.5,0.25,0.25", [0.5, 1]),
        ("--pp 2 --second-gpus 2 --second-layers 24", "20,20,12,12", [0.375, 2]),
    ],
)
def test_llama_cpp_is_told_the_share_of_a_second_kind(asked, split, back, capfd):
    """Read again beside the second kind, the share and the accelerators of the first are those of before."""
    boards = ["--gpu", "rtx-4090", "--second-gpu", "rtx-3090"]
    words = ["--model", "qwen3-32b", "--number-format", "q4_k_m", *boards, *asked.split()]
    assert main(["export", "launch", "--program", "llama.cpp", *words]) == 0
    text = capfd.readouterr().out
    assert f"--tensor-split {split}" in text
    assert " x rtx-4090 and " in text
    assert "Not said by this command: memory_fraction = 0.9 (read as 1)\n" in text
    number = asked.split()[asked.split().index("--second-gpus") :][:2] if "--second-gpus" in asked else []
    assert main(["--from", text, *boards, *number, "--only", "second_share,pp", "--format", "json"]) == 0
    stated = json.loads(capfd.readouterr().out)["launch"]["stated"]
    assert [stated["second_share"], stated["pp"]] == [pytest.approx(each) for each in back]


def test_llama_cpp_shares_layers_among_accelerators(formulas, capfd):
    assert main(["export", "launch", "--program", "llama.cpp", "--model", "llama3.1-70b", "--pp", "4"]) == 0
    text = capfd.readouterr().out
    assert "--tensor-split 1,1,1,1" in text
    assert "Not said by this command:" in text
    assert "memory_fraction = 0.9 (read as 1)" in text
    assert read_launch(text, formulas.evaluator.library, formulas.evaluator.schema).stated["pp"] == 4


@pytest.mark.parametrize(
    ("program", "asked", "shown"),
    [
        ("torchtune", ["--training", "--model", "llama3.1-8b"], "torchtune.models.llama3_1.llama3_1_8b"),
        ("torchtune", ["--training", "--tuning", "lora", "--lora-targets", "q_v"], "llama3_1.lora_llama3_1_8b"),
        ("maxtext", ["--training", "--model", "deepseek-v3"], "model_name=deepseek3-671b"),
    ],
)
def test_a_program_is_told_the_name_that_it_gives_a_model(program, asked, shown, capfd):
    model = [] if "--model" in asked else ["--model", "llama3.1-8b"]
    assert main(["export", "launch", "--program", program, *asked, *model]) == 0
    assert shown in capfd.readouterr().out


@pytest.mark.parametrize(
    ("program", "model", "says"),
    [
        ("maxtext", "falcon-7b", "MaxText has no name for the model tiiuae/falcon-7b"),
        ("megatron-lm", "jamba-v0.1", "The options of Megatron-LM do not say all of ai21labs/Jamba-v0.1"),
    ],
)
def test_a_model_that_a_program_has_no_words_for_is_not_written(program, model, says, capfd):
    assert main(["export", "launch", "--program", program, "--training", "--model", model]) == 2
    assert says in capfd.readouterr().err


@pytest.mark.parametrize(
    ("program", "asked", "unsaid"),
    [
        ("torchtitan", ["--dp", "64"], ["zero_stage = 1 (read as 3)", "recipe = megatron (read as fsdp)"]),
        ("deepspeed", ["--dp", "4", "--pp", "2"], ["model = meta-llama/Llama-3.1-8B", "pp = 2", "dp = 4 GPUs"]),
        ("accelerate", ["--dp", "8"], ["model = meta-llama/Llama-3.1-8B"]),
    ],
)
def test_what_is_read_otherwise_is_listed(program, asked, unsaid, capfd):
    model = ["--training", "--model", "llama3.1-8b", "--gpu", "h100-sxm"]
    assert main(["export", "launch", "--program", program, *model, *asked]) == 0
    told = capfd.readouterr()
    text = " ".join((told.out + told.err).replace("#", " ").split())
    assert "Not said by this" in text
    assert [each for each in unsaid if each not in text] == []


def test_a_launch_that_does_not_fit_is_warned_of(capfd):
    asked = ["--model", "llama3.1-405b", "--gpu", "rtx-4090", "--number-format", "fp8"]
    assert main(["export", "launch", "--program", "vllm", *asked]) == 0
    assert "warn: Does not fit: 411.9 GB of 22.79 GB" in capfd.readouterr().err


def test_a_service_of_kserve_is_read_as_it_was_written(formulas, capfd):
    assert main(["export", "launch", "--program", "sglang", "--as", "kserve", *ASKED]) == 0
    text = capfd.readouterr().out
    assert "kind: InferenceService" in text
    launch = read_launch(text, formulas.evaluator.library, formulas.evaluator.schema)
    assert (launch.program, launch.stated["model"], launch.stated["tp"]) == ("sglang", "llama3.1-70b", 4)


@pytest.mark.parametrize("model", ["deepseek-v3", "gpt2-medium", "mixtral-8x7b", "qwen3-32b", "qwen2.5-7b"])
def test_megatron_is_told_the_whole_model(model, capfd):
    asked = ["--training", "--model", model, "--gpu", "h100-sxm", "--dp", "8"]
    assert main(["export", "launch", "--program", "megatron-lm", *asked]) == 0
    assert "Not said" not in capfd.readouterr().out


def test_each_option_says_who_set_it_and_what_counts_it(capfd):
    asked = ["--model", "llama3.1-8b", "--gpu", "h100-sxm", "--tp", "2", "--number-format", "fp8", "--prompt", "512"]
    assert main(["export", "launch", "--program", "vllm", *asked]) == 0
    text = " ".join(capfd.readouterr().out.replace("#", " ").split())
    assert "--max-model-len 640: prompt = 512, generated = 128 by default: Tokens of one prompt: 512," in text
    assert "memory_fraction = 0.9 from presets/engine.toml" in text
    assert "memory.usable_bytes reads it" in text
    assert "--quantization fp8: format = fp8: FP8 weights and activations" in text


@pytest.mark.parametrize(
    ("program", "asked", "says", "silent"),
    [
        ("vllm", ["--number-format", "awq"], "weights that are quantised already", "--max-model-len"),
        ("vllm", ["--drafter", "eagle", "--drafted-tokens", "3"], "--speculative-config.method eagle3", "dspark"),
        (
            "vllm",
            ["--drafter", "eagle", "--drafted-tokens", "3"],
            "name it with --speculative-config.model",
            "quantised",
        ),
        ("sglang", ["--drafter", "eagle", "--drafted-tokens", "3"], "--speculative-draft-model-path", "quantised"),
        ("llama.cpp", ["--number-format", "q4_k_m", "--kv-bits", "8.5"], "--cache-type-v q8_0", "--ctx-size"),
        ("llama.cpp", ["--number-format", "q4_k_m"], "a repository of GGUF files", "--cache-type-v"),
        ("llama.cpp", ["--number-format", "q4_k_m", "--kv-bits", "8"], "kv_bits = 8 (read as 8.5)", "f16"),
    ],
)
def test_what_a_launch_needs_besides_is_told_and_what_nobody_stated_is_left_out(program, asked, says, silent, capfd):
    assert main(["export", "launch", "--program", program, "--model", "qwen3-8b", "--gpu", "h100-sxm", *asked]) == 0
    text = " ".join(capfd.readouterr().out.replace("#", " ").split())
    assert says in text
    assert silent not in text


def test_experts_on_the_host_are_said_in_layers(capfd):
    asked = ["--model", "qwen3-30b-a3b", "--gpu", "rtx-4090", "--number-format", "q4_k_m"]
    more = ["--offloaded-experts", "0.75", "--expert-processor", "host"]
    assert main(["export", "launch", "--program", "llama.cpp", *asked, *more]) == 0
    assert "--n-cpu-moe 36" in capfd.readouterr().out


def test_a_script_under_the_name_of_another_file_is_told(tmp_path, capfd):
    path = tmp_path / "run.toml"
    asked = ["--training", "--model", "llama3.1-8b", "--gpu", "h100-sxm", "--dp", "8"]
    assert main(["export", "launch", "--program", "torchtitan", *asked, "-o", str(path)]) == 0
    told = capfd.readouterr()
    assert "what runs it" in told.out
    assert "holds a shell script" in told.err


def test_a_file_is_not_wrapped_as_a_command_is(capfd):
    asked = ["--training", "--model", "llama3.1-8b", "--gpu", "h100-sxm"]
    assert main(["export", "launch", "--program", "axolotl", "--as", "docker", *asked]) == 2
    assert "Axolotl is configured by a file" in capfd.readouterr().err
    assert main(["export", "launch", "--program", "axolotl", *asked]) == 0
    assert "# seq = 4096 by default: Tokens of one training sequence: 4096," in capfd.readouterr().out
