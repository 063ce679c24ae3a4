"""Implements `compare`: shows several configurations side by side, or our answer beside those of published tools."""

from pathlib import Path

import click

from formula_eval import ask, export
from formula_eval.cli import options, output_options
from formula_eval.cli.asked import Asked, verb
from formula_eval.cli.question import note_grouped, question_of
from formula_eval.core.diagnostic import refuse
from formula_eval.records.givens import Question


@verb("compare", output_options.output_options(("table", "json", "csv", "markdown")), several=True)
@options.only_option("Rows to show, by title or name, such as `prefill*`; repeatable.")
@click.option("--why", is_flag=True, help="Also all reasons why they differ, down to what each of them starts from.")
@click.option("--zip", "zipped", is_flag=True, help="Take the first value of every option, then the second, ...")
def command(asked: Asked) -> None:
    """Configurations side by side, as in `--gpu h100-sxm,b200-sxm`, and why they differ.

    Any option takes several values, as in sweep; --inputs takes several files. With one value of each, our answer
    stands beside those of published tools to the same question.
    """
    questions = _questions(asked)
    found = ask.compare.compare(asked.evaluator, asked.request(ask.compare.CompareRequest, questions=questions))
    text = export.comparison.comparison_text(found.comparison, asked.form, asked.screen, why=asked.why)
    asked.tell_ignored(found.effects(), [*found.stated(questions)], of=questions[0])
    asked.write(text)


def _questions(asked: Asked) -> list[Question]:
    """A question for each scenario file; raises FormulaError where they are not about the same."""
    said = asked.inputs or ""
    files = [said] if Path(said).exists() else [each.strip() for each in said.split(",")]
    if "" in files and len(files) > 1:
        raise refuse("bad-value", f"--inputs: `{said}` lacks a file", help="A comma stands between two files.")
    found = [question_of(asked.ctx, {**asked.options, "inputs": file}) for file in files]
    for question in found:
        note_grouped(question)
    library = asked.evaluator.library
    first, other = (
        found[0],
        next((question for question in found if question.about(library) != found[0].about(library)), None),
    )
    if other is not None:
        message = f"{first.scenario} asks about {first.about(library)}, {other.scenario} about {other.about(library)}"
        raise refuse("not-comparable", message, help="Choose one with --answer.")
    return found
