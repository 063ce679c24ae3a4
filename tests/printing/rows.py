"""What the tests of notations share: texts of rows to trees, as written and lowered."""

import tomllib
from functools import cache
from pathlib import Path

from formula_eval.core import declaration as d, expression as e
from formula_eval.language.reader import Reader
from formula_eval.libraries import find_library

HERE = Path(__file__).parent
WORDS = ("none", "core", "full")


def rows(file: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = tomllib.loads((HERE / file).read_text(encoding="utf-8"))["row"]
    return found


@cache
def _reader() -> Reader:
    return Reader(find_library().units)


def written(text: str) -> e.Expression:
    """An expression, or the body of a formula where pieces stand beneath it."""
    if "\n" not in text:
        expression, findings = _reader().expression(text, "rows.toml")
        assert expression is not None, findings
        return expression
    chapter, findings = _reader().chapter(f"x = {text}\n", "rows.toml", "")
    assert not findings
    (formula,) = chapter.declarations
    assert isinstance(formula, d.FormulaDeclaration)
    return formula.expression


def lowered(x: e.Expression) -> e.Expression:
    """Names bound the way `resolve` does it: words of the one choice to their index, all others to nodes."""
    match x:
        case e.Name((word,)) if word in WORDS:
            return e.ChoiceValue(word, WORDS.index(word))
        case e.Name(path):
            return e.Reference(".".join(path))
        case e.Call("given", (e.Name(path),)):
            return e.Given(".".join(path))
    return e.rebuild(x, lowered)
