"""`export`: a document that others can read, check and go on working with."""

import shlex
from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.export.formats import FORMATS, REFERENCES, STYLES
from formula_eval.records.givens import Question

_RECORD_OPTIONS = {"hardware": "gpu", "format": "number-format"}


class ExportCommand(options.QuestionCommand):
    """Its help tells what each format is."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Formats"):
            formatter.write_dl([(f"{name} ({form.ending})", form.summary) for name, form in FORMATS.items()])


@click.command("export", cls=ExportCommand)
@click.argument("form", metavar="FORMAT", type=click.Choice(list(FORMATS)))
@click.option("-o", "--output", metavar="FILE", required=True, type=click.Path(), help="The file to write.")
@click.option(
    "--only",
    metavar="GLOB",
    multiple=True,
    shell_complete=options.complete_quantity,
    help="Quantities, with all that they need; repeatable.",
)
@options.question_options
@click.option(
    "--style",
    type=click.Choice(STYLES),
    default=STYLES[0],
    show_default=True,
    help="latex, markdown: formulas (symbolic), numbers put in (substituted), or both (full).",
)
@click.option(
    "--refs",
    type=click.Choice(REFERENCES),
    default=REFERENCES[0],
    show_default=True,
    help="excel: what formulas refer to.",
)
@click.option("--templates", metavar="DIR", default="", help="latex, markdown, html: a folder of your own templates.")
@click.option("--force", is_flag=True, help="Replace the file if there is one.")
@click.pass_context
def command(ctx: click.Context, /, form: str, output: str, only: tuple[str, ...], **asked: Any) -> None:  # noqa: ANN401 - the shared options
    """A document about a model on an accelerator: its formulas as they were written, with units, sources, numbers."""
    from formula_eval.export.document import document_of  # noqa: PLC0415 - loads the parser
    from formula_eval.export.files import refuse_existing  # noqa: PLC0415
    from formula_eval.export.formats import Wishes, write_document  # noqa: PLC0415
    from formula_eval.export.quantities import quantities_of  # noqa: PLC0415

    if not asked["force"]:
        refuse_existing(output)
    evaluator, question = options.evaluator_of(ctx), options.question_of(ctx, asked)
    named = only or quantities_of(evaluator.library, form, question, evaluator.givens(question))
    wanted = evaluator.select(named, question.namespace)
    document = document_of(
        evaluator, question, wanted, question.namespace, _command_line(form, output, only, question, asked["library"])
    )
    note_cache(evaluator)
    write_document(document, form, output, Wishes(asked["style"], asked["refs"], asked["templates"]))
    count = len(document.wanted)
    click.echo(f"{output}: {count} quantit{'y' if count == 1 else 'ies'}, {FORMATS[form].summary}")


def _command_line(form: str, output: str, only: tuple[str, ...], question: Question, libraries: tuple[str, ...]) -> str:
    """The command line that makes the same document, whatever way its inputs were stated."""
    stated = [(_RECORD_OPTIONS.get(name, name), value) for name, value in question.records.items()]
    stated += [(name.replace("_", "-"), value) for name, value in question.values.items()]
    stated += [
        (name, each) for name, each in (("inputs", question.scenario), ("namespace", question.namespace)) if each
    ]
    stated += [("only", each) for each in only] + [("library", each) for each in libraries]
    training = ["--training"] if question.training else []
    options = [*training, *(word for name, value in stated for word in (f"--{name}", str(value)))]
    return shlex.join(["formula-eval", "export", form, *options, "-o", click.format_filename(output, shorten=True)])
