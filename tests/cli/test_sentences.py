"""Words without an option say the same as options do."""

import shlex
import tomllib
from functools import partial
from pathlib import Path

import pytest

from formula_eval import Formulas
from formula_eval.cli.another_verb import AnotherVerb
from formula_eval.cli.words import options_said
from formula_eval.evaluate.evaluator import Evaluator

SENTENCES = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("said", SENTENCES)
def test_words_are_options(said: str, formulas: Formulas) -> None:
    found = _meaning(said.split(), formulas.evaluator)
    assert shlex.join(found) == SENTENCES[said]


_PLAIN = [each for each, meant in SENTENCES.items() if "/" not in each and "," not in each and "--only" not in meant]


def _meaning(words: list[str], evaluator: Evaluator) -> list[str]:
    """The options that words say, behind the verb that they ask for, if any."""
    meant = partial(options_said, words, evaluator.library, evaluator.schema, job=False)
    try:
        return meant(["search", "plan"], verb="evaluate")
    except AnotherVerb as another:
        verb, *own = another.verb.split()  # `solve request_rate`
        return [verb, *own, *meant([], verb=verb, chooses=verb != "plan")]


# The test above holds what every sentence means; a sixth of them shows that the command asks for it.
@pytest.mark.parametrize("said", _PLAIN[::6])
def test_they_are_answered_alike(said: str, run) -> None:  # type: ignore[no-untyped-def]
    asked = ["--only", "inference.tpot"]
    assert run(*said.split(), *asked)[:2] == run(*shlex.split(SENTENCES[said]), *asked)[:2]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("--model llama3.1-70b --gpu 8xH100", "--model llama3.1-70b --gpu H100 --tp 8"),
        ("--hardware=16xh200 --model deepseek-v3", "--model deepseek-v3 --gpu h200 --tp 8 --pp 2"),
        ("llama3.1-70b --instance 2xp5.48xlarge", "llama3.1-70b 2x p5.48xlarge"),
    ],
)
def test_a_count_may_stand_before_the_name_in_an_option(said: str, meant: str, run) -> None:  # type: ignore[no-untyped-def]
    asked = ["--only", "inference.tpot"]
    assert run(*said.split(), *asked)[:2] == run(*meant.split(), *asked)[:2]
    assert run(*said.split(), *asked)[0] == 0


def test_a_library_that_stands_alone_has_words_of_its_own(run) -> None:  # type: ignore[no-untyped-def]
    library = ["--library", str(Path(__file__).parents[2] / "examples" / "household"), "--only", "cost_per_km"]
    assert run("ioniq-6-53", *library) == run("--car", "ioniq-6-53", *library)
    code, _, said = run("ioniq-6-53", "8", "gpus", *library)
    assert code == 2
    assert "`8` is no record of any kind (tariff" in said


def test_a_count_is_of_the_job_where_one_is_asked_about(run) -> None:  # type: ignore[no-untyped-def]
    asked = ["--only", "training.step_time"]
    words = run("--training", "llama3-8b", "16", "h100", *asked)
    assert words[0] == 0
    assert words == run("--training", "--model", "llama3-8b", "--gpu", "h100", "--gpus", "16", *asked)


