"""The command itself: verbs that are imported when used, and what happens when something is wrong."""

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from formula_eval.cli.errors import complain
from formula_eval.core.diagnostic import FormulaError, nearest
from formula_eval.version import __version__


class Verb(NamedTuple):
    """A verb: the module beside this one whose `command` it is, and what the help says of it."""

    module: str
    summary: str


_VERBS = {
    "explain": Verb("explain", "how a value comes about, step by step"),
    "show": Verb("show", "a formula as written, with its sources"),
    "list": Verb("listing", "models, accelerators, inputs, formulas"),
    "export": Verb("export", "a workbook, a paper, a web page, a module"),
    "compare": Verb("compare", "our answer beside those of published tools"),
    "validate": Verb("validate", "how far the formulas are from measured runs"),
    "check": Verb("check", "whether the formulas hold together"),
    "fmt": Verb("fmt", "formula files in their one form"),
    "completion": Verb("completion", "set up completion for a shell"),
}
_NO_VERB = "evaluate"
_INTERRUPTED = 130
_WRONG = 2


class LazyGroup(click.Group):
    """Verbs by module; without a verb, the arguments are those of `evaluate`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in {*_VERBS, _NO_VERB}:
            return None
        module = _VERBS[cmd_name].module if cmd_name in _VERBS else _NO_VERB
        command: click.Command = importlib.import_module(f"formula_eval.cli.{module}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        if args and args[0] not in _VERBS and args[0] != "--version":
            if not args[0].startswith("-") and not ctx.resilient_parsing:
                help_ = nearest(args[0], _VERBS) or f"Verbs are {', '.join(_VERBS)}; without one, begin with --model."
                raise click.UsageError(f"There is no verb `{args[0]}`\nhelp: {help_}", ctx)
            args = [_NO_VERB, *args]
        return super().parse_args(ctx, args or [_NO_VERB, "--help"])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        if incomplete.startswith("-"):
            evaluate = self.get_command(ctx, _NO_VERB)
            if evaluate is not None:
                return evaluate.shell_complete(
                    evaluate.make_context(_NO_VERB, [], ctx, resilient_parsing=True), incomplete
                )
        verbs = [(name, verb.summary) for name, verb in _VERBS.items() if name.startswith(incomplete)]
        return [click.shell_completion.CompletionItem(name, help=text) for name, text in verbs]


@click.group(cls=LazyGroup, name="formula-eval")
@click.version_option(__version__, prog_name="formula-eval", message="%(prog)s %(version)s")
def cli() -> None:
    """What a large language model costs to run, by formulas that can be read."""


def verbs() -> dict[str, str]:
    """Each verb and what it is for."""
    return {name: verb.summary for name, verb in _VERBS.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 0, 2 for anything wrong, 130 when interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    stdout = sys.stdout
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as error:
        return _ended(error, read_on=sys.stdout is stdout)
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted.", err=True)
        return _INTERRUPTED
    return code


def _ended(error: BrokenPipeError | SystemExit, *, read_on: bool) -> int:
    """The exit code when a shell asked for completions, or when nobody reads on (click then replaces stdout)."""
    if isinstance(error, SystemExit) and read_on:
        return error.code if isinstance(error.code, int) else 0
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    return 0


def _advice(error: click.ClickException) -> str:
    """Where the options of the verb in question are explained, unless the message has advice of its own."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None or "\nhelp:" in error.format_message():
        return ""
    return f"\nhelp: `{context.command_path.removesuffix(f' {_NO_VERB}')} --help` shows how."


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = cli.main(
            arguments, prog_name="formula-eval", complete_var="_FORMULA_EVAL_COMPLETE", standalone_mode=False
        )
    except FormulaError as error:
        complain(error.diagnostics)
    except click.ClickException as error:
        click.echo(f"{error.format_message()}{_advice(error)}", err=True)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        click.echo(f"Cannot go on: {error.strerror or error} {error.filename or ''}".rstrip(), err=True)
    else:
        return code if isinstance(code, int) else 0
    return _WRONG
