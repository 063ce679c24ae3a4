"""A question that names what ours does not know is asked of the shipped library that does, and says so."""

import re
import shlex
from pathlib import Path

import pytest

from counted import seen
from formula_eval import FormulaError, Formulas, load
from formula_eval.analyse.listing import listing
from formula_eval.cli import main
from formula_eval.libraries import find_library, shipped_libraries
from formula_eval.library import OURS

pytestmark = pytest.mark.slow

KNOWN_ELSEWHERE = [
    ("qwen2.5-vl-7b --only params.total", "vision"),
    ("--model qwen2.5-vl-7b --only params.total", "vision"),
    ("Qwen/Qwen2.5-VL-7B-Instruct --only params.total", "vision"),
    ("--model black-forest-labs/FLUX.1-dev --only diffusion.total_params", "diffusion"),
    ("--model=qwen2.5-vl-7b --images 2 --image-size 1024x768 --only vision.image_tokens", "vision"),
    ("qwen3-vl-8b --images 3 --image-size 1024 --only ttft", "vision"),
    ("explain vision.encoder_params --model qwen2.5-vl-7b --depth 1", "vision"),
    ("compare qwen2.5-vl-7b h100,h200 --only params.total", "vision"),
    ("whisper-large-v3 --audio 1h --batch 16 --only rtfx", "audio"),
    ("--model qwen2.5-omni-7b --audio 30s --only ttft", "audio"),
    ("--model qwen2.5-omni-7b --images 1 --image-size 448 --only ttft", "omni"),
    ("--model qwen2.5-omni-7b --audio 30s --images 1 --image-size 448 --only ttft", "omni"),
    ("--model bge-m3 --documents 10M --only embedding.corpus_time", "embedding"),
    ("bge-m3 h100 --index hnsw --dims 256 --only embedding.index_bytes", "embedding"),
    ("--denoiser flux.1-dev --only diffusion.total_params", "diffusion"),
    ("flux.1-dev --steps 28 --only diffusion.total_params", "diffusion"),
    ("--model flux.1-dev --steps 28 --image-size 1024 --only diffusion.image_time", "diffusion"),
    ("--model sdxl --steps 30 --image-size 1024 --no-resident --only diffusion.needed_bytes", "diffusion"),
    ("--model wan2.1-t2v-14b --frames 81 --image-size 1280x720 --steps 50 --only diffusion.image_time", "diffusion"),
    ("--model flux.1-dev --training --lora-rank 16 --only diffusion.learning.adapter_params", "diffusion"),
    ("list denoisers", "diffusion"),
    ("grpo llama3.1-8b 8xH100 --only rl.step_time", "reinforcement_learning"),
    ("PPO llama3.1-8b 8xH100 --only rl.critic_states_bytes", "reinforcement_learning"),
    ("--method dapo --model qwen3-8b --only rl.step_time", "reinforcement_learning"),
]
BUILT_ON = {"omni": ("audio", "vision")}


