"""What the verbs print."""

import json

import pytest
from click.shell_completion import ShellComplete

from formula_eval.analyse.listing import KINDS
from formula_eval.cli.check import beside_ours
from formula_eval.cli.command import cli, verbs
from formula_eval.cli.terminal import this_screen
from formula_eval.libraries import find_library

CHAPTER = '''"""Doubling."""

doubled: dim = 2 * hidden
    "Twice the width"
    derived "twice the width"
    example model = gpt2 -> 1536

check too_wide warn: doubled < 1000000
    "{doubled} is much."
'''


def test_explain(run):
    out = run("explain", "memory.kv_bytes_per_token", "--model", "llama2-70b").out
    lines = out.splitlines()
    assert lines[0] == "memory.kv_bytes_per_token = 327,680 byte/token"
    assert max(len(line) for line in lines) <= 80
    assert any("layers = 80 layers" in line and "models/llama2-70b.toml" in line for line in lines)
    assert "see above" in out


def test_explain_as_data(run):
    (step,) = json.loads(run("explain", "params.total", "--model", "gpt2", "--format", "json").out)
    assert step["number"] == 124_439_808
    assert step["steps"]


def test_show(run):
    out = run("show", "memory.kv_bytes_per_token").out
    for text in ("kv_bytes_per_token: byte/token = ", r"m_{\mathrm{KV}}", "Pope", "https://arxiv.org/", "read by"):
        assert text in out
    assert run("show", "params.total", "--format", "latex").out == "P = P_L + P_{\\mathrm{enc}} + P_0\n"
    (page,) = json.loads(run("show", "params.total", "--format", "json").out)
    assert page["unit"] == "param"


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("models llama2-70b", "llama2-70b"),
        ("hardware h100-pcie", "h100-pcie"),
        ("formats mxfp8", "mxfp8"),
        ("engines sglang", "sglang"),
        ("families cdna4", "cdna4"),
        ("inputs kv_bits", "Nothing"),
        ("inputs --kv-bits", "--kv-bits"),
        ("formulas params.total", "params.total"),
        ("namespaces memory", "memory"),
        ("models llama3.1 70b", "llama3.1-70b"),
        ("evidence h200 VLLM mixture", "h200-sxm  vllm-1"),
    ],
)
def test_list(line, first, run):
    arguments = line.split()
    out = run("list", arguments[0], "--", *arguments[1:]).out
    assert (out.splitlines()[-1] if first == "Nothing" else out.splitlines()[1]).startswith(first)
    assert max(len(each) for each in out.splitlines()) <= 80


@pytest.mark.parametrize("what", list(KINDS))
def test_lists_as_data(what, run):
    rows = json.loads(run("list", what, "--format", "json").out)
    assert len({json.dumps(row) for row in rows}) == len(rows) > 3


@pytest.mark.slow
def test_check(run, tmp_path):
    path = tmp_path / "own.formula"
    path.write_text(CHAPTER, encoding="utf-8")
    assert run("check", str(path)) == (0, "1 formula, 1 example hold.\n", "")
    path.write_text(CHAPTER.replace("1536", "1537"), encoding="utf-8")
    code, out, _ = run("check", str(path), "--format", "json")
    (found,) = json.loads(out)
    assert (code, found["code"]) == (2, "wrong-example")
    assert "gives 1536, not 1537" in found["message"]


def test_show_in_a_notation(run):
    assert run("show", "inference.replica_gpus", "--notation", "excel").out == "tp*pp*cp*attention_dp+second_gpus\n"
    assert run("show", "params.total", "--notation", "latex").out == "P_L + P_{\\mathrm{enc}} + P_0\n"
    assert "has no formula of its own that numpy could show" in run("show", "gpus", "--notation", "numpy").err


def test_show_takes_patterns(run):
    names = [each["name"] for each in json.loads(run("show", "arrivals.*", "inference.ttft", "--format", "json").out)]
    assert {"arrivals.load", "arrivals.ttft", "inference.ttft"} < set(names)
    assert all(each.startswith("arrivals.") for each in names[:-1])
    assert run("show", "nowhere.*").code == 2


def test_what_is_ours_is_checked_as_a_whole(tmp_path):
    ours = find_library().folders[0]
    within = [ours, ours / "formulas", ours / "formulas" / "memory" / "weights.formula", ""]
    assert [beside_ours(str(each)) for each in within] == [""] * 4
    assert beside_ours(str(tmp_path)) == str(tmp_path)


def test_fmt(run, tmp_path):
    path = tmp_path / "own.formula"
    path.write_text(CHAPTER.replace("2 * hidden", "2*hidden"), encoding="utf-8")
    assert run("fmt", "--check", str(tmp_path)) == (2, f"{path}\n", "")
    assert run("fmt", str(tmp_path)) == (0, f"{path}\n", "")
    assert path.read_text(encoding="utf-8") == CHAPTER
    assert run("fmt", "--check", str(tmp_path)) == (0, "", "")


def test_fmt_knows_the_units_of_the_library_that_a_chapter_lies_in(run, tmp_path):
    path = tmp_path / "formulas" / "own.formula"
    path.parent.mkdir()
    path.write_text('"""What images are counted in."""\n\nunit pixel count\n    "pixel"\n\nside: pixel = 3 pixel\n')
    for named in (tmp_path, path.parent, path):
        assert run("fmt", "--check", str(named)) == (0, "", "")


