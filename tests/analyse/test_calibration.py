"""Inputs are found again in runs made from them, what runs do not tell is said, and a wrong table is refused."""

import csv
import io
import itertools
import json
from pathlib import Path

import pytest

from formula_eval.analyse.calibration.calibration import calibration
from formula_eval.analyse.calibration.run_table import read_runs
from formula_eval.cli import main
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.terminal.calibration import scenario_text
from formula_eval.records.givens import Question

pytest.importorskip("scipy")
pytestmark = pytest.mark.slow

ASKED = Question({"model": "llama2-7b", "hardware": "h100-sxm"})
HEAD = "tp,batch,inference.ttft (ms),inference.tpot (ms)\n"
TRUE = {"gemm_efficiency_16": 0.55, "decode_memory_efficiency": 0.6}


@pytest.fixture(scope="module")
def evaluator(formulas):
    return formulas.evaluator


@pytest.fixture(scope="module")
def table(evaluator):
    """Runs of a machine with these efficiencies, each figure a few percent off, one of them half as fast."""
    program = evaluator.program(["inference.ttft", "inference.tpot"])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*HEAD.strip().split(","), "node"])
    for number, (tp, batch) in enumerate((tp, batch) for tp in (1, 2, 4) for batch in (1, 8, 32, 64)):
        asked = ASKED._replace(values={"tp": str(tp), "batch": str(batch)})
        found = program.evaluate({**evaluator.givens(asked).values, **TRUE})
        off = 1 + 0.02 * (-1) ** number
        late = 2.0 if number == 5 else 1.0
        times = (1000 * off * found["inference.ttft"] * late, 1000 / off * found["inference.tpot"])
        writer.writerow([tp, batch, *times, f"node {tp}"])
    return text.getvalue()


@pytest.fixture
def runs(evaluator, tmp_path):
    def read(text, **more):
        (tmp_path / "runs.csv").write_text(text, encoding="utf-8")
        return read_runs(evaluator, ASKED, tmp_path / "runs.csv", **more)

    return read


def test_inputs_are_found_again_despite_noise_and_one_run_far_off(evaluator, runs, table):
    found = calibration(evaluator, runs(table, ignored=["node"]), list(TRUE))
    for each in found.inputs:
        assert float(each.after) == pytest.approx(TRUE[each.name], rel=0.03)
        assert each.determined
        assert abs(float(each.after) / TRUE[each.name] - 1) < 5 * each.error
    assert found.after.median < 0.03 < found.before.median
    assert found.held_out.median < 0.04
    assert found.runs == 24
    assert "gemm_efficiency_16 = 0.5" in scenario_text(found, "runs.csv")


def test_what_runs_do_not_tell_stays_and_is_said(evaluator, runs, table):
    head, *rows = table.splitlines(keepends=True)
    short = "".join([head, *(row for row in rows if row.split(",")[1] == "1")])  # the cache is next to nothing
    measured = runs(short, ignored=["node", "inference.ttft (ms)"])
    names = ["decode_kernel_time", "host_step_time", "network_efficiency"]
    found = {each.name: each for each in calibration(evaluator, measured, names).inputs}
    assert not found["network_efficiency"].determined
    assert float(found["network_efficiency"].after) == pytest.approx(
        float(found["network_efficiency"].before), rel=1e-6
    )
    assert found["decode_kernel_time"].together == ("host_step_time",)


def test_python_and_the_command_fit_the_same(formulas, table, tmp_path, monkeypatch, capsys):
    file = tmp_path / "runs.csv"
    file.write_text(table.replace(",node\n", ",note\n"), encoding="utf-8")
    asked = ["calibrate", str(file), "--model", "llama2-7b", "--fit", ",".join(TRUE), "--hold-out", "note"]
    assert main([*asked, "--format", "json", "-o", str(tmp_path / "mine.toml")]) == 0
    data = json.loads(capsys.readouterr().out)
    found = formulas.calibrate(file, fit=list(TRUE), group="note", model="llama2-7b")
    assert [each["after"] for each in data["inputs"]] == [float(each.after) for each in found.inputs]
    assert data["errors"]["held_out"]["mean"] == found.held_out.mean
    assert main(["--model", "llama2-7b", "--inputs", str(tmp_path / "mine.toml"), "--only", "tpot"]) == 0
    monkeypatch.setenv("COLUMNS", "80")
    assert main(asked) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_groups_are_held_out_together(evaluator, runs, table):
    found = calibration(evaluator, runs(table, group="node"), list(TRUE))
    assert [group for group, _ in found.groups] == ["node 1", "node 2", "node 4"]
    assert sum(each.n for _, each in found.groups) == 24


