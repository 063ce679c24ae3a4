"""What `check` says of one mistake in a small library that stands alone: in its author's units, names and words."""

from pathlib import Path

import pytest

from formula_eval.check.first_causes import first_causes
from formula_eval.check.library import soundness
from formula_eval.cli.errors import text_of
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.printing.diagnostic import rendered

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
            "    example trip = 0 km -> 15 kWh\n",
            "The example of `trips.energy` cannot be computed: example: `trips.trip = 0 km` is outside 1 to 2,000 km",
            "Length of the trip: 1 to 2,000 km.",
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


MODULES = """
unit panel count checked
    "Panel"

record module in modules.toml default one
    "A module, as its data sheet states it"

input panels: panel = 12 panel in 1 panel .. 100 panel
    "Panels on the roof"

input power: W/panel from module
    "Peak power of a panel"

peak: W = panels * power
    "Peak power of the roof"
    derived "a definition"
    example module = one, panels = 10 panel -> 4300 W

table parts
    "Parts of the roof"
    width: m
        "Width of a part"
    area: m**2 = width * 3 m
        "Area of a part"

    row north "The northern half"
        width = 3 m

    row south "The southern half"
        width = 4 m

area: m**2 = sum(each.area for each in parts)
    "Area of all parts"
    derived "a sum"
    example -> (21 m**2)

other: m = 3 s
    "A mistake of its own"
    derived "a definition"
    example -> 3 m
"""


@pytest.mark.parametrize(
    ("right", "wrong", "message", "following"),
    [
        ("record module in", "record module of", "Unexpected `of`", 2),
        ("row south", "row north", "The row `north` is declared twice", 2),
        ("    area: m**2 =", "    width: m =", "The column `width` is declared twice", 2),
        ("module", "panel", "`panel` is a kind of records ({place}:23)", 6),
        ("unit panel count", "unit panel amount", "Unexpected `amount`; expected `=`", 5),
    ],
)
def test_what_follows_is_counted(tmp_path: Path, right: str, wrong: str, message: str, following: int) -> None:
    (tmp_path / "modules.toml").write_text('[one]\nname = "One"\npower = "430 W/panel"\n')
    found = findings(tmp_path, MODULES.replace(right, wrong))
    told = [(each.message, each.following) for each in first_causes(found, text_of)]
    place = tmp_path / "formulas" / "trips" / "trips.formula"
    other = "`other` is `m`, but `3 s` is `s`"
    assert told == [(message.format(place=place), following), (other, 0)]
    assert len(found) == following + 2
    assert rendered(first_causes(found, text_of)[0], text_of).endswith(f"\nand {following} findings follow from it")


def test_what_fails_by_a_record_that_is_not_there_is_told_once(tmp_path: Path) -> None:
    more = """
record car in cars.toml default small
    "A car"

input weight: kg = 1 kg from car
    "Weight of the car"

double: kg = 2 * weight
    "Weight of two"
    derived "twice that of one"
    example weight = 2 kg -> 4 kg
"""
    (found,) = findings(tmp_path, more)
    assert (found.code, found.following) == ("no-records", 1)
