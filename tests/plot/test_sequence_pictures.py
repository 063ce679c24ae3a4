"""The pictures of sequences: lines over one index, a map of each column over two, and no more than a layout says."""

from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from formula_eval import Formulas, load
from formula_eval.export.plot.answer_picture import answer_picture
from formula_eval.export.plot.chart_data import HeatMap, LineChart
from formula_eval.export.plot.draw.picture_file import write_picture
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

ROOT = '''"""Water in a tank."""

input days: whole = 5 in 1 .. 3000
    "Days looked at"

table tank for day_number in 1 .. days at most 3000
    "Water, day by day"
    filled_in = 3 * day_number
        "Water that comes in"
    level = (previous.level else 0) + filled_in
        "Water in the tank"
    is_full: flag = level > 20
        "Whether it runs over"

table pipes for width in 1 .. 2, length in 1 .. 3
    "Pipes of each size"
    volume = width * length
        "Water in a pipe"
'''


@pytest.fixture(scope="module")
def tank(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    folder = tmp_path_factory.mktemp("tank")
    (folder / "formulas" / "water").mkdir(parents=True)
    (folder / "library.toml").write_text('title = "Tank"\nuses = []\nanswer = "water"\n', encoding="utf-8")
    (folder / "formulas" / "water" / "tank.formula").write_text(ROOT, encoding="utf-8")
    return load(folder)


def asked(days: int) -> Question:
    return Question({}, {"water.days": str(days)}, namespace="water")


def test_rows_that_are_there_are_points_of_lines_and_cells_of_maps(tank: Formulas, tmp_path: Path) -> None:
    picture = answer_picture(tank.evaluator, asked(4))
    lines, pipes = picture.charts
    assert isinstance(lines, LineChart)
    assert lines.xs == (1, 2, 3, 4)
    assert {each.title: each.ys for each in lines.lines} == {"filled in": (3, 6, 9, 12), "level": (3, 9, 18, 30)}
    assert isinstance(pipes, HeatMap)
    assert (pipes.x.title, pipes.xs) == ("length", (1, 2, 3))
    assert (pipes.y.title, pipes.ys) == ("width", (1, 2))
    assert pipes.cells == ((1, 2, 3), (2, 4, 6))
    write_picture(picture, tank.evaluator.library, str(tmp_path / "tank.svg"), "light")
    assert "filled in" in (tmp_path / "tank.svg").read_text(encoding="utf-8")


def test_a_long_sequence_is_drawn_by_some_of_its_points(tank: Formulas) -> None:
    lines = answer_picture(tank.evaluator, asked(3000)).charts[0]
    assert isinstance(lines, LineChart)
    assert lines.xs == tuple(range(1, 3001, 2))
    assert lines.lines[1].ys[-1] == sum(3 * day for day in range(1, 3000))