def test_units_are_read(runs):
    one, two = runs("tp (GPU),inference.tpot (ms)\n2,5\n"), runs("tp,inference.tpot (s)\n2,0.005\n")
    assert one[0].measured == pytest.approx(two[0].measured, rel=1e-15)
    assert one[0].givens.values["tp"] == two[0].givens.values["tp"] == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        (HEAD, "holds no measured run"),
        (HEAD + "1,8,20\n", "line 2: 3 cells under 4 columns"),
        (HEAD + "1,8,,\n", "line 2: nothing was measured"),
        (HEAD + "1,8,fast,5\n", "line 2: .*`fast`, which is not a number"),
        (HEAD + "1,8,-20,5\n", "what was measured is above 0"),
        (HEAD + "1,8,nan,5\n", "what was measured is above 0"),
        (HEAD + "1,many,20,5\n", "line 2: .*many"),
        (HEAD + "3,8,20,5\n1,8,20,5\n1,8,20,50\n", "line 4: 10 times .* of .*line 3"),
        ("tpp,inference.tpot (ms)\n1,5\n", "`tpp` is neither an input nor a quantity"),
        ("tp,inference.tpot\n1,5\n", "names no unit"),
        ("tp,inference.tpot (GB)\n1,5\n", "which is not shown in `GB`"),
        ("tp,batch\n1,5\n", "is a quantity that was measured"),
        ("tp,tp,inference.tpot (ms)\n1,1,5\n", "two columns are `tp`"),
        ("tp,memory.fits\n1,1\n", "is not a number"),
    ],
)
def test_a_table_that_is_wrong(runs, text, says):
    with pytest.raises(FormulaError, match=says):
        runs(text)


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["gemm_eficiency_16"], "is not an input"),
        (["batch"], "batch"),
        (["training_bits"], "not"),
        (
            ["memory_bandwidth"],
            "`memory_bandwidth` is not marked `fitted` .*\n.*Fit `memory_efficiency`, `decode_memory_eff",
        ),
        (["gemm_efficiency_16", "fp32_peak"], "is not an input"),
        (["training_kernel_time"], "Nothing that was measured depends on .*\n.*Fit .*`decode_kernel_time`"),
        (["link_efficiency", "gemm_efficiency_16", "decode_memory_efficiency"], "figures do not tell 3 inputs"),
    ],
)
def test_what_cannot_be_fitted(evaluator, runs, names, says):
    with pytest.raises(FormulaError, match=says):
        calibration(evaluator, runs(HEAD + "1,8,20,5\n"), names)


def test_exactly_the_inputs_that_are_marked_fitted_may_move(evaluator, runs):
    """The marks are read from the text of the chapters, apart from the engine's own reading."""
    measured = runs(HEAD + "1,8,20,5\n")
    read = evaluator.program(["inference.ttft", "inference.tpot"]).inputs
    numbers = [each for each in read if evaluator.schema.inputs[each].quantity.kind == "number"]
    marked, refused = set(), set()
    for name in numbers:
        file, line = evaluator.schema.inputs[name].place.rsplit(":", 1)
        following = (Path(__file__).parents[2] / file).read_text(encoding="utf-8").splitlines()[int(line) :]
        notes = itertools.takewhile(str.strip, following)
        marked.update({name} if any(text.startswith('    fitted "') for text in notes) else ())
        try:
            calibration(evaluator, measured, [name])
        except FormulaError as error:
            refused.update({name} if error.diagnostics[0].code == "not-fitted" else ())
    assert marked
    assert refused == set(numbers) - marked


def test_a_figure_that_nothing_predicts_is_refused(evaluator, runs):
    table = HEAD + "1,8,20,5\n2,8,20,5\n4,8,20,5\n8,8,1e-320,5\n"
    with pytest.raises(FormulaError, match="which nothing predicts"):
        calibration(evaluator, runs(table), ["gemm_efficiency_16"])
