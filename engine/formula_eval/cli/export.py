"""Implements `export`: writes a document that others can read, check and continue to work with."""

from dataclasses import replace
from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.command_line import command_line
from formula_eval.cli.errors import note_cache
from formula_eval.cli.idle import tell_ignored
from formula_eval.cli.output import say
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.formats import FORMATS, REFERENCES, SHAPES, STYLES

_WISHES = ("style", "refs", "templates", "brief", "fill", "program", "shape")


class ExportCommand(options.QuestionCommand):
    """Its help tells what each format is."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Formats"):
            formatter.write_dl([(f"{name} ({form.ending})", form.summary) for name, form in FORMATS.items()])


@click.command("export", cls=ExportCommand)
@click.argument("form", metavar="FORMAT", type=click.Choice(list(FORMATS)))
@click.option(
    "-o", "--output", metavar="FILE", type=options.WrittenFile(), help="The file to write; launch: the screen without."
)
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
@click.option("--brief", is_flag=True, help="latex, markdown: results, assumptions and the equations that matter.")
@click.option(
    "--refs",
    type=click.Choice(REFERENCES),
    default=REFERENCES[0],
    show_default=True,
    help="excel: what formulas refer to.",
)
@click.option("--templates", metavar="DIR", default="", help="latex, markdown, html: a folder of your own templates.")
@click.option(
    "--fill",
    metavar="FILE",
    default="",
    type=click.Path(),
    help='excel: a workbook of your own, whose cells say {{ value("inference.tpot", "ms") }}.',
)
@click.option("--program", metavar="NAME", default="", help="launch: what is to run it, such as vllm or megatron-lm.")
@click.option(
    "--as",
    "shape",
    type=click.Choice(SHAPES),
    default=SHAPES[0],
    show_default=True,
    help="launch: command or manifest.",
)
@click.pass_context
def command(ctx: click.Context, /, form: str, output: str | None, only: tuple[str, ...], **asked: Any) -> None:  # noqa: ANN401 - the shared options
    """A document about a model on an accelerator: its formulas as they were written, with units, sources, numbers."""
    from formula_eval.analyse.ineffective_inputs import Effects  # noqa: PLC0415 - as below
    from formula_eval.evaluate.conversion import refuse_unchosen, selected  # noqa: PLC0415 - as below
    from formula_eval.evaluate.required_choices import reasons  # noqa: PLC0415
    from formula_eval.export.document import document_of  # noqa: PLC0415 - loads the parser
    from formula_eval.export.formats import Wishes, write_document  # noqa: PLC0415
    from formula_eval.export.quantities import quantities_of  # noqa: PLC0415

    if output is None and form != "launch":
        raise click.MissingParameter(ctx=ctx, param_hint="'-o' / '--output'", param_type="option")
    output = output or "-"
    evaluator, question = options.evaluator_of(ctx), options.question_of(ctx, asked)
    named = only or quantities_of(evaluator.library, form, question, evaluator.givens(question))
    named = [*named, *_named_in(asked["fill"], form, evaluator)]
    evaluator, wanted = selected(evaluator, named, question)
    refuse_unchosen(evaluator, only, evaluator.givens(question), question)
    again = command_line(evaluator, question, only, asked["library"], verb=("export", form), more=_written(ctx, output))
    document = replace(document_of(evaluator, question, wanted, again, named=bool(only)), only=only)
    note_cache(evaluator)
    if form != "launch":
        tell_ignored(evaluator, question, [Effects.of(evaluator, question, wanted, wanted, named=bool(only))])
    wishes = Wishes(**{name: asked[name] for name in _WISHES})
    for level, text in write_document(document, form, output, wishes):
        say(f"{level}: {text}", err=True)
    if output == "-" and form == "launch":
        return
    count = len(document.wanted)
    for reason in reasons(document.result.lacking):
        say(f"note: {reason}", err=True)
    say(f"{output}: {count} quantit{'y' if count == 1 else 'ies'}, {FORMATS[form].summary}", err=output == "-")


def _written(ctx: click.Context, output: str) -> list[str]:
    """The options that say how a document is written, as they were given."""
    said: list[str] = []
    for each in ctx.command.params:
        value = ctx.params.get(str(each.name))
        if each.name in _WISHES and value != each.get_default(ctx):
            said += [each.opts[0]] if value is True else [each.opts[0], str(value)]
    return [*said, "-o", click.format_filename(output, shorten=True)]


def _named_in(template: str, form: str, evaluator: Evaluator) -> list[str]:
    """The quantities that a workbook of the user's own names."""
    if not template:
        return []
    if form != "excel":
        raise refuse("bad-value", f"`--fill` is for workbooks, not for `export {form}`", help="Write `export excel`.")
    from formula_eval.export.workbook.template import names_in  # noqa: PLC0415 - most exports fill nothing

    return [name for name in names_in(template) if name in evaluator.schema.formulas]
