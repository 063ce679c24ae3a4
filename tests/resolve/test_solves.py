"""What `solve` finds is what a loop over the whole range finds, in every program and document."""

import math
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from counted import seen
from formula_eval import Formulas, load
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.bounds.interval import Interval
from formula_eval.evaluate.bounds.program_bounds import bounded
from formula_eval.evaluate.partial_evaluation.grid_tables import Configurations
from formula_eval.evaluate.partial_evaluation.residual_program import ResidualProgram, residue_of
from formula_eval.evaluate.program import compile_program
from formula_eval.export.document import document_of
from formula_eval.export.formats import FORMATS, write_document
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question
from libraries import DOCUMENTS
from oracle import Oracle
from samples import samples

ROOT = '''"""A bakery."""

unit loaf count

input low: whole = 1 in (-40) .. (40)
    "Fewest"

input high: whole = 30 in (-40) .. (40)
    "Most"

input bound = 20 in (-70000) .. 70000
    "What a search compares with"

input rows: loaf = 4 in 1 .. 64
    "Loaves in a row"

oven = rows ** 2 + 3 * rows
    "Room that rows of loaves take"
    derived "a square and its edges"
    example rows = 4 -> 28

fewest: whole = solve n in low .. high at most 81: n ** 3 >= bound else 99
    "Smallest number whose cube is no less than a bound"
    derived "by search"
    example bound = 20 -> 3

furthest: whole = solve largest n in low .. high at most 81: n ** 3 <= bound else 99
    "Largest number whose cube is no more than a bound"
    derived "by search"
    example bound = 20 -> 2

root = solve x in 0.5 .. 9.5: cube(x) >= bound else infinity
    "Smallest number of any kind whose cube is no less than a bound"
    derived "by search"
    example bound = 64 -> 4

largest_root = solve largest x in 0.5 .. 9.5: cube(x) <= bound else 0
    "Largest number of any kind whose cube is no more than a bound"
    derived "by search"
    example bound = 64 -> 4

coarse_root = solve x in low / 4 .. high / 4 within 0.001: cube(x) >= bound else infinity
    "Nearly the smallest number whose cube is no less than a bound"
    derived "by search"
    example bound = 64, high = 40 -> 4.0

fitting: loaf = solve largest wide in 1 .. 50: (oven with rows = wide) <= bound else 0
    "Most loaves in a row that an oven takes"
    derived "by search"
    example bound = 28 -> 4

nested = solve n in 0 .. 20: (solve largest m in 0 .. 20: m <= n / 2 and m <= lid else -1) * 3 >= bound else 99
    where lid = high
    "Smallest number whose half, cut off, is no less than a third of a bound"
    derived "by search"
    example bound = 20 -> 14

where_asked = (solve n in 1 .. 8: n / low >= constant(bound) - 1 else 9) if low != 0 else 0
    "A search that is made where it is asked for"
    derived "by search"
    example low = 0 -> 0

erratic = solve n in 0 .. 30: n % 7 == bound else 99
    "A number that fulfils a condition, or none"
    derived "by search"
    example bound = 100 -> 99

def cube(x) = x ** 3
    "Cube of a number"
    derived "a power"
    example x = 2 -> 8

def constant(x) = x + 1
    "One more"
    derived "a sum"
    example x = 1 -> 2
'''
WHOLE = ("fewest", "furthest", "fitting", "nested", "where_asked", "erratic")
ANY = ("root", "largest_root", "coarse_root")
asked = given(low=st.integers(-40, 40), high=st.integers(-40, 40), bound=st.integers(-70000, 70000))
asked_near = given(low=st.integers(-8, 8), high=st.integers(-8, 30), bound=st.integers(-90, 900))


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    folder = tmp_path_factory.mktemp("bakery")
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Bakery"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "root.formula").write_text(ROOT, encoding="utf-8")
    return load(folder)


def first(low: int, high: int, holds: Callable[[int], bool], otherwise: int) -> int:
    return next((n for n in range(low, high + 1) if holds(n)), otherwise)


def last(low: int, high: int, holds: Callable[[int], bool], otherwise: int) -> int:
    return next((n for n in range(high, low - 1, -1) if holds(n)), otherwise)


def by_hand(low: int, high: int, bound: int) -> dict[str, int]:
    def half(n: int) -> int:
        return last(0, 20, lambda m: m <= n / 2 and m <= high, -1)

    return {
        "fewest": first(low, high, lambda n: n**3 >= bound, 99),
        "furthest": last(low, high, lambda n: n**3 <= bound, 99),
        "fitting": last(1, 50, lambda n: n**2 + 3 * n <= bound, 0),
        "nested": first(0, 20, lambda n: half(n) * 3 >= bound, 99),
        "where_asked": first(1, 8, lambda n: n / low >= bound, 9) if low > 0 else 0,
    }


@settings(max_examples=samples(100), deadline=None)
@asked
def test_whole_numbers_are_those_of_a_loop(bakery: Formulas, low: int, high: int, bound: int) -> None:
    _assert_as_by_hand(bakery, low, high, bound)


@settings(max_examples=samples(100), deadline=None)
@asked_near
def test_whole_numbers_within_the_range_are_those_of_a_loop(bakery: Formulas, low: int, high: int, bound: int) -> None:
    _assert_as_by_hand(bakery, low, high, bound)


def _assert_as_by_hand(bakery: Formulas, low: int, high: int, bound: int) -> None:
    expected = by_hand(low, high, bound)
    found = bakery.evaluate(only=list(WHOLE), low=low, high=high, bound=bound).values
    if low < 0:  # then it falls as `n` grows
        del expected["where_asked"]
    assert {name: found[name].value for name in expected} == expected
    assert found["erratic"].value == 99 or found["erratic"].value % 7 == bound


