"""Renders citations as BibTeX."""

from collections.abc import Iterable, Mapping
from typing import Any

from formula_eval.export.escaping import latex_address, latex_key, latex_text_of


def bibtex(sources: Iterable[Mapping[str, Any]]) -> str:
    """An entry for each work: what it is called, by whom, when, and where it can be read."""
    return "\n".join(_entry(each) for each in sources)


def _entry(source: Mapping[str, Any]) -> str:
    fields = {
        "title": f"{{{latex_text_of(str(source.get('title', '')))}}}",
        "author": _authors(str(source.get("authors", ""))),
        "year": latex_text_of(str(source.get("year", ""))),
        "url": latex_address(str(source.get("url", ""))).replace("\\", ""),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{{latex_key(str(source['key']))},\n{lines}}}\n"


def _authors(names: str) -> str:
    each = [name.strip() for name in names.split(",") if name.strip()]
    return " and ".join("others" if name.startswith("et al") else f"{{{latex_text_of(name)}}}" for name in each)
