"""Computed numbers with what they mean: unit, origin, and the checks that speak about them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from formula_eval.core.diagnostic import Diagnostic, FormulaError, refuse
from formula_eval.core.quantity import Quantified
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.program import Program
from formula_eval.records.givens import Givens
from formula_eval.records.rows import is_unfilled
from formula_eval.records.schema import CheckSchema, InputSchema, Schema


class Value(NamedTuple):
    """One number in base units, or a flag, or a word; None if absent or infinite, as `absence` and `why` tell."""

    name: str
    value: float | int | bool | str | None
    quantity: Quantified
    origin: str = ""
    why: str = ""
    absence: Literal["", "absent", "infinite"] = ""

    def __str__(self) -> str:
        """For people: `137.95 GB`, `1.85 ms`, `68,976,648,192`."""
        if self.value is None and self.absence == "infinite":
            return "infinite"
        return shown_value(self.value, self.quantity)

    @property
    def unit(self) -> str:
        """The unit that `value` is in: `byte`, `s`, `byte/token`, ...; empty for a plain number."""
        return base_unit(self.quantity)

    def to_data(self) -> dict[str, Any]:
        """`value`, `unit` and, for an input, `origin`."""
        data: dict[str, Any] = {"value": self.value, "unit": self.unit}
        return {**data, "origin": self.origin} if self.origin else data

    def __format__(self, spec: str) -> str:
        """The text, or with a specification the formatted number."""
        return format(self.value, spec) if spec and self.value is not None else format(str(self), spec)

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415 - for notebooks alone

        return f"<code>{escape(self.name)}</code> = <b>{escape(str(self))}</b>"


class CheckResult(NamedTuple):
    """A check, whether it holds, and its message with the numbers put in."""

    name: str
    level: str
    ok: bool
    message: str


@dataclass(frozen=True, repr=False)
class Result:
    """The wanted quantities by name, the inputs behind them, and the checks."""

    values: Mapping[str, Value]
    inputs: Mapping[str, Value]
    checks: Sequence[CheckResult] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)
    givens: Givens = field(default_factory=Givens)

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
        return [each for each in self.checks if each.level == "refuse" and not each.ok]

    def to_data(self) -> dict[str, Any]:
        """The documented JSON shape: `inputs`, `values`, `checks`."""
        absent = [
            {"name": value.name, "level": "note", "ok": False, "message": value.why}
            for value in self.values.values()
            if value.value is None and value.why
        ]
        records = {
            name: {"value": self.givens.records[name], "unit": "", "origin": self.givens.record_origins.get(name, "")}
            for name in ("model", "hardware")
            if name in self.givens.records
        }
        return {
            "inputs": records | {name: value.to_data() for name, value in self.inputs.items()},
            "values": {name: value.to_data() for name, value in self.values.items()},
            "checks": [
                *({"name": c.name, "level": c.level, "ok": c.ok, "message": c.message} for c in self.checks),
                *absent,
            ],
        }

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415 - for notebooks alone

        rows = "".join(
            f"<tr><td><code>{escape(n)}</code></td><td>{escape(str(v))}</td></tr>" for n, v in self.values.items()
        )
        return f"<table>{rows}</table>"


def base_unit(quantity: Quantified) -> str:
    """The unit of the base value: the author's, unless that is a multiple (`hour` is shown, `s` is held)."""
    bases = {"byte", "FLOP", "s", "USD", "J"}
    written = {part for part in quantity.unit.replace("*", "/").split("/") if part}
    needed = {part for part in quantity.dimension.replace("**2", "").replace("*", "/").split("/") if part}
    return quantity.unit if needed - {"1"} <= written & bases else quantity.dimension


def _is_left_out(each: InputSchema, numbers: Mapping[str, float]) -> bool:
    """Whether an input has nothing to say: nobody gave it and it is optional, or its row is not there."""
    return (math.isnan(numbers[each.name]) and each.optional) or is_unfilled(each.cell, numbers, each.record)


