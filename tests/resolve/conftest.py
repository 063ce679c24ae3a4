"""The graph of a module's own chapter, its `ROOT`."""

import pytest

from formula_eval.core.graph import FormulaGraph
from formula_eval.resolve.passes import resolve
from language.cases import reader, units


@pytest.fixture(scope="module")
def graph(request: pytest.FixtureRequest) -> FormulaGraph:
    chapter, findings = reader().chapter(request.module.ROOT, "root.formula", "")
    resolved = resolve([chapter], units())
    assert (tuple(findings), resolved.findings) == ((), ())
    assert resolved.graph is not None
    return resolved.graph
