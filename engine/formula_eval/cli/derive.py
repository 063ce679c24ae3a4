"""Implements `derive`: prints the closed form of a quantity over the inputs that stay free."""

from typing import Any

import click

from formula_eval.cli import options
from formula_eval.cli.errors import note_cache
from formula_eval.cli.terminal import print_or_write, this_screen

_FORMATS = ("text", "json")


@click.command("derive", cls=options.QuestionCommand)
@click.argument("name", metavar="NAME", shell_complete=options.complete_quantity)
@click.option("--free", metavar="INPUT,...", multiple=True, help="What stays free; all else is put in. Repeatable.")
@click.option("--diff", metavar="INPUT", multiple=True, help="Differentiate by this input; repeatable.")
@click.option("--latex", "shape", flag_value="latex", help="Print LaTeX alone.")
@click.option("--python", "shape", flag_value="python", help="Print a function of Python alone, all digits.")
@options.question_options
@options.output_options(_FORMATS)
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    /,
    *,
    name: str,
    free: tuple[str, ...],
    diff: tuple[str, ...],
    shape: str | None,
    form: str,
    output: str | None,
    **asked: Any,  # noqa: ANN401 - the shared options
) -> None:
    """The equation of NAME over the inputs that stay free, everything else put in."""
    from formula_eval.analyse.derive import derive  # noqa: PLC0415 - loads the parser
    from formula_eval.export.python.function import closed_form_python  # noqa: PLC0415
    from formula_eval.export.terminal.closed_form import closed_form_data, closed_form_text  # noqa: PLC0415
    from formula_eval.export.terminal.json_csv import json_text  # noqa: PLC0415

    evaluator = options.evaluator_of(ctx)
    question = options.question_of(ctx, asked)
    found = derive(evaluator, question, name, [*free, *diff])
    for each in diff:
        found = found.diff(each)
    if shape is not None:
        text = f"{found.latex}\n" if shape == "latex" else closed_form_python(found)
    elif form == "json":
        text = json_text(closed_form_data(found))
    else:
        text = closed_form_text(found, this_screen(coloured=output is None))
    note_cache(evaluator)
    print_or_write(text, output)