@pytest.mark.parametrize(("words", "library"), KNOWN_ELSEWHERE)
def test_the_library_that_knows_is_asked(words: str, library: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 0
    output, errors = capsys.readouterr()
    assert f"note: answered by the library `{library}`" in errors
    *verb, rest = words.split(" ", 1) if words.split(maxsplit=1)[0] in ("explain", "compare", "list") else [words]
    assert (
        main(
            [
                *verb,
                "--library",
                library,
                *re.sub("--model (?=flux|black|sdxl|wan)", "--denoiser ", rest).split(),
            ]
        )
        == 0
    )
    assert capsys.readouterr().out == output


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (
            "explain ttft qwen2.5-vl-7b l4 --images 4 --image-size 1024x768 --depth 1",
            "explain ttft --model qwen2.5-vl-7b --gpu l4 --images 4 --image-size 1024x768 --depth 1 --library vision",
        ),
        ("whisper turbo t4", "--model 'whisper turbo' --gpu t4 --library audio"),
        (
            "how many hours of podcast per day on one t4 with whisper turbo",
            "--gpu t4 --model whisper-turbo --only audio_hours_per_day --library audio",
        ),
        (
            "transcribe 100 hours of audio with whisper-large-v3-turbo on l4",
            "--model whisper-large-v3-turbo --gpu l4 --audio '100 hour' --library audio",
        ),
        (
            "parakeet-tdt-0.6b-v2 a100-sxm-80gb 10min audio --only rtfx",
            "--model parakeet-tdt-0.6b-v2 --gpu a100-sxm-80gb --audio 10min --only rtfx --library audio",
        ),
        (
            "sensitivity images_per_hour flux.1-dev h100",
            "sensitivity images_per_hour --denoiser flux.1-dev --gpu h100 --library diffusion",
        ),
        (
            "compare qwen2.5-vl-7b,qwen2-vl-7b l4 --images 1 --image-size 9 --only ttft",
            "compare --model qwen2.5-vl-7b,qwen2-vl-7b --gpu l4 --images 1 --image-size 9 --only ttft --library vision",
        ),
        (
            "compare flux.1-dev,sdxl h100 --only fits",
            "compare --denoiser flux.1-dev,sdxl --gpu h100 --only fits --library diffusion",
        ),
        (
            "5 second video with wan2.2-t2v-a14b --only diffusion.frames",
            "--model wan2.2-t2v-a14b --video 5s --only diffusion.frames",
        ),
        (
            "index 10M passages with bge-m3 --only embedding.index_bytes",
            "--model bge-m3 --embedding.documents 10M --only embedding.index_bytes",
        ),
        ("rerank 100 docs bge-reranker-v2-m3 l4", "--model bge-reranker-v2-m3 --gpu l4 --embedding.candidates 100"),
        (
            "qwen2.5-7b grpo 8k rollouts 8xh100 --only rl.step_time",
            "--rl.method grpo --model qwen2.5-7b --gpu h100 --gpus 8 --rl.answer-limit 8k --only rl.step_time",
        ),
        (
            "grpo qwen2.5-7b 16 samples per prompt 8 h100 --only rl.step_time",
            "--rl.method grpo --model qwen2.5-7b --gpu h100 --gpus 8 --rl.group-size 16 --only rl.step_time",
        ),
    ],
)
def test_words_are_options_there_too(words: str, options: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 0
    told = capsys.readouterr().out
    assert main(shlex.split(options)) == 0
    assert capsys.readouterr().out == told


def test_words_name_what_a_document_is_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "json", "flux.1-dev", "h100", "-o", str(tmp_path / "x.json")]) == 0
    assert "answered by the library `diffusion`" in capsys.readouterr().err


def test_the_answer_of_a_library_takes_the_place_of_a_purpose(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--method", "grpo", "--model", "qwen3-8b", "--only", "rl.step_time"]
    assert main(["--training", *asked]) == 0
    told = capsys.readouterr().out
    assert main(asked) == 0
    assert capsys.readouterr().out == told


def test_a_file_to_write_is_no_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, told in ((tmp_path, "answered by the library `vision`"), (Path("no-folder"), "no-folder")):
        main(["export", "json", "-o", f"{folder}/x.json", "--model", "Qwen/Qwen2.5-VL-7B-Instruct", "--only", "params"])
        assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "bge-large-en-v1.5 h100 --ep 8",
        "qwen2.5-vl-77b",
        "llama2-70b --imagess 2",
        "llama2-70b --questions 3",
        "explain visions.width",
        "my/model",
    ],
)
def test_what_nobody_knows_is_refused_as_ever(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    assert "answered by the library" not in capsys.readouterr().err


def test_a_library_that_was_named_is_the_one_that_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "formulas").mkdir()
    assert main(["qwen2.5-vl-7b", "--library", str(tmp_path)]) == 2
    assert "no record" in capsys.readouterr().err


def test_a_size_states_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["qwen2.5-vl-7b", "--only", "vision.image_tokens"]
    assert main([*wanted, "--image-size", "1024x768"]) == 0
    both = capsys.readouterr().out
    assert main([*wanted, "--image-width", "1024", "--image-height", "768"]) == 0
    assert capsys.readouterr().out == both
    assert main([*wanted, "--image-size", "1024x768x3"]) == 2
    assert "image_width x image_height" in capsys.readouterr().err


def test_python_tells_which_library_to_load(formulas: Formulas) -> None:
    for given in ({"model": "qwen2.5-vl-7b"}, {"model": "qwen2.5-vl-7b", "image_width": 512}):
        with pytest.raises(FormulaError, match=r'load\("vision"\)'):
            formulas.evaluate(**given)
    assert load("vision").evaluate(model="qwen2.5-vl-7b", only="params.total")["params.total"] == 8_292_166_656


def test_shipped_libraries_are_called_by_name_and_stand_in_ours() -> None:
    for name in seen(shipped_libraries()):
        library = find_library([name])
        used = [OURS / "libraries" / each for each in BUILT_ON.get(name, ())]
        assert library.folders == (OURS, *used, OURS / "libraries" / name)
        assert library.title
        assert (
            library.shown(library.folders[-1], library.folders[-1] / "library.toml") == f"libraries/{name}/library.toml"
        )


