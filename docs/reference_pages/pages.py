"""Builds the pages of a library's reference: the language, each chapter with its quantities, records and sources."""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.escaping import markdown_text
from formula_eval.export.files import write_whole
from formula_eval.export.templates import Ready, filled
from formula_eval.library import OURS
from formula_eval.resolve.load import read_chapters
from formula_eval.text_files import read_text
from reference_pages import entry_text
from reference_pages.entries import ChapterPage, CrossReference
from reference_pages.record_pages import record_pages, records_data

_TEMPLATES = Path(__file__).parent / "templates"
Pages = Iterator[tuple[str, str]]


def write_reference(evaluator: Evaluator, folder: Path) -> None:
    """Write all pages as MyST Markdown, leave alone those that have not changed, remove those that are gone."""
    written = set()
    for name, text in reference_pages(evaluator):
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        written.add(path)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_whole(path, text)
    for path in folder.rglob("*.md"):
        if path not in written:
            path.unlink()


def reference_pages(evaluator: Evaluator) -> Pages:
    """Each page by its name, such as `params/totals`; raises FormulaError if the library is not sound."""
    chapters, findings = read_chapters(evaluator.library, evaluator.cache)
    if findings:
        raise FormulaError(*findings)
    reference = CrossReference(chapters)
    sources = evaluator.library.citations
    for page in reference.pages:
        yield page.path, _filled("chapter", entry_text.chapter_data(page, reference, sources))
    yield from _folders(evaluator, reference)
    yield "sources", _filled("sources", {"sources": list(_sources(reference, sources))})
    for name, kind in record_pages(evaluator).items():
        yield name, _filled("records", records_data(evaluator, kind))
    yield "language", language_page({page.path for page in reference.pages})


def _filled(template: str, data: Mapping[str, Any]) -> str:
    text = filled(f"{template}.md.j2", data, markdown_text, [_TEMPLATES])
    return re.sub(r"\n{3,}", "\n\n", text)


def _folders(evaluator: Evaluator, reference: CrossReference) -> Pages:
    """The page of the whole reference and of each folder: a table of their chapters."""
    pages: dict[str, list[ChapterPage]] = {}
    for page in reference.pages:
        pages.setdefault(page.namespace, []).append(page)
    folders = {name: name.replace(".", "/") for name in pages if name}
    for name, folder in folders.items():
        stems = [page.path.rpartition("/")[2] for page in pages[name]]
        tree = [Ready(f"{page.title} <{stem}>") for page, stem in zip(pages[name], stems, strict=True)]
        rows = [_chapter_row(page, stem) for page, stem in zip(pages[name], stems, strict=True)]
        yield (
            f"{folder}/index",
            _filled("folder", {"title": name, "graph": "", "chapters": rows, "toctree": tree}),
        )
    data = {
        "title": "Reference",
        "graph": Ready(entry_text.folder_graph(reference)),
        "chapters": [_chapter_row(page, page.path) for page in reference.pages],
        "toctree": [
            *("language", *record_pages(evaluator), "sources"),
            *(Ready(page.path) for page in pages.get("", ())),
            *(Ready(f"{each}/index") for each in folders.values()),
        ],
    }
    yield "index", _filled("folder", data)


def _chapter_row(page: ChapterPage, address: str) -> dict[str, Any]:
    title = f"{page.namespace}: {page.title}" if page.namespace else page.title
    linked = Ready(f"[{markdown_text(title)}]({address}.md)")
    return {"link": linked, "sentence": entry_text.prose(page.sentence), "count": len(page.entries)}


def _sources(reference: CrossReference, sources: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    citing: dict[str, list[str]] = {}
    for name, entry in reference.entries.items():
        for source in entry.declaration.notes.sources:
            citing.setdefault(source.key, []).append(name)
    for key, names in sorted(citing.items()):
        cited_by = Ready(", ".join(entry_text.link(name) for name in dict.fromkeys(names)))
        title = Ready(markdown_text(key))
        yield {"key": Ready(key), "title": title, "text": entry_text.cited(key, "", sources), "cited_by": cited_by}


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
