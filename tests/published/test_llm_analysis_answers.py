"""What the command prints as llm-analysis' answer."""

from collections.abc import Callable

import pytest

from formula_eval.cli import main

Command = Callable[..., str]

LLAMA = ("--model", "llama-7b", "--gpu", "a100-sxm-80gb", "--ffn-hidden", "16384", "--gated", "false")
RUN = ("--training", "--tp", "8", "--pp", "8", "--gpus", "2048", "--global-batch", "4000000", "--recompute", "core")
TOKENS = ("--training-tokens", "1e12", "--flops-efficiency", "0.5", "--hbm-efficiency", "0.9")


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Command:
    """The command, within this namespace: its output, or what it complains of."""

    def command(*arguments: str) -> str:
        main(("--namespace", "published.llm_analysis", *arguments))
        return "".join(capsys.readouterr())

    return command


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("more", [(), ("--tp", "4", "--batch", "8"), (*RUN, *TOKENS), ("--training", "--dp", "64")])
def test_no_line_is_too_wide(
    more: tuple[str, ...], columns: int, ask: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = ask(*LLAMA, *more)
    assert "Assumed by llm-analysis" in text
    assert max(len(line) for line in text.splitlines()) <= columns


def test_inference(ask: Command) -> None:
    """The first row of the page about LLaMA."""
    words = ask(*LLAMA).split()
    assert " ".join(words).count("22.41 ms") == 1
    assert " ".join(words).count("6.73 ms") == 1


def test_training(ask: Command) -> None:
    """The first row of its table of GPU-hours, rounded, and what the tool reports today."""
    words = ask(*LLAMA, *RUN, *TOKENS).split()
    assert "77,833" in words
    assert "107,040" in words


def test_each_is_refused_on_its_own(ask: Command) -> None:
    """What the tool refuses in training alone it still answers in inference."""
    more = ("--model", "llama-65b", "--gpu", "h100-sxm", "--ffn-hidden", "32768", "--gated", "false", "--tp", "16")
    assert "exceeds the 8 accelerators of a node: the tool refuses" in ask(*more, "--training")
    assert "yet counts on their fast" in ask(*more)
