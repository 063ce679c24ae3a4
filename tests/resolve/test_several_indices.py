"""Tables of several indices: every pair is a row, and what goes over rows is what a loop in Python finds."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from formula_eval import Formulas, load
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.program import compile_program
from samples import samples

ROOT = '''"""Sheets cut into equal pieces."""

input sheet_width = 300 in 1 .. 10000
    "Width of a sheet"

input sheet_height = 200 in 1 .. 10000
    "Height of a sheet"

input most_across = 5 in 1 .. 6
    "Pieces beside each other"

input most_down = 4 in 1 .. 4
    "Pieces above each other"

table cuts for across in 1 .. most_across at most 6, down in 1 .. most_down at most 4
    "Ways to cut"
    stretch = abs(sheet_width / across / (sheet_height / down) - 1)
        "How far a piece is from a square"
    seen = (previous.seen else 0) + stretch
        "Sum along the last index"

squarest = first(10 * each.across + each.down for each in cuts if each.stretch == nearest) else 0
    where nearest = min(each.stretch for each in cuts)
    "First cut into the most nearly square pieces"
    derived "looked for"
    example sheet_width = 300, sheet_height = 100 -> 31

last_stretch = last(each.stretch for each in cuts)
    "Stretch of the cut into the most pieces"
    derived "the last row that is there"
    example sheet_width = 500, sheet_height = 400 -> 0

last_seen = last(each.seen for each in cuts)
    "Stretches of all cuts with the most pieces beside each other"
    derived "summed row by row"
    example sheet_width = 500, sheet_height = 400, most_down = 1 -> 0.75

wide_cuts = count(each.across > each.down for each in cuts)
    "Cuts with more pieces beside each other than above"
    derived "counted"
    example most_across = 3, most_down = 2 -> 3

best_across = cuts[smallest(each.stretch for each in cuts)].across
    "Pieces beside each other in the best cut"
    derived "looked up"
    example sheet_width = 300, sheet_height = 100 -> 3

one_cut = cuts.2x3.stretch
    "Stretch of one cut"
    derived "a cell"
    example sheet_width = 200, sheet_height = 300 -> 0
'''
FIGURES = ("squarest", "last_stretch", "last_seen", "wide_cuts", "best_across")


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    folder = tmp_path_factory.mktemp("sheets")
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Sheets"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "root.formula").write_text(ROOT, encoding="utf-8")
    return load(folder)


def by_hand(width: int, height: int, across: int, down: int) -> list[float]:
    cuts = list(itertools.product(range(1, across + 1), range(1, down + 1)))
    stretches = {cut: abs(width / cut[0] / (height / cut[1]) - 1) for cut in cuts}
    least = min(stretches.values())
    best = next(cut for cut in cuts if stretches[cut] == least)
    seen = 0.0
    for each in range(1, down + 1):
        seen += stretches[across, each]
    return [10 * best[0] + best[1], stretches[across, down], seen, sum(one > two for one, two in cuts), best[0]]


@settings(max_examples=samples(50))
@given(width=st.integers(1, 900), height=st.integers(1, 900), across=st.integers(1, 6), down=st.integers(1, 4))
def test_rows_of_pairs_are_found_as_by_hand(sheets: Formulas, width: int, height: int, across: int, down: int) -> None:
    given_ = {"sheet_width": width, "sheet_height": height, "most_across": across, "most_down": down}
    found = sheets.evaluate(only=list(FIGURES), **given_).values
    assert [found[name].value for name in FIGURES] == by_hand(width, height, across, down)


def test_lanes_find_their_own_pairs(sheets: Formulas) -> None:
    cases = [(300, 200, 5, 4), (640, 480, 6, 3), (100, 900, 1, 1), (7, 5, 2, 4)]
    names = ("sheet_width", "sheet_height", "most_across", "most_down")
    columns = {name: np.array([float(case[place]) for case in cases]) for place, name in enumerate(names)}
    found = evaluate_many(compile_program(sheets.evaluator.graph, FIGURES), columns)
    assert np.array([found[name] for name in FIGURES]).T.tolist() == [by_hand(*case) for case in cases]
