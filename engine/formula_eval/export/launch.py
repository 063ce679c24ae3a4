"""Writes the command, manifest or file that runs a configuration, by the templates of reports/launch/."""

from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.ask.export_lists import quantities_of
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document
from formula_eval.export.templates import filled, folders_of
from formula_eval.launch.write.launch_text_writer import Launched, LaunchReports, launched
from formula_eval.launch.write.launch_values import programs_to_write
from formula_eval.records.givens import Question


def launch_for(program: str, shape: str, question: Question, evaluator: Evaluator, templates: str = "") -> Launched:
    """The text for a program by name, in one of `formats.SHAPES` or the form of its files; raises FormulaError."""

    def wanted(asked: Question) -> Sequence[str]:
        return quantities_of(evaluator.library, "launch", asked, evaluator.givens(asked))

    def rendered(template: str, data: Mapping[str, Any]) -> str:
        return filled(template, data, str, folders_of(evaluator.library, templates))

    return launched(program, shape, question, evaluator, LaunchReports(wanted, rendered))


def launch_document(
    document: Document, program: str = "", shape: str = "", templates: str = ""
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text that runs the configuration of a document, and what to know of it; raises FormulaError."""
    if not program:
        known = ", ".join(programs_to_write(document.evaluator))
        help_ = f"Name it: `--program vllm`. Known are {known}." if known else "This library knows none."
        raise refuse("no-program", "Nothing says which program is to be launched", help=help_)
    found = launch_for(program, shape, document.question, document.evaluator, templates)
    return found.text, found.remarks
