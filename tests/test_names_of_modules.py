"""No two modules of a layer, and no two classes, share a name, so that a finding that names one names one thing."""

import ast
from collections import Counter
from pathlib import Path

ENGINE = Path(__file__).parents[1] / "engine" / "formula_eval"


def test_no_two_modules_of_a_layer_share_a_name():
    modules = [path.relative_to(ENGINE).parts for path in ENGINE.rglob("*.py") if path.stem != "__init__"]
    layers = Counter((parts[0], parts[-1]) for parts in modules if len(parts) > 1)
    assert len(layers) > 500
    assert [name for name, count in layers.items() if count > 1] == []


def test_no_two_public_classes_share_a_name():
    trees = (ast.parse(path.read_text()) for path in ENGINE.rglob("*.py"))
    classes = Counter(each.name for tree in trees for each in ast.walk(tree) if isinstance(each, ast.ClassDef))
    public = {name: count for name, count in classes.items() if not name.startswith("_")}
    assert len(public) > 500
    assert [name for name, count in public.items() if count > 1] == []