def result_of(
    program: Program, givens: Givens, schema: Schema, wanted: Sequence[str], checks: Sequence[CheckSchema]
) -> Result:
    """Run the program; raises FormulaError for a division by zero and the like, with the formula's place."""
    numbers = program.evaluate(givens.values)
    _refuse_missing(wanted, numbers, program, schema)
    values = {name: _value(name, numbers, program, givens, schema) for name in wanted}
    inputs = {
        name: _value(name, numbers, program, givens, schema)
        for name in program.inputs
        if not _is_left_out(schema.inputs[name], numbers)
    }
    missing = _missing(numbers, program, schema)
    done = [_check(each, numbers, schema) for each in checks if not _needs(each.name, missing, program)]
    return Result(values, inputs, done, numbers, givens)


def _missing(numbers: Mapping[str, float], program: Program, schema: Schema) -> set[str]:
    """Inputs that someone has to give, and nobody gave."""
    asked = (schema.inputs[name] for name in program.inputs if math.isnan(numbers[name]))
    return {each.name for each in asked if not each.optional and not each.default}


def _needs(name: str, missing: set[str], program: Program) -> bool:
    return bool(missing) and any(row.name in missing for row in program.ancestors(name))


def _refuse_missing(wanted: Sequence[str], numbers: Mapping[str, float], program: Program, schema: Schema) -> None:
    """Refuse what lacks inputs that someone has to give, all of them at once."""
    missing = _missing(numbers, program, schema)
    if not missing:
        return
    absent = (name for name in wanted if math.isnan(numbers[name]))
    lacking = {row.name: name for name in absent for row in program.ancestors(name) if row.name in missing}
    if not lacking:
        return
    suppliers = dict.fromkeys(schema.inputs[name].supplier for name in lacking)
    if len(lacking) > 1 and "model" in suppliers:
        message = f"Which model? `{next(iter(lacking.values()))}` needs one"
        raise refuse(
            "missing-value", message, help="For example --model llama2-70b; `formula-eval list models` shows all."
        )
    name, wanting = next(iter(lacking.items()))
    raise refuse(
        "missing-value", f"`{wanting}` needs `{name}`, which was not given", help=f"{schema.inputs[name].sentence}."
    )


def _value(name: str, numbers: Mapping[str, float], program: Program, givens: Givens, schema: Schema) -> Value:
    quantity = schema.quantity(name)
    origin = givens.origins.get(name, "default") if name in schema.inputs else ""
    number = numbers[name]
    if math.isnan(number):
        missing = program.why_absent(numbers, name)
        if missing is None:
            message = f"`{name}` is not a number"
            raise FormulaError(Diagnostic("not-a-number", message, help=f"It is computed in {_place(name, schema)}."))
        return Value(name, None, quantity, origin, f"`{name}` is absent: `{missing}` was not given", "absent")
    if math.isinf(number):
        return Value(name, None, quantity, origin, f"`{name}` is infinite", "infinite")
    return Value(name, typed_value(number, quantity), quantity, origin)


def _place(name: str, schema: Schema) -> str:
    found = schema.formulas.get(name) or schema.inputs.get(name)
    return found.place if found else name


def typed_value(number: float, quantity: Quantified) -> float | int | bool | str:
    """The number as what it is: a flag, a word, a whole number, or as it is."""
    if quantity.kind == "flag":
        return bool(number)
    if quantity.kind == "choice":
        return quantity.words[int(number)]
    if number == math.floor(number) and abs(number) < 2**53:
        return int(number)
    return number


def _quoted(number: float, quantity: Quantified) -> str:
    """A number within a sentence, which says itself what is counted."""
    if not quantity.dimension:
        quantity = quantity._replace(unit="")
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
    return CheckResult(check.name, check.level, bool(numbers[check.name]), "".join(parts))
