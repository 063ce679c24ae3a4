"""Writes pages that recalculate, for a reader of the site to try without installing anything."""

from collections.abc import Mapping
from pathlib import Path

from formula_eval.ask.export_lists import quantities_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import document_of
from formula_eval.export.html.page import write_page
from formula_eval.records.givens import Question


def write_live_pages(evaluator: Evaluator, questions: Mapping[str, Question], folder: Path) -> None:
    """Write `NAME.html` for each question, with the quantities that such a page has when nobody names any."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, question in questions.items():
        names = quantities_of(evaluator.library, "html", question, evaluator.givens(question))
        write_page(document_of(evaluator, question, evaluator.select(names)), folder / f"{name}.html")
