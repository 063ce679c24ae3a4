"""A command that a document shows, run again as it is printed, launches the same; scripts of several lines too."""

import ast
import json
import shlex
import shutil
import subprocess

import pytest
from hypothesis import example, given, settings, strategies as st

from formula_eval.cli import main
from formula_eval.export.shell_text import command_of, lines_of
from samples import samples

_BASH = shutil.which("bash")
_TEXTS = {
    "comment": "# the old one\nvllm serve Qwen/Qwen3-8B -tp 2",
    "export": "export A='it is'\nexport TP=2\nvllm serve Qwen/Qwen3-8B -tp $TP",
    "here-document": 'cat > c.yaml <<EOF\ntensor-parallel-size: 2\nx:\n    y: "  \\"\\"\\" 1"\nEOF\n'
    "vllm serve Qwen/Qwen3-8B --config c.yaml",
    "tabs": "if true; then\n\tvllm serve Qwen/Qwen3-8B -tp 2\nfi",
    "json": '{"services": {"x": {"image": "vllm/vllm-openai", "command": "--model Qwen/Qwen3-8B -tp 2 --port 80"}}}',
    "continued": "vllm serve Qwen/Qwen3-8B \\\n    -tp 2",
    "long": "vllm serve Qwen/Qwen3-8B --tensor-parallel-size 2 --max-num-seqs 64 --port 8000 --host 0.0.0.0 --seed 1",
    "quotes": 'vllm serve Qwen/Qwen3-8B -tp 2 --hf-overrides \'{"a": "b  c"}\' --chat-template "it\'s"',
}
_ENDINGS = {"markdown": "md", "python": "py", "json": "json"}


def _words(line):
    """What bash makes of the words of a line."""
    environment = {"PATH": "/bin:/usr/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([_BASH, "-c", f"printf '%s\\0' {line}"], env=environment, capture_output=True, check=True)
    return done.stdout.decode().split("\0")[:-1]


def _in_markdown(text):
    return text.partition("```sh\n")[2].partition("\n```")[0]


def _in_python(text):
    written = text.partition('"""')[2].partition('"""')[0].strip().split("\n\n")[-1]
    assert ast.get_docstring(ast.parse(text)).endswith(written)
    return written


_SHOWN = {"markdown": _in_markdown, "python": _in_python, "json": lambda text: json.loads(text)["command"]}


def _launched(text, formulas):
    launch = formulas.read_launch(text)
    return launch.stated, launch.without_effect, launch.unknown


@pytest.mark.skipif(_BASH is None, reason="no bash is here")
@pytest.mark.parametrize("form", _SHOWN)
@pytest.mark.parametrize("text", _TEXTS.values(), ids=_TEXTS)
def test_a_document_shows_what_can_be_run(form, text, formulas, tmp_path, capsys):
    path = tmp_path / f"x.{_ENDINGS[form]}"
    assert main(["export", form, "--from", text, "--only", "params.total", "-o", str(path)]) == 0
    capsys.readouterr()
    words = _words(_SHOWN[form](path.read_text()))
    again = words[words.index("--from") + 1]
    assert _launched(again, formulas) == _launched(text, formulas)


@pytest.mark.skipif(_BASH is None, reason="no bash is here")
@pytest.mark.parametrize("text", _TEXTS.values(), ids=_TEXTS)
def test_the_answer_shows_what_can_be_run(text, formulas, capsys):
    assert main(["--from", text]) == 0
    shown = capsys.readouterr().out.rpartition("Command  ")[2]
    words = _words(shown)
    assert _launched(words[words.index("--from") + 1], formulas) == _launched(text, formulas)


@pytest.mark.skipif(_BASH is None, reason="no bash is here")
@settings(max_examples=samples(40))
@given(
    st.lists(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=20), max_size=5)
)
@example(["'"])
@example(['it\'s -tp 2 "a"', "'"])
def test_a_shell_reads_the_words(words):
    line = command_of(["formula-eval", *words])
    assert "\n" not in line
    assert _words(line) == ["formula-eval", *words]
    assert _words("\n   ".join(lines_of(line, 30))) == ["formula-eval", *words]


def test_a_line_ends_between_words():
    assert lines_of("a 'b c' --from 'vllm serve x -tp 2'", 12) == [
        "a 'b c' \\",
        "--from 'vllm \\",
        "serve x -tp \\",
        "2'",
    ]
    assert shlex.split("a 'b c'") == ["a", "b c"]
