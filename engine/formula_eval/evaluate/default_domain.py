"""Finds unset inputs whose default falls outside their domain, and names the givens that led to it."""

from collections.abc import Iterator, Mapping, Sequence

from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.table import FILLED
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.program import Program
from formula_eval.records.givens import Givens
from formula_eval.records.rows import origin_as_written
from formula_eval.records.schema import InputSchema, Schema


def defaults_with_domain(program: Program, givens: Givens, schema: Schema) -> list[str]:
    """The unset inputs of a program that have both a default and a domain."""
    inputs = (schema.inputs[name] for name in program.inputs if name not in givens.values)
    return [each.name for each in inputs if each.default and (each.low is not None or each.allowed)]


def beyond_domain(
    names: Sequence[str], program: Program, numbers: Mapping[str, float], givens: Givens, schema: Schema
) -> Iterator[Diagnostic]:
    """Reports each input whose default is outside its domain, except where that follows from another such input."""
    there = (name for name in names if numbers.get(f"{name.rpartition('.')[0]}.{FILLED}", 1))  # rows may not be there
    wrong = {name for name in there if not _is_allowed(numbers[name], schema.inputs[name])}
    for name in names:
        read = program.ancestors([name]) if name in wrong else []
        if read and wrong.isdisjoint(set(read) - {name}):
            set_by = [each for each in read if each in givens.values]
            yield _finding(schema.inputs[name], numbers[name], set_by, givens, schema)


def _is_allowed(number: float, each: InputSchema) -> bool:
    """Whether the value lies in the input's domain; an absent value (nan) passes."""
    if each.allowed:
        return number in each.allowed
    return not (number < (each.low or 0.0) or (each.high is not None and number > each.high))


def _finding(each: InputSchema, number: float, set_by: Sequence[str], givens: Givens, schema: Schema) -> Diagnostic:
    def shown(value: float, name: str) -> str:
        quantity = schema.quantity(name)
        return shown_value(value, quantity if quantity.dimension or quantity.words else quantity.plain())

    ends = (each.low or 0.0, *(() if each.high is None else (each.high,)))
    ends_shown = " to ".join(shown(end, each.name) for end in ends)
    domain = (
        f"none of {', '.join(shown(value, each.name) for value in each.allowed)}"
        if each.allowed
        else (f"outside {ends_shown}" if each.high is not None else f"below {ends_shown}")
    )
    origins = {name: origin_as_written(givens.origins[name], name, givens.written) for name in set_by}
    said = [f"{name} = {shown(givens.values[name], name)} ({origins[name]})" for name in set_by]
    message = f"`{each.name}` would be {shown(number, each.name)}, {domain}: its default is `{each.default}`"
    follows = f"That follows from {' and '.join(said)}. " if said else ""
    return Diagnostic("out-of-range", message, help=f"{follows}Correct it, or give `{each.name}` itself.")
