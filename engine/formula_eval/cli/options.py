"""The options that verbs share: where formulas come from, what is asked of them, and how the answer is written.

`LibraryCommand` with `library_option` is for verbs that ask no question, `QuestionCommand` with `question_options` for
those that evaluate: it takes every input of the formulas as an option.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from formula_eval.cache import Cache, cache_directory
from formula_eval.cli.input_options import split_inputs, values_of
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import COMPILED, find_library
from formula_eval.records.givens import RECORDS, Question

_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])
_GIVEN = "formula_eval.given"
_SAME = {"md": "markdown", "markdown": "md"}


class LibraryCommand(click.Command):
    """A command with an evaluator of the library that its options name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        self.find_library(ctx, args)
        return super().parse_args(ctx, args)

    def find_library(self, ctx: click.Context, args: list[str]) -> None:
        """Make the evaluator before anything else is read: the library says which options there are."""
        if not ctx.obj:
            cache = Cache(None) if "--no-cache" in args else Cache(cache_directory(), COMPILED)
            ctx.obj = {"evaluator": Evaluator(find_library(values_of("--library", args)), cache, _announce)}


def _announce(what: str) -> None:
    """Tell a person who waits at a terminal; a pipe or a file hears nothing."""
    if sys.stderr.isatty():
        click.echo(what, err=True)


def evaluator_of(ctx: click.Context) -> Evaluator:
    """The evaluator of this run."""
    found: Evaluator = ctx.obj["evaluator"]
    return found


class QuestionCommand(LibraryCommand):
    """A command that takes every input of the formulas as an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {
            name: _takes_value(each) for each in self.get_params(ctx) for name in (*each.opts, *each.secondary_opts)
        }
        if not ctx.resilient_parsing:
            self.find_library(ctx, args)
            names = any(isinstance(each, click.Argument) for each in self.params)
            schema = lambda: evaluator_of(ctx).schema  # noqa: E731 - loaded only if an option is not click's
            args, ctx.meta[_GIVEN] = split_inputs(args, known, schema, names_follow=names)
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        own = super().shell_complete(ctx, incomplete)
        if not incomplete.startswith("--"):
            return own
        inputs = evaluator_of(ctx).schema.inputs.values()
        options = [(f"--{each.name.replace('_', '-')}", each.sentence) for each in inputs]
        return own + [CompletionItem(name, help=text) for name, text in options if name.startswith(incomplete)]


def _takes_value(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option) and not parameter.is_flag and not parameter.count


def complete_record(supplier: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Completion of the ids of a supplier's records."""

    def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from formula_eval.records.record_files import record_ids  # noqa: PLC0415 - only for completion

        del parameter
        return [
            CompletionItem(each)
            for each in record_ids(evaluator_of(ctx).library, supplier)
            if each.startswith(incomplete)
        ]

    return complete


def complete_quantity(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Completion of the names of quantities, from the cached schema."""
    del parameter
    names = evaluator_of(ctx).select(["*"])
    return [CompletionItem(each) for each in names if each.startswith(incomplete)]


class Form(click.Choice[str]):
    """One of several forms; `md` and `markdown` are the same."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - as in click
        same = _SAME.get(value)
        return super().convert(same if same in self.choices else value, param, ctx)


def library_option(function: _Decorated) -> _Decorated:
    """Add `--library` and `--no-cache`."""
    help_ = "A folder of your own formulas, models, hardware; repeatable."
    function = click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")(function)
    return click.option("--library", metavar="DIR", multiple=True, type=click.Path(), help=help_)(function)


def output_options(formats: Sequence[str]) -> Callable[[_Decorated], _Decorated]:
    """Add `--format`, the first of these by default, and `--output`."""

    def add(function: _Decorated) -> _Decorated:
        output = click.option("-o", "--output", metavar="FILE", type=click.Path(), help="Write there instead.")
        form = click.option(
            "--format", "form", type=Form(formats), default=formats[0], show_default=True, help="How to print."
        )
        return form(output(function))

    return add


_OPTIONS = (
    click.option(
        "--model",
        metavar="ID",
        shell_complete=complete_record("model"),
        help="A model's id, its Hugging Face name, or a file.",
    ),
    click.option(
        "--gpu",
        "--hardware",
        "gpu",
        metavar="ID",
        shell_complete=complete_record("hardware"),
        help="The accelerator; h100-sxm by default.",
    ),
    click.option("--inputs", metavar="FILE", type=click.Path(), help="A TOML file of inputs, or an edited workbook."),
    click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Any input, as in `list inputs`."),
    click.option("--training", is_flag=True, help="Ask about a training run instead of serving."),
    click.option(
        "--number-format",
        metavar="ID",
        shell_complete=complete_record("format"),
        help="Bits of weights, activations and cache together, such as fp8.",
    ),
    click.option(
        "--engine",
        metavar="ID",
        shell_complete=complete_record("engine"),
        help="The software that serves, such as vllm.",
    ),
    click.option(
        "--family",
        metavar="ID",
        shell_complete=complete_record("family"),
        help="Whose efficiencies hold; those of the accelerator by default.",
    ),
    click.option(
        "--namespace", metavar="NAME", default="", help="Ask other formulas, such as those of published.genz."
    ),
    library_option,
)


def question_options(function: _Decorated) -> _Decorated:
    """Add the options that ask a question."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def question_of(ctx: click.Context, asked: dict[str, Any]) -> Question:
    """The question that the options ask; raises FormulaError."""
    values: dict[str, Any] = dict(ctx.meta.get(_GIVEN, {}))
    for each in asked["settings"]:
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise refuse(
                "bad-value", f"`--set {each}` names no value", help="Write `--set NAME=VALUE`, as `--set tp=8`."
            )
        values[name.strip().replace("-", "_")] = value.strip()
    named = {"model": asked["model"], "hardware": asked["gpu"], "family": asked["family"], "engine": asked["engine"]}
    records = {key: values.pop(key) for key in RECORDS if key in values}
    records |= {key: value for key, value in (named | {"format": asked["number_format"]}).items() if value is not None}
    if "gpu" in values:
        records.setdefault("hardware", values.pop("gpu"))
    kinds = evaluator_of(ctx).schema.inputs
    records |= {key: values.pop(key) for key in list(values) if key in kinds and kinds[key].quantity.kind == "record"}
    stated = _stated(ctx, asked["inputs"])
    if asked["namespace"]:
        _refuse_unknown_namespace(ctx, asked["namespace"])
    return Question(
        records, values, asked["inputs"] or "", asked["namespace"], stated=stated, training=asked["training"]
    )


def _refuse_unknown_namespace(ctx: click.Context, namespace: str) -> None:
    formulas = evaluator_of(ctx).schema.formulas
    if any(name.startswith(f"{namespace}.") for name in formulas):
        return
    folders = {each.namespace for each in formulas.values() if each.kind == "formula" and each.is_listed}
    near = [each for each in sorted(folders) if each.rpartition(".")[2] == namespace]
    help_ = nearest(near[0] if near else namespace, folders) or "`formula-eval list namespaces` shows all."
    raise refuse("unknown-namespace", f"There is no namespace `{namespace}`", help=help_)


def _stated(ctx: click.Context, scenario: str | None) -> Mapping[str, Any] | None:
    if not scenario:
        return None
    from formula_eval.export.workbook.read_back import stated_in  # noqa: PLC0415 - most questions have no such file

    return stated_in(scenario, evaluator_of(ctx))
