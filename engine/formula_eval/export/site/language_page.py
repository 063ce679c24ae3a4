"""Turns formulas/README.md, which describes the language, into a page of the reference."""

import re
from collections.abc import Collection

from formula_eval.library import OURS
from formula_eval.text_files import read_text

_LINK = re.compile(r"\[([^\]]+)\]\(([^):#]+)\)")


def language_page(chapters: Collection[str]) -> str:
    """formulas/README.md, its links to files as links to the pages that show them."""
    folder = OURS
    text = read_text(folder / "formulas" / "README.md", "formulas/README.md")

    def linked(found: re.Match[str]) -> str:
        page = _page(found[2], chapters)
        return f"[{found[1]}]({page})" if page else found[1]

    return _LINK.sub(linked, text)


def _page(target: str, chapters: Collection[str]) -> str:
    """The page that shows a file or folder of formulas/, if there is one."""
    stem, _, ending = target.rstrip("/").rpartition(".")
    if (stem, ending) == ("sources", "toml"):
        return "sources.md"
    if ending == "formula" and stem in chapters:
        return f"{stem}.md"
    folder = target.rstrip("/")
    return f"{folder}/index.md" if any(each.startswith(f"{folder}/") for each in chapters) else ""
