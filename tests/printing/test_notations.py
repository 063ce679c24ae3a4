"""One row of notations.toml is one expression: here each notation is printed and compared."""

import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from formula_eval.core import expression as e
from formula_eval.core.unit import UnitTable, unit_table
from formula_eval.language.reader import Reader
from formula_eval.printing.latex import latex_text
from formula_eval.printing.numpy import numpy_text
from formula_eval.printing.python import PRELUDE, python_text
from formula_eval.printing.text import expression_text
from formula_eval.symbolic import flag_symbol, quantity_symbol, symbolic

HERE = Path(__file__).parent
ROWS = tomllib.loads((HERE / "notations.toml").read_text(encoding="utf-8"))["row"]
LOWERED = [row for row in ROWS if "python" in row]
WORDS = ("none", "core", "full")
FLAGS = ("gated", "tied")
SYMBOLS = {
    "layers": "L",
    "hidden": "h",
    "kv_heads": "k",
    "tp": "t",
    "time": "t_k'",
    "operators.time": r"t_{\mathrm{op}}",
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    units: UnitTable = unit_table(tomllib.loads((HERE.parents[1] / "formulas" / "units.toml").read_text()))
    return Reader(units)


def parsed(reader: Reader, text: str) -> e.Expression:
    expression, findings = reader.expression(text, "notations.toml")
    assert expression is not None, findings
    return expression


def lowered(x: e.Expression) -> e.Expression:
    """Names bound the way `resolve` does it: words of the one choice to their index, all others to nodes."""
    match x:
        case e.Name((word,)) if word in WORDS:
            return e.ChoiceValue(word, WORDS.index(word))
        case e.Name(path):
            return e.Reference(".".join(path))
        case e.Call("given", (e.Name(path),)):
            return e.Given(".".join(path))
    return e.rebuild(x, lowered)


def spelled(name: str) -> str:
    return name.replace(".", "__")


def ids(row: dict[str, str]) -> str:
    return row["text"]


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_text_is_canonical(reader: Reader, row: dict[str, str]) -> None:
    assert expression_text(parsed(reader, row["text"])) == row["text"]


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_latex(reader: Reader, row: dict[str, str]) -> None:
    assert latex_text(parsed(reader, row["text"]), lambda name: SYMBOLS.get(name, "")) == row["latex"]


@pytest.mark.parametrize("row", LOWERED, ids=ids)
def test_lowered_latex_is_the_same(reader: Reader, row: dict[str, str]) -> None:
    assert latex_text(lowered(parsed(reader, row["text"])), lambda name: SYMBOLS.get(name, "")) == row["latex"]


@pytest.mark.parametrize("row", LOWERED, ids=ids)
def test_python(reader: Reader, row: dict[str, str]) -> None:
    text = python_text(lowered(parsed(reader, row["text"])), spelled)
    assert text == row["python"]
    compile(text, "<row>", "eval")


@pytest.mark.parametrize("row", LOWERED, ids=ids)
def test_numpy(reader: Reader, row: dict[str, str]) -> None:
    text = numpy_text(lowered(parsed(reader, row["text"])), spelled)
    assert text == row["numpy"]
    compile(text, "<row>", "eval")


@pytest.mark.parametrize("row", LOWERED, ids=ids)
def test_sympy(reader: Reader, row: dict[str, str]) -> None:
    def symbol(name: str) -> object:
        return (flag_symbol if name in FLAGS else quantity_symbol)(name)

    assert str(symbolic(lowered(parsed(reader, row["text"])), symbol)) == row["sympy"]


def test_a_flag_that_may_be_absent_does_not_hold_where_it_decides() -> None:
    flag = e.Reference("gated")
    chosen = e.Conditional(e.Number("1", "", Fraction(1)), e.Not(flag), flag)
    text = python_text(chosen, str, lambda name: f"({name} == True)")
    assert text == "1.0 if not (gated == True) else gated"


def test_what_is_no_node_of_a_lowered_tree_is_refused() -> None:
    with pytest.raises(TypeError):
        python_text(e.Name(("layers",)), str)


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("largest_divisor(64.0, 6.0)", 4.0),
        ("largest_divisor(64.0, 64.0)", 64.0),
        ("largest_divisor(7.0, 6.0)", 1.0),
        ("largest_divisor(96.0, 50.0)", 48.0),
        ("largest_divisor(96.0, 0.5)", 0.0),
        ("largest_divisor(96.0, -3.0)", 0.0),
        ("largest_divisor(96.0, inf)", 96.0),
        ("largest(1.0, 3.0, 3.0)", 1),
        ("min(3.0)", 3.0),
        ("max(2.0, 5.0, 3.0)", 5.0),
        ("ceil(inf)", float("inf")),
        ("floor(-2.5)", -3.0),
        ("power(-2.0, 3.0)", -8.0),
    ],
)
def test_prelude(call: str, value: float) -> None:
    namespace: dict[str, object] = {}
    exec(PRELUDE, namespace)
    assert eval(call, namespace) == value


@pytest.mark.parametrize("call", ["min(1.0, nan)", "min(nan, 1.0)", "max(1.0, nan, 2.0)", "largest(1.0, nan)"])
def test_absent_stays_absent(call: str) -> None:
    namespace: dict[str, object] = {}
    exec(PRELUDE, namespace)
    value = eval(call, namespace)
    assert value != value  # noqa: PLR0124