@settings(max_examples=samples(100), deadline=None)
@asked_near
def test_any_number_lies_beside_the_root(bakery: Formulas, low: int, high: int, bound: int) -> None:
    found = bakery.evaluate(only=list(ANY), low=low, high=high, bound=bound).numbers
    within = 9 / (2**49 - 1) + math.ulp(9.5)  # one part of the range, and the rounding of a number in it
    if bound > 9.5**3:
        assert found["root"] == math.inf
        assert found["largest_root"] == 9.5
    elif bound > 0.5**3:
        assert found["root"] ** 3 >= bound >= found["largest_root"] ** 3
        assert (found["root"] - within) ** 3 < bound < (found["largest_root"] + within) ** 3
    else:
        assert (found["root"], found["largest_root"]) == (0.5, 0)
    if low > high or (high / 4) ** 3 < bound:
        assert found["coarse_root"] == math.inf
    else:
        exact = max(low / 4, math.copysign(abs(bound) ** (1 / 3), bound))
        assert exact - 1e-12 <= found["coarse_root"] <= exact + (high - low) / 4 / 1000 + 1e-12


@settings(max_examples=samples(20), deadline=None)
@given(
    given=st.lists(st.tuples(st.integers(-8, 8), st.integers(-8, 30), st.integers(-90, 900)), min_size=1, max_size=9)
)
def test_lanes_find_what_one_configuration_finds(bakery: Formulas, given: list[tuple[int, int, int]]) -> None:
    program = compile_program(bakery.evaluator.graph, [*WHOLE, *ANY])
    low, high, bound = np.array(given, float).T
    many = evaluate_many(program, {"low": low, "high": high, "bound": bound})
    one = [program.evaluate(dict(zip(("low", "high", "bound"), map(float, each), strict=True))) for each in given]
    for name in WHOLE:
        assert np.broadcast_to(many[name], len(given)).tolist() == [each[name] for each in one], name
    for name in ANY:  # some processors round the last bit of a power otherwise where there are several
        expected = pytest.approx([each[name] for each in one], rel=1e-13)
        assert np.broadcast_to(many[name], len(given)).tolist() == expected, name


def test_what_a_grid_leaves_open_finds_what_one_configuration_finds(bakery: Formulas) -> None:
    graph = bakery.evaluator.graph
    program = compile_program(graph, [*WHOLE, *ANY])
    axes = {"low": [-8, 0, 1, 7], "high": [-9, 3, 30], "bound": [-90, 0, 1, 20, 64, 900]}
    grid = {
        name: np.array(each, float).reshape(*np.roll((-1, 1, 1), at)) for at, (name, each) in enumerate(axes.items())
    }
    residual = ResidualProgram(program, residue_of(program, graph, find_library().units, grid, ()), grid, 0)
    whole = Configurations(tuple(np.ogrid[tuple(slice(len(each)) for each in axes.values())]), is_box=True)
    found, _ = residual.compute(whole)
    assert {*WHOLE, *ANY} <= found.keys()
    expected = [program.evaluate(dict(zip(axes, map(float, each), strict=True))) for each in product(*axes.values())]
    for name in [*WHOLE, *ANY]:
        one = [each[name] for each in expected]
        assert np.broadcast_to(found[name], whole.shape).ravel().tolist() == pytest.approx(one, rel=1e-13), name


@pytest.mark.parametrize("bound", [-5, 20, 64, 900])
def test_sympy_finds_what_the_program_finds(bakery: Formulas, bound: int) -> None:
    names = ["fewest", "furthest", "fitting", "root", "largest_root"]
    exact = Oracle(bakery.evaluator.graph).values(names, {"bound": bound, "low": 1, "high": 30, "rows": 4})
    found = bakery.evaluate(only=names, bound=bound).numbers
    for name in seen(names):
        assert float(exact[name]) == pytest.approx(found[name], rel=1e-13), name


def test_bounds_hold_the_answers(bakery: Formulas) -> None:
    program = compile_program(bakery.evaluator.graph, ["root", "fewest"])
    box = Interval(np.array([1.0]), np.array([700.0]))
    found = bounded(program, {"bound": box})
    for bound in (1, 64, 700):
        value = program.evaluate({"bound": float(bound)})
        for name in ("root", "fewest"):
            assert found[name].low[0] <= value[name] <= found[name].high[0]
    assert found["root"].low[0] == 0.5


def test_calls_that_do_not_depend_on_the_unknown_are_made_once(bakery: Formulas) -> None:
    names = bakery.evaluator.graph.nodes
    assert [each for each in names if each.startswith("where_asked.constant")] == ["where_asked.constant"]
    assert sum(each.startswith("root.cube") for each in names) == 50


def test_an_explanation_shows_the_condition_at_the_answer(bakery: Formulas) -> None:
    text = str(bakery.explain("root", bound=64))
    assert "= solve x in 0.5 .. 9.5: cube(x) >= bound else infinity" in text
    assert "cube(x) = 64" in text
    assert "(smallest from 0.5 to 9.5 that fulfils the condition)" in text
    assert "tried" not in text
    assert "place" not in text


@pytest.mark.parametrize("form", DOCUMENTS)
def test_documents_hold_a_search(bakery: Formulas, form: str, tmp_path: Path) -> None:
    evaluator = bakery.evaluator
    document = document_of(evaluator, Question(), evaluator.select(["root", "fewest", "nested"]), named=True)
    target = tmp_path / f"bakery{FORMATS[form].ending}"
    write_document(document, form, str(target))
    assert target.stat().st_size
    if form in ("latex", "markdown"):
        text = target.read_text(encoding="utf-8")
        assert r"0.5 \le x \le 9.5" in text
        assert "tried" not in text
