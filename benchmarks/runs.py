"""Published measurements to presets/measured/runs: one line for each run that an answer may stand beside.

And to presets/measured/evidence.tsv: one line for each group of runs that `formula-eval list evidence` shows.

From the root of the repository (minutes):

    python -m benchmarks.runs

Which runs, by what they are told apart and which figures they hold is what the sections of kind `nearest` of
reports/answers say. Whoever moves a default or a formula of time runs it again: the file holds predictions too.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.evidence_counts import counted_evidence, evidence_lines, measured_points
from benchmarks.fitting.kept_fits import repeated_fits

from formula_eval import load
from formula_eval.analyse.evidence import GROUPS, read_evidence_layout
from formula_eval.analyse.nearest_run import FOLDER, PREDICTED, SOURCE
from formula_eval.analyse.validate.comparisons import MeasuredRow
from formula_eval.analyse.validate.predictions import lanes
from formula_eval.analyse.validate.validation import Validation, validation_of, with_measured
from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.ask.layout import Section
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.roles import roles_of

ROOT = Path(__file__).parents[1]
_DIGITS = 4
_PURPOSES = ("serving", "training")


def main() -> None:
    """Write a file for each section, and say how many runs it holds."""
    evaluator = with_measured(load().evaluator)
    sections = nearest_sections(evaluator)
    fitted, others = measured_points()
    validation = validation_of(evaluator, fitted)
    compared = (*validation.rows, *validation_of(evaluator, others).rows)
    write_evidence(evaluator, compared, validation)
    for name, lines in run_files(evaluator, sections, compared):
        path = ROOT / FOLDER / f"{name}.tsv"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(ROOT)}: {len(lines) - 1} runs\n")


def write_evidence(evaluator: Evaluator, compared: Sequence[MeasuredRow], fitted: Validation) -> None:
    """Write the groups of all runs, with what fits say that leave publishers out, and say how many groups there are."""
    layout = read_evidence_layout(evaluator.library)
    groups = counted_evidence(evaluator, layout, compared, repeated_fits(evaluator, fitted))
    (ROOT / GROUPS).write_text("".join(f"{line}\n" for line in evidence_lines(layout, groups)), encoding="utf-8")
    sys.stdout.write(f"{GROUPS}: {len(groups)} groups\n")


def nearest_sections(evaluator: Evaluator) -> list[Section]:
    """The sections of all answers that show a measured run."""
    layouts = (read_answer_layout(evaluator.library, purpose) for purpose in _PURPOSES)
    return [each for layout in layouts for each in layout.sections if each["kind"] == "nearest"]


def run_files(
    evaluator: Evaluator, sections: Sequence[Section], compared: Sequence[MeasuredRow]
) -> Iterator[tuple[str, list[str]]]:
    """The name and the lines of each file, the first of them its columns."""
    yield from ((each["runs"], _lines(each, evaluator, compared)) for each in sections)


def _lines(section: Section, evaluator: Evaluator, compared: Sequence[MeasuredRow]) -> list[str]:
    quantities = [each["name"] for each in section["entries"]]
    records = [each["record"] for each in section["by"] if "record" in each]
    numbers = [each["name"] for each in section["by"] if "name" in each]
    wanted = [row for row in compared if row.ran and row.quantity in quantities]
    scenarios = {row.point.id: row.scenario for row in wanted if row.scenario is not None}
    runs = {point: [row for row in wanted if row.point.id == point] for point in scenarios}
    program = evaluator.program(tuple(numbers))
    found = evaluate_many(program, lanes(program, list(scenarios.values())), failures="nan")
    figures = [name for each in quantities for name in (each, f"{each}{PREDICTED}")]
    lines = ["\t".join((SOURCE, roles_of(evaluator.library).model, *records, *numbers, *figures))]
    for place, (point, of_run) in enumerate(runs.items()):
        told = [
            *(scenarios[point].records.get(each, "") for each in records),
            *(_short(found[name][place]) for name in numbers),
        ]
        by_name = {row.quantity: row for row in of_run}
        lines.append("\t".join((of_run[0].point.source, _model(of_run[0]), *told, *_figures(quantities, by_name))))
    return [lines[0], *sorted(set(lines[1:]))]


def _figures(quantities: Sequence[str], by_name: Mapping[str, MeasuredRow]) -> Iterator[str]:
    for name in quantities:
        row = by_name.get(name)
        yield _short(row.measured * row.scale) if row else ""
        yield _short(row.predicted * row.scale) if row else ""


def _model(row: MeasuredRow) -> str:
    model = row.point.inputs.get("model")
    return str(model.get("name", "")) if isinstance(model, Mapping) else str(model or "")


def _short(value: float) -> str:
    return f"{float(value):.{_DIGITS}g}"


if __name__ == "__main__":
    main()
