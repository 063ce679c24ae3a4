"""Values of our inputs at random, of those that the options of a program can say."""

from random import Random
from typing import Any

from formula_eval.launch.tables.launch_program import LaunchProgram
from formula_eval.launch.write.launch_values import inputs_of
from formula_eval.records.schema import Schema

SHARE = 0.5
COUNTS = (1, 2, 4, 8, 64, 4096)


def values_for(program: LaunchProgram, schema: Schema, choose: Random) -> dict[str, Any]:
    """Values of some of the inputs that a program's options say."""
    found: dict[str, Any] = {}
    together = {name for rule in program.written.values() for name in rule.sources if len(rule.sources) > 1}
    worded = set()  # inputs whose values words name: another is written as the nearest of them
    for option in program.options.values():
        scalars = [value for value in option.words.values() if not isinstance(value, dict)]
        worded |= {option.input} if scalars else set()
        if option.input and scalars and choose.random() < SHARE:
            found.setdefault(option.input, choose.choice(scalars))
    for name in inputs_of(program):
        each = schema.inputs.get(name)
        if each is None or each.quantity.kind not in ("whole", "number") or name in worded or each.allowed:
            continue
        if name == "memory_fraction":
            found[name] = choose.choice((0.8, 0.9, 0.95))
            continue
        fitting = [count for count in COUNTS if (each.low or 0) <= count <= (each.high or 1e9)]
        if fitting and (name in together or choose.random() < SHARE):
            found[name] = choose.choice(fitting)
    return found
