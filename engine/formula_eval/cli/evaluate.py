"""No verb: the answer for a model on an accelerator, or the quantities named by --only."""

from textwrap import wrap
from typing import Any

import click

from formula_eval.cli.errors import note_cache
from formula_eval.cli.forms import Form
from formula_eval.cli.library_options import evaluator_of
from formula_eval.cli.options import AskingCommand, asking, complete_quantity, question_of
from formula_eval.cli.terminal import this_screen
from formula_eval.export.terminal.forms import FORMATS, report


class EvaluateCommand(AskingCommand):
    """Its help is that of the whole command: verbs too, and where the inputs are listed."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        formatter.write(
            "Usage: formula-eval --model ID [--gpu ID] [--tp 8 --batch 16 ...]\n       formula-eval VERB ...\n"
        )

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from formula_eval.analyse.listing import options_in_order  # noqa: PLC0415 - only for the help
        from formula_eval.cli.command import verbs  # noqa: PLC0415 - it imports this module

        groups: dict[str, list[str]] = {}
        for option, each in options_in_order(evaluator_of(ctx)).items():
            groups.setdefault(each.place.partition(":")[0], []).append(option)
        with formatter.section("Inputs, each an option (`formula-eval list inputs` explains them)"):
            for file, options in groups.items():
                text = f"{file.rpartition('/')[2].removesuffix('.formula')}: {' '.join(options)}"
                for line in wrap(text, formatter.width - 2, break_on_hyphens=False, subsequent_indent="  "):
                    formatter.write(f"  {line}\n")
        with formatter.section("Verbs"):
            formatter.write_dl(list(verbs().items()))


@click.command("evaluate", cls=EvaluateCommand)
@click.option(
    "--only",
    metavar="GLOB",
    multiple=True,
    shell_complete=complete_quantity,
    help="Quantities to compute, such as `memory.*`; repeatable.",
)
@asking
@click.option("--format", "form", type=Form(FORMATS), default="table", show_default=True, help="How to print.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(), help="Write there instead.")
@click.pass_context
def command(ctx: click.Context, /, only: tuple[str, ...], form: str, output: str | None, **asked: Any) -> None:  # noqa: ANN401 - the shared options
    """Memory, time and cost of a large language model, by formulas that can be read."""
    evaluator = evaluator_of(ctx)
    question = question_of(ctx, asked)
    text = report(evaluator, question, only, form, this_screen(coloured=output is None))
    note_cache(evaluator)
    if question.values and not only:
        from formula_eval.export.terminal.unread import notes_of_unread  # noqa: PLC0415 - only the whole answer needs it

        for each in notes_of_unread(evaluator, question):
            click.echo(f"note: {each}", err=True)
    if output is None:
        click.echo(text, nl=False)
    else:
        from formula_eval.export.files import write_whole  # noqa: PLC0415 - seldom needed

        write_whole(output, text)
