"""Prepares entries of the reference for its templates: sentences, equations, links, examples, sources."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.notes import Example, Notes
from formula_eval.export.escaping import markdown_code, markdown_text
from formula_eval.export.templates import Ready
from formula_eval.language.formatter import declaration_text
from formula_eval.printing.text import expression_text
from reference_pages.dependency_graph import dependency_graph
from reference_pages.entries import ChapterPage, CrossReference, Entry
from reference_pages.mathematics import cell_equations, equation, symbol

_MOST_READERS = 40

Data = dict[str, Any]
Sources = Mapping[str, Mapping[str, Any]]


def chapter_data(page: ChapterPage, reference: CrossReference, sources: Sources) -> Data:
    """The data of the page of a chapter."""
    return {
        "title": f"{page.namespace}: {page.title}" if page.namespace else page.title,
        "sentence": prose(page.sentence),
        "place": markdown_code(page.file),
        "graph": Ready(_graph(page, reference)),
        "entries": [data for each in page.entries for data in _sections(each, "##", reference, sources)],
    }


def prose(text: str) -> Ready:
    """A sentence, in which only what stands between backticks is marked up: as code."""
    parts = re.split(r"`([^`]+)`", text)
    return Ready("".join(markdown_code(part) if n % 2 else _plain(part) for n, part in enumerate(parts)))


def _plain(text: str) -> str:
    """Text in which braces, too, are only read: before code they would name a role."""
    return markdown_text(text).replace("\\{", "{").replace("\\}", "}").replace("{", "&#123;").replace("}", "&#125;")


def link(name: str) -> Ready:
    """A link to the place of an entry, checked when the site is built."""
    return Ready(f"{{quantity}}`{name}`")


def cited(key: str, locator: str, sources: Sources) -> Ready:
    """A citation with a link to the work."""
    entry = sources.get(key, {})
    title = markdown_text(str(entry.get("title", key)))
    url = re.sub(r"[^\w:/.?=+,;@%&#~-]", "", str(entry.get("url", "")))
    linked = f"[{title}]({url})" if url.startswith("https://") else title
    where = f", {markdown_text(locator)}" if locator else ""
    return Ready(f"{markdown_text(str(entry.get('authors', '')))} ({entry.get('year', '')}): {linked}{where}")


def _sections(entry: Entry, level: str, reference: CrossReference, sources: Sources) -> Iterator[Data]:
    """The section of an entry, then those of its columns and rows."""
    yield {"level": Ready(level), **_section(entry, reference, sources)}
    for each in entry.inside:
        yield from _sections(each, f"{level}#", reference, sources)


def _section(entry: Entry, reference: CrossReference, sources: Sources) -> Data:
    declared = entry.declaration
    title = (
        declared.name if entry.kind in ("column", "row") else entry.name.removeprefix("choice:").removeprefix("record:")
    )
    one = equation(entry, reference)
    return {
        "name": Ready(entry.name),
        "kind": entry.kind,
        "title": Ready(markdown_text(title)),
        "sentence": prose(declared.notes.sentence),
        "equations": [Ready(each) for each in ([one] if one else []) + cell_equations(entry, reference)],
        "code": Ready(_code(declared)),
        "facts": list(_facts(entry, reference, sources)),
        "reads": [_read(name, reference) for name in reference.reads[entry.name]] if entry.kind != "check" else [],
    }


def _code(declared: d.Declaration) -> str:
    """The statement as written, without its notes, which stand beside it; a table's parts have code of their own."""
    if isinstance(declared, d.TableDeclaration) or (
        isinstance(declared, d.ColumnDeclaration) and not declared.expression and not declared.supplier
    ):
        return ""
    if isinstance(declared, d.ColumnDeclaration | d.RowDeclaration):
        table = d.TableDeclaration(
            name="t",
            columns=(replace(declared, notes=Notes()),) if isinstance(declared, d.ColumnDeclaration) else (),
            rows=(replace(declared, notes=Notes()),) if isinstance(declared, d.RowDeclaration) else (),
        )
        lines = declaration_text(table).splitlines()[1:]
        return "\n".join(line.removeprefix("    ") for line in lines).strip("\n")
    return declaration_text(replace(declared, notes=Notes())).rstrip("\n")


def _facts(entry: Entry, reference: CrossReference, sources: Sources) -> Iterator[Ready]:
    """The lines of the list beneath the equation."""
    declared = entry.declaration
    yield from _own_facts(entry)
    for source in declared.notes.sources:
        yield Ready(f"**Source** {cited(source.key, source.locator, sources)} {{quantity}}`{source.key}`")
    if declared.notes.derived:
        yield Ready(f"**Derived** {prose(declared.notes.derived)}")
    for remark in declared.notes.told:
        yield Ready(f"**Note** {prose(remark)}")
    for example in declared.notes.examples:
        yield Ready(f"**Example** {_example(example)}")
    readers = reference.read_by[entry.name]
    if readers:
        more = f" and {len(readers) - _MOST_READERS} more" if len(readers) > _MOST_READERS else ""
        yield Ready(f"**Read by** {', '.join(link(each) for each in readers[:_MOST_READERS])}{more}")


