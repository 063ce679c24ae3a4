"""The language's own page and its units to pages of the reference."""

import re
from collections.abc import Collection
from typing import Any

from formula_eval.export.escaping import markdown_code, markdown_text
from formula_eval.export.templates import Ready
from formula_eval.library import Library, read_text, read_toml

_LINK = re.compile(r"\[([^\]]+)\]\(([^):#]+)\)")


def language_page(library: Library, chapters: Collection[str]) -> str:
    """formulas/README.md, its links to files as links to the pages that show them."""
    folder = library.folders[0]
    text = read_text(folder / "formulas" / "README.md", "formulas/README.md")

    def linked(found: re.Match[str]) -> str:
        page = _page(found[2], chapters)
        return f"[{found[1]}]({page})" if page else found[1]

    return _LINK.sub(linked, text)


def _page(target: str, chapters: Collection[str]) -> str:
    """The page that shows a file or folder of formulas/, if there is one."""
    stem, _, ending = target.rstrip("/").rpartition(".")
    if ending == "toml" and stem in ("units", "sources"):
        return f"{stem}.md"
    if ending == "formula" and stem in chapters:
        return f"{stem}.md"
    folder = target.rstrip("/")
    return f"{folder}/index.md" if any(each.startswith(f"{folder}/") for each in chapters) else ""


def units_data(library: Library) -> dict[str, Any]:
    """What the page of the units prints."""
    data = read_toml(library.folders[0] / "formulas" / "units.toml", "formulas/units.toml")
    families = data["prefixed"]
    prefixes = {family: ", ".join(marks) for family, marks in data["prefix"].items()}

    def rows(kind: str) -> list[tuple[str, str, str]]:
        return [
            (
                markdown_code(name),
                Ready(markdown_text(str(text))),
                ", ".join(prefixes[each] for each in families.get(name, ())),
            )
            for name, text in data[kind].items()
        ]

    return {"base": rows("base"), "derived": rows("derived"), "count": rows("count")}
