"""What the command prints as llm_profiler's answer, and as that of its later version."""

from collections.abc import Callable

import pytest

from formula_eval.cli import main

Command = Callable[..., str]

LLAMA_ANY_BATCH = ("--model", "llama2-70b", "--gpu", "a100-sxm-40gb", "--tp", "8", "--prompt", "1024")
LLAMA = (*LLAMA_ANY_BATCH, "--batch", "20")
DECODE = (*LLAMA, "--phase", "decode")
EXPERTS = ("--model", "qwen3-30b-a3b", "--gpu", "h100-sxm", "--tp", "2", "--batch", "16", "--phase", "prefill")


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Command:
    """The command, within one of both namespaces: its output, or what it complains of."""

    def command(namespace: str, *arguments: str) -> str:
        main(("--namespace", f"published.{namespace}", *arguments))
        return "".join(capsys.readouterr())

    return command


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("more", [DECODE, EXPERTS])
@pytest.mark.parametrize("namespace", ["llm_profiler", "llm_counts"])
def test_no_line_is_too_wide(
    namespace: str, more: tuple[str, ...], columns: int, ask: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = ask(namespace, *more).splitlines()
    assert "Operators of one layer" in " ".join(lines)
    assert max(map(len, lines)) <= columns


def test_the_example_of_the_readme(ask: Command) -> None:
    words = " ".join(ask("llm_profiler", *LLAMA, "--generated", "1024").split())
    for text in ("68,714,496,000", "1.766 s", "14.58 ms", "271 sequences", "538,357 tokens", "640 us"):
        assert text in words


def test_what_the_tool_refuses_is_refused(ask: Command) -> None:
    assert "the tool refuses" in ask("llm_profiler", "--model", "llama2-70b", "--gpu", "a100-sxm-40gb")
    assert "160 would: the tool refuses" in ask("llm_counts", *LLAMA_ANY_BATCH, "--generated", "1024", "--batch", "161")