def test_list_alone_lists_what_can_be_listed(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("list")
    assert code == 0
    assert {"models", "hardware", "inputs", "units"} <= {
        line.split()[0] for line in out.splitlines() if line[:1] != " "
    }


COMMAND = "vllm serve Qwen/Qwen3-8B --tensor-parallel-size 2"


def test_a_command_that_starts_a_server_is_read_as_one(run) -> None:  # type: ignore[no-untyped-def]
    beside = ["--gpu", "l40s", "--only", "inference.tpot"]
    expected = run("--from", COMMAND, *beside)
    assert expected[0] == 0
    assert run(*COMMAND.split(), *beside) == expected
    assert run(COMMAND, *beside) == expected
    assert run(COMMAND, "l40s", "--only=inference.tpot") == expected


def test_words_in_quotes_are_words(run) -> None:  # type: ignore[no-untyped-def]
    asked = ["--only", "inference.tpot"]
    assert run("llama 3.1 70b on 8 h100", *asked) == run("llama", "3.1", "70b", "on", "8", "h100", *asked)


def test_words_stand_behind_the_quantities_that_are_explained(run) -> None:  # type: ignore[no-untyped-def]
    found = run("explain", "inference.ttft", "inference.tpot", "gpt2", "l40s")
    assert found[0] == 0
    assert found == run("explain", "inference.ttft", "inference.tpot", "--model", "gpt2", "--gpu", "l40s")


@pytest.mark.slow
def test_what_a_command_leaves_to_the_accelerator_is_told_of_several(run) -> None:  # type: ignore[no-untyped-def]
    names = ("l40s", "h100")
    code, out, said = run("compare", "--from", COMMAND, "--gpu", ",".join(names), "--only", "time per output token")
    assert code == 0
    assert "`max_sequences` follows from what it runs on: 256 with l40s, 1024 with h100" in said
    for name in names:
        one = (
            run("--from", COMMAND, "--gpu", name, "--only", "inference.tpot")[1].removeprefix("inference.tpot").strip()
        )
        assert one in out
    assert "--max-sequences" not in run("compare", "--from", COMMAND, "--gpu", "h100,h200")[2]


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("train llama3-8b 16xh100", "--training --model llama3-8b --gpu h100 --gpus 16"),
        ("fine-tune llama3-8b on h100", "--training --model llama3-8b --gpu h100"),
        (
            "llama3-8b qlora rtx4090",
            "--model llama3-8b --training --tuning qlora --lora-targets all_linear --gpu rtx4090",
        ),
        ("how long does it take to train llama3-8b on 64 h100", "--training --model llama3-8b --gpu h100 --gpus 64"),
    ],
)
def test_words_of_training_ask_about_a_run(said: str, options: str, run) -> None:  # type: ignore[no-untyped-def]
    asked = ["--only", "training.step_time"]
    words = run(*said.split(), *asked)
    assert words[0] == 0
    assert words == run(*options.split(), *asked)


@pytest.mark.slow  # reads another library, as below
@pytest.mark.parametrize(("count", "accelerators"), [("4xH100", 4), ("2xH100", 2)])
def test_a_count_is_of_the_job_in_a_library_about_training(count: str, accelerators: int, run) -> None:  # type: ignore[no-untyped-def]
    code, answer, _ = run("grpo", "qwen2.5-7b", count, "--only", "rl.accelerators")
    assert (code, answer.split()[:2]) == (0, ["rl.accelerators", str(accelerators)])


def test_words_behind_options_are_read_behind_names_of_quantities(run) -> None:  # type: ignore[no-untyped-def]
    words = run("explain", "mfu", "--training", "llama3.1-8b", "64xH100", "--depth", "0")
    assert words[0] == 0
    assert words == run(
        "explain", "mfu", "--training", "--model", "llama3.1-8b", "--gpu", "H100", "--gpus", "64", "--depth", "0"
    )
    several = run("explain", "tpot", "--model", "llama3-8b", "ttft", "--depth", "0")
    assert [each in several[1] for each in ("inference.tpot =", "inference.ttft =")] == [True, True]


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("ollama run llama3.1:70b m2 ultra", "--from 'ollama run llama3.1:70b' --gpu 'm2 ultra'"),
        ("ollama run llama3.1:8b 2xh100", "--from 'ollama run llama3.1:8b' 2xh100"),
        ("ollama run gpt-oss:20b rtx4090", "--from 'ollama run gpt-oss:20b' --gpu rtx4090"),
        ("vllm serve Qwen/Qwen3-8B -tp 2 --gpu l40s", "--from 'vllm serve Qwen/Qwen3-8B -tp 2' --gpu l40s"),
        (
            "vllm serve Qwen/Qwen3-8B -tp 2 --concurrency 64 --gpu l40s --prompt 4k",
            "--from 'vllm serve Qwen/Qwen3-8B -tp 2' --concurrency 64 --gpu l40s --prompt 4k",
        ),
        ("ollama run llama3.1:8b hello", "--from 'ollama run llama3.1:8b hello'"),
    ],
)
def test_a_command_is_not_read_word_by_word(said: str, options: str, run) -> None:  # type: ignore[no-untyped-def]
    asked = ["--only", "memory.weights_bytes"]
    words = run(*said.split(), *asked)
    assert words[0] == 0
    assert words == run(*shlex.split(options), *asked)


