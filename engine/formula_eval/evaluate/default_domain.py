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
    return [
        input_schema.name
        for input_schema in inputs
        if input_schema.default and (input_schema.low is not None or input_schema.allowed)
    ]


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


def _is_allowed(number: float, input_schema: InputSchema) -> bool:
    """Whether the value lies in the input's domain; an absent value (nan) passes."""
    if input_schema.allowed:
        return number in input_schema.allowed
    return not (number < (input_schema.low or 0.0) or (input_schema.high is not None and number > input_schema.high))


def _finding(
    input_schema: InputSchema, number: float, set_by: Sequence[str], givens: Givens, schema: Schema
) -> Diagnostic:
    def shown(value: float, name: str) -> str:
        quantity = schema.quantity(name)
        return shown_value(value, quantity if quantity.dimension or quantity.words else quantity.plain())

    ends = (input_schema.low or 0.0, *(() if input_schema.high is None else (input_schema.high,)))
    ends_shown = " to ".join(shown(end, input_schema.name) for end in ends)
    domain = (
        f"none of {', '.join(shown(value, input_schema.name) for value in input_schema.allowed)}"
        if input_schema.allowed
        else (f"outside {ends_shown}" if input_schema.high is not None else f"below {ends_shown}")
    )
    origins = {name: origin_as_written(givens.origins[name], name, givens.written) for name in set_by}
    said = [f"{name} = {shown(givens.values[name], name)} ({origins[name]})" for name in set_by]
    name = input_schema.name
    message = f"`{name}` would be {shown(number, name)}, {domain}: its default is `{input_schema.default}`"
    follows = f"That follows from {' and '.join(said)}. " if said else ""
    return Diagnostic("out-of-range", message, help=f"{follows}Correct it, or give `{input_schema.name}` itself.")
