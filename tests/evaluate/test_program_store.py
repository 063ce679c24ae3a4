"""Programs of one fingerprint share a piece only where it reads the same from the same places."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from counted import seen
from evaluate.graphs import graph_of
from formula_eval import Formulas
from formula_eval.cache import Cache
from formula_eval.core.closure import closure
from formula_eval.evaluate.graph_outline import GraphOutline
from formula_eval.evaluate.program_store import ProgramStore
from formula_eval.evaluate.vector import Lanes
from samples import samples

NAMES = [f"a{number}" for number in range(600)]  # so many that a program has several pieces
SUMS = {f"sum{start}": " + ".join(NAMES[start : start + 50]) for start in range(0, 600, 50)}
FORMULAS = {**SUMS, "difference": f"a0 - a1 + 0 * ({' + '.join(SUMS)})"}


def store_of(inputs: Sequence[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> ProgramStore:
    """A store of a graph with its inputs in this order, which finds no outline that another one kept."""
    graph = graph_of({name: name.removeprefix("a") for name in inputs}, FORMULAS)
    resolved: Any = SimpleNamespace(whole=graph, patch_of=None, means_anew={})
    monkeypatch.setattr(GraphOutline, "from_payload", lambda _: GraphOutline.of(graph))
    return ProgramStore(Cache(folder), "the same formulas", lambda: resolved)


def test_another_order_of_nodes_reads_its_own_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = store_of(NAMES, tmp_path, monkeypatch).program(("difference",))
    assert first.evaluate({})["difference"] == -1
    turned = store_of(["a1", "a0", *NAMES[2:]], tmp_path, monkeypatch).program(("difference", "sum0"))
    assert turned.evaluate({})["difference"] == -1


def test_another_order_of_nodes_describes_its_own_formulas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store_of(NAMES, tmp_path, monkeypatch).program(("difference",))
    turned = store_of(["a1", "a0", *NAMES[2:]], tmp_path, monkeypatch).program(("difference",))
    assert turned.names[:2] == ("a0", "a1"), "the module is the one that was kept"
    assert [turned.text_of(name) for name in ("a0", "a1")] == ["0", "1"]
    kept: dict[str, Any] = {}
    turned.vector(Lanes({}, turned.largest_divisor), kept)
    assert (kept["a0"], kept["a1"], kept["difference"]) == (0, 1, -1)


def test_what_is_needed_is_found_as_by_following_what_is_read(formulas: Formulas) -> None:
    outline, draw = formulas.evaluator.store.outline, Random(5)
    for _ in seen(range(samples(20))):
        wanted = draw.sample(outline.names, 3)
        followed = closure((outline.places[name] for name in wanted), outline.parents.__getitem__)
        assert outline.needed(wanted) == sorted(followed), wanted


def test_the_inputs_that_quantities_read_are_those_of_their_program(formulas: Formulas) -> None:
    evaluator = formulas.evaluator
    for names in seen([("params.total",), ("inference.tpot",), ("tp", "prompt")]):
        assert evaluator.store.inputs(names) == evaluator.program(names).kinds.keys(), names
