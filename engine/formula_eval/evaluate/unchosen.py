"""Quantities to those that lack a choice which somebody has to make: refused if they were named, else left out."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.records.givens import spoken
from formula_eval.records.schema import Schema

_MOST = 6


def lacking(names: Iterable[str], given: Mapping[str, object], schema: Schema) -> dict[str, str]:
    """Those of the quantities that have no value, each with what to say for it: the choices that nobody made."""
    found = ((name, schema.unchosen(name, given)) for name in names)
    return {name: " and ".join(_options(each, schema) for each in choices) for name, choices in found if choices}


def refusal(name: str, given: Mapping[str, object], schema: Schema) -> FormulaError:
    """The error of a quantity that lacks a choice, which tells what there is to choose."""
    choice, *_ = schema.unchosen(name, given)
    message = f"`{name}` needs `{choice}`, which is not chosen" if name != choice else f"`{name}` is not chosen"
    return refuse("missing-choice", message, help=f"{_options(choice, schema)}: {schema.inputs[choice].sentence}.")


def reasons(lacks: Mapping[str, str]) -> Iterator[str]:
    """Why these have no value: a line for all that lack the same choices, which names a few of them."""
    for said in dict.fromkeys(lacks.values()):
        names = sorted((name for name, each in lacks.items() if each == said), key=lambda name: name.count("."))
        yield (
            without(names[0], said)
            if len(names) == 1
            else f"{len(names):,} have no value without {said}: {_few(names)}"
        )


def without(name: str, said: str) -> str:
    """Why one has no value."""
    return f"`{name}` has no value without {said}"


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST:,} more" if len(names) > _MOST else ""
    return ", ".join(f"`{each}`" for each in names[:_MOST]) + more


def _options(choice: str, schema: Schema) -> str:
    """`--phase prefill` or `--phase decode`."""
    option = spoken(choice, "option")
    return " or ".join(f"`{option} {word}`" for word in schema.inputs[choice].quantity.words)
