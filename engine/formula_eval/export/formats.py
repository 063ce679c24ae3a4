"""Maps the name of a format to the writer of its documents, which is imported only when it is asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from formula_eval.export.document import Document

STYLES = ("full", "symbolic", "substituted")
SHAPES = ("shell", "docker", "kubernetes", "kserve", "slurm")
REFERENCES = ("names", "cells")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a user may choose about a document; each format takes what concerns it."""

    style: str = "full"  # of equations, one of `STYLES`
    refs: str = "names"  # what workbook formulas refer to, one of `REFERENCES`
    templates: str = ""  # a folder of the user's own, or empty
    brief: bool = False  # only the equations that matter most
    fill: str = ""  # path of a workbook to fill, or empty
    program: str = ""  # what a launch command is to run
    shape: str = ""  # of a launch command, one of `SHAPES`


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of document: what it is, and where its writer stands."""

    summary: str  # what it is, as `--help` says it
    ending: str  # usual for its files
    module: str  # within this package
    writer: str  # a function of that module
    wishes: tuple[str, ...] = ()  # fields of `Wishes` that it heeds
    lists: str = ""  # the format whose quantities it holds, if not its own


FORMATS: Mapping[str, Format] = {
    "excel": Format("a workbook that recalculates", ".xlsx", "workbook.writer", "write_workbook", ("refs", "fill")),
    "latex": Format(
        "a paper with the derivation", ".tex", "paper.latex", "write_latex", ("style", "templates", "brief")
    ),
    "markdown": Format(
        "the derivation for GitHub or a notebook",
        ".md",
        "paper.markdown",
        "write_markdown",
        ("style", "templates", "brief"),
    ),
    "html": Format("a web page that recalculates", ".html", "html.page", "write_page", ("templates",)),
    "site": Format("such pages as a static site, in a folder", "/", "site.static_site", "write_site", lists="html"),
    "json": Format("all values, formulas and sources", ".json", "json_document", "write_json"),
    "python": Format("a module of functions that needs nothing else", ".py", "python.module", "write_python"),
    "launch": Format(
        "the command or manifest that runs it, by --program",
        ".sh",
        "launch",
        "write_launch",
        ("program", "shape", "templates"),
    ),
    "graph": Format("a picture of how the numbers come about", ".svg", "diagram.picture", "write_structure"),
}


def write_document(
    document: Document, name: str, target: str | Path, wishes: Wishes = Wishes()
) -> tuple[tuple[str, str], ...]:
    """Write the document in this format, and say what to know of it: remarks, each with its level.

    Raises FormulaError.
    """
    form = FORMATS[name]
    chosen: dict[str, Any] = {wish: getattr(wishes, wish) for wish in form.wishes}
    writer: Callable[..., tuple[tuple[str, str], ...] | None] = getattr(
        import_module(f"formula_eval.export.{form.module}"), form.writer
    )
    return writer(document, Path(target), **chosen) or ()
