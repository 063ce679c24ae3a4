"""Holds the result of an evaluation: computed values, the inputs behind them, and the checks that concern them."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, Self

from formula_eval.core.diagnostic import Diagnostic, FormulaError, refuse
from formula_eval.core.named_mapping import NamedMapping
from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import subjects
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.required_choices import without
from formula_eval.evaluate.value import Value, typed_value
from formula_eval.records.givens import Givens
from formula_eval.records.origin import Origin
from formula_eval.records.record import NOTHING
from formula_eval.records.record_values import origin_of, refuse_missing
from formula_eval.records.rows import is_unfilled
from formula_eval.records.schema import CheckSchema, InputSchema, Schema


class CheckResult(NamedTuple):
    """A check, whether it holds, and its message with the numbers put in; `change` as its declaration says.

    One that holds whatever an input is that nobody gave is not `known` to concern the question.
    """

    name: str  # of the check
    level: str  # refuse, warn or note
    ok: bool  # whether it holds
    message: str  # with the numbers put in
    change: tuple[str, ...] = ()
    known: bool = True


class Result:
    """The wanted quantities by name, the inputs behind them, and the checks.

    `records` are the kinds of the records that it is about: those that somebody chose, and those that it reads;
    `lacking` are wanted quantities that have no value without a choice, and what to say for it.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what there is to know of an answer
        self,
        values: Mapping[str, Value],
        inputs: Mapping[str, Value],
        checks: Sequence[CheckResult],
        numbers: Mapping[str, float],
        givens: Givens,
        records: Sequence[str],
        lacking: Mapping[str, str],
    ) -> None:
        """Hold what was computed from these givens; `numbers` are all nodes of the program by name."""
        self.values = values
        self.inputs = inputs
        self.checks = checks
        self.numbers = numbers
        self.givens = givens
        self.records = records
        self.lacking = lacking

    def but(self, **changed: Any) -> Self:  # noqa: ANN401 - any of its parts
        """A copy with other parts."""
        same = object.__new__(type(self))
        vars(same).update(vars(self), **changed)
        return same

    def __eq__(self, other: object) -> bool:
        """Whether both say the same of the same givens."""
        return isinstance(other, Result) and self._said == other._said

    __hash__ = None  # type: ignore[assignment]

    @property
    def _said(self) -> tuple[object, ...]:
        return self.values, self.inputs, self.checks, self.givens, self.lacking

    def __getitem__(self, name: str) -> Value:
        """A wanted quantity or an input."""
        return self.values[name] if name in self.values else self.inputs[name]

    def __iter__(self) -> Iterator[str]:
        """The names of the wanted quantities."""
        return iter(self.values)

    def __len__(self) -> int:
        """How many quantities were wanted."""
        return len(self.values)

    def __repr__(self) -> str:
        """The values, one a line."""
        width = max((len(name) for name in self.values), default=0)
        return "\n".join(f"{name:{width}}  {value}" for name, value in self.values.items())

    def refused(self) -> list[CheckResult]:
        """The checks that forbid this configuration."""
        return [check for check in self.checks if check.level == "refuse" and not check.ok]

    def warnings(self) -> list[str]:
        """What the checks say that warn of this configuration."""
        return [check.message for check in self.checks if check.level == "warn" and not check.ok]

    def to_data(self) -> dict[str, Any]:
        """The documented JSON shape: `inputs`, `values`, `checks`."""
        absent = [
            {"name": value.name, "level": "note", "ok": False, "message": value.why}
            for value in self.values.values()
            if value.value is None and value.why
        ]
        absent += [
            {"name": name, "level": "note", "ok": False, "message": without(name, said)}
            for name, said in self.lacking.items()
        ]
        records = {
            name: {"value": self.givens.records[name], "unit": "", "origin": self.givens.record_origins.get(name, "")}
            for name in self.records
        }
        return {
            "inputs": records | {name: value.to_data() for name, value in self.inputs.items()},
            "values": {name: value.to_data() for name, value in self.values.items()},
            "checks": [
                *(
                    {"name": c.name, "level": c.level, "ok": c.ok, "message": "" if c.ok else c.message}
                    for c in self.checks
                ),
                *absent,
            ],
        }


class _LaterValues(NamedMapping[Value]):
    """The inputs behind an answer or its quantities, each made when somebody reads it."""

    __slots__ = ("_made", "_make")

    def __init__(self, names: Sequence[str], make: Callable[[str], Value]) -> None:
        """Make the value of each of these names when it is asked for."""
        super().__init__(dict.fromkeys(names))
        self._make = make
        self._made: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        """The value of this name, the same one each time; raises KeyError for what is none of them."""
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        return self._made[name]

    def __repr__(self) -> str:
        """As that of a dict."""
        return repr(dict(self))

    def __reduce__(self) -> tuple[type[dict[str, Value]], tuple[list[tuple[str, Value]]]]:
        """Keep the values themselves."""
        return dict, (list(self.items()),)


def _is_left_out(input_schema: InputSchema, numbers: Mapping[str, float]) -> bool:
    """Whether to omit an input: it is optional and was not given, or its row is absent."""
    return (math.isnan(numbers[input_schema.name]) and input_schema.optional) or is_unfilled(
        input_schema.cell, numbers, input_schema.record
    )


