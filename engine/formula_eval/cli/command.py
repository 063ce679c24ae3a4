"""Defines the command itself: imports each verb when it is used, and reports errors."""

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from formula_eval.cli.another_verb import AnotherVerb
from formula_eval.cli.errors import complain, say_library
from formula_eval.cli.output import say
from formula_eval.core.diagnostic import FormulaError
from formula_eval.version import __version__


class Verb(NamedTuple):
    """A verb: the module beside this one whose `command` it is, what the help says of it, if it needs our formulas."""

    module: str
    summary: str
    needs_ours: bool = False


_VERBS = {
    "explain": Verb("explain", "derive a value step by step"),
    "show": Verb("show", "print a formula and its sources"),
    "list": Verb("listing", "list records, inputs, formulas, units"),
    "export": Verb("export", "write a workbook, web page, paper, module, picture"),
    "sweep": Verb("sweep", "compute every combination of several values"),
    "search": Verb("search", "find the best configuration for a goal"),
    "plan": Verb("plan", "size a service or a training run on each accelerator", needs_ours=True),
    "derive": Verb("derive", "print the closed form over free inputs"),
    "sensitivity": Verb("sensitivity", "rank what moves a quantity"),
    "solve": Verb("solve", "find the values of an input that meet conditions"),
    "uncertainty": Verb("uncertainty", "give the spread of a result where inputs are intervals"),
    "calibrate": Verb("calibrate", "fit inputs to measured runs of your own"),
    "measure": Verb("measure", "time the kernels of this machine for calibrate", needs_ours=True),
    "compare": Verb("compare", "set configurations, or published tools, side by side"),
    "validate": Verb("validate", "measure the error against published runs", needs_ours=True),
    "check": Verb("check", "check units, examples and records"),
    "new": Verb("new", "start a library of your own formulas"),
    "fmt": Verb("fmt", "format formula files"),
    "lsp": Verb("lsp", "run the language server for editors"),
    "completion": Verb("completion", "print completion for a shell"),
}
_NO_VERB = "evaluate"
_INTERRUPTED = 130
_WRONG = 2
_COMPLETE = "_FORMULA_EVAL_COMPLETE"


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
            args = [_NO_VERB, *args]
        return super().parse_args(ctx, args or [_NO_VERB, "--help"])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        if incomplete.startswith("-"):
            evaluate = self.get_command(ctx, _NO_VERB)
            if evaluate is not None:
                return evaluate.shell_complete(
                    evaluate.make_context(_NO_VERB, [], ctx, resilient_parsing=True), incomplete
                )
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only for completion

        verbs = [(name, verb.summary) for name, verb in _VERBS.items() if name.startswith(incomplete)]
        return [CompletionItem(name, help=text) for name, text in verbs]


@click.group(cls=LazyGroup, name="formula-eval")
@click.version_option(__version__, prog_name="formula-eval", message="%(prog)s %(version)s")
def cli() -> None:
    """What a large language model costs to run, by formulas that can be read."""


def verbs(*, alone: bool = False) -> dict[str, str]:
    """Each verb and what it is for; for a library that stands alone those that need nothing of ours."""
    return {name: verb.summary for name, verb in _VERBS.items() if not (alone and verb.needs_ours)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 0, 2 for anything wrong, 130 when interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    if sys.stdout is None:  # what Python makes of one that is closed
        say("Cannot write: standard output is closed.", err=True)
        return _WRONG
    stdout = sys.stdout
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as error:
        return _ended(error, read_on=sys.stdout is stdout)
    except (KeyboardInterrupt, click.Abort):
        say("Interrupted.", err=True)
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


def _refuse_half_a_completion() -> None:
    """Refuse what asks for completions as a shell does, without the words that a shell sets; click would break off."""
    shell, _, instruction = os.environ.get(_COMPLETE, "").partition("_")
    place = os.environ.get("COMP_CWORD")
    is_place = place is not None and (shell == "fish" or place.isdecimal())
    if instruction != "complete" or ("COMP_WORDS" in os.environ and is_place):
        return
    missing = "COMP_WORDS" if "COMP_WORDS" not in os.environ else "COMP_CWORD"
    message = f"{_COMPLETE} asks for completions, and {missing} does not say of what"
    raise click.ClickException(f"{message}\nhelp: Unset {_COMPLETE}; `formula-eval completion bash` sets up a shell.")


def _answer(words: list[str], library: str = "") -> object:
    """Run what the words ask; of another shipped library where ours does not know a name and that one does."""
    asked: dict[str, Any] = {}
    stated = [*words, "--library", library] if library else words
    try:
        return cli.main(stated, prog_name="formula-eval", complete_var=_COMPLETE, standalone_mode=False, obj=asked)
    except AnotherVerb as another:
        return _answer([*another.verb.split(), *words], library)  # `solve request_rate`
    except FormulaError as error:
        if "evaluator" not in asked or not asked["evaluator"].library.is_builtin:
            raise
        from formula_eval.ask.other_libraries import library_that_knows  # noqa: PLC0415 - most names are known

        other = library_that_knows(error.diagnostics, words, asked["evaluator"])
        if other is None:
            raise
    code = _answer(other.words, other.library)
    say_library(other.library)
    return code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        _refuse_half_a_completion()
        code = _answer(list(sys.argv[1:] if arguments is None else arguments))
    except FormulaError as error:
        complain(error.diagnostics)
    except click.ClickException as error:
        say(f"{error.format_message()}{_advice(error)}", err=True)
    except (KeyError, ValueError):
        if _COMPLETE not in os.environ:
            raise
        say("A shell that completes sets COMP_WORDS and COMP_CWORD.", err=True)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        say(f"Cannot go on: {error.strerror or error} {error.filename or ''}".rstrip(), err=True)
    else:
        return code if isinstance(code, int) else 0
    return _WRONG