def _own_facts(entry: Entry) -> Iterator[Ready]:
    """The lines that only this kind of statement has."""
    match entry.declaration:
        case d.InputDeclaration() as declared:
            yield from _input_facts(declared, declared.name)
        case d.ColumnDeclaration() as declared if declared.supplier:
            table = entry.name.rpartition(".")[0]
            yield from _input_facts(declared, f"{table}.N.{declared.name}")
        case d.TableDeclaration(like=like, loops=loops, rows_of=rows_of) as declared if like or loops or rows_of:
            of = declared.file
            written = d.TableDeclaration(name=declared.name, like=like, loops=loops, rows_of=rows_of, file=of)
            head = declaration_text(written).strip()
            yield Ready(f"**Written** {markdown_code(head)}")
        case d.TableDeclaration() as declared if declared.supplier:
            rows = f"{declared.at_least} to {declared.at_most}, stated by the {declared.supplier}"
            yield Ready(f"**Rows** {markdown_text(rows)}")
        case d.ChoiceDeclaration(values=values):
            yield Ready(f"**One of** {', '.join(markdown_code(each) for each in values)}")
        case d.FunctionDeclaration(parameters=parameters):
            yield from ([Ready(f"**Unit** {markdown_code(entry.unit)}")] if entry.unit else [])
            for each in parameters:
                unit = f" in {markdown_code(' | '.join(each.type.alternatives))}" if each.type else ""
                yield Ready(f"**Parameter** {markdown_code(each.name)}{unit}")
        case d.CheckDeclaration(level=level, notes=notes):
            yield Ready(f"**If not, {_LEVELS.get(level, level)}:** {markdown_text(notes.sentence)}")
        case d.FormulaDeclaration() | d.ColumnDeclaration() if entry.unit:
            yield Ready(f"**Unit** {markdown_code(entry.unit)}")


_LEVELS = {"refuse": "it is refused with", "warn": "a warning says", "note": "a note says"}


def _input_facts(declared: d.InputDeclaration | d.ColumnDeclaration, option: str) -> Iterator[Ready]:
    yield Ready(f"**Option** {markdown_code('--' + option.replace('_', '-'))}")
    if declared.type is not None:
        yield Ready(f"**Unit** {markdown_code(' | '.join(declared.type.alternatives))}")
    if declared.default is not None:
        yield Ready(f"**Default** {markdown_code(expression_text(declared.default))}")
    elif isinstance(declared, d.InputDeclaration) and declared.optional:
        yield Ready("**Optional**")
    if declared.supplier:
        yield Ready(f"**Stated by** the {markdown_text(declared.supplier)}")
    if declared.low is not None and declared.high is not None:
        bounds = f"{expression_text(declared.low)} .. {expression_text(declared.high)}"
        yield Ready(f"**Range** {markdown_code(bounds)}")
    if declared.allowed:
        yield Ready(f"**One of** {', '.join(markdown_code(expression_text(each)) for each in declared.allowed)}")


def _example(example: Example) -> str:
    givens = ", ".join([*example.situations, *(f"{name} = {_given(value)}" for name, value in example.givens)])
    result = markdown_code(expression_text(example.expected) if example.expected else "?")
    return f"with {markdown_code(givens)}: {result}" if givens else f"{result}"


def _given(value: str | e.Expression) -> str:
    return value if isinstance(value, str) else expression_text(value)


def _read(name: str, reference: CrossReference) -> Data:
    entry = reference.entries[name]
    return {
        "link": link(name),
        "symbol": Ready(symbol(entry)),
        "unit": markdown_code(entry.unit) if entry.unit else Ready(""),
        "sentence": prose(entry.declaration.notes.sentence),
    }


def _graph(page: ChapterPage, reference: CrossReference) -> str:
    """The chapter's own names; a column or a row counts as its table."""
    links = {each.name: f"#{each.name}" for each in page.entries}
    owner = {inner.name: each.name for each in page.entries for inner in (each, *each.inside)}
    reads: dict[str, list[str]] = {name: [] for name in links}
    for inner, outer in owner.items():
        reads[outer] += [owner[name] for name in reference.reads[inner] if name in owner]
    return dependency_graph(f"What reads what in {page.title}", links, reads)


def folder_graph(reference: CrossReference) -> str:
    """Folders, and the chapters of the root, as names; each reads another if any of its entries does."""
    owner = {name: page.namespace or page.path for name, page in reference.page_of.items()}
    address = {page.namespace or page.path: page for page in reference.pages}
    links = {
        name: f"{page.namespace.replace('.', '/')}/index.html" if page.namespace else f"{page.path}.html"
        for name, page in address.items()
    }
    reads: dict[str, list[str]] = {name: [] for name in links}
    for name, names in reference.reads.items():
        reads[owner[name]] += [owner[each] for each in names]
    return dependency_graph("What reads what between folders", links, reads)
