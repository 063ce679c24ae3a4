"""The derivation: every step after what it reads, every number put in where it belongs, every rounding told."""

import math
from fractions import Fraction

import pytest

from counted import seen
from export.papers import TRAINING_JOB, document, evaluator, usual
from formula_eval.analyse.substitute import DOTS, Substitution
from formula_eval.core import expression as e
from formula_eval.core.type import Record
from formula_eval.core.unit import UnknownUnitError
from formula_eval.evaluate.codegen import guarded
from formula_eval.evaluate.subexpression import value_of
from formula_eval.export.document import Document
from formula_eval.export.paper.equations import equations_of
from formula_eval.export.paper.paper import Paper, paper_of
from formula_eval.export.paper.plain_symbol import is_plain
from formula_eval.export.paper.symbols import Symbols
from formula_eval.export.paper.worked_equation import Working
from formula_eval.printing.latex_lines import LINE
from formula_eval.printing.latex_width import width

pytestmark = pytest.mark.slow

# A model, whether it is trained or serves, and what is asked of it besides the usual: of one, all times of serving.
CASES = (
    ("llama2-70b", False, ()),
    ("deepseek-v3", False, ("inference.*",)),
    ("t5-base", False, ()),
    ("llama3.1-405b", True, ()),
)
# A sum of many numbers of four digits each is right to about three.
ROUNDED = 3e-3


@pytest.fixture(scope="module", params=CASES, ids=str)
def whole(request: pytest.FixtureRequest) -> Document:
    model, training, besides = request.param
    values = TRAINING_JOB if training else {"tp": 2, "batch": 4}
    return document(model, *usual(training=training), *besides, named=False, **values)


@pytest.fixture(scope="module")
def papers(whole: Document) -> dict[str, Paper]:
    return {style: paper_of(whole, style) for style in ("symbolic", "substituted", "full")}


def test_results_follow_from_what_is_reached_alone(whole: Document) -> None:
    """Whatever number all the other quantities have, no quantity that is reached comes to another one."""
    numbers = {name: value if name in whole.reached else 7.0 for name, value in whole.numbers.items()}
    assert len(numbers) > len(whole.reached) > 500
    assert whole.reached >= set(whole.wanted)
    for name in seen(whole.reached, at_least=500):
        node = whole.graph.nodes[name]
        if isinstance(node.type, Record) or (node.kind == "input" and name in whole.givens.values):
            continue
        expected = whole.numbers[name]
        assert value_of(guarded(node), numbers, whole.givens.values) == pytest.approx(expected, rel=1e-12, nan_ok=True)


def test_each_equation_stands_after_what_it_reads(whole: Document) -> None:
    equations = equations_of(whole, Symbols(whole.graph, whole.names))
    place = {node.name: number for number, each in enumerate(equations) for node in each.nodes}
    for number, each in seen(enumerate(equations)):
        stack, met = [each.first.name], set[str]()
        while stack:
            for name in set(whole.graph.parents[stack.pop()]) - met:
                met.add(name)
                if name not in place:
                    stack.append(name)
                else:
                    assert place[name] <= number, (each.name, name)


def test_each_needed_node_belongs_to_one_equation(whole: Document) -> None:
    named = [node.name for each in equations_of(whole, Symbols(whole.graph, whole.names)) for node in each.nodes]
    needed = whole.graph.ancestors(list(whole.wanted))
    assert len(named) == len(set(named))
    assert set(named) == {name for name in needed if whole.graph.nodes[name].kind in ("formula", "cell", "call")}


def scale_of(unit: str) -> Fraction:
    """How many base units a shown unit is: `GB/token`, `tokens/s`, `hours`."""
    try:
        return evaluator().library.units.parse(unit).scale if unit else Fraction(1)
    except UnknownUnitError:
        first, slash, rest = unit.partition("/")
        return evaluator().library.units.parse(first.removesuffix("s") + slash + rest).scale


def valued(x: e.Expression) -> e.Expression:
    """Numbers as they are shown, each with the value that its text and unit state."""
    return (
        e.Number(x.text, x.unit, Fraction(x.text) * scale_of(x.unit))
        if isinstance(x, e.Number)
        else e.rebuild(x, valued)
    )


