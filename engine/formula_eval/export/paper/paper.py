"""Builds a paper: results, assumptions, the derivation in chapters, a notation table and a bibliography."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePath
from typing import Any

from formula_eval.core.expression import Name, children
from formula_eval.core.graph import Node
from formula_eval.core.table import FILLED
from formula_eval.core.type import Flag, Quantity
from formula_eval.export.document import Document
from formula_eval.export.paper.closed_forms import PaperForm, closed_forms_of
from formula_eval.export.paper.equations import Equation, equations_of
from formula_eval.export.paper.grids import PaperGrid, grids_of
from formula_eval.export.paper.symbols import Symbols, column_symbol
from formula_eval.export.paper.worked_equation import Working
from formula_eval.export.quantities import title_of
from formula_eval.export.templates import Ready
from formula_eval.printing.text import expression_text
from formula_eval.records.origin import Origin
from formula_eval.records.rows import is_unfilled
from formula_eval.text_files import read_text
from formula_eval.version import __version__

_DOCSTRING = re.compile(r'\s*"""(.*?)"""', re.DOTALL)
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class TableLine:
    """A line of a table: a quantity, its value, and who set it or which equation gives it."""

    symbol: Ready  # in the notation of the document
    name: str  # of the quantity, with its folders
    sentence: str  # what it is, empty where nobody says
    value: str = ""
    unit: str = ""  # as declared, empty for a plain number
    origin: str = ""  # who set it, empty for what is computed
    number: int = 0  # of the equation, 0 for none


@dataclass(frozen=True, slots=True)
class DisplayedEquation:
    """An equation for display: `rows` are those of an `aligned`."""

    number: int  # by which the text refers to it
    name: str  # of what it gives, with its folders
    sentence: str  # what that is, empty where nobody says
    rows: tuple[Ready, ...]
    text: str  # as the chapters write it, several behind each other
    place: str  # file and line of the declaration
    derived: str  # how it follows, by its author, or empty
    remarks: tuple[str, ...]  # what its author notes beneath it
    sources: tuple[tuple[str, str], ...]  # key of each cited work, and where in it
    wanted: bool = False  # whether a user asked for what it gives


@dataclass(frozen=True, slots=True)
class PaperChapter:
    """The equations of one file, and the tables that end in it."""

    title: str
    intro: str
    equations: tuple[DisplayedEquation, ...]
    grids: tuple[PaperGrid, ...] = ()


@dataclass(frozen=True, slots=True)
class Paper:
    """All that a template may print.

    A brief one has one chapter of the equations that matter most, top-down; `beside` are the quantities that these read
    and no equation of it gives, and `inputs` those that they read or the question set, `kept` how many more there are.
    """

    title: str  # the library and its records, in one line
    command: str  # the command line that writes it again, or empty
    version: str  # of formula-eval
    style: str  # one of `formats.STYLES`
    results: tuple[TableLine, ...]  # the wanted quantities
    records: tuple[tuple[str, str, str], ...]  # kind, id, and who named it
    findings: tuple[str, ...]  # messages of the checks that do not hold
    sources: tuple[dict[str, Any], ...]  # the cited works, each with its key
    forms: tuple[PaperForm, ...]  # closed forms, shown ahead of the derivation
    inputs: tuple[TableLine, ...] = ()
    defaults: tuple[TableLine, ...] = ()  # inputs that nobody set; none if brief
    chapters: tuple[PaperChapter, ...] = ()  # the derivation, by file of formulas
    zeros: tuple[PaperChapter, ...] = ()  # chapters of equations that give 0 here
    notation: tuple[TableLine, ...] = ()  # what each symbol means; empty if brief
    brief: bool = False
    beside: tuple[TableLine, ...] = ()
    kept: int = 0


def paper_of(document: Document, style: str) -> Paper:
    """The paper in one style, `symbolic`, `substituted` or `full`, with every equation, by chapter."""
    symbols = Symbols(document.graph, document.names)
    working = Working(document, symbols, style)
    every = [equation for equation in equations_of(document, symbols) if not is_stated(equation)]
    if style != "symbolic":
        every = _read_here(document, every)
    zero = _zeros(document, every) if style != "symbolic" else set()
    shown = [equation for equation in every if equation.key not in zero]
    chapters = {equation.chapter: place for place, equation in enumerate(reversed(every))}
    zeros = sorted(
        (equation for equation in every if equation.key in zero), key=lambda equation: -chapters[equation.chapter]
    )
    equations = [*shown, *zeros]
    plainly = Working(document, symbols, "symbolic") if style == "full" else working
    inputs = list(inputs_of(document, symbols, working))
    defaults = [line for line in inputs if line.origin.partition(",")[0] == Origin.DEFAULT]
    displays = groupby(equations, key=_display)
    numbers = {equation.key: place for place, (_, group) in enumerate(displays, 1) for equation in group}
    by_node = {node.name: numbers[equation.key] for equation in equations for node in equation.nodes}
    return replace(
        framed(document, style, results_of(document, symbols, working, by_node), equations),
        inputs=tuple(line for line in inputs if line not in defaults),
        defaults=tuple(defaults),
        chapters=tuple(_chapters(document, shown, working, numbers)),
        zeros=tuple(_chapters(document, zeros, plainly, numbers, tables=False)),
        notation=tuple(_notation(equations, working, numbers)),
    )


def framed(document: Document, style: str, results: Iterable[TableLine], equations: Sequence[Equation]) -> Paper:
    """A paper of these results without its derivation: what it is about, findings, and what its equations cite."""
    givens = document.givens
    return Paper(
        title=title_of(document),
        command=document.command,
        version=__version__,
        style=style,
        results=tuple(results),
        records=tuple((kind, givens.records[kind], givens.record_origins.get(kind, "")) for kind in document.kinds),
        findings=tuple(check.message for check in document.result.checks if not check.ok),
        sources=tuple(_sources_of(document, equations)),
        forms=tuple(closed_forms_of(document)),
    )


def is_stated(equation: Equation) -> bool:
    """Whether an equation is a cell that holds a number as it stands, which its table shows."""
    author = equation.first.author
    return equation.key[0] == "cell" and author is not None and not children(author) and not isinstance(author, Name)


def results_of(document: Document, symbols: Symbols, working: Working, numbers: dict[str, int]) -> Iterator[TableLine]:
    """The wanted quantities with their values, cells of tables last."""
    for name in sorted(document.wanted, key=lambda name: document.graph.nodes[name].kind == "cell"):
        node = document.graph.nodes[name]
        symbol, sentence = symbols.of(node.base), node.sentence
        if node.kind == "cell" and node.cell is not None:
            if node.cell.column == FILLED:
                continue
            if document.evaluator.schema.tables[node.cell.table].is_long:  # its grid shows them
                continue
            symbol = column_symbol(node.declaration)
            sentence = f"{sentence}: {node.cell.row.replace('_', ' ')}"
        if node.binding:
            sentence = f"{sentence}, under {node.binding}"
        yield TableLine(Ready(symbol), name, sentence, working.shown(node), node.unit, number=numbers.get(name, 0))


def inputs_of(document: Document, symbols: Symbols, working: Working) -> Iterator[TableLine]:
    """Every input that the wanted quantities follow from or the question states, with its value and who set it."""
    for name in document.derivation:
        node = document.graph.nodes[name]
        value = document.numbers.get(name)
        base = document.numbers.get(node.base)
        if node.kind != "input" or value is None or value != value or (node.binding and value == base):  # noqa: PLR0124 - nan
            continue
        if node.cell and (node.cell.column == FILLED or is_unfilled(node.cell, document.numbers, node.record)):
            continue
        origin = document.givens.origins.get(name, Origin.DEFAULT)
        if name not in document.reached and not document.is_stated(name, origin):
            continue
        if origin == Origin.DEFAULT and node.author is not None:
            text = expression_text(node.author)
            if any(letter.isalpha() for letter in text) and node.supplier == "":
                origin = f"{Origin.DEFAULT}, {text}"
        yield TableLine(Ready(symbols.of(name)), name, node.sentence, working.shown(node), node.unit, origin[:_LONGEST])


def _chapters(
    document: Document,
    equations: Sequence[Equation],
    working: Working,
    numbers: dict[tuple[str, ...], int],
    *,
    tables: bool = True,
) -> Iterator[PaperChapter]:
    intros = _intros(document)
    last = {equation.table: equation.key for equation in equations if equation.table}
    seen: set[str] = set()
    for chapter, group in groupby(equations, key=lambda equation: equation.chapter):
        derived: list[DisplayedEquation] = []
        grids: list[PaperGrid] = []
        for _, shown in groupby(group, key=_display):
            members = list(shown)
            derived.append(derived_of(document, members, working, numbers[members[0].key]))
            if tables and any(last.get(member.table) == member.key for member in members):
                grids += grids_of(document, members[0].table, working)
        title = _title(chapter)
        yield PaperChapter(
            f"{title}, continued" if chapter in seen else title,
            "" if chapter in seen else intros.get(chapter, ""),
            tuple(derived),
            tuple(grids),
        )
        seen.add(chapter)


def _read_here(document: Document, equations: Sequence[Equation]) -> list[Equation]:
    """The equations of what the results follow from, and of what these mention beside a 0 or in a branch not taken."""
    graph = document.graph
    mentioned = document.reached.union(*((*graph.parents[name], *graph.reads(name)) for name in document.reached))
    return [equation for equation in equations if not mentioned.isdisjoint(node.name for node in equation.nodes)]


def _zeros(document: Document, equations: Sequence[Equation]) -> set[tuple[str, ...]]:
    """The keys of equations on which no result depends here, and of displays that are 0, false or absent throughout."""
    counting = {_display(equation) for equation in equations if any(_counts(document, node) for node in equation.nodes)}
    return {
        equation.key
        for equation in equations
        if _display(equation) not in counting or document.reached.isdisjoint(node.name for node in equation.nodes)
    }


def _counts(document: Document, node: Node) -> bool:
    """Whether the results follow from a node that is neither 0 nor false nor absent, or is one of them."""
    value = document.numbers.get(node.name, 0.0)
    says_something = not isinstance(node.type, Quantity | Flag) or value > 0 or value < 0
    return node.name in document.reached and (says_something or document.is_wanted(node.name))


def _display(equation: Equation) -> tuple[str, ...]:
    """The key of a display: an equation, or those of the cells of one column that stand in one chapter."""
    return equation.chapter, *(equation.column or equation.key)


def derived_of(document: Document, equations: Sequence[Equation], working: Working, number: int) -> DisplayedEquation:
    """The equations of one display, as it is shown."""
    equation = equations[0]
    node, notes = equation.first, equation.first.declaration.notes
    texts = dict.fromkeys(expression_text(each.first.author) for each in equations if each.first.author is not None)
    return DisplayedEquation(
        number=number,
        name=equation.name,
        sentence=node.sentence,
        rows=tuple(Ready(row) for each in equations for row in working.rows(each)),
        text="; ".join(texts),
        place=node.declaration.span.place,
        derived=notes.derived,
        remarks=notes.told,
        sources=tuple((source.key, source.locator) for source in notes.sources),
        wanted=any(document.is_wanted(each.name) for one in equations for each in one.nodes),
    )


def _notation(
    equations: Sequence[Equation], working: Working, numbers: dict[tuple[str, ...], int]
) -> Iterator[TableLine]:
    for equation in equations:
        if equation.key[0] != "cell":
            node = equation.first
            yield TableLine(
                Ready(working.symbol(equation)),
                equation.name,
                node.sentence,
                unit=node.unit,
                number=numbers[equation.key],
            )


def _sources_of(document: Document, equations: Sequence[Equation]) -> Iterator[dict[str, Any]]:
    """The works that the equations cite, by key."""
    cited = {source.key for equation in equations for source in equation.first.declaration.notes.sources}
    for key in sorted(cited):
        yield {"key": key, **document.sources.get(key, {"title": key})}


def _title(chapter: str) -> str:
    """`formulas/inference/decode.formula` as `Inference: decode`, the part `home.loan` as `Home: loan`."""
    parts = PurePath(chapter.rpartition("formulas/")[2]).with_suffix("").parts if "/" in chapter else chapter.split(".")
    return ": ".join(parts).replace("_", " ").capitalize()


def _intros(document: Document) -> dict[str, str]:
    """The first sentence of every chapter, and of every part."""
    library = document.evaluator.library
    found = {name: part.notes.sentence for name, part in document.graph.parts.items()}
    for folder, path in library.files("formulas/**/*.formula"):
        shown = library.shown(folder, path)
        opening = _DOCSTRING.match(read_text(path, shown))
        found[shown] = " ".join(opening[1].split()) if opening else ""
    return found
