"""The name of a format to the writer of its documents, which is imported only when it is asked for."""

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.givens import Givens
from formula_eval.evaluate.givens import Question
from formula_eval.evaluate.givens import spoken
from formula_eval.export.document import Document
from formula_eval.library import Library
from formula_eval.library import read_toml

STYLES = ("full", "symbolic", "substituted")
REFERENCES = ("names", "cells")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a user may choose about a document; each format heeds what concerns it."""

    style: str = "full"
    refs: str = "names"
    templates: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of document: what it is, the usual ending of its files, and where its writer stands."""

    says: str
    ending: str
    module: str
    writer: str
    wishes: tuple[str, ...] = ()


FORMATS: Mapping[str, Format] = {
    "excel": Format("a workbook that recalculates", ".xlsx", "workbook.writer", "write_workbook", ("refs",)),
    "latex": Format("a paper with the derivation", ".tex", "paper.latex", "write_latex", ("style", "templates")),
    "markdown": Format(
        "the derivation for GitHub or a notebook", ".md", "paper.markdown", "write_markdown", ("style", "templates")
    ),
    "html": Format("a web page that recalculates", ".html", "page.page", "write_page", ("templates",)),
    "json": Format("all values, formulas and sources", ".json", "json_document", "write_json"),
    "python": Format("a module of functions that needs nothing else", ".py", "python.module", "write_python"),
    "graph": Format("a picture of the operators", ".svg", "structure.picture", "write_structure"),
}


def quantities_of(library: Library, name: str, question: Question, givens: Givens) -> list[str]:
    """The quantities of a format when nobody names any, from reports/export.toml of the last folder that has one.

    `with` of a purpose names more of them for inputs that the question itself sets, not a record.
    """
    for folder in reversed(library.folders):
        path = folder / "reports" / "export.toml"
        if path.is_file():
            shown = library.shown(folder, path)
            lists = read_toml(path, shown).get(question.purpose, {})
            lists = lists if isinstance(lists, Mapping) else {"others": lists}
            where = f"{shown}: `{name}` of [{question.purpose}]"
            more = lists.get("with", {})
            added = [more[each] for each in _set_by(question, givens) if each in more]
            found = [lists.get(name, lists.get("others", ["*"])), *added]
            return list(dict.fromkeys(each for names in found for each in _names(names, where)))
    return ["*"]


def _set_by(question: Question, givens: Givens) -> Iterator[str]:
    """The inputs whose value the question states: by an option or in a scenario file."""
    for name, who in givens.origins.items():
        if who in (question.scenario, spoken(name, question.origin)):
            yield name


def _names(names: object, where: str) -> list[str]:
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise refuse("bad-report", f"{where} is no list of names")
    return names


def write_document(document: Document, name: str, target: str | Path, wishes: Wishes = Wishes()) -> None:
    """Write the document in this format; raises FormulaError, also for a library of Python that is not there."""
    form = FORMATS[name]
    chosen: dict[str, Any] = {wish: getattr(wishes, wish) for wish in form.wishes}
    try:
        writer: Callable[..., None] = getattr(import_module(f"formula_eval.export.{form.module}"), form.writer)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing.startswith("formula_eval"):
            raise
        message = f"`export {name}` needs the Python package `{missing}`, which is not installed"
        raise FormulaError(
            Diagnostic("missing-package", message, (), "`pip install 'formula-eval[export]'` brings it.")
        ) from error
    writer(document, Path(target), **chosen)