def result_of(  # noqa: PLR0913, PLR0917 - a program, what it is given, and what is wanted of it
    program: Program,
    givens: Givens,
    schema: Schema,
    wanted: Sequence[str],
    checks: Sequence[CheckSchema],
    lacking: Mapping[str, str] = NOTHING,
) -> Result:
    """Run the program; raises FormulaError for a division by zero and the like, with the formula's place."""
    numbers = program.evaluate(givens.values)
    missing = refuse_lacking(wanted, numbers, program, schema, givens)
    value = partial(_value, numbers=numbers, program=program, givens=givens, schema=schema)
    values = _LaterValues(wanted, value)
    for name in wanted:
        if math.isnan(numbers[name]):
            _ = values[name]  # what is not a number is refused
    inputs = _LaterValues([name for name in program.inputs if not _is_left_out(schema.inputs[name], numbers)], value)
    unknown = program.dependents(missing)
    told = (check for check in checks if check.name not in unknown or numbers[check.name] == 1)
    done = [_check(each, numbers, schema)._replace(known=each.name not in unknown) for each in told]
    for name, file in givens.files.items():
        said: tuple[tuple[Literal["warn", "note"], str], ...] = (("warn", file.remark), ("note", file.read_as))
        done += [CheckResult(f"{name}.version", level, ok=False, message=text) for level, text in said if text]
    return Result(values, inputs, done, numbers, givens, _subjects(program, givens, schema), lacking)


def _subjects(program: Program, givens: Givens, schema: Schema) -> tuple[str, ...]:
    """The kinds of the records that someone named, or that some needed input comes from."""
    read = {schema.inputs[name].supplier for name in program.inputs}
    held = (name for name in subjects(schema.kinds) if name in givens.records)
    return tuple(name for name in held if name in read or givens.record_origins.get(name) != Origin.DEFAULT)


def _missing(numbers: Mapping[str, float], program: Program, schema: Schema) -> set[str]:
    """The required inputs that nobody gave; quantities that lack a choice were left out before."""
    asked = (schema.inputs[name] for name in program.inputs if math.isnan(numbers[name]))
    return {input_schema.name for input_schema in asked if input_schema.is_required and not input_schema.is_open_choice}


def refuse_lacking(
    wanted: Sequence[str], numbers: Mapping[str, float], program: Program, schema: Schema, givens: Givens
) -> set[str]:
    """Refuse an evaluation that lacks required inputs, all named at once; those that nothing wanted needs come back."""
    missing = _missing(numbers, program, schema)
    if not missing:
        return missing
    unknown = program.dependents(missing)
    absent = (name for name in wanted if name in unknown and math.isnan(numbers[name]))
    lacking = {read: name for name in absent for read in program.ancestors([name]) if read in missing}
    if not lacking:
        return missing
    _refuse_records(lacking, schema, givens, wanted)
    name, wanting = next(iter(lacking.items()))
    raise refuse(
        "missing-value", f"`{wanting}` needs `{name}`, which was not given", help=f"{schema.inputs[name].sentence}."
    )


def _refuse_records(lacking: Mapping[str, str], schema: Schema, givens: Givens, wanted: Sequence[str]) -> None:
    """Refuse a record that lacks required values, and ask for one if several of its inputs are missing."""
    suppliers: dict[str, list[InputSchema]] = {}
    for name in lacking:
        if not schema.inputs[name].record and schema.inputs[name].supplier in schema.kinds:
            suppliers.setdefault(schema.inputs[name].supplier, []).append(schema.inputs[name])
    for supplier, missing in suppliers.items():
        kind = schema.kinds[supplier]
        if supplier in givens.files:
            refuse_missing(missing, origin_of(givens.files[supplier], schema))
        elif len(lacking) > 1:
            asked = f"`{wanted[0]}`" if len(wanted) == 1 else "This question"
            message = f"Which {supplier}? {asked} needs one"
            help_ = f"`formula-eval list {kind.plural}` shows all; `{kind.option} ID` takes one."
            raise refuse("missing-value", message, help=help_, subject=supplier)


def _value(name: str, numbers: Mapping[str, float], program: Program, givens: Givens, schema: Schema) -> Value:
    quantity = schema.quantity(name)
    origin = givens.origins.get(name, Origin.DEFAULT) if name in schema.inputs else ""
    number = numbers[name]
    if math.isnan(number):
        missing = program.why_absent(numbers, name)
        if missing is None:
            message = f"`{name}` is not a number"
            raise FormulaError(Diagnostic("not-a-number", message, help=f"It is computed in {_place(name, schema)}."))
        return Value(
            name, None, quantity, schema.units, origin, f"`{name}` is absent: `{missing}` was not given", "absent"
        )
    if math.isinf(number):
        return Value(name, None, quantity, schema.units, origin, f"`{name}` is infinite", "infinite")
    return Value(name, typed_value(number, quantity), quantity, schema.units, origin)


def _place(name: str, schema: Schema) -> str:
    found = schema.formulas.get(name) or schema.inputs.get(name)
    return found.place if found else name


def _quoted(number: float, quantity: Quantified) -> str:
    """A number to be quoted in a sentence that names the counted unit itself."""
    if not quantity.dimension:
        quantity = quantity.plain() if not quantity.is_multiple else quantity
    if math.isnan(number):
        return shown_value(None, quantity)
    return shown_value(typed_value(number, quantity) if math.isfinite(number) else number, quantity)


def _check(check: CheckSchema, numbers: Mapping[str, float], schema: Schema) -> CheckResult:
    parts = []
    for part in check.message:
        if not part.startswith("{"):
            parts.append(part)
            continue
        parts.append(_quoted(numbers[part[1:-1]], schema.quantity(part[1:-1])))
    return CheckResult(check.name, check.level, bool(numbers[check.name]), "".join(parts), check.change)
