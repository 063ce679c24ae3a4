"""Every model from its config.json: parameters, cache and states to the unit, FLOP within a thousandth.

The reference was counted tensor by tensor, and FLOP by FLOP, on the model classes of transformers 5.23.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from architectures.comparison import Comparison, cache, parameters
from architectures.reference import Entry
from architectures.tally import Tally
from architectures.work import work
from formula_eval import FormulaError, Formulas

UNSUPPORTED = tomllib.loads((Path(__file__).parent / "unsupported.toml").read_text(encoding="utf-8"))
HABITS = tomllib.loads((Path(__file__).parent / "habits.toml").read_text(encoding="utf-8"))
WITHIN = 1e-3


def test_entry(entry: Entry, formulas: Formulas, tally: Tally) -> None:
    tally.entries += 1
    tally.types.add(entry.model_type)
    _representable(entry, formulas, tally)
    wanted = [*parameters(entry.counted), *cache(entry.counted), *work(entry.counted)]
    recurrent = formulas.evaluate(only=["params.recurrent_layers"], model=str(entry.config))
    if recurrent["params.recurrent_layers"].value:
        tally.apart["training of recurrent mixers"] = "part of their backward pass escapes the counter: not compared"
        wanted = [each for each in wanted if each.what != "training"]
    wanted = list(_allowed(entry, wanted, tally))
    assert not [each for each in _differences(entry, wanted, formulas, tally) if each]


def _representable(entry: Entry, formulas: Formulas, tally: Tally) -> None:
    """A config that cannot be represented is listed with the reason, and refused; any other is read."""
    reason = UNSUPPORTED.get(entry.model_type, "")
    try:
        formulas.evaluate(only=["params.total"], model=str(entry.config))
    except FormulaError as error:
        if not reason or error.diagnostics[0].code != "unsupported-model" or reason not in error.diagnostics[0].message:
            raise
        tally.apart[entry.name] = error.diagnostics[0].message
        pytest.xfail(tally.apart[entry.name])
    assert not reason, f"{entry.model_type} is read: take it from unsupported.toml"


def _allowed(entry: Entry, wanted: Sequence[Comparison], tally: Tally) -> Iterator[Comparison]:
    """What can be compared, in the way of the model's class."""
    habit = HABITS.get(entry.model_type, {"compared": ()})
    for each in wanted:
        if each.what not in habit["compared"]:
            yield each
            continue
        tally.apart[entry.model_type] = habit["why"]
        if "given" in habit:
            yield replace(each, givens={**each.givens, **habit["given"]})


def _differences(entry: Entry, wanted: Sequence[Comparison], formulas: Formulas, tally: Tally) -> Iterator[str]:
    """What to say of each number that differs; empty for one that does not."""
    asked = [dict(each) for each in dict.fromkeys(tuple(each.givens.items()) for each in wanted)]
    for givens in asked:
        here = [each for each in wanted if each.givens == givens]
        names = sorted({name for each in here for name in (*each.formulas, *each.less)})
        result = formulas.evaluate(only=names, model=str(entry.config), **givens)
        for each in here:
            ours = sum(result[name].value for name in each.formulas) - sum(result[name].value for name in each.less)
            difference = tally.add(entry.name, each.what, ours, each.expected, exact=each.exact)
            agree = difference <= (0 if each.exact else WITHIN)
            yield "" if agree else f"{each.what}: {ours:,} for {each.expected:,} by {each.formulas} under {givens}"
