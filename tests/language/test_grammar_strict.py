"""The grammar has no ambiguity that the parser generator would settle silently."""

import pytest
from lark import Lark

from formula_eval.language.reader import _GRAMMAR, _Lines


def test_grammar_builds_in_strict_mode() -> None:
    """LALR(1) without conflicts, and no two terminals that match the same text."""
    pytest.importorskip("interegular")
    text = _GRAMMAR.read_text(encoding="utf-8")
    Lark(text, start=["start", "expression"], parser="lalr", postlex=_Lines(), maybe_placeholders=True, strict=True)
