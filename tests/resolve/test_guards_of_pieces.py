"""Pieces of a `where` that decide where they are read again: values and failures are those of the text written out."""

import random

import numpy as np
import pytest

from formula_eval import Formulas, load
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.program import compile_program

PIECE, OTHER = "1 / (n - 4)", "1 / (k - 2) + {piece}"
DRAWN = 60
COUNTS = np.array([(n, k) for n in range(7) for k in range(4)], dtype=float)


def number(draw: random.Random, depth: int) -> str:
    """A number, in whose branches and conditions pieces stand."""
    if not depth or draw.random() < 0.3:
        return draw.choice(["{piece}", "{other}", "n", "k", "3"])
    if draw.random() < 0.3:
        return f"({number(draw, depth - 1)} + {number(draw, depth - 1)})"
    return f"({number(draw, depth - 1)} if {condition(draw, depth - 1)} else {number(draw, depth - 1)})"


def condition(draw: random.Random, depth: int) -> str:
    """A condition in which pieces stand."""
    if not depth or draw.random() < 0.3:
        return f"{number(draw, 0)} {draw.choice(['<', '>'])} {draw.choice(['n', 'k', '1', '2'])}"
    if draw.random() < 0.2:
        return f"not ({condition(draw, depth - 1)})"
    return f"({condition(draw, depth - 1)} {draw.choice(['and', 'or'])} {condition(draw, depth - 1)})"


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Formulas:
    """Formulas with pieces, `p0`, and the same with the text of their pieces in place of their names, `w0`."""
    folder = tmp_path_factory.mktemp("pairs")
    draw = random.Random(7)
    text = (
        '"""Pairs."""\n\ninput n: whole = 1 in 0 .. 9\n    "Count"\n\ninput k: whole = 1 in 0 .. 9\n    "Other count"\n'
    )
    pieces = f"    where piece = {PIECE}\n    where other = {OTHER.format(piece='piece')}\n"
    other = f"({OTHER.format(piece=f'({PIECE})')})"
    for index in range(DRAWN):
        drawn = f"{number(draw, 4)} + ({{piece}} + {{other}} if n > 8 else 0)"
        text += f'\nfolded_{index} = {drawn.format(piece="piece", other="other")}\n{pieces}    "With pieces"\n'
        text += f'\nspelled_{index} = {drawn.format(piece=f"({PIECE})", other=other)}\n    "Written out"\n'
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Pairs"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "root.formula").write_text(text, encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize("index", range(DRAWN))
def test_pieces_fail_and_count_where_the_text_does(pairs: Formulas, index: int) -> None:
    with_pieces, written_out = (values(pairs, f"{sort}_{index}") for sort in ("folded", "spelled"))
    assert np.array_equal(with_pieces, written_out, equal_nan=True)


def values(pairs: Formulas, name: str) -> np.ndarray:
    """What a formula gives for all counts, nan where it fails."""
    program = compile_program(pairs.evaluator.graph, [name])
    found = evaluate_many(program, {"n": COUNTS[:, 0], "k": COUNTS[:, 1]}, failures="nan")
    return np.broadcast_to(found[name], len(COUNTS))