@pytest.mark.parametrize(
    ("command", "shares"),
    [("ollama run llama3.1:70b", "--pp 2"), ("vllm serve meta-llama/Llama-3.1-70B", "--tp 2")],
)
def test_a_count_behind_a_command_is_shared_as_its_engine_does(command: str, shares: str, run) -> None:  # type: ignore[no-untyped-def]
    asked = ["--only", "memory.weights_bytes", "--only", "inference.tpot"]
    words = run(*command.split(), "2xh100", *asked)
    assert words[0] == 0
    assert words == run("--from", command, "--gpu", "h100", *shares.split(), *asked)


@pytest.mark.parametrize("option", ["--engine llama.cpp", "--number-format q4_k_m"])
def test_a_count_is_shared_as_the_engine_of_an_option_does(option: str, run) -> None:  # type: ignore[no-untyped-def]
    asked = [*option.split(), "--only", "memory.weights_bytes"]
    words = run("llama3.3-70b", "2xrtx-3090", *asked)
    assert words[0] == 0
    assert words == run("--model", "llama3.3-70b", "--gpu", "rtx-3090", "--pp", "2", *asked)


@pytest.mark.parametrize(
    ("tag", "gigabytes"),  # of the file that https://ollama.com/library lists
    [
        ("llama3.1:70b", 43),
        ("llama3.1:8b", 4.9),
        ("llama3:8b", 4.7),
        ("llama2", 3.8),
        ("mixtral", 26),
        ("llama3.2:1b", 1.3),
    ],
)
def test_a_tag_of_ollama_is_as_large_as_its_file(tag: str, gigabytes: float, run) -> None:  # type: ignore[no-untyped-def]
    code, answer, _ = run("ollama", "run", tag, "--only", "memory.weights_bytes in GB")
    assert code == 0
    assert float(answer.split()[1]) == pytest.approx(gigabytes, rel=0.03)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "options", "only"),
    [
        (
            "make 10 images with flux.1-dev h100",
            "--denoiser flux.1-dev --gpu h100 --diffusion.images 10",
            "diffusion.batch_time",
        ),
        ("10min of speech whisper-large-v3 h100", "--model whisper-large-v3 --gpu h100 --audio '10 min'", "prompt"),
        (
            "--library diffusion --model flux.1-dev --gpu h100",
            "--denoiser flux.1-dev --gpu h100",
            "diffusion.batch_time",
        ),
        (
            "lora of flux on a 4090",
            "--denoiser flux.1-dev --training --tuning lora --lora-targets all_linear --gpu rtx-4090",
            "diffusion.learning.learning_bytes",
        ),
        ("embedding 100M chunks with bge-m3", "--model bge-m3 --embedding.documents 100M", "embedding.corpus_time"),
        ("embed 2M docs with bge-m3", "--model bge-m3 --embedding.documents 2M", "embedding.corpus_time"),
    ],
)
def test_a_model_of_another_library_is_found_wherever_it_stands(said: str, options: str, only: str, run) -> None:  # type: ignore[no-untyped-def]
    words = run(*said.split(), "--only", only)
    assert words[0] == 0
    assert words[1] == run(*shlex.split(options), "--only", only)[1]


def test_an_option_may_be_of_the_verb_that_words_ask_for(run) -> None:  # type: ignore[no-untyped-def]
    words = run("which", "matters", "more", "for", "decode", "llama3.1-8b", "--top", "2")
    assert words[0] == 0
    assert words == run("sensitivity", "tpot", "llama3.1-8b", "--top", "2")


def test_a_model_with_its_format_is_solved_for(run) -> None:  # type: ignore[no-untyped-def]
    words = run(*shlex.split("how many users at 30 tok/s on 2xh100 llama3.3-70b fp8"))
    assert words[0] == 0
    asked = ["--model", "llama3.3-70b", "--number-format", "fp8", "--gpu", "h100", "--tp", "2"]
    assert words[1] == run("solve", "concurrency", *asked, "--where", "running_tpot < 33.3333 ms")[1].replace(
        "where running_tpot", "where inference.running_tpot"
    )


def test_what_one_side_alone_states_is_told(run) -> None:  # type: ignore[no-untyped-def]
    said = "--number-format fp8 is said of one side and holds for all"
    asked = ["--only", "memory.weights_bytes"]
    assert said in run(*shlex.split("compare llama3.1-8b h100 tp 4 fp8 vs h200 tp 2"), *asked)[2]
    assert said not in run(*shlex.split("compare llama3.1-8b fp8 h100 tp 4 fp8 vs h200 tp 2 fp8"), *asked)[2]
