"""Answers without a verb: evaluates a model on an accelerator, or the quantities named by --only."""

from textwrap import wrap

import click

from formula_eval import analyse, export
from formula_eval.ask.evaluate import EvaluateRequest, evaluate
from formula_eval.cli import options, output_options, verb_command
from formula_eval.cli.asked import Asked, verb
from formula_eval.cli.output import say
from formula_eval.cli.record_options import kind_of
from formula_eval.core.option_names import option_of
from formula_eval.export.terminal.answer_text import FORMATS, answer_text

_WHOLE = "formula_eval.whole_help"


class EvaluateCommand(verb_command.QuestionCommand):
    """Its help is that of the whole command: what most people need, or with `--help-all` every option."""

    def alternatives(self, ctx: click.Context) -> list[str]:
        """The verbs."""
        from formula_eval.cli.command import verbs  # noqa: PLC0415 - it imports this module

        return list(verbs(alone=verb_command.evaluator_of(ctx).library.is_alone))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The short help, unless all was asked for or the library has none."""
        short = "" if ctx.meta.get(_WHOLE) else self._short_help(ctx)
        if not short:
            super().format_help(ctx, formatter)
            return
        self.format_usage(ctx, formatter)
        formatter.write(f"       formula-eval --help-all (every option; `list inputs` explains them)\n\n{short}")

    def _short_help(self, ctx: click.Context) -> str:
        from formula_eval.cli.command import verbs  # noqa: PLC0415 - it imports this module

        library, schema = verb_command.evaluator_of(ctx).library, verb_command.evaluator_of(ctx).schema
        known = [name for parameter in self.get_params(ctx) for name in parameter.opts]
        known += [option_of(name) for name in schema.inputs]
        own = library.is_alone or bool(library.answer)
        return export.help_text.help_text(library, known, verbs(alone=library.is_alone), own=own)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        library = verb_command.evaluator_of(ctx).library
        own = library.is_alone or library.answer
        usual = "--library DIR [--INPUT VALUE ...]" if own else "MODEL [COUNTxGPU] [--batch 16 --prompt 2k ...]"
        verbs = "       formula-eval VERB ... (`VERB --help` explains it)\n"
        formatter.write(f"Usage: formula-eval {usual}\n{verbs}")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        title = verb_command.evaluator_of(ctx).library.title
        if title:
            formatter.write(f"\n  {title}, by formulas that can be read.\n")
        else:
            super().format_help_text(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        read = export.help_text.kinds_read(verb_command.evaluator_of(ctx))
        for parameter in self.get_params(ctx):
            if read is not None and isinstance(parameter, click.Option) and kind_of(parameter) not in (None, *read):
                parameter.hidden = True
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from formula_eval.cli.command import verbs  # noqa: PLC0415 - it imports this module

        groups: dict[str, list[str]] = {}
        others: dict[str, None] = {}
        read = export.help_text.inputs_read(verb_command.evaluator_of(ctx))
        for option, input_schema in analyse.listing.options_in_order(verb_command.evaluator_of(ctx)).items():
            if input_schema.record:
                others |= (
                    {f"{option_of(input_schema.record)}.": None} if read is None or input_schema.record in read else {}
                )
            elif read is None or input_schema.name in read:
                groups.setdefault(input_schema.place.partition(":")[0], []).append(option)
        with formatter.section("Inputs, each an option (`formula-eval list inputs` explains them)"):
            for file, names in groups.items():
                text = f"{file.rpartition('/')[2].removesuffix('.formula')}: {' '.join(names)}"
                for line in wrap(text, formatter.width - 2, break_on_hyphens=False, subsequent_indent="  "):
                    formatter.write(f"  {line}\n")
            for start in others:
                formatter.write(f"  of another record: {start}NAME VALUE, as for those above\n")
        with formatter.section("Verbs"):
            alone = verb_command.evaluator_of(ctx).library.is_alone
            formatter.write_dl(list(verbs(alone=alone).items()))


def _show_whole_help(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - as click calls it
    if wanted and not ctx.resilient_parsing:
        ctx.meta[_WHOLE] = True
        click.echo(ctx.get_help())
        ctx.exit()


@verb("evaluate", output_options.plot_options, output_options.output_options(FORMATS), cls=EvaluateCommand)
@click.option(
    "--help-all",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_whole_help,
    help="Show every option and exit.",
)
@click.option("--all", "every", is_flag=True, help="Show every default.")
@options.only_option("Quantities to compute, such as `FOLDER.*`; repeatable.")
def command(asked: Asked) -> None:
    """Memory, time and cost of a large language model, by formulas that can be read."""
    asked.tells_launch = bool(asked.only) or asked.form != "table"  # a whole answer tells it by itself
    evaluator, question = asked.evaluator, asked.question
    again = asked.again(only=asked.only)
    answer = evaluate(evaluator, asked.request(EvaluateRequest))
    text = answer_text(answer, asked.form, asked.screen, tell=_tell, command=again, every=asked.every)
    asked.tell_idle(asked.only)
    asked.write(text)
    asked.draw(lambda: export.answer_picture.answer_picture(evaluator, question))


def _tell(text: str) -> None:
    """What is not a value goes where it disturbs nobody who reads the values."""
    say(text, nl=False, err=True)
