"""No two modules of a layer share a name, so that a finding or a traceback that names a file names one."""

from collections import Counter
from pathlib import Path

ENGINE = Path(__file__).parents[1] / "engine" / "formula_eval"


def test_no_two_modules_of_a_layer_share_a_name():
    modules = [path.relative_to(ENGINE).parts for path in ENGINE.rglob("*.py") if path.stem != "__init__"]
    layers = Counter((parts[0], parts[-1]) for parts in modules if len(parts) > 1)
    assert len(layers) > 500
    assert [name for name, count in layers.items() if count > 1] == []
