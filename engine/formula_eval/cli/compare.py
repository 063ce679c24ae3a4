"""Implements `compare`: shows several configurations side by side, or our answer beside those of published tools."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.idle import tell_ignored
from formula_eval.cli.terminal import print_or_write, this_screen
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.answer_kind import usual_purpose
from formula_eval.records.givens import Question

if TYPE_CHECKING:
    from formula_eval.analyse.compare.correspondence import Correspondences

_FORMATS = ("table", "json", "csv", "markdown")


@click.command("compare", cls=options.QuestionCommand)
@click.option(
    "--only",
    metavar="GLOB",
    multiple=True,
    help="Rows to show, by title or name, such as `prefill*`; repeatable.",
)
@click.option("--why", is_flag=True, help="Also all reasons why they differ, down to what each of them starts from.")
@click.option("--zip", "zipped", is_flag=True, help="Take the first value of every option, then the second, ...")
@options.question_options
@options.output_options(_FORMATS)
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    *,
    only: tuple[str, ...],
    why: bool,
    zipped: bool,
    form: str,
    output: str | None,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> None:
    """Configurations side by side, as in `--gpu h100-sxm,b200-sxm`, and why they differ.

    Any option takes several values, as in sweep; --inputs takes several files. With one value of each, our answer
    stands beside those of published tools to the same question.
    """
    from formula_eval.analyse.compare.configurations import configurations, side_by_side  # noqa: PLC0415 - loads NumPy
    from formula_eval.analyse.compare.published_tools import compare  # noqa: PLC0415
    from formula_eval.analyse.ineffective_inputs import Effects, all_stated, effects_of  # noqa: PLC0415
    from formula_eval.export.comparison_rows import comparison_rows  # noqa: PLC0415
    from formula_eval.export.terminal.comparison import comparison_text  # noqa: PLC0415

    evaluator = options.evaluator_of(ctx)
    questions = _questions(ctx, asked)
    several = configurations(questions, evaluator.schema, zipped=zipped)
    if len(several) > 1:
        first = questions[0]
        shown, rows = comparison_rows(evaluator, first, only)
        found = side_by_side(shown, several, rows)
        names = list(dict.fromkeys(each.name for each in rows))
        sides = [(each.question, names) for each in several]
    else:
        shown, wanted = evaluator, _beside_tools(evaluator, questions[0], only)
        found = compare(evaluator, questions[0], wanted)
        asked_of = ((each, questions[0]._replace(namespace=each.namespace)) for each in wanted.columns)
        sides = [(question, wanted.needed(column)) for column, question in asked_of]
    text = comparison_text(found, form, this_screen(coloured=output is None), why=why)
    note_cache(evaluator)
    effects = effects_of(sides, lambda side: Effects.of(shown, side[0], side[1], side[1], named=False))
    stated = dict.fromkeys(each for question, _ in sides for each in all_stated(question))
    tell_ignored(evaluator, questions[0], effects, [each for each in stated if len(questions) == 1 or not each.said])
    print_or_write(text, output)


def _questions(ctx: click.Context, asked: dict[str, Any]) -> list[Question]:
    """A question for each scenario file; raises FormulaError where they are not about the same."""
    said = asked["inputs"] or ""
    files = [said] if Path(said).exists() else [each.strip() for each in said.split(",")]
    if "" in files and len(files) > 1:
        raise refuse("bad-value", f"--inputs: `{said}` lacks a file", help="A comma stands between two files.")
    found = [options.questions_of(ctx, {**asked, "inputs": each}) for each in files]
    library = options.evaluator_of(ctx).library
    first, other = found[0], next((each for each in found if each.about(library) != found[0].about(library)), None)
    if other is not None:
        message = f"{first.scenario} asks about {first.about(library)}, {other.scenario} about {other.about(library)}"
        raise refuse("not-comparable", message, help="Choose one with --answer.")
    return found


def _beside_tools(evaluator: Evaluator, question: Question, only: Sequence[str]) -> "Correspondences":
    """What is compared with published tools."""
    from formula_eval.analyse.compare.correspondence import correspondences  # noqa: PLC0415 - loads the parser

    known = correspondences(evaluator.library, evaluator.schema).beside(question.namespace)
    return known.about(question.purpose or usual_purpose(evaluator.library)).only(only)
