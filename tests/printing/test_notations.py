"""One row of notations.toml is one expression: here each notation is printed and compared."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from counted import seen
from formula_eval.core import expression as e
from formula_eval.core.builtins import LOWERED, require_all, require_builtins
from formula_eval.printing import printer as p
from formula_eval.printing.code import CodePrinter
from formula_eval.printing.notations import NOTATIONS, notation
from formula_eval.printing.python import PRELUDE, PythonPrinter
from formula_eval.symbolic import flag_symbol, quantity_symbol, symbolic
from printing.rows import lowered, rows, written

ROWS = rows("notations.toml")
FLAGS = ("gated", "tied")
SYMBOLS = {
    "layers": "L",
    "hidden": "h",
    "kv_heads": "k",
    "tp": "t",
    "time": "t_k'",
    "width": r"\bar{w}'",
    "operators.time": r"t_{\mathrm{op}}",
}
LOWERED_ALONE = {e.Name, e.Comprehension, e.Lookup, e.Recurrence, e.Solve, e.With, e.Where}
OF_THE_AUTHOR = {e.Reference, e.ChoiceValue, e.Given}


def takes_lowered(name: str) -> bool:
    return issubclass(notation(name), p.LoweredPrinter)


def spelled(name: str) -> str:
    return name.replace(".", "__")


def symbol(name: str) -> str:
    return SYMBOLS.get(name, "")


def trees(name: str) -> Iterator[tuple[dict[str, str], e.Expression]]:
    """The rows of a notation, each with the tree that it prints."""
    for row in ROWS:
        if name in row:
            tree = written(row.get("source", row["text"]))
            yield row, lowered(tree) if takes_lowered(name) else tree


@pytest.mark.parametrize("name", NOTATIONS)
def test_every_row(name: str) -> None:
    names = spelled if takes_lowered(name) else symbol
    for row, tree in seen(trees(name)):
        assert notation(name).formula(tree, names) == row[name], row["text"]


@pytest.mark.parametrize("name", NOTATIONS)
def test_the_rows_of_a_notation_hold_every_node_and_builtin(name: str) -> None:
    parts = [part for _, tree in trees(name) for part in e.walk(tree)]
    kinds = {each for each in vars(e).values() if isinstance(each, type) and issubclass(each, e.Expression)}
    kinds -= LOWERED_ALONE | {e.Binding, e.Situation, e.NamedPiece} if takes_lowered(name) else OF_THE_AUTHOR
    assert kinds - {e.Expression} <= {type(part) for part in parts}
    assert set(LOWERED) <= {part.function for part in parts if isinstance(part, e.Call)}
    signs = {part.operator for part in parts if isinstance(part, e.Binary | e.Compare | e.Logical)}
    assert set(p.PRECEDENCE) - {"not", "-x"} <= signs


@pytest.mark.parametrize("row", [row for row in ROWS if "python" in row], ids=lambda row: row["text"])
def test_lowered_rows(row: dict[str, str]) -> None:
    tree = lowered(written(row["text"]))
    assert notation("latex").formula(tree, symbol) == row["latex"]
    assert str(symbolic(tree, lambda name: (flag_symbol if name in FLAGS else quantity_symbol)(name))) == row["sympy"]
    for name in ("python", "numpy"):
        compile(row[name], "<row>", "eval")


def test_a_notation_with_gaps_is_refused() -> None:
    with pytest.raises(TypeError) as caught:

        class C(CodePrinter):
            words = dict.fromkeys(("true", "false", "infinity"), "")
            signs = dict.fromkeys(set(p.PRECEDENCE) - {"**"}, "")
            functions = dict.fromkeys(set(LOWERED) - {"sqrt"}, "")
            watched = PythonPrinter.watched
            given = binary = PythonPrinter.binary
            conditional = PythonPrinter.conditional
            fits = PythonPrinter.fits

    assert str(caught.value) == (
        "The notation C lacks a method `match` for the node Match, a word for absent, a sign for `**`, "
        "the builtin `sqrt` (in `functions`, or a method `call_sqrt`)"
    )


def test_modules_that_compute_builtins_know_all_of_them_and_no_others() -> None:
    with pytest.raises(TypeError, match=r"some\.module lacks the builtin `one_if`"):
        require_all("some.module", [each for each in LOWERED if each != "one_if"])
    with pytest.raises(TypeError, match=r"some\.module computes `no_such_builtin`, which the language lacks"):
        require_builtins("some.module", ["min", "no_such_builtin"])


def test_a_flag_that_may_be_absent_does_not_hold_where_it_decides() -> None:
    flag = e.Reference("gated")
    chosen = e.Conditional(e.Number("1", "", Fraction(1)), e.Not(flag), flag)
    text = PythonPrinter(str, lambda name: f"({name} == True)").text(chosen)
    assert text == "1.0 if not (gated == True) else gated"


def test_what_is_no_node_of_a_lowered_tree_is_refused() -> None:
    with pytest.raises(TypeError):
        PythonPrinter(str).text(e.Name(("layers",)))


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
        ("round(2.5)", 3.0),
        ("round(-2.5)", -3.0),
        ("round(0.49999999999999994)", 0.0),
        ("round(-0.49999999999999994)", 0.0),
        ("round(4503599627370497.5)", 4503599627370498.0),
        ("round(-inf)", float("-inf")),
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
