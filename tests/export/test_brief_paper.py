"""A brief paper: the headlines and what moves them most, from the top down, and nothing that vanishes here."""

import re
from functools import partial
from pathlib import Path

import pytest

from counted import seen
from export.papers import document, usual
from export.test_latex import MARGIN, compiled, needs_latex, overfull
from formula_eval.core.expression import Conditional, Match
from formula_eval.evaluate.subexpression import value_of
from formula_eval.export.document import Document
from formula_eval.export.paper.brief import brief_paper, without_vanishing
from formula_eval.export.paper.equations import equations_of
from formula_eval.export.paper.latex import latex_paper
from formula_eval.export.paper.markdown import markdown_paper
from formula_eval.export.paper.symbols import Symbols
from formula_eval.export.relevance import RelativeInfluence

pytestmark = pytest.mark.slow

MODELS = ["llama2-70b", "deepseek-v3"]


def asked(model: str) -> Document:
    return document(model, *usual(form="latex"), named=False, tp=8)


@pytest.fixture(scope="module", params=MODELS)
def whole(request: pytest.FixtureRequest) -> Document:
    return asked(request.param)


def test_it_holds_every_headline_and_some_twenty_equations(whole: Document) -> None:
    paper = brief_paper(whole, "full")
    (chapter,) = paper.chapters
    assert 12 <= len(chapter.equations) <= 20
    shown = {each.name for each in chapter.equations}
    headlines = set(RelativeInfluence(whole).headlines)
    assert {"params.total", "memory.total_bytes", "inference.ttft", "inference.tpot"} <= headlines <= shown
    assert "inference.ttft_low" not in headlines
    assert [each.name for each in paper.results] == sorted(
        whole.wanted, key=lambda name: whole.graph.nodes[name].kind == "cell"
    )
    cited = {key for each in chapter.equations for key, _ in each.sources}
    assert {each["key"] for each in paper.sources} == cited


def test_equations_stand_before_those_that_they_read(whole: Document) -> None:
    paper = brief_paper(whole, "symbolic")
    place = {each.name: each.number for each in paper.chapters[0].equations}
    for name, number in seen(place.items()):
        if name in whole.graph.parents:
            for parent in whole.graph.reads(name):
                assert place.get(whole.graph.nodes[parent].base, number + 1) > number, (name, parent)


def test_what_is_told_beside_is_read_and_has_no_equation(whole: Document) -> None:
    paper = brief_paper(whole, "full")
    shown = {each.name for each in paper.chapters[0].equations}
    assert paper.beside
    assert not shown & {each.name for each in paper.beside}
    assert "tp" in {each.name for each in paper.inputs}
    assert paper.kept > 100


def test_what_vanishes_changes_no_number(whole: Document) -> None:
    """What is left of every equation comes to what the whole of it did."""
    left_out, numbers = 0, whole.numbers
    value = partial(value_of, numbers=numbers, given=whole.givens.values)
    for equation in equations_of(whole, Symbols(whole.graph, whole.names)):
        nodes = [
            node
            for node in equation.nodes
            if node.expression is not None
            and (node.guard is None or value(node.guard) == 1)
            and numbers[node.name] == numbers[node.name]
        ]
        if not nodes:
            continue
        left = without_vanishing(equation, nodes, value)
        for before, after in zip(nodes, left.nodes, strict=True):
            assert value(after.expression) == pytest.approx(numbers[before.name], rel=1e-12)
            left_out += after.expression != before.expression
    assert left_out > 100


def test_no_decided_choice_is_left(whole: Document) -> None:
    value = partial(value_of, numbers=whole.numbers, given=whole.givens.values)
    equations = equations_of(whole, Symbols(whole.graph, whole.names))
    for each in seen(equations):
        if each.first.expression is not None and each.first.author is not None and not each.first.binding:
            left = without_vanishing(each, each.nodes[:1], value).first
            if type(left.author) is type(left.expression):
                assert not isinstance(left.author, Conditional | Match), each.name


def test_influence_is_an_elasticity() -> None:
    """Of a product every factor has the same one; of a sum each term its share."""
    doc = document("llama2-7b", "params.total")
    influence, numbers = RelativeInfluence(doc), doc.numbers
    share = numbers["params.layers_total"] / numbers["params.total"]
    assert influence.of(["params.total"]) == 1
    assert influence.of(["params.layers_total"]) == pytest.approx(0.9 * share, rel=1e-3)
    assert influence.of(["params.moe_ffn_total"]) == 0


@needs_latex
@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_it_is_four_to_seven_pages(model: str, tmp_path: Path) -> None:
    log = compiled(latex_paper(asked(model), brief=True), tmp_path, times=2)
    assert max(overfull(log), default=0) < MARGIN
    assert 4 <= int(re.search(r"Output written on .* \((\d+) pages", log.replace("\n", " "))[1]) <= 7


def test_markdown_says_the_same(whole: Document) -> None:
    text = markdown_paper(whole, brief=True)
    assert "## The equations that matter" in text
    assert "## Notation" not in text
    assert text.count(r"\tag{") == len(brief_paper(whole, "full").chapters[0].equations)
    assert "absent" not in text
