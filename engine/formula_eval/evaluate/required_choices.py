"""Finds quantities that lack a choice which nobody made: refuses those that were named, and leaves out the rest."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.option_names import option_of
from formula_eval.records.schema import Schema

_MOST = 6


def lacking(names: Iterable[str], given: Mapping[str, object], schema: Schema) -> dict[str, str]:
    """The quantities that lack a choice, each with the options that would make it."""
    found = ((name, schema.unchosen(name, given)) for name in names)
    return {name: " and ".join(_options(choice, schema) for choice in choices) for name, choices in found if choices}


def refusal(name: str, given: Mapping[str, object], schema: Schema) -> FormulaError:
    """The error of a quantity that lacks a choice, with the options to choose from."""
    choice, *_ = schema.unchosen(name, given)
    message = f"`{name}` needs `{choice}`, which is not chosen" if name != choice else f"`{name}` is not chosen"
    return refuse("missing-choice", message, help=f"{_options(choice, schema)}: {schema.inputs[choice].sentence}.")


def reasons(lacks: Mapping[str, str]) -> Iterator[str]:
    """Why these have no value: a line for all that lack the same choices, which names a few of them."""
    for said in dict.fromkeys(lacks.values()):
        names = sorted((name for name, lack in lacks.items() if lack == said), key=lambda name: name.count("."))
        yield (
            without(names[0], said)
            if len(names) == 1
            else f"{len(names):,} have no value without {said}: {_few(names)}"
        )


def without(name: str, said: str) -> str:
    """Why a quantity has no value."""
    return f"`{name}` has no value without {said}"


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST:,} more" if len(names) > _MOST else ""
    return ", ".join(f"`{name}`" for name in names[:_MOST]) + more


def _options(choice: str, schema: Schema) -> str:
    """The options that make a choice: `--phase prefill` or `--phase decode`."""
    option = option_of(choice)
    return " or ".join(f"`{option} {word}`" for word in schema.inputs[choice].quantity.words)