def test_the_numbers_put_in_lead_to_the_result(whole: Document) -> None:
    put_in = Substitution(whole.graph, whole.numbers, whole.givens.values)
    compared = 0
    for name in whole.graph.ancestors(list(whole.wanted)):
        if isinstance(whole.graph.nodes[name].type, Record):
            continue
        node, value = whole.graph.nodes[name], whole.numbers[name]
        if node.expression is None or node.kind == "input" or (node.guard is not None and not put_in.value(node.guard)):
            continue
        filled = put_in(node.expression)
        if isinstance(value, bool) or any(isinstance(each, e.Name | e.ChoiceValue) for each in e.walk(filled)):
            continue
        ours = value_of(valued(filled), {}, {})
        leaves = [abs(float(each.value)) for each in e.walk(valued(filled)) if isinstance(each, e.Number)]
        if not math.isclose(ours, value, rel_tol=ROUNDED):
            assert any(
                isinstance(each, e.Binary) and each.operator in "-%" for each in e.walk(filled)
            ) or "floor" in str(filled), name
            assert abs(ours - value) <= ROUNDED * max(leaves, default=0), (name, ours, value)
        compared += 1
    assert compared > 500


def test_an_equals_sign_is_exact_and_a_rounded_value_says_so(whole: Document) -> None:
    working = Working(whole, Symbols(whole.graph, whole.names), "full")
    signs = {name: working.result(whole.graph.nodes[name]) for name in whole.wanted}
    assert signs["params.total"][0] == "="
    assert int(signs["params.total"][1].split(r"\,")[0].replace("{,}", "")) == whole.numbers["params.total"]
    training = "training.fits" in signs
    time, fits = ("training.step_time", "training.fits") if training else ("inference.latency", "memory.fits")
    assert signs[time][0] == r"\approx"
    assert signs[fits] == (r"\iff", r"\mathrm{true}") or not whole.numbers[fits]


def test_long_sums_keep_their_first_and_last_terms(whole: Document) -> None:
    put_in = Substitution(whole.graph, whole.numbers, whole.givens.values)
    many = tuple(e.Reference("layers") for _ in range(20))
    filled = put_in(e.Call("sum", many))
    assert isinstance(filled, e.Call)
    assert len(filled.arguments) == 5
    assert filled.arguments[3] == DOTS


def test_lines_are_broken_to_fit_the_page(papers: dict[str, Paper]) -> None:
    for paper in seen(papers.values()):
        for chapter in paper.chapters:
            for each in chapter.equations:
                assert all(width(row) < LINE * 1.35 for row in each.rows), (each.name, each.rows)


def test_styles_differ_as_they_say() -> None:
    doc = document("llama2-70b", "memory.weights_bytes", tp=8)
    rows = {
        style: next(each for c in paper_of(doc, style).chapters for each in c.equations if each.wanted).rows
        for style in ("symbolic", "substituted", "full")
    }
    assert rows["symbolic"] == ("M_w &= M_L + M_e",)
    assert rows["substituted"] == (r"M_w &= 17.11\,\mathrm{GB} + 131.1\,\mathrm{MB} \approx 17.24\,\mathrm{GB}",)
    assert rows["full"] == (rows["symbolic"][0], rows["substituted"][0].removeprefix("M_w "))


def test_what_is_zero_stands_apart(whole: Document, papers: dict[str, Paper]) -> None:
    paper = papers["full"]
    shown, zero = ([each for part in parts for each in part.equations] for parts in (paper.chapters, paper.zeros))
    assert [each.number for each in (*shown, *zero)] == list(range(1, len(shown) + len(zero) + 1))
    assert zero
    computed = [name for name in whole.reached if whole.graph.nodes[name].kind != "input"]
    for each in zero:
        held = [whole.numbers[name] for name in computed if name.partition("@")[0] == each.name]
        assert not any(number > 0 or number < 0 for number in held), each.name
    assert not {each.name for each in zero} & set(whole.wanted)
    assert len({part.title for part in paper.zeros}) == len(paper.zeros)
    assert papers["symbolic"].zeros == ()


def test_inputs_say_who_set_them() -> None:
    paper = paper_of(document("llama2-70b", "memory.weights_bytes", tp=8), "full")
    origins = {each.name: each.origin for each in paper.inputs}
    assert origins["layers"] == "models/llama2-70b.toml"
    assert origins["tp"] == "--tp"
    assert "default" not in {each.partition(",")[0] for each in origins.values()}
    origins = {each.name: each.origin for each in paper.defaults}
    assert origins["pp"] == "default"


@pytest.mark.parametrize(
    "symbol", ["t", "t_{k}'", r"\bar{c}_g", r"P_{b,\mathrm{QKV}}", r"\lceil c \rceil", "x''", r"F_8^*"]
)
def test_symbols_that_are_used(symbol: str) -> None:
    assert is_plain(symbol)


@pytest.mark.parametrize(
    "symbol",
    [
        r"\input{x}",
        "a_b_c",
        "x^*'",
        "{",
        "a}",
        r"\bar",
        "_a",
        "a_",
        "$a$",
        "a%",
        "a&b",
        r"\\",
        "\u03b1",
        "",
        " ",
        "a" * 200,
        r"\left(",
    ],
)
def test_symbols_that_are_not(symbol: str) -> None:
    assert not is_plain(symbol)
