"""Validates the formulas against a file of measured points: rows, error tables, and the errors of other tools."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from formula_eval.analyse.validate.comparisons import MeasuredRow, Selection, rows
from formula_eval.analyse.validate.cross_validation import LEFT_OUT, Refit, cross_validated
from formula_eval.analyse.validate.other_tools import Peer, peers
from formula_eval.analyse.validate.parameters import read_fits
from formula_eval.analyse.validate.points import Point, read_points
from formula_eval.analyse.validate.sources import library_folder, read_sources
from formula_eval.analyse.validate.statistics import Summary, summaries, totals
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.kept_results import kept_result


class Validation(NamedTuple):
    """The results of a validation."""

    rows: Sequence[MeasuredRow]  # one for each measured figure of each point
    summaries: Sequence[Summary]  # errors by source and figure
    totals: Sequence[Summary]  # errors by figure over all sources, and core points
    peers: Sequence[Peer]  # published errors of other tools, beside ours
    refits: Sequence[Refit] = ()  # fits with groups left out; empty for none

    def worst(self, most: int) -> list[MeasuredRow]:
        """The rows with the largest errors, worst first."""
        return sorted((row for row in self.rows if row.ran), key=lambda row: -abs(row.error))[:most]


def with_measured(evaluator: Evaluator) -> Evaluator:
    """An evaluator that also knows the formulas which only measurements need."""
    library = evaluator.library.and_folder(Path(library_folder(evaluator.library)))
    return Evaluator(library, evaluator.cache)


def validate(
    evaluator: Evaluator, place: str | Path, selection: Selection, leave_out: Sequence[str] = ()
) -> Validation:
    """Compare the points of a file with the formulas; raises FormulaError for a file that holds no points."""
    points = selection.points(read_points(place), read_sources(evaluator.library))
    if not points:
        raise refuse("no-points", f"No point of `{place}` is selected", help="Is --source spelt as in the file?")
    evaluator = with_measured(evaluator)
    found = validation_of(evaluator, points, selection.metric)
    return found._replace(refits=refits(evaluator, found, leave_out)) if leave_out else found


def refits(evaluator: Evaluator, validation: Validation, leave_out: Sequence[str] = LEFT_OUT[:1]) -> list[Refit]:
    """Refits with each group left out, and predicts its rows; raises FormulaError without SciPy."""
    return cross_validated(evaluator, read_fits(evaluator.library, evaluator.schema), validation.rows, leave_out)


def validation_of(evaluator: Evaluator, points: Sequence[Point], metric: str = "*") -> Validation:
    """Compares points already read; the evaluator must know the formulas that measurements need."""

    def compare() -> Validation:
        return _validation_of(evaluator, points, metric)

    return kept_result(evaluator.library, evaluator.cache, Validation, (metric, points), compare)


def _validation_of(evaluator: Evaluator, points: Sequence[Point], metric: str) -> Validation:
    found = rows(evaluator, points, read_sources(evaluator.library), metric)
    if not found:
        raise refuse("no-points", f"No point has a figure named `{metric}`")
    return Validation(found, summaries(found), totals(found), peers(evaluator.library, found))
