"""What the page about Python shows is what happens."""

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_every_example_of_the_page_gives_what_is_shown(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORMULA_EVAL_CACHE", str(kept))
    text = PAGE.read_text(encoding="utf-8").replace("```", "")
    found = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    told: list[str] = []
    tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found, out=told.append)
    assert tried.attempted > 15
    assert tried.failed == 0, "".join(told)
