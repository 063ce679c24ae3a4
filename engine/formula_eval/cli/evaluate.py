"""No verb: the answer for a model on an accelerator, or the quantities named by --only."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.terminal import print_or_write, this_screen
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.terminal.answer_text import FORMATS, answer_text
from formula_eval.records.givens import Question


class EvaluateCommand(options.QuestionCommand):
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
        for option, each in options_in_order(options.evaluator_of(ctx)).items():
            groups.setdefault(each.place.partition(":")[0], []).append(option)
        with formatter.section("Inputs, each an option (`formula-eval list inputs` explains them)"):
            for file, names in groups.items():
                text = f"{file.rpartition('/')[2].removesuffix('.formula')}: {' '.join(names)}"
                for line in wrap(text, formatter.width - 2, break_on_hyphens=False, subsequent_indent="  "):
                    formatter.write(f"  {line}\n")
        with formatter.section("Verbs"):
            formatter.write_dl(list(verbs().items()))


@click.command("evaluate", cls=EvaluateCommand)
@click.option(
    "--only",
    metavar="GLOB",
    multiple=True,
    shell_complete=options.complete_quantity,
    help="Quantities to compute, such as `memory.*`; repeatable.",
)
@options.question_options
@options.output_options(FORMATS)
@click.pass_context
def command(ctx: click.Context, /, only: tuple[str, ...], form: str, output: str | None, **asked: Any) -> None:  # noqa: ANN401 - the shared options
    """Memory, time and cost of a large language model, by formulas that can be read."""
    evaluator = options.evaluator_of(ctx)
    question = options.question_of(ctx, asked)
    text = answer_text(evaluator, question, only, form, this_screen(coloured=output is None))
    note_cache(evaluator)
    if question.values and not only:
        for note in _notes_without_effect(evaluator, question):
            click.echo(f"note: {note}", err=True)
    print_or_write(text, output)


def _notes_without_effect(evaluator: Evaluator, question: Question) -> Iterator[str]:
    """One note for each option that nothing in the whole answer reads, with what to ask for instead."""
    from formula_eval.analyse.hint import inputs_without_effect  # noqa: PLC0415 - only the whole answer needs them
    from formula_eval.export.quantities import brought_by  # noqa: PLC0415
    from formula_eval.export.terminal.answer_layout import read_answer_layout  # noqa: PLC0415

    wanted = read_answer_layout(evaluator.library, question.purpose).quantities(evaluator.schema)
    for name, schema in inputs_without_effect(evaluator, question, wanted):
        readers = " ".join(f"--only '{each}'" for each in brought_by(evaluator.library, question.purpose, schema.name))
        help_ = f"\nhelp: Ask for what reads it: {readers}" if readers else ""
        yield f"--{name.replace('_', '-')} changes nothing in this answer: {schema.sentence}.{help_}"
