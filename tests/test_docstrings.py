"""Docstrings of modules begin with a verb in the third person: docs/style.md."""

import ast
import re
from pathlib import Path

ENGINE = Path(__file__).parents[1] / "engine"
# What is named after the thing that it defines.
NOUNS = {"core/diagnostic.py": "Diagnostics:"}


def test_every_module_says_what_it_does():
    found = {}
    for path in sorted(ENGINE.rglob("*.py")):
        first = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition(" ")[0]
        if not re.fullmatch("[A-Z][a-z-]+s,?", first):
            found[path.relative_to(ENGINE / "formula_eval").as_posix()] = first
    assert found == NOUNS
