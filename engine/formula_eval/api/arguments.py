"""Builds a question from keyword arguments: numbers in base units, lists, texts with units, ids of records."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature
from numbers import Real
from pathlib import Path
from typing import Any

from formula_eval.ask.question import StatedInput, question_of as stated_question
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.value import Value
from formula_eval.records.givens import Question
from formula_eval.records.origin import Origin
from formula_eval.records.roles import roles_of
from formula_eval.records.values import InBaseUnits

_MOST_SHOWN = 3


def question_of(evaluator: Evaluator, given: Mapping[str, Any], inputs: str | Path = "", answer: str = "") -> Question:
    """The question of keyword arguments, a scenario file and the answer that is wanted.

    A record may be given whole, as a mapping, as a scenario file may hold it.
    Raises FormulaError, if a name or a value is not understood.
    """
    said = {name: _several_words(value) for name, value in given.items()}
    question = stated_question(evaluator, StatedInput(said, str(inputs), str(answer), Origin.ARGUMENT))
    return question._replace(values={name: _in_base_units(value) for name, value in question.values.items()})


def refuse_slips(
    evaluator: Evaluator, method: Callable[..., object], given: Mapping[str, Any], *, several: bool
) -> None:
    """Refuse a keyword that resembles one of the method's own, and a list for an input, unless it takes `several`.

    Raises FormulaError, with the nearest name or the method that takes a list.
    """
    for name, value in given.items():
        _refuse_misspelt(name, method, evaluator)
        if not several and isinstance(value, list | tuple) and not isinstance(value, str):
            _refuse_several(name, value, evaluator)


def _refuse_misspelt(name: str, method: Callable[..., object], evaluator: Evaluator) -> None:
    """Refuse what resembles an argument of the method, or a kind of records, and is no name of anything."""
    schema = evaluator.schema
    if schema.kind_named(name) is not None or schema.input_name(name) is not None:
        return
    if any(table.rpartition(".")[2] == name for table in (*schema.inputs, *schema.tables)):
        return
    if name in roles_of(evaluator.library).purposes:
        help_ = f'Write `answer="{name}"`.'
        raise refuse(
            "unknown-input", f"argument: `{name}` is what is asked about, not an input", help=help_, subject=name
        )
    own = [
        parameter.name
        for parameter in signature(method).parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    words = [kind.word for kind in schema.kinds.values()]
    if not schema.synonyms.advised(name) and (help_ := nearest(name, [*own, *schema.kinds, *words])):
        raise refuse("unknown-input", f"argument: `{name}` is not an input", help=help_, subject=name)


def _refuse_several(name: str, value: Sequence[Any], evaluator: Evaluator) -> None:
    """Refuse several values where one is taken, unless they are the rows of a table."""
    schema = evaluator.schema
    if any(isinstance(each, Mapping) for each in value) or schema.input_name(name) is None is schema.kind_named(name):
        return
    shown = ", ".join(map(repr, value[:_MOST_SHOWN])) + (", ..." if len(value) > _MOST_SHOWN else "")
    help_ = f"`sweep({name}=[{shown}])` goes through them, `compare` sets them side by side."
    raise refuse("bad-value", f"argument: `{name}` takes one value, not {len(value)}", help=help_)


def patterns_of(only: Sequence[str] | str | None) -> Sequence[str]:
    """What was asked for by name; nothing for the whole answer."""
    if only is None or isinstance(only, str):
        return [only] if only else []
    if not isinstance(only, Sequence) or not all(isinstance(name, str) for name in only):
        help_ = 'Write `only="params.total"` or `only=["params.total", "memory.*"]`.'
        raise refuse("bad-value", f"argument: `only = {only!r}` names no quantities", help=help_)
    return only


def _several_words(value: Any) -> Any:  # noqa: ANN401 - any input
    """Ids as the command takes several of them; anything else stays as it is."""
    is_words = isinstance(value, list | tuple) and value and all(isinstance(each, str) for each in value)
    return ",".join(value) if is_words else value


def _in_base_units(value: Any) -> Any:  # noqa: ANN401 - any input
    """Numbers say that they need no unit; flags and texts stay as they are, and a number too large for any input."""
    if isinstance(value, Iterable) and not isinstance(value, str | Value):
        return [_in_base_units(each) for each in value]
    if isinstance(value, Value):
        value = value.plain
    if not isinstance(value, Real) or isinstance(value, bool):
        return value
    try:
        return InBaseUnits(float(value))
    except OverflowError:
        return value
