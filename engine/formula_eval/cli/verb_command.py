"""Defines the commands of verbs: `LibraryCommand` for those that ask no question, `QuestionCommand` for the others.

A `QuestionCommand` takes every input of the formulas as an option.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any

import click

from formula_eval.cache import Cache, cache_directory
from formula_eval.cli.input_options import split_inputs, takes_value, values_of
from formula_eval.cli.output import say
from formula_eval.cli.record_options import kind_of, purpose_flags, record_options
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.option_names import option_of
from formula_eval.core.record_kind import COUNTED
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library
from formula_eval.library import COMPILED
from formula_eval.records.roles import roles_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_GIVEN = "formula_eval.given"
_REPLACES = "formula_eval.replaces"
_KINDS = "formula_eval.kinds"
_LAST_WORD = "formula_eval.last_word"


class WrittenFile(click.Path):
    """The type of an option that names a file to write."""


class LibraryCommand(click.Command):
    """A command with an evaluator of the library that its options name; no file is replaced without `--force`."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Its own, and `--force` where one of them names a file to write."""
        own = super().get_params(ctx)
        return (
            [*own[:-1], _FORCE, own[-1]] if any(isinstance(parameter.type, WrittenFile) for parameter in own) else own
        )

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - whatever a command returns
        """Do what it is for, unless that would replace a file; raises FormulaError."""
        if not ctx.meta.get(_REPLACES):
            from formula_eval.export.files import refuse_existing  # noqa: PLC0415 - seldom needed

            for parameter in self.get_params(ctx):
                file = ctx.params.get(parameter.name or "") if isinstance(parameter.type, WrittenFile) else None
                if file is not None and not file.endswith("/"):  # a folder is never replaced
                    refuse_existing(file)
        return super().invoke(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        self.find_library(ctx, args)
        return super().parse_args(ctx, args)

    def find_library(self, ctx: click.Context, args: list[str]) -> None:
        """Make the evaluator before anything else is read: the library says which options there are."""
        if not ctx.obj:
            cache = Cache(None) if "--no-cache" in args else Cache(cache_directory(), COMPILED)
            evaluator = Evaluator(find_library(values_of("--library", args)), cache, _announce)
            ctx.obj = {} if ctx.obj is None else ctx.obj  # that of whoever runs the command, who reads it
            ctx.obj["evaluator"] = evaluator
            if evaluator.library.is_builtin and any("/" in argument or ".json" in argument for argument in args):
                from formula_eval.ask.other_libraries import refuse_repository_of_another  # noqa: PLC0415 - seldom

                refuse_repository_of_another(args, evaluator)


def _replace(ctx: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001 - as click calls it
    ctx.meta[_REPLACES] = value


_FORCE = click.Option(
    ["--force"],
    is_flag=True,
    expose_value=False,
    callback=_replace,
    help="Replace a file that is there already.",
)


def _announce(what: str) -> None:
    """Tell a person who waits at a terminal; a pipe or a file hears nothing."""
    if sys.stderr is not None and sys.stderr.isatty():
        say(what, err=True)


def evaluator_of(ctx: click.Context) -> Evaluator:
    """The evaluator of this run."""
    found: Evaluator = ctx.obj["evaluator"]
    return found


class QuestionCommand(LibraryCommand):
    """A command that takes every kind of records and every input of the formulas as an option."""

    asks_job = False  # whether a count of accelerators is of all that there are, and not of those that share a model

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Its own, one for each kind of records, and the one for help."""
        own = super().get_params(ctx)
        if not ctx.obj:
            return own
        kinds = ctx.meta.get(_KINDS)
        if kinds is None:
            flags = purpose_flags(evaluator_of(ctx).library)
            taken = {name for flag in (*own, *flags) for name in flag.opts}
            kinds = ctx.meta[_KINDS] = [*record_options(evaluator_of(ctx).schema.kinds.values(), taken), *flags]
        return [*own[:-1], *kinds, own[-1]]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        self.find_library(ctx, args)
        known = {
            name: _takes_value(parameter)
            for parameter in self.get_params(ctx)
            for name in (*parameter.opts, *parameter.secondary_opts)
        }
        ctx.meta[_LAST_WORD] = args[-1] if args else ""
        if not ctx.resilient_parsing:
            own = self._own_words(ctx, args)
            self._refuse_record(ctx, args)
            names = not own and any(isinstance(parameter, click.Argument) for parameter in self.params)
            if not own and not names and self._begins_command(ctx, args) and (launch := self._launch(ctx, args, known)):
                return self.parse_args(ctx, launch)
            schema = lambda: evaluator_of(ctx).schema  # noqa: E731 - loaded only if an option is not click's
            options = (parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option))
            kinds = {name: kind for option in options if (kind := kind_of(option)) for name in option.opts}
            counted = roles_of(evaluator_of(ctx).library).counted
            try:
                rest, ctx.meta[_GIVEN] = split_inputs(
                    args[len(own) :],
                    known,
                    schema,
                    kinds=kinds,
                    counted={name for name, kind in kinds.items() if kind in counted},
                    names_follow=names,
                    namespace=evaluator_of(ctx).library.answer,
                    understood=None if names else self.understood(ctx, args),
                )
            except FormulaError:
                launch = None if own or names else self._launch(ctx, args, known)
                if launch is None:
                    raise
                return self.parse_args(ctx, launch)
            args = [*own, *rest]
        return super().parse_args(ctx, args)

    def _begins_command(self, ctx: click.Context, args: Sequence[str]) -> bool:
        """Whether the first words may be a command: those of others are read only where they may."""
        from formula_eval.cli.command_words import begins_command  # noqa: PLC0415 - only where there are words

        words = list(takewhile(lambda word: not word.startswith("-"), args))
        return bool(words) and begins_command(words, evaluator_of(ctx).library, evaluator_of(ctx).schema)

    def _launch(self, ctx: click.Context, args: list[str], known: dict[str, bool]) -> list[str] | None:
        """The arguments with the command that they begin with behind `--from`; None where they begin with none."""
        from formula_eval.cli.launch_words import as_launch  # noqa: PLC0415 - only where words are a command

        ours = lambda option: takes_value(option, known, evaluator_of(ctx).schema)  # noqa: E731 - of this command
        return as_launch(args, evaluator_of(ctx).library, ours, self.understood(ctx, args))

    def _own_words(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words in front that are its arguments, before those that say what is asked.

        Of any number of them, those before the first words that say it.
        """
        counts = [parameter.nargs for parameter in self.params if isinstance(parameter, click.Argument)]
        if -1 not in counts:
            own = args[: sum(counts)]
            return [] if any(name.startswith("-") for name in own) else own
        words = list(takewhile(lambda word: not word.startswith("-"), args))
        understood = self.understood(ctx, args)
        for first in range(1, len(words)):
            with suppress(FormulaError):
                understood(words[first:])
                return words[:first]
        behind = self._bare(args[len(words) :])
        with suppress(FormulaError):
            if words and behind and understood(behind):
                return words
        return []

    def _bare(self, args: Sequence[str]) -> list[str]:
        """The words behind options that are not the value of one."""
        options = (parameter for parameter in self.params if isinstance(parameter, click.Option) and parameter.is_flag)
        flags = {name for option in options for name in option.opts}
        pairs = ((before, word) for before, word in pairwise(args) if not word.startswith("-"))
        return [word for before, word in pairs if not before.startswith("-") or "=" in before or before in flags]

    def _refuse_record(self, ctx: click.Context, args: list[str]) -> None:
        """Refuse a model, or what it runs on, where the name of a quantity or an input is expected."""
        word = next(iter(args), "-")
        arguments = (parameter for parameter in self.params if isinstance(parameter, click.Argument))
        argument = next((each for each in arguments if each.type is click.STRING), None)
        if argument is None or word.startswith("-"):
            return
        try:
            evaluator_of(ctx).select([word])
        except FormulaError as error:
            is_unknown = error.diagnostics[0].code == "unknown-quantity"
        else:
            is_unknown = False  # a quantity may bear part of a record's name
        if not is_unknown:
            return
        try:
            self.understood(ctx, args)([word])
        except FormulaError:
            return
        name = argument.make_metavar(ctx).strip("[].")
        listed = "inputs" if name == "INPUT" else "formulas"
        help_ = f"Put it behind: `{ctx.command_path} {name} {word}`; `formula-eval list {listed}` shows what there is."
        raise refuse("unknown-quantity", f"`{word}` stands where {name} is expected", help=help_, subject=word)

    def understood(self, ctx: click.Context, args: list[str]) -> Callable[[list[str]], list[str]]:
        """What makes options of words without one: a model, what it runs on, and how many."""
        from formula_eval.cli.words import options_said  # noqa: PLC0415 - only where there are words

        evaluator = evaluator_of(ctx)
        roles = roles_of(evaluator.library)
        job = self.asks_job or evaluator.library.purpose in roles.purposes[1:]
        job = job or any(values_of(f"--{name}", args) for name in roles.shared)
        job = job or any(
            f"--{purpose}" in args or purpose in values_of("--answer", args) for purpose in roles.purposes[1:]
        )
        known = self.alternatives(ctx)
        kinds = evaluator.schema.kinds.values()
        said = {kind.name: values[-1] for kind in kinds if (values := values_of(kind.option, args))}
        beside = {kind: text for kind, text in said.items() if kind not in roles.counted or not COUNTED.fullmatch(text)}
        if roles.engine not in beside and (texts := values_of("--from", args)):
            from formula_eval.cli.launch_words import engine_started  # noqa: PLC0415 - only beside a command

            started = engine_started(texts[-1], evaluator.library)
            beside |= {roles.engine: started} if started else {}
        verb = ctx.command.name or ""
        chooses = any(parameter.name == "only" for parameter in self.params)
        return lambda words: options_said(
            words, evaluator.library, evaluator.schema, known, job=job, beside=beside, verb=verb, chooses=chooses
        )

    def alternatives(self, ctx: click.Context) -> list[str]:
        """What a word may have been meant for, if not a record."""
        del ctx
        return []

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only for completion

        words = words_before(ctx)
        if words:
            return [CompletionItem(word) for word in words if word.startswith(incomplete)]
        own = super().shell_complete(ctx, incomplete)
        if not incomplete.startswith("--"):
            return own
        inputs = evaluator_of(ctx).schema.inputs.values()
        options = [(option_of(input_schema.name), input_schema.sentence) for input_schema in inputs]
        return own + [CompletionItem(name, help=text) for name, text in options if name.startswith(incomplete)]


class JobCommand(QuestionCommand):
    """One that seeks how a number of accelerators is used, or how many are."""

    asks_job = True


def words_before(ctx: click.Context) -> Sequence[str]:
    """The words that an input may be whose option stands before what is typed; none behind anything else."""
    option, schema = ctx.meta.get(_LAST_WORD, ""), evaluator_of(ctx).schema
    name = schema.input_name(option[2:].replace("-", "_")) if option.startswith("--") else None
    return schema.inputs[name].quantity.words if name else ()


def _takes_value(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option) and not parameter.is_flag and not parameter.count


def given_by(ctx: click.Context) -> dict[str, Any]:
    """The inputs that options of a question name, as written."""
    return dict(ctx.meta.get(_GIVEN, {}))
