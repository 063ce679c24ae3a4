"""What pages show of Python is what happens."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
CONSOLE = re.compile(r"^```console\n.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize(("page", "least"), [("python.md", 15), ("questions.md", 2), ("sweep.md", 4), ("search.md", 4)])
def test_every_example_of_a_page_gives_what_is_shown(page: str, least: int) -> None:
    text = CONSOLE.sub("", (DOCS / page).read_text(encoding="utf-8")).replace("```", "")
    found = doctest.DocTestParser().get_doctest(text, {}, page, str(DOCS / page), 0)
    told: list[str] = []
    tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found, out=told.append)
    assert tried.attempted > least
    assert tried.failed == 0, "".join(told)
