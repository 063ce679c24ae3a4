"""`compare` puts our answer beside those of published tools, in four forms, and says why they differ."""

import csv
import io
import json
import shlex
from pathlib import Path

import pytest

from counted import seen
from formula_eval.analyse.compare.published_tools import FILE, correspondences

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ASKED = shlex.split("--model llama2-70b --gpu a100-sxm-40gb --tp 8 --batch 20 --prompt 1024 --generated 1024")
PREFILL = ("--only", "prefill work")


@pytest.mark.parametrize("columns", [80, 120])
def test_lines_fit_the_terminal(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, err = run("compare", *ASKED, "--why")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= columns
    head, *rows = out.splitlines()
    assert head.split() == ["ours", "llm-analysis", "llm_profiler", "GenZ"]
    assert rows[0].split()[:2] == ["parameters", "68.98"]


def test_ratios_stand_beneath_where_there_is_no_room_beside(run, monkeypatch):
    narrow = run("compare", *ASKED, *PREFILL, "--why").out.splitlines()
    assert narrow[1].split()[0] == "prefill"
    assert all(each.startswith("x") for each in narrow[2].split())
    monkeypatch.setenv("COLUMNS", "120")
    wide = run("compare", *ASKED, *PREFILL, "--why").out.splitlines()
    assert [each for each in wide[1].split() if each.startswith("x")] == narrow[2].split()


def test_columns_that_do_not_fit_follow_beneath(run, tmp_path):
    text = (ROOT / FILE).read_text(encoding="utf-8")
    column = '[[column]]\nkey = "llm_counts"\ntitle = "llm_counts, a year on"\nnamespace = "published.llm_counts"\n\n'
    rows = text.replace("[[quantity]]\n", f"{column}[[quantity]]\n", 1)
    rows = rows.replace('llm_profiler = "passes', 'llm_counts = "passes.prefill.flops"\nllm_profiler = "passes')
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(rows, encoding="utf-8")
    lines = run("compare", *ASKED, *PREFILL, "--why", "--library", str(tmp_path)).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if line.endswith((" GenZ", "a year on"))] == ["ours", "ours"]


def test_a_difference_is_explained(run):
    out = " ".join(run("compare", *ASKED, *PREFILL, "--why").out.split())
    assert "3.244 PFLOP" in out
    assert "ours flops.prefill = batch *" in out
    assert "passes.prefill.flops = layers * layer_flops + positions_flops" in out
    assert "passes.prefill.projections_flops: As if every head had keys and values of its own." in out
    assert "experts_per_token" not in out
    assert "link_bandwidth 600 GB/s (ours 300 GB/s)" in " ".join(run("compare", *ASKED, "--why").out.split())


def test_every_tool_is_asked_the_same(run):
    data = json.loads(run("compare", *ASKED, "--only", "KV cache*", "--format", "json").out)
    (answers,) = (each["answers"] for each in data["quantities"])
    assert answers["GenZ"]["ratio"] == pytest.approx(1)
    assert not {"beams", "prompt", "generated"} & {name for each in data["columns"] for name in each["assumes"]}
    four = json.loads(run("compare", *ASKED, "--beams", "4", "--only", "KV cache*", "--format", "json").out)
    assert four["quantities"][0]["answers"]["GenZ"]["value"] > answers["GenZ"]["value"]


def test_a_part_is_multiplied(run):
    out = " ".join(run("compare", *ASKED, *PREFILL, "--why").out.split())
    assert "prefill_flops = (total_flops with call = prefill_call), times shards" in out


def test_notes_about_experts_are_for_models_that_have_some(run):
    out = run("compare", "--model", "mixtral-8x7b", "--gpu", "h100-sxm", "--tp", "8", *PREFILL, "--why").out
    assert "[B3] One expert is counted" in " ".join(out.split())


def test_a_tool_that_refuses_does_not_stop_the_others(run):
    code, out, _ = run("compare", "--model", "llama2-70b", "--gpu", "a100-sxm-40gb", "--only", "parameters")
    assert code == 0
    assert out.splitlines()[1].split() == ["parameters", "68.98", "G", "68.71", "G", "x0.996", "refused"]
    assert "Not answered" in out
    assert "llm_profiler Beside the weights" in " ".join(out.split())


def test_training(run):
    asked = shlex.split(
        "--model llama-7b --gpu a100-sxm-80gb --tp 4 --micro-batch 1 --seq 2048 --training --training-tokens 1e9"
    )
    data = json.loads(run("compare", *asked, "--format", "json").out)
    titles = [each["title"] for each in data["quantities"]]
    assert "time of a step" in titles
    assert "prefill time" not in titles
    assert all(each["answers"]["ours"]["value"] is not None for each in data["quantities"])


def test_as_data(run):
    data = json.loads(run("compare", *ASKED, "--format", "json").out)
    rows = list(csv.DictReader(io.StringIO(run("compare", *ASKED, "--format", "csv").out)))
    assert len(rows) == sum(len(each["answers"]) for each in data["quantities"])
    answers = next(each["answers"] for each in data["quantities"] if each["title"] == "decode time")
    assert answers["llm_profiler"]["value"] == pytest.approx(0.014577604426489314)
    assert answers["llm_profiler"]["ratio"] == answers["llm_profiler"]["value"] / answers["ours"]["value"]
    assert answers["llm_profiler"]["notes"]
    timed = next(each for each in rows if each["quantity"] == "decode time" and each["namespace"] == "llm_profiler")
    assert float(timed["value"]) == answers["llm_profiler"]["value"]
    assert timed["unit"] == "s"


