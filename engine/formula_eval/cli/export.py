"""Implements `export`: writes a document that others can read, check and continue to work with."""

from dataclasses import replace
from pathlib import Path

import click

from formula_eval import analyse, export
from formula_eval.ask.export_lists import quantities_of
from formula_eval.cli import options, output_options, verb_command
from formula_eval.cli.asked import Asked, verb
from formula_eval.cli.output import say
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.required_choices import reasons
from formula_eval.evaluate.views import refuse_unchosen, selected
from formula_eval.export.formats import FORMATS, REFERENCES, SHAPES, STYLES, write_document

_WISHES = ("style", "refs", "templates", "brief", "fill", "program", "shape")


class ExportCommand(verb_command.QuestionCommand):
    """Its help tells what each format is."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Formats"):
            formatter.write_dl([(f"{name} ({form.ending})", form.summary) for name, form in FORMATS.items()])


@verb(
    "export",
    click.option(
        "--style",
        type=click.Choice(STYLES),
        default=STYLES[0],
        show_default=True,
        help="latex, markdown: formulas (symbolic), numbers put in (substituted), or both (full).",
    ),
    click.option("--brief", is_flag=True, help="latex, markdown: results, assumptions and the equations that matter."),
    click.option(
        "--refs",
        type=click.Choice(REFERENCES),
        default=REFERENCES[0],
        show_default=True,
        help="excel: what formulas refer to.",
    ),
    click.option(
        "--templates", metavar="DIR", default="", help="latex, markdown, html: a folder of your own templates."
    ),
    click.option(
        "--fill",
        metavar="FILE",
        default="",
        type=click.Path(),
        help='excel: a workbook of your own, whose cells say {{ value("inference.tpot", "ms") }}.',
    ),
    click.option(
        "--program", metavar="NAME", default="", help="launch: what is to run it, such as vllm or megatron-lm."
    ),
    click.option(
        "--as",
        "shape",
        type=click.Choice(SHAPES),
        default=SHAPES[0],
        show_default=True,
        help="launch: command or manifest.",
    ),
    cls=ExportCommand,
)
@click.argument("form", metavar="FORMAT", type=output_options.Form(list(FORMATS)))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=verb_command.WrittenFile(),
    help="The file to write; launch: the screen without.",
)
@options.only_option("Quantities, with all that they need; repeatable.")
def command(asked: Asked) -> None:
    """A document about a model on an accelerator: its formulas as they were written, with units, sources, numbers."""
    form, only = asked.form, asked.only
    if asked.output is None and form != "launch":
        raise click.MissingParameter(ctx=asked.ctx, param_hint="'-o' / '--output'", param_type="option")
    output, evaluator, question = asked.output or "-", asked.evaluator, asked.question
    if form == "site":
        question = export.static_site.first_question(evaluator.library, question)
    named = only or quantities_of(evaluator.library, FORMATS[form].lists or form, question, evaluator.givens(question))
    evaluator, wanted = selected(evaluator, [*named, *_named_in(asked.fill, form, evaluator)], question)
    refuse_unchosen(evaluator, only, evaluator.givens(question), question)
    again = asked.again(only=only, verb=("export", form), more=_written(asked.ctx, output))
    document = replace(export.document.document_of(evaluator, question, wanted, again, named=bool(only)), only=only)
    if form != "launch":
        effects = analyse.ineffective_inputs.Effects.of(evaluator, question, wanted, wanted, named=bool(only))
        asked.tell_ignored([effects])
    wishes = {name: asked.options[name] for name in _WISHES}
    for level, text in write_document(document, form, output, **wishes):
        say(f"{level}: {text}", err=True)
    if form == "launch":
        if output != "-":
            say(f"{output}: what runs it.", err=False)
            _tell_script(output)
        return
    count = len(document.wanted)
    for reason in reasons(document.result.lacking):
        say(f"note: {reason}", err=True)
    say(f"{output}: {count} quantit{'y' if count == 1 else 'ies'}, {FORMATS[form].summary}", err=output == "-")


def _tell_script(output: str) -> None:
    """Tell of a shell script that is written where its name promises a file of another kind."""
    path = Path(output)
    if path.suffix in (".toml", ".yaml", ".yml", ".json") and path.read_bytes().startswith(b"#!"):
        say(f"note: {output} holds a shell script, which sets all by options: {path.stem}.sh is its name.", err=True)


def _written(ctx: click.Context, output: str) -> list[str]:
    """The options that say how a document is written, as they were given."""
    said: list[str] = []
    for parameter in ctx.command.params:
        value = ctx.params.get(str(parameter.name))
        if parameter.name in _WISHES and value != parameter.get_default(ctx):
            said += [parameter.opts[0]] if value is True else [parameter.opts[0], str(value)]
    return [*said, "-o", click.format_filename(output, shorten=True)]


def _named_in(template: str, form: str, evaluator: Evaluator) -> list[str]:
    """The quantities that a workbook of the user's own names."""
    if not template:
        return []
    if form != "excel":
        raise refuse("bad-value", f"`--fill` is for workbooks, not for `export {form}`", help="Write `export excel`.")
    return [name for name in export.template.names_in(template) if name in evaluator.schema.formulas]