@pytest.mark.slow
def test_a_library_of_ones_own(run, tmp_path, monkeypatch):
    folder = tmp_path / "formulas" / "mine"
    folder.mkdir(parents=True)
    (folder / "own.formula").write_text(CHAPTER, encoding="utf-8")
    asked = ("--model", "gpt2", "--only", "mine.doubled")
    assert run(*asked, "--library", str(tmp_path)).out == "mine.doubled  1,536 dims\n"
    assert run(*asked).code == 2
    monkeypatch.setenv("FORMULA_EVAL_LIBRARY", str(tmp_path))
    assert run(*asked).out == "mine.doubled  1,536 dims\n"
    (folder / "own.formula").write_text(CHAPTER.replace("hidden", "hiden"), encoding="utf-8")
    assert f"{folder / 'own.formula'}:3:" in run(*asked).err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell, run):
    assert "_FORMULA_EVAL_COMPLETE" in run("completion", shell).out


@pytest.mark.parametrize(
    ("words", "incomplete", "found"),
    [
        ([], "ex", "explain"),
        ([], "--mod", "--model"),
        (["--model"], "llama2-7", "llama2-70b"),
        (["--gpu"], "h100-s", "h100-sxm"),
        (["--model", "gpt2"], "--memory-b", "--memory-bandwidth"),
        (["--model", "gpt2", "--only"], "params.to", "params.total"),
        (["--model", "gpt2", "--schedule"], "", "one_f_one_b"),
        (["explain", "params.total", "--recompute"], "f", "full"),
        (["explain"], "params.to", "params.total"),
        (["list"], "mo", "models"),
    ],
)
def test_completion(words, incomplete, found):
    completer = ShellComplete(cli, {}, "formula-eval", "_FORMULA_EVAL_COMPLETE")
    assert found in [each.value for each in completer.get_completions(words, incomplete)]


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ({}, "COMP_WORDS"),
        ({"COMP_WORDS": "formula-eval --m"}, "COMP_CWORD"),
        ({"COMP_WORDS": "x", "COMP_CWORD": "y"}, "COMP_CWORD"),
    ],
)
def test_half_a_request_for_completions_is_refused(said, missing, run, monkeypatch):
    monkeypatch.setenv("_FORMULA_EVAL_COMPLETE", "bash_complete")
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    done = run("--model", "gpt2")
    assert done.code == 2
    assert f"{missing} does not say of what\nhelp: Unset" in done.err


def test_version_and_help(run):
    assert run("--version").out.startswith("formula-eval ")
    lines = run("--help").out.splitlines()
    assert len(lines) <= 35 + len(verbs())
    assert max(map(len, lines)) <= 80
    assert run().out.splitlines() == lines
    out = "\n".join(lines)
    assert all(option in out for option in ("--model", "--gpu ", "--number-format", "--tp", "--batch", "--training"))
    assert all(f"\n  {verb} " in out for verb in verbs())


@pytest.mark.parametrize(("verb", "own"), [("search", "--minimise"), ("sweep", "--only")])
def test_the_help_of_a_verb_begins_with_its_own_options(run, verb, own):
    out = run(verb, "--help").out
    assert 0 < out.index(f"\n  {own}") < out.index("\n  --model ID") < out.index("\n  --help ")


def test_every_example_of_the_help_is_answered(run):
    """What the help shows can be pasted."""
    lines = [line.strip() for line in run("--help").out.splitlines()]
    examples = [line.split()[1:] for line in lines if line.startswith("formula-eval --") and "ID" not in line]
    asked = [words for words in examples if words[0] != "--help-all"]
    assert len(asked) > 1
    assert [run(*words)[::2] for words in asked] == [(0, "")] * len(asked)


def test_help_all_has_every_input(run):
    out = run("--help-all").out
    assert "--memory-bandwidth" in out
    assert "--help-all" in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_a_report_of_the_help_that_names_no_option(run, tmp_path):
    (tmp_path / "reports").mkdir()
    text = '[[group]]\ntitle = "Mine"\noptions = [{ names = ["bach"], says = "sequences" }]\n'
    (tmp_path / "reports" / "help.toml").write_text(text, encoding="utf-8")
    code, out, err = run("--library", str(tmp_path), "--help")
    assert (code, out) == (2, "")
    assert "no option is named `--bach`" in err
    assert "--batch" in err


def test_interrupted(run, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("formula_eval.cli.evaluate.answer_text", interrupted)
    assert run("--model", "gpt2") == (130, "", "\nInterrupted.\n")


def test_colours_only_on_a_terminal_and_if_wanted(run, monkeypatch):
    assert "\x1b" not in run("--model", "gpt2").out
    for variable, coloured in (("TERM", True), ("NO_COLOR", False)):
        monkeypatch.setenv(variable, "xterm")
        monkeypatch.setattr("formula_eval.cli.terminal.is_terminal", lambda: True)
        assert this_screen().paint("x", "title").startswith("\x1b") is coloured
        assert this_screen(coloured=False).paint("x", "title") == "x"
