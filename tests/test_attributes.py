"""Each attribute of a public class that has more than five says what it is, in the docstring or beside it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from counted import seen

ENGINE = Path(__file__).parents[1] / "engine" / "formula_eval"
MOST = 5


def classes() -> Iterator[tuple[Path, ast.ClassDef, list[ast.AnnAssign]]]:
    for path in sorted(ENGINE.rglob("*.py")):
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(each, ast.ClassDef) and not each.name.startswith("_"):
                fields = [x for x in each.body if isinstance(x, ast.AnnAssign) and isinstance(x.target, ast.Name)]
                if len(fields) > MOST:
                    yield path, each, fields


def test_each_attribute_is_explained() -> None:
    unexplained = []
    for path, of, fields in seen(classes(), at_least=50):
        lines = ["", *path.read_text(encoding="utf-8").splitlines()]
        told = ast.get_docstring(of) or ""
        unexplained += [
            f"{path.relative_to(ENGINE)}: {of.name}.{ast.unparse(each.target)}"
            for each in fields
            if not re.search(rf"\b{ast.unparse(each.target)}\b", told)
            and "#" not in lines[each.end_lineno or 0]
            and not lines[each.lineno - 1].lstrip().startswith("#")
        ]
    assert unexplained == []
