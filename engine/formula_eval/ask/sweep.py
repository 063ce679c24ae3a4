"""Sweeps every combination of several values, on the processes that were asked for."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from formula_eval.analyse.search.record_grid import first_question
from formula_eval.analyse.sweep.cluster import sweep_on
from formula_eval.analyse.sweep.sweep_batches import Sweep, SweepQuantities
from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.ask.question import with_every_record
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question


class SweepRequest(NamedTuple):
    """A question whose options may have several values.

    Attributes:
        question: what is asked.
        only: names or globs of quantities, a column each; without any what heads the answer.
        where: conditions in the language of formulas that a row has to meet.
        zipped: takes the first value of each input together, then the second.
        sample: so many configurations drawn at random, those of `seed`.
        seed: which are drawn.
        anyway: takes a grid of any size.
        workers: computes in so many processes of this machine.
        cluster: computes on the workers of this Dask scheduler.

    """

    question: Question
    only: Sequence[str] = ()
    where: Sequence[str] = ()
    zipped: bool = False
    sample: int | None = None
    seed: int = 0
    anyway: bool = False
    workers: int | None = None
    cluster: str = ""


@contextmanager
def sweep(evaluator: Evaluator, request: SweepRequest) -> Iterator[Sweep]:
    """Yields the sweep, ready to compute; raises FormulaError for what is wrong, and for too large a grid."""
    question = with_every_record(evaluator, request.question)
    usual = () if request.only else usual_columns(evaluator, question)
    asked = SweepQuantities(
        request.only,
        usual,
        request.where,
        request.zipped,
        request.sample,
        request.seed,
        request.anyway,
    )
    with sweep_on(request.workers, request.cluster, evaluator, question, asked) as found:
        yield found


def usual_columns(evaluator: Evaluator, question: Question) -> list[str]:
    """The quantities that a sweep computes where nobody names any; raises FormulaError for a file that is wrong.

    What no situation speaks of (a namespace, another library) has the values of its answer.
    """
    situation = evaluator.situation(question, evaluator.givens(first_question(evaluator, question)).values)
    if situation is not None:
        return situation.names
    schema, layout = evaluator.schema, read_answer_layout(evaluator.library, question.about(evaluator.library))
    entries = [entry for section in layout.sections if section["kind"] == "values" for entry in section["entries"]]
    found = [entry["name"] for entry in entries if "name" in entry and entry["name"] not in schema.inputs]
    return found or layout.quantities(schema)
