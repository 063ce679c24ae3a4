"""Programs of one fingerprint share a piece only where it reads the same from the same places."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evaluate.graphs import graph_of
from formula_eval.cache import Cache
from formula_eval.evaluate.graph_outline import GraphOutline
from formula_eval.evaluate.program_store import ProgramStore
from formula_eval.evaluate.vector import Lanes

NAMES = [f"a{number}" for number in range(600)]  # so many that a program has several pieces
SUMS = {f"sum{start}": " + ".join(NAMES[start : start + 50]) for start in range(0, 600, 50)}
FORMULAS = {**SUMS, "difference": f"a0 - a1 + 0 * ({' + '.join(SUMS)})"}


def store_of(inputs: Sequence[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> ProgramStore:
    """A store of a graph with its inputs in this order, which finds no outline that another one kept."""
    graph = graph_of({name: name.removeprefix("a") for name in inputs}, FORMULAS)
    resolved: Any = SimpleNamespace(whole=graph, patch_of=None, made_anew={})
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
