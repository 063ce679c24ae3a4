"""What `check` says of one mistake in a small library that stands alone: in its author's units, names and words."""

from pathlib import Path

import pytest

from formula_eval.check.library import soundness
from formula_eval.core.diagnostic import Diagnostic

BEFORE = '''"""What a trip takes."""

unit km = 1000 m
    "Kilometre"

input trip: km = 100 km in 1 km .. 2000 km
    "Length of the trip"

input stops = 3 in 0 .. 10
    "Stops on the way"

input consumption: kWh/km = (0.15 kWh/km)
    "Energy that each kilometre takes"

energy: kWh = trip * consumption / stops
    "Energy of the trip, for each stop"
    derived "a definition"
    example trip = 200 km -> 10 kWh
'''


def library(folder: Path, chapter: str) -> Path:
    """A library of one chapter."""
    (folder / "formulas" / "trips").mkdir(parents=True)
    (folder / "library.toml").write_text('title = "Trips"\nuses = []\nanswer = "trips"\n')
    (folder / "formulas" / "trips" / "trips.formula").write_text(chapter)
    return folder


def findings(folder: Path, more: str) -> list[Diagnostic]:
    return list(soundness(str(library(folder, BEFORE + more))).findings)


@pytest.mark.parametrize(
    ("more", "message", "help_"),
    [
        (
            "    example stops = 0 -> 15 kWh\n",
            (
                "The example of `trips.energy` cannot be computed: `trips.energy` divides by zero: "
                "`trip * consumption / stops`"
            ),
            "Here trip = 100 km, consumption = 0.15 kWh/km, stops = 0.",
        ),
        (
            "    example stops = 1 -> 15\n",
            "`energy` is `kWh` (J), and the example's result is not",
            "Write `15 kWh`.",
        ),
        (
            "    example consumption = 2 -> 15 kWh\n",
            "The example's `consumption` is `kWh/km` (J/m), and its value is not",
            "Write `(2 kWh/km)`.",
        ),
    ],
)
def test_one_mistake(tmp_path: Path, more: str, message: str, help_: str) -> None:
    (found,) = findings(tmp_path, more)
    assert (found.message, found.help) == (message, help_)


def test_the_library_is_sound(tmp_path: Path) -> None:
    assert findings(tmp_path, "") == []
