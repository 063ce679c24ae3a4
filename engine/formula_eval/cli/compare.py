"""`compare`: our answer beside those of published tools."""

from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.terminal import print_or_write, this_screen

_FORMATS = ("table", "json", "csv", "markdown")


@click.command("compare", cls=options.QuestionCommand)
@click.option(
    "--only",
    metavar="GLOB",
    multiple=True,
    help="Rows to show, by title or name, such as `prefill*`; repeatable.",
)
@click.option("--why", is_flag=True, help="Also why they differ: formulas, notes, and what they assume.")
@options.question_options
@options.output_options(_FORMATS)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    only: tuple[str, ...],
    why: bool,
    form: str,
    output: str | None,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> None:
    """Our answer beside those of published tools to the same question, and why they differ."""
    from formula_eval.analyse.compare import compare  # noqa: PLC0415 - loads the parser
    from formula_eval.analyse.correspondence import correspondences  # noqa: PLC0415
    from formula_eval.export.terminal.comparison import comparison_text  # noqa: PLC0415

    evaluator = options.evaluator_of(ctx)
    question = options.question_of(ctx, asked)
    known = correspondences(evaluator.library, evaluator.schema).beside(question.namespace)
    wanted = known.about("training" if question.training else "serving").only(only)
    text = comparison_text(compare(evaluator, question, wanted), form, this_screen(coloured=output is None), why=why)
    note_cache(evaluator)
    print_or_write(text, output)
