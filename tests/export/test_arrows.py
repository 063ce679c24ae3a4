"""Layers and implied arrows, held to what the words mean: every way through small graphs is walked."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from export.papers import evaluator
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.diagram.arrows import circle_in, following_of, layers_of, without_implied
from formula_eval.export.diagram.diagram_layout import DiagramLayout
from formula_eval.export.diagram.operators import arrows_between
from formula_eval.export.palette import palette_of

NAMES = "abcdefg"
arrow_lists = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).map(sorted), max_size=20).map(
    lambda arrows: [(before, after) for before, after in arrows if before != after]
)


def ways(arrows: list[tuple[str, str]], start: str, end: str) -> list[str]:
    """All ways from one name to another, as the letters on them."""
    if start == end:
        return [end]
    return [start + rest for before, after in set(arrows) if before == start for rest in ways(arrows, after, end)]


@given(arrow_lists)
def test_an_arrow_stays_if_it_is_the_only_way(arrows: list[tuple[str, str]]) -> None:
    kept = without_implied(following_of(NAMES, arrows))
    assert kept == [pair for pair in sorted(set(arrows)) if len(ways(arrows, *pair)) == 1]


@given(arrow_lists)
def test_a_layer_is_the_length_of_the_longest_way_to_it(arrows: list[tuple[str, str]]) -> None:
    layers = layers_of(following_of(NAMES, arrows))
    found = {name: number for number, layer in enumerate(layers) for name in layer}
    assert found == {end: max(len(way) - 1 for start in NAMES for way in ways(arrows, start, end)) for end in NAMES}
    assert all(layer == sorted(layer) for layer in layers)


def test_a_circle_is_named() -> None:
    circle = circle_in(following_of((), [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]))
    assert [*pairwise(circle)] in ([("b", "c"), ("c", "b")], [("c", "b"), ("b", "c")])
    assert not circle_in(following_of((), [("a", "b"), ("a", "c"), ("b", "c")]))


def test_arrows_of_a_report_in_a_circle_are_refused() -> None:
    flows = ({"arrows": ["a -> b -> a"]},)
    layout = DiagramLayout("my/structure.toml", palette_of(evaluator().library), {}, (), {}, (), (), flows, (), (), ())
    with pytest.raises(FormulaError, match=r"my/structure.toml: arrows form a circle: (a -> b -> a|b -> a -> b)"):
        arrows_between({"a", "b"}, layout, ("a", "b"), set())
