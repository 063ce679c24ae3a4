"""Maps the name of a format to the writer of its documents, which is imported only when it is asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from formula_eval.export.document import Document
from formula_eval.export.files import write_whole

STYLES = ("full", "symbolic", "substituted")
SHAPES = ("shell", "docker", "kubernetes", "kserve", "slurm")
REFERENCES = ("names", "cells")


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of document: what it is, and where its writer stands."""

    summary: str  # what it is, as `--help` says it
    ending: str  # usual for its files
    module: str  # within this package
    maker: str  # a function of that module: it gives the text or the bytes of a file, or writes a folder
    wishes: tuple[str, ...] = ()  # what a user may choose about it, as the maker calls it
    lists: str = ""  # the format whose quantities it holds, if not its own


FORMATS: Mapping[str, Format] = {
    "excel": Format("a workbook that recalculates", ".xlsx", "workbook.writer", "workbook_bytes", ("refs", "fill")),
    "latex": Format(
        "a paper with the derivation", ".tex", "paper.latex", "latex_paper", ("style", "templates", "brief")
    ),
    "markdown": Format(
        "the derivation for GitHub or a notebook",
        ".md",
        "paper.markdown",
        "markdown_paper",
        ("style", "templates", "brief"),
    ),
    "html": Format("a web page that recalculates", ".html", "html.page", "page_text", ("templates",)),
    "site": Format("such pages as a static site, in a folder", "/", "static_site", "write_site", lists="html"),
    "json": Format("all values, formulas and sources", ".json", "json_document", "document_json"),
    "python": Format("a module of functions that needs nothing else", ".py", "python.module", "python_module"),
    "launch": Format(
        "the command or manifest that runs it, by --program",
        ".sh",
        "launch",
        "launch_document",
        ("program", "shape", "templates"),
    ),
    "graph": Format("a picture of how the numbers come about", ".svg", "diagram.picture", "picture_svg"),
}


def write_document(document: Document, name: str, target: str | Path, **wishes: object) -> tuple[tuple[str, str], ...]:
    """Write the document in this format, and say what to know of it: remarks, each with its level.

    Each format takes those wishes that concern it. Raises FormulaError.
    """
    form = FORMATS[name]
    chosen: dict[str, Any] = {wish: each for wish, each in wishes.items() if wish in form.wishes}
    make: Callable[..., Any] = getattr(import_module(f"formula_eval.export.{form.module}"), form.maker)
    if form.ending == "/":
        make(document, Path(target), **chosen)
        return ()
    made = make(document, **chosen)
    contents, remarks = made if isinstance(made, tuple) else (made, ())
    write_whole(target, contents)
    return remarks  # type: ignore[no-any-return]
