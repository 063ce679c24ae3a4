"""A library to the pages of its reference: one for each chapter, with every quantity, and for records and sources."""

import re
from collections.abc import Iterator
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.analyse.listing import listing
from formula_eval.analyse.page import citations
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.records import RecordFile
from formula_eval.evaluate.records import all_records
from formula_eval.export.escaping import markdown_code
from formula_eval.export.escaping import markdown_text
from formula_eval.export.reference_entries import ChapterPage
from formula_eval.export.reference_entries import Reference
from formula_eval.export.reference_pages import chapter_data
from formula_eval.export.reference_pages import cited
from formula_eval.export.reference_pages import folder_graph
from formula_eval.export.reference_pages import link
from formula_eval.export.reference_pages import prose
from formula_eval.export.templates import Ready
from formula_eval.export.templates import filled
from formula_eval.export.templates import folders_of
from formula_eval.export.writing import write_whole
from formula_eval.resolve.load import read_chapters

Pages = Iterator[tuple[str, str]]

_RECORDS = {
    "records/models": ("model", "Models", "Every model of the library, with the file or paper that it was taken from."),
    "records/hardware": ("hardware", "Accelerators", "Every accelerator of the library, with values of its data sheet."),
    "records/families": ("family", "Efficiency families", "How much of its data sheet an accelerator reaches."),
    "records/engines": ("engine", "Serving engines", "What a serving engine adds to the kernels."),
    "records/formats": ("format", "Number formats", "How many bits weights, activations and the KV cache take."),
}


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
    chapters, findings = read_chapters(evaluator.library)
    if findings:
        raise FormulaError(*findings)
    reference = Reference(chapters)
    sources = citations(evaluator.library)
    for page in reference.pages:
        yield page.path, _filled(evaluator, "chapter", chapter_data(page, reference, sources))
    yield from _folders(evaluator, reference)
    yield "sources", _filled(evaluator, "sources", {"sources": list(_sources(reference, sources))})
    for name, (supplier, title, sentence) in _RECORDS.items():
        yield name, _filled(evaluator, "records", _records(evaluator, supplier, title, sentence))


def _filled(evaluator: Evaluator, template: str, data: Mapping[str, Any]) -> str:
    text = filled(f"reference/{template}.md.j2", data, markdown_text, folders_of(evaluator.library))
    return re.sub(r"\n{3,}", "\n\n", text)


def _folders(evaluator: Evaluator, reference: Reference) -> Pages:
    namespaces = dict.fromkeys(page.namespace for page in reference.pages)
    links = {page.path: f"{page.path}.html" for page in reference.pages}
    root = [page for page in reference.pages if not page.namespace]
    tops = [name for name in namespaces if name]
    rows = [_chapter_row(page, page.path) for page in root]
    for name in tops:
        pages = [page for page in reference.pages if page.namespace == name]
        folder = name.replace(".", "/")
        rows += [_chapter_row(page, page.path) for page in pages]
        yield (
            f"{folder}/index",
            _filled(evaluator, "folder", {
                "title": name,
                "sentence": "",
                "graph": Ready(""),
                "caption": "",
                "chapters": [_chapter_row(page, page.path.rpartition("/")[2]) for page in pages],
                "toctree": [Ready(f"{page.title} <{page.path.rpartition('/')[2]}>") for page in pages],
            }),
        )
    others = [*_RECORDS, "sources"]
    yield (
        "index",
        _filled(evaluator, "folder", {
            "title": "Reference",
            "sentence": _INTRODUCTION,
            "graph": Ready(folder_graph(reference.pages, reference, links)),
            "caption": "What reads what between chapters, from left to right; arrows that follow from others are left out.",
            "chapters": rows,
            "toctree": [*(page.path for page in root), *(f"{each.replace('.', '/')}/index" for each in tops), *others],
        }),
    )


_INTRODUCTION = "Every quantity with its equation, unit, source, example, and what it reads; made from the formulas."


def _chapter_row(page: ChapterPage, address: str) -> dict[str, Any]:
    title = f"{page.namespace}: {page.title}" if page.namespace else page.title
    linked = Ready(f"[{markdown_text(title)}]({address}.md)")
    return {"link": linked, "sentence": prose(page.sentence), "count": len(page.entries)}


def _sources(reference: Reference, sources: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    citing: dict[str, list[str]] = {}
    for name, entry in reference.entries.items():
        for source in entry.declaration.notes.sources:
            citing.setdefault(source.key, []).append(name)
    for key, names in sorted(citing.items()):
        cited_by = Ready(", ".join(link(name) for name in dict.fromkeys(names)))
        yield {"key": Ready(key), "key_text": Ready(markdown_text(key)), "text": cited(key, "", sources), "cited_by": cited_by}


def _records(evaluator: Evaluator, supplier: str, title: str, sentence: str) -> dict[str, Any]:
    records = {each.id: each for each in all_records(evaluator.library, supplier)}
    data: dict[str, Any] = {"title": title, "sentence": Ready(sentence), "records": []}
    if supplier in ("model", "hardware"):
        found = listing(evaluator, "models" if supplier == "model" else "hardware")
        data["columns"] = [*found.columns, "aliases", "source"] if supplier == "model" else list(found.columns)
        data["rows"] = [_row(row, records[row[0]], supplier) for row in found.rows]
    else:
        data["columns"] = ["id", "name"]
        data["rows"] = [[markdown_code(each.id), markdown_text(str(each.data.get("name", "")))] for each in records.values()]
    data["rows"] = [[Ready(cell) for cell in row] for row in data["rows"]]
    if supplier != "model":
        data["records"] = [_record(each) for each in records.values()]
    return data


def _row(row: tuple[Any, ...], record: RecordFile, supplier: str) -> list[str]:
    first, *others = row
    cells = [markdown_code(str(first)), *(_value(each) for each in others)]
    if supplier == "model":
        cells += [", ".join(markdown_code(str(each)) for each in record.data.get("aliases", ())), _said(record.data)]
    return cells


def _value(value: Any) -> str:  # noqa: ANN401 - whatever a record holds
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else markdown_text(str(value))


def _said(data: Mapping[str, Any]) -> str:
    return _linked(str(data.get("source", "")))


def _linked(text: str) -> str:
    """The text, with what is an address as a link."""
    parts = re.split(r"(https://[^\s,;)]+)", text)
    return "".join(f"<{part}>" if n % 2 and ">" not in part else markdown_text(part) for n, part in enumerate(parts))


def _record(record: RecordFile) -> dict[str, Any]:
    told = ("name", "aliases", "source", "date", "note", "facts")
    values = [(key, value) for key, value in record.data.items() if key not in told]
    aliases = ", ".join(markdown_code(str(each)) for each in record.data.get("aliases", ()))
    facts = {
        "Also": aliases,
        "Source": _said(record.data),
        "Date": markdown_text(str(record.data.get("date", ""))),
        "Note": markdown_text(str(record.data.get("note", ""))),
    }
    return {
        "title": Ready(markdown_text(record.id)),
        "sentence": Ready(markdown_text(str(record.data.get("name", "")))),
        "values": [(markdown_code(key), Ready(_value(value))) for key, value in values],
        "facts": [Ready(f"**{name}** {text}") for name, text in facts.items() if text],
    }
