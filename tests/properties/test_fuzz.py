"""A few inputs of each surface of `make fuzz`, and what the runner tells of a surface that fails."""

import os
import sys
import time
from pathlib import Path
from random import Random

import pytest

from formula_eval import Formulas
from fuzz.run import SURFACES
from fuzz.runner import fuzz, outcome_of
from fuzz.surface import ACCEPTED, DISCLOSURE, FOUND, HANG, REFUSED, SECRET, TRACEBACK, Failed, Outcome, command

FEW = {
    "configs": 12,
    "keys of configs": 20,
    "headers": 20,
    "launch texts": 3,
    "options of launches": 10,
    "--fill": 100,
    "libraries": 10,
    "cache": 30,
}


@pytest.mark.parametrize("surface", [each for each in SURFACES if each.name in FEW], ids=lambda each: each.name)
def test_a_few_inputs_are_accepted_or_refused(surface, formulas: Formulas, tmp_path: Path) -> None:
    made = surface()
    made.prepare(tmp_path, formulas)
    outcomes = [outcome_of(made, 32, number) for number in range(FEW[made.name])]
    made.close()
    assert [each for each in outcomes if each.kind in FOUND] == []
    assert {ACCEPTED, REFUSED} & {each.kind for each in outcomes}
    assert outcome_of(made, 32, 0)[0] == outcomes[0].kind


class Failing:
    """A surface that does what none should."""

    name = "failing"
    patience = 60

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """Nothing is needed."""

    def one(self, random: Random) -> Outcome:
        match random.randrange(4):
            case 0:
                raise KeyError("x")
            case 1:
                raise Failed("shown") from KeyError("x")
            case 2:
                while True:
                    pass
            case _:
                return command(("--model", SECRET))

    def close(self) -> None:
        """Nothing was started."""


def test_what_fails_is_found_and_is_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.surface.main", lambda arguments: not sys.stdout.write(" ".join(arguments)))
    outcomes = [outcome_of(Failing(), 1, number, 0.2) for number in range(16)]
    assert {each.kind for each in outcomes} == {TRACEBACK, HANG, DISCLOSURE}
    assert "shown\n" in "".join(each.shown for each in outcomes)
    assert [each.kind for each in outcomes] == [outcome_of(Failing(), 1, number, 0.2).kind for number in range(16)]


class Dying(Failing):
    """A surface whose process ends."""

    def one(self, random: Random) -> Outcome:
        if random.random() < 0.3:
            os._exit(9)
        return Outcome(ACCEPTED)


def test_a_process_that_dies_is_a_finding_and_the_next_goes_on(formulas: Formulas) -> None:
    found = dict(fuzz(Dying(), formulas, 1, range(12), time.monotonic() + 600))
    assert sorted(found) == list(range(12))
    assert {each.kind for each in found.values()} == {ACCEPTED, TRACEBACK}
