"""`export`: a document that others can read, check and go on working with."""

import shlex
from typing import Any

import click

from formula_eval.cli.asking import AskingCommand
from formula_eval.cli.asking import asking
from formula_eval.cli.asking import complete_quantity
from formula_eval.cli.asking import evaluator_of
from formula_eval.cli.asking import question_of
from formula_eval.cli.complaints import note_cache
from formula_eval.evaluate.givens import Question
from formula_eval.export.formats import FORMATS
from formula_eval.export.formats import REFERENCES
from formula_eval.export.formats import STYLES


class ExportCommand(AskingCommand):
    """Its help tells what each format is."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Formats"):
            formatter.write_dl([(f"{name} ({form.ending})", form.says) for name, form in FORMATS.items()])


@click.command("export", cls=ExportCommand)
@click.argument("form", metavar="FORMAT", type=click.Choice(list(FORMATS)))
@click.option("-o", "--output", metavar="FILE", required=True, type=click.Path(), help="The file to write.")
@click.option(
    "--only",
    metavar="GLOB",
    multiple=True,
    shell_complete=complete_quantity,
    help="Quantities, with all that they need; repeatable.",
)
@asking
@click.option(
    "--style",
    type=click.Choice(STYLES),
    default=STYLES[0],
    show_default=True,
    help="latex, markdown: formulas, numbers put in, or both.",
)
@click.option(
    "--refs",
    type=click.Choice(REFERENCES),
    default=REFERENCES[0],
    show_default=True,
    help="excel: what formulas refer to.",
)
@click.option("--templates", metavar="DIR", default="", help="latex, markdown: a folder of your own templates.")
@click.option("--force", is_flag=True, help="Replace the file if there is one.")
@click.pass_context
def command(ctx: click.Context, form: str, output: str, only: tuple[str, ...], force: bool, **asked: Any) -> None:  # noqa: ANN401, FBT001 - as click passes them
    """A document about a model on an accelerator: every formula as its author wrote it, with units, sources and numbers."""
    from formula_eval.export.document import document_of  # noqa: PLC0415 - loads the parser
    from formula_eval.export.formats import Wishes  # noqa: PLC0415
    from formula_eval.export.formats import quantities_of  # noqa: PLC0415
    from formula_eval.export.formats import write_document  # noqa: PLC0415
    from formula_eval.export.writing import refuse_existing  # noqa: PLC0415

    if not force:
        refuse_existing(output)
    evaluator, question = evaluator_of(ctx), question_of(ctx, asked)
    wanted = evaluator.select(only or quantities_of(evaluator.library, form), question.namespace)
    document = document_of(evaluator, question, wanted, question.namespace, _again(form, output, only, question))
    note_cache(evaluator)
    write_document(document, form, output, Wishes(asked["style"], asked["refs"], asked["templates"]))
    click.echo(f"{output}: {len(document.wanted)} quantities, {FORMATS[form].says}")


def _again(form: str, output: str, only: tuple[str, ...], question: Question) -> str:
    """The command line that makes the same document, whatever way its inputs were said."""
    words = ["formula-eval", "export", form]
    words += [word for name, value in question.records.items() for word in (f"--{name}", str(value))]
    words += [word for name, value in question.values.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    for name, value in (("inputs", question.scenario), ("namespace", question.namespace)):
        words += [f"--{name}", value] if value else []
    words += [word for each in only for word in ("--only", each)]
    return shlex.join([*words, "-o", click.format_filename(output, shorten=True)])