def test_as_markdown_in_a_file(run, tmp_path):
    target = tmp_path / "compared.md"
    assert run("compare", *ASKED, *PREFILL, "--format", "markdown", "-o", str(target)).out == ""
    text = target.read_text(encoding="utf-8")
    assert "|  | ours | llm-analysis | ratio | llm_profiler | ratio | GenZ | ratio |" in text
    assert "- llm_profiler, x1." in text


def test_one_tool_alone(run):
    out = run("compare", *ASKED, "--only", "memory.*", "--namespace", "published.llm_profiler").out
    assert out.splitlines()[0].split() == ["ours", "llm_profiler"]
    assert [line.split("  ")[1] for line in out.splitlines()[1:4]] == [
        "weights per GPU",
        "KV cache per GPU",
        "largest batch",
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("--model llama2-70b --only prefil", "Nothing that is compared is named `prefil`"),
        ("--model llama2-70b --only 'time of a step'", "Nothing that is compared is named"),
        ("--model llama2-70b --namespace published.genie", "Did you mean `published.genz`"),
        ("--model llama2-70b --namespace training", "is not compared with ours"),
        ("--training --model llama2-70b --namespace published.genz", "Nothing of this is answered by published.genz"),
        ("--model llama2-70b --format yaml", "'yaml' is not one of"),
        ("--model llama2-70b --tp zero", "zero"),
        ("--model lama2-70b", "llama2-70b"),
        ("--gpu h100-sxm", "Which model?"),
        ("lama2-70b", "llama2-70b"),
    ],
)
def test_what_is_wrong_is_said(run, line, says):
    code, out, err = run("compare", *shlex.split(line))
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no column is named"),
        ("column = 1", "`column` is `1`, which is not a list of tables"),
        ('[[column]]\nkey = "ours"', "lacks `title`"),
        ("{columns}", "compares nothing about serving"),
        ("{alike}{columns}", "no input is named `promt`"),
        ('{columns}[[quantity]]\ntitle = "x"', "lacks `ours`"),
        ('{columns}[[quantity]]\ntitle = "x"\nours = "params.all"', "no quantity is named `params.all`"),
        ('{columns}[[quantity]]\ntitle = "x"\nours = "params.total"\ntheirs = "x"', "names no column `theirs`"),
        ('{columns}[[quantity]]\ntitle = "x"\nours = "flops.prefill"\ntool = "total_params"', "is of another kind"),
        (
            '{columns}[[quantity]]\ntitle = "x"\nours = "params.total"\nbecause = []',
            "`because` of a [[quantity]] is a list, not a table",
        ),
        (
            (
                '{columns}[[quantity]]\ntitle = "x"\nours = "params.total"\ntool = "embedding_params"\n'
                'because = {{ tool = ["total_parameters"] }}'
            ),
            "no formula is named `published.llm_profiler.total_parameters`",
        ),
        (
            (
                '{columns}[[quantity]]\ntitle = "x"\nours = "params.total"\n'
                'because = {{ tool = ["total_params if expert"] }}'
            ),
            "`expert` is not an input",
        ),
    ],
)
def test_a_file_of_ones_own_that_is_wrong(run, tmp_path, text, says):
    columns = '[[column]]\nkey = "ours"\ntitle = "ours"\nnamespace = ""\n'
    columns += '[[column]]\nkey = "tool"\ntitle = "tool"\nnamespace = "published.llm_profiler"\n'
    alike = 'alike = ["promt"]\n'
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(
        text.format(columns=columns, alike=alike) if text.startswith("{") else text, encoding="utf-8"
    )
    code, _, err = run("compare", *ASKED, "--library", str(tmp_path))
    assert code == 2
    assert says in err
    assert "Traceback" not in err


@pytest.fixture
def evaluator(formulas):
    return formulas.evaluator


def test_every_reason_has_a_note(evaluator):
    declared = {**evaluator.graph.functions, **{name: each.declaration for name, each in evaluator.graph.nodes.items()}}
    for quantity in seen(correspondences(evaluator.library, evaluator.schema).quantities):
        for each in (each for reasons in quantity.because.values() for each in reasons):
            assert declared[each.formula].notes.remarks, each.formula


@pytest.mark.parametrize("asked", [ASKED, ("--training", *ASKED), ("--model", "mixtral-8x7b", "--tp", "8")])
def test_the_short_form_is_one_screen_with_the_main_reason_of_each_row(asked, run):
    code, out, err = run("compare", *asked)
    assert (code, "--batch has no effect" in err) == (0, "--training" in asked)
    lines = out.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80
    assert "(--why has all)" in out
    assert "[Q" not in out
    assert len(run("compare", *asked, "--why").out.splitlines()) > len(lines)


def test_the_page_of_published_tools_shows_what_is_compared(evaluator):
    page = (ROOT / "formulas" / "published" / "README.md").read_text(encoding="utf-8")
    known = correspondences(evaluator.library, evaluator.schema)
    for quantity in seen(known.quantities):
        title = f"{quantity.title} ({quantity.about})" if quantity.about else quantity.title
        cells = [_cell(quantity, each.key, f"{each.namespace}.") for each in known.columns]
        assert f"| {' | '.join((title, *cells))} |" in page


def _cell(quantity, key, space):
    names = [named[key].removeprefix(space) for named in (quantity.names, quantity.factors) if key in named]
    return " times ".join(f"`{each}`" for each in names)