def test_a_folder_goes_before_a_shipped_library_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "vision" / "formulas").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert find_library(["vision"]).folders[-1] == Path("vision")


def test_lists_show_what_shipped_libraries_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "models", "qwen2.5-vl-7b"]) == 0
    assert "Qwen2.5-VL 7B" in capsys.readouterr().out
    assert main(["list", "libraries"]) == 0
    output = capsys.readouterr().out
    assert all(name in output for name in shipped_libraries())


def test_denoisers_are_listed_among_the_models(formulas: Formulas):
    found = listing(formulas.evaluator, "models", ["flux"], shipped=True)
    assert [row[:2] for row in found.rows] == [
        ("flux.1-dev", "FLUX.1 [dev]"),
        ("flux.1-fill-dev", "FLUX.1 Fill [dev]"),
        ("flux.1-schnell", "FLUX.1 [schnell]"),
        ("flux.2-dev", "FLUX.2 [dev]"),
        ("flux.2-klein-4b", "FLUX.2 [klein] 4B"),
        ("flux.2-klein-9b", "FLUX.2 [klein] 9B"),
    ]


@pytest.mark.parametrize(
    "launch",
    [
        "vllm serve Qwen/Qwen3-VL-8B-Instruct --max-model-len 32768",
        "services: {v: {image: 'vllm/vllm-openai:v0.11.0', command: --model Qwen/Qwen3-VL-8B-Instruct -tp 2}}",
    ],
)
def test_a_launch_of_a_model_of_another_library_is_asked_of_it(
    launch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "launch.yaml").write_text(launch)
    source = launch if launch.startswith("vllm") else str(tmp_path / "launch.yaml")
    assert main(["--from", source, "--only", "params.total"]) == 0
    told, said = capsys.readouterr()
    assert "8,767,123,696" in told
    assert "answered by the library `vision`" in said


def test_a_bare_command_is_read_in_another_library_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vllm", "serve", "Qwen/Qwen3-VL-8B-Instruct", "--max-model-len", "32768"]) == 0
    assert re.search(r"--max-model-len 32768 +max model len 32,768", capsys.readouterr().out)


VERL = """python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=512
 data.max_response_length=2048
 actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.actor.ppo_mini_batch_size=128
 actor_rollout_ref.rollout.tensor_model_parallel_size=4 actor_rollout_ref.rollout.n=8 trainer.n_gpus_per_node=8
 trainer.nnodes=2"""
OPENRLHF = """python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 1 --actor_num_gpus_per_node 8 --vllm_num_engines 4
 --vllm_tensor_parallel_size 2 --pretrain Qwen/Qwen2.5-7B-Instruct --rollout_batch_size 128 --n_samples_per_prompt 8
 --train_batch_size 256 --zero_stage 3 --advantage_estimator group_norm --bf16"""


@pytest.mark.parametrize(
    ("launch", "answers", "optimizer_steps", "accelerators"),
    [(VERL, "4,096", "4", "16 GPUs"), (OPENRLHF, "1,024", "4", "16 GPUs")],
)
def test_a_launch_of_a_program_of_another_library_is_asked_of_it(
    launch: str, answers: str, optimizer_steps: str, accelerators: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--from", " ".join(launch.split()), "--gpu", "h100"]) == 0
    told, said = capsys.readouterr()
    assert "answered by the library `reinforcement_learning`" in said
    assert re.search(rf"answers +{answers} ", told)
    assert re.search(rf"optimizer steps +{optimizer_steps} ", told)
    assert re.search(rf"accelerators +{accelerators.split(maxsplit=1)[0]}\b", told)


def test_a_command_of_a_program_of_another_library_needs_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*VERL.split(), "--gpu", "h100"]) == 0
    told, said = capsys.readouterr()
    assert "answered by the library `reinforcement_learning`" in said
    assert re.search("answers +4,096 ", told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("actor_rollout_ref.actor.ppo_micro_batch_size=128", "packed tokens 20,480"),
        ("actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4", "packed tokens 10,240"),
        (
            "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 actor_rollout_ref.model.use_remove_padding=True",
            "micro batch answers 4",
        ),
    ],
)
def test_a_micro_batch_of_verl_is_of_one_accelerator_and_padded_unless_it_says_so(
    said: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*VERL.split(), *said.split(), "--gpu", "h100"]) == 0
    assert told in capsys.readouterr().out


def test_a_text_that_no_library_reads_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--from", "frobnicate --x 3"]) == 2
    assert "starts no program that is known here" in capsys.readouterr().err
