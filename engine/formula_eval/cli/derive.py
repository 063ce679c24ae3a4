"""Implements `derive`: prints the closed form of a quantity over the inputs that stay free."""

import click

from formula_eval import analyse, export
from formula_eval.cli import options, output_options
from formula_eval.cli.asked import Asked, verb
from formula_eval.export.python.prelude import closed_form_python


@verb("derive", output_options.output_options(("text", "json")))
@click.argument("name", metavar="NAME", shell_complete=options.complete_quantity)
@click.option("--free", metavar="INPUT,...", multiple=True, help="What stays free; all else is put in. Repeatable.")
@click.option("--diff", metavar="INPUT", multiple=True, help="Differentiate by this input; repeatable.")
@click.option("--latex", "shape", flag_value="latex", help="Print LaTeX alone.")
@click.option("--python", "shape", flag_value="python", help="Print a function of Python alone, all digits.")
def command(asked: Asked) -> None:
    """The equation of NAME over the inputs that stay free, everything else put in."""
    found = analyse.derive.derive(asked.evaluator, asked.question, asked.name, [*asked.free, *asked.diff])
    for each in asked.diff:
        found = found.diff(each)
    if asked.shape is not None:
        text = f"{found.latex}\n" if asked.shape == "latex" else closed_form_python(found)
    elif asked.form == "json":
        text = export.json_csv.json_text(export.closed_form.closed_form_data(found))
    else:
        text = export.closed_form.closed_form_text(found, asked.screen)
    asked.write(text)
