"""Reduces the formulas of a plan to what is left of them over the inputs that a reader may change."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from formula_eval.analyse.plan.demand import BUSIEST, Load
from formula_eval.analyse.plan.planned import Alternative
from formula_eval.analyse.plan.values import values_of
from formula_eval.core import expression as e
from formula_eval.evaluate.codegen import tested_inputs
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.specialise import LONGEST, formulas_left
from formula_eval.export.terminal.json_csv import finite
from formula_eval.printing.javascript import JavaScriptPrinter
from formula_eval.records.givens import Question
from formula_eval.records.values import InBaseUnits


class LiveAlternative(NamedTuple):
    """The functions of an alternative as a JavaScript array, and the place of each quantity among its values.

    The free inputs have the first places, in their order, the functions those behind them. A function takes `v`, which
    gives the value at a place.
    """

    script: str
    places: Mapping[str, int]


def changeable(evaluator: Evaluator, names: Sequence[str], wanted: Sequence[str], given: Collection[str]) -> list[str]:
    """Those of the inputs that a reader may change: all that are given, and of others those that no formula asks for.

    A formula that asks whether an input was given holds in another form once it is.
    """
    graph = evaluator.graph
    tested = tested_inputs(graph.nodes[name] for name in graph.ancestors([*wanted]))
    return [name for name in names if name in given or name not in tested]


def live_formulas(  # noqa: PLR0913, PLR0917 - as `formulas_left`
    evaluator: Evaluator,
    question: Question,
    wanted: Sequence[str],
    free: Sequence[str],
    load: Load | None,
    longest: int = LONGEST,
) -> dict[str, e.Expression]:
    """What is left of the wanted quantities and of what they need in a configuration, where these inputs are free.

    `longest` is how many parts a formula may get by another that is written into it.
    """
    given = dict(evaluator.givens(question).values)
    if load is not None:  # the rate is free: what says it otherwise does not count
        given[load.mean_rate] = 0.0
    names = [name for name in dict.fromkeys(wanted) if name not in free]
    return formulas_left(evaluator.graph, evaluator.library.units, names, given, free, longest)


def live_alternative(
    evaluator: Evaluator, question: Question, wanted: Sequence[str], free: Sequence[str], load: Load | None
) -> LiveAlternative:
    """Specialise the wanted quantities to a configuration of the busiest hour, where these inputs are free."""
    left = live_formulas(evaluator, question, wanted, free, load)
    names = [name for name in dict.fromkeys(wanted) if name not in free]
    places = {name: place for place, name in enumerate((*free, *left))}

    def value(name: str) -> str:
        return f"v({places[name]})"

    printer = JavaScriptPrinter(value, lambda flag: f"({value(flag)} === true)")
    script = "".join(f"(v) => {printer.text(x)},\n" for x in left.values())
    return LiveAlternative(f"[\n{script}]", {name: places[name] for name in (*free, *names)})


def start_values(
    evaluator: Evaluator, alternative: Alternative, free: Sequence[str], load: Load | None
) -> dict[str, float | None]:
    """The free inputs, and those of the load, in the busiest hour; None where nobody states them."""
    names = [*free, *(load[:4] if load else ())]
    busiest = alternative.hours[BUSIEST]
    values = values_of(evaluator, busiest, names)
    if load is not None and busiest is not None and values[load.mean_rate] > 0:
        found = _peak(evaluator, busiest, values, load)
        if not math.isclose(found, values[load.peak]):  # else a field shows what was said, not its last bits
            values[load.peak] = found
    return {name: finite(value) for name, value in values.items()}


def _peak(evaluator: Evaluator, question: Question, values: Mapping[str, float], load: Load) -> float:
    """How many times the mean rate the busiest hour's is, said so that the same rate is found on average."""
    told = {load.rate: InBaseUnits(values[load.rate]), load.mean_rate: InBaseUnits(0.0), load.peak: InBaseUnits(1.0)}
    flat = values_of(evaluator, question._replace(values={**question.values, **told}), [load.average])
    return flat[load.average] / values[load.average]
