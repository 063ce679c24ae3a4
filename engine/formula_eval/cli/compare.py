"""`compare`: our answer beside those of published tools."""

from typing import Any

import click

from formula_eval.cli.errors import note_cache
from formula_eval.cli.forms import Form
from formula_eval.cli.library_options import evaluator_of
from formula_eval.cli.options import AskingCommand, asking, question_of
from formula_eval.cli.terminal import this_screen

_FORMATS = ("table", "json", "csv", "markdown")


@click.command("compare", cls=AskingCommand)
@click.option(
    "--only",
    metavar="GLOB",
    multiple=True,
    help="Rows to show, by title or name, such as `prefill*`; repeatable.",
)
@asking
@click.option("--format", "form", type=Form(_FORMATS), default="table", show_default=True, help="How to print.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(), help="Write there instead.")
@click.pass_context
def command(ctx: click.Context, /, only: tuple[str, ...], form: str, output: str | None, **asked: Any) -> None:  # noqa: ANN401 - the shared options
    """Our answer beside those of published tools to the same question, and why they differ."""
    from formula_eval.analyse.compare import compare  # noqa: PLC0415 - loads the parser
    from formula_eval.analyse.correspondence import correspondences  # noqa: PLC0415
    from formula_eval.export.terminal.comparison import comparison_text  # noqa: PLC0415

    evaluator = evaluator_of(ctx)
    question = question_of(ctx, asked)
    known = correspondences(evaluator.library, evaluator.schema).beside(question.namespace)
    wanted = known.about("training" if question.training else "serving").only(only)
    text = comparison_text(compare(evaluator, question, wanted), form, this_screen(coloured=output is None))
    note_cache(evaluator)
    if output is None:
        click.echo(text, nl=False)
    else:
        from formula_eval.export.files import write_whole  # noqa: PLC0415 - seldom needed

        write_whole(output, text)
