"""What the pages show of Python is what happens."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(("page", "examples"), [("python.md", 15), ("questions.md", 2)])
def test_every_example_of_the_page_gives_what_is_shown(page: str, examples: int) -> None:
    text = (DOCS / page).read_text(encoding="utf-8").replace("```", "")
    found = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    told: list[str] = []
    tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found, out=told.append)
    assert tried.attempted > examples
    assert tried.failed == 0, "".join(told)
