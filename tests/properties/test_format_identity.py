"""Printing what was read, and reading what was printed, changes nothing."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from formula_eval.core import declaration as d, expression as e
from formula_eval.language.formatter import chapter_text
from formula_eval.printing.text import expression_text
from language.cases import ROOT, reader
from properties.expression_strategies import EXPRESSIONS
from properties.strategies import CHAPTERS
from samples import samples

pytestmark = pytest.mark.slow

CALM = settings(max_examples=samples(300), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
FORMULAS = sorted((ROOT / "formulas").rglob("*.formula"))


@CALM
@given(EXPRESSIONS)
def test_expression(expression: e.Expression) -> None:
    """Every tree is read back from its text."""
    text = expression_text(expression)
    again, findings = reader().expression(text, "x.formula")
    assert not findings, (text, findings)
    assert again == expression, text


@CALM
@given(CHAPTERS)
def test_chapter(chapter: d.Chapter) -> None:
    """Every chapter is read back from its text, and its text has one form."""
    text = chapter_text(chapter)
    again, findings = reader().chapter(text, chapter.file, chapter.namespace)
    assert not findings, (text, findings)
    assert again == chapter, text
    assert chapter_text(again) == text


@pytest.mark.parametrize("path", FORMULAS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_library(path: Path) -> None:
    """Every chapter of ours is read back from its canonical form."""
    chapter, findings = reader().chapter(path.read_text(encoding="utf-8"), path.name, "")
    assert not findings
    text = chapter_text(chapter)
    again, _ = reader().chapter(text, path.name, "")
    assert again == chapter
    assert chapter_text(again) == text
