"""A table over another one has its rows; what words and flags of a row say is decided before anything is computed."""

import pytest

from formula_eval.core.graph import FormulaGraph
from formula_eval.resolve.passes import resolve, resolve_on
from language.cases import reader, units

BASE = """
input tp = 2
choice part = mixer | network
table products open
  part: part
  heavy: flag = false
  count
  row first "One"
    part = mixer
    heavy = true
    count = tp
  row second "Two"
    part = network
    count = 3
  row third "Three"
    part = network
    heavy = tp > 1
    count = 4
"""
RUNS = """
table runs for product in products
  part: part = product.part
  count = 2 * product.count
  row second
    count = product.count + 1
  row own "Its own"
    part = mixer
    count = 7
table later for run in runs if run.part == network
  count = 3 * run.count
"""
MARKED = """
table marked
  part: part
  count
  row stated "A word"
    part = mixer
    count = 1
  row computed "Another formula's word"
    part = chosen
    count = 2
total = sum(each.count for each in marked if each.part == mixer)
"""
READS = {
    "sum(each.count for each in runs if each.part == network)": {"runs.second.count", "runs.third.count"},
    "sum(each.count for each in runs if each.part != network)": {"runs.first.count", "runs.own.count"},
    "sum(each.count for each in products if each.heavy)": {
        "products.first.count",
        "products.third.count",
        "products.third.heavy",
    },
    "sum(each.count for each in products if not each.heavy and each.part != mixer)": {
        "products.second.count",
        "products.third.count",
        "products.third.heavy",
        "products.third.part",
    },
    "sum(each.count for each in products if each.part == mixer and not each.heavy)": set(),
}


def graph_of(*texts: str) -> FormulaGraph:
    chapter, findings = reader().chapter("\n".join(texts), "formulas/base.formula", "")
    assert not findings
    resolved = resolve([chapter], units())
    assert resolved.findings == ()
    assert resolved.graph is not None
    return resolved.graph


def test_a_table_has_the_rows_of_another_one_and_reads_them() -> None:
    graph = graph_of(BASE, RUNS)
    assert graph.tables["runs"].rows == ("first", "second", "own", "third")
    assert graph.tables["later"].rows == ("second", "third")
    reads = {name: graph.parents[f"runs.{name}.count"] for name in graph.tables["runs"].rows}
    assert reads == {
        "first": ("products.first.count",),
        "second": ("products.second.count",),
        "third": ("products.third.count",),
        "own": (),
    }


def test_a_further_row_stands_behind_the_one_stated_before_it_and_has_what_follows_else() -> None:
    own = """
table timed for product in products
  part: part = product.part else network
  count = 2 * product.count + tp else 5
  row first
  row between "Its own, behind the first"
  row third
    count = 1
  row behind "Its own, behind the third"
    part = mixer
table networks for run in timed if run.part == network
  count = run.count
"""
    graph = graph_of(BASE, own, "total = sum(each.count for each in timed if each.part == mixer)")
    assert graph.tables["timed"].rows == ("first", "between", "second", "third", "behind")
    assert graph.tables["networks"].rows == ("between", "second", "third")
    assert set(graph.parents["total"]) == {"timed.first.count", "timed.behind.count"}
    assert graph.parents["timed.second.count"] == ("products.second.count", "tp")
    assert graph.parents["timed.between.count"] == ()


def test_a_cell_that_names_a_formula_is_no_word() -> None:
    graph = graph_of(BASE, "chosen: part = network if tp > 1 else mixer\n" + MARKED)
    assert set(graph.parents["total"]) == {"marked.stated.count", "marked.computed.count", "marked.computed.part"}


@pytest.mark.parametrize("written", READS)
def test_a_sum_reads_the_rows_that_it_may_take(written: str) -> None:
    graph = graph_of(BASE, RUNS, f"total = {written}")
    assert set(graph.parents["total"]) == READS[written]


def test_rows_that_a_library_adds_are_taken_too() -> None:
    ours, _ = reader().chapter(BASE + RUNS, "formulas/base.formula", "")
    more, findings = reader().chapter(
        'extend products\n  row fourth "Four"\n    part = network\n    count = 5', "mine/formulas/more.formula", "mine"
    )
    assert not findings
    base = resolve([ours], units())
    on_top, whole = resolve_on(base, [more], units()), resolve([ours, more], units())
    assert on_top is not None
    assert on_top.findings == whole.findings == ()
    assert on_top.graph is not None
    assert whole.graph is not None
    assert dict(on_top.graph.nodes) == dict(whole.graph.nodes)
    for graph in (on_top.graph, whole.graph):
        assert graph.tables["later"].rows == ("second", "third", "fourth")
