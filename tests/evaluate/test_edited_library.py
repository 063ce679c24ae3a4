"""After an edit, a library answers from what was kept before it exactly as it does at first sight."""

import random
from pathlib import Path

import pytest

from formula_eval.cache import Cache
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library
from resolve.edits import BASE, OWN, Texts, edited
from samples import samples


def _write(folder: Path, texts: Texts) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "library.toml").write_text('uses = []\ntitle = "Own"\n')
    for file, statements in {"formulas/base.formula": [BASE], **texts}.items():
        path = folder / file.removeprefix("mine/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('"""A chapter."""\n\n' + "\n\n".join(statements) + "\n")


@pytest.mark.slow
def test_answers_are_those_of_first_sight(tmp_path: Path) -> None:
    patches = sum(_answers_alike(random.Random(seed), tmp_path / str(seed)) for seed in range(samples(15)))
    assert patches >= samples(15)


def _answers_alike(draw: random.Random, folder: Path) -> int:
    """How many of some edits were answered from what was kept before them."""
    texts, kept, patches = OWN, Cache(folder / "cache"), 0
    for number in range(6):
        texts = edited(texts, draw) if number else texts
        _write(folder, texts)
        library = find_library([folder])
        one, other = Evaluator(library, kept), Evaluator(library, Cache(folder / f"cache{number}"))
        if other.resolved.graph is None:
            with pytest.raises(FormulaError):
                _ = one.schema
            continue
        patches += one.resolved.patch_of is not None
        _assert_same_schema(one, other)
        _assert_same_values(one, other, draw)
    return patches


def _assert_same_schema(one: Evaluator, other: Evaluator) -> None:
    ours, theirs = one.schema, other.schema
    assert ours.inputs == theirs.inputs
    assert ours.checks == theirs.checks
    assert (ours.tables, ours.kinds) == (theirs.tables, theirs.kinds)
    listed = [{name: each for name, each in schema.formulas.items() if not each.original} for schema in (ours, theirs)]
    assert listed[0] == listed[1]
    assert len(ours.formulas) == len(theirs.formulas)


def _assert_same_values(one: Evaluator, other: Evaluator, draw: random.Random) -> None:
    wanted = sorted(name for name, each in other.schema.formulas.items() if each.is_listed)
    ours, theirs = one.program(wanted), other.program(wanted)
    assert set(ours.inputs.items()) == set(theirs.inputs.items())
    assert ours.without_default == theirs.without_default
    for _ in range(3):
        givens = {name: float(draw.randrange(1, 9)) for name, kind in theirs.inputs.items() if kind == "number"}
        values, expected = ours.evaluate(givens), theirs.evaluate(givens)
        assert {name: values[name] for name in wanted} == {name: expected[name] for name in wanted}
    assert [ours.text_of(name) for name in wanted] == [theirs.text_of(name) for name in wanted]
    for name in wanted:
        assert ours.rows[name] == theirs.rows[name]
    assert one.store.concerning(tuple(wanted)) == other.store.concerning(tuple(wanted))
