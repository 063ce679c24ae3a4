"""Writes the sheet of checks: those of the formulas and of the workbook itself, and numbers at export beside now."""

from collections.abc import Iterator
from dataclasses import replace

from formula_eval.ask.workbook.naming import CALC, CHECKS, NONE, CellRange, written_day
from formula_eval.core import expression as e
from formula_eval.core.declaration import LEVELS
from formula_eval.core.graph import Check, Node
from formula_eval.core.type import Choice, Date, Flag
from formula_eval.export.document import Document
from formula_eval.export.palette import Palette
from formula_eval.export.reached import reached
from formula_eval.export.workbook.calc_sheet import VALUE as CALC_VALUE
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.structure_block import pale
from formula_eval.export.workbook.units import (
    LiveCell,
    UnitScale,
    Value,
    day_text,
    number_format,
    read_cell,
    scaled,
    shown,
)
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.excel import excel_string

NAME, LEVEL, HOLDS, MESSAGE, RULE, WRITTEN = range(6)
SUMMARY, HEAD, FIRST = 2, 6, 7
_OK = '"OK";;"NO"'
ALL_HOLD = "All checks hold"
_MOST_COMPARED = 80
_STATES = {"refuse": "bad", "warn": "warn", "note": "other"}


def with_followed_checks(document: Document) -> Document:
    """The document without the checks that stand for formulas under other inputs which nothing else needs.

    A check is left out only where it holds and follows from none of these now: a price of an API that nobody named
    would bring thousands of rows. One that fails, or follows from them, stays with all that it needs.
    """
    graph, given = document.graph, document.givens.values
    needed = frozenset(graph.ancestors([*document.wanted, *document.beside]))
    failed = {result.name for result in document.result.checks if not result.ok}

    def is_followed(check: Check) -> bool:
        others = {
            ancestor
            for ancestor in graph.ancestors([check.node])
            if ancestor not in needed and graph.nodes[ancestor].original
        }
        return not others or not others.isdisjoint(reached(graph, [check.node], document.numbers, given))

    followed = {check.node for check in document.checks if check.node in failed or is_followed(check)}
    kept = [result for result in document.result.checks if result.name in followed]
    return replace(document, result=document.result.but(checks=kept))


def plan_checks(book: Book) -> None:
    """Give the counts their places."""
    for line, level in enumerate(LEVELS):
        book.naming.put(f"broken {level}", f"checks_broken_{level}", CellRange(CHECKS, SUMMARY + line, HOLDS))


def write_checks(book: Book) -> None:
    """Write the whole sheet."""
    sheet = book.opened(CHECKS, "checks")
    sheet.head(HEAD, book.looks["checks"].heads)
    row = FIRST
    held: list[tuple[str, bool]] = []
    for level, name, formula, holds in _own_checks(book):
        sheet.text(row, NAME, name, "wrap")
        sheet.text(row, LEVEL, level, "text")
        sheet.formula(row, HOLDS, formula, int(holds), "calc", _OK, align="center")
        sheet.text(row, RULE, "a check of the workbook itself", "note")
        held.append((level, holds))
        row += 1
    for check in book.document.checks:
        book.naming.places[f"check {check.node}"] = CellRange(CHECKS, row, HOLDS)
        held.append((check.level, _write_check(book, sheet, check, row)))
        row += 1
    _write_summaries(book, sheet, held, row - 1)
    _colour(sheet, row - 1, book.palette)
    _write_comparison(book, sheet, row + 1)
    sheet.finish(frozen=(FIRST, 1), repeat=HEAD)


def _own_checks(book: Book) -> Iterator[tuple[str, str, str, bool]]:
    """The checks of the workbook itself: that chosen records are there, and that no formula fails."""
    for selector in book.selectors:
        chosen = book.naming.reference(f"{selector.key} chosen", CHECKS)
        ids = book.naming.reference(f"{selector.supplier} ids", CHECKS)
        empty = f'{chosen}="{selector.unchosen}",' if selector.unchosen in ("", NONE) else ""
        formula = f"IF(OR({empty}ISNUMBER(MATCH({chosen},{ids},0))),1,0)"
        yield "refuse", f"The chosen {selector.key} is a row of its sheet", formula, True
    rows = [book.naming.places[node.name].row for node in book.computed]
    if rows:
        cells = CellRange(CALC, min(rows), CALC_VALUE, max(rows)).address(CHECKS)
        absent = f"-ISNA({cells})" if book.absent else ""
        formula = f"IF(SUMPRODUCT(ISERROR({cells}){absent or '*1'})=0,1,0)"
        values = (book.value(node.name) for node in book.computed)
        failing = any(isinstance(value, str) and value.startswith("#") for value in values)
        yield "refuse", "Every formula of Calc has a value", formula, not failing or bool(book.absent)


def _write_check(book: Book, sheet: Sheet, check: Check, row: int) -> bool:
    node = book.document.graph.nodes[check.node]
    cell = book.naming.reference(check.node, CHECKS)
    holds = bool(book.value(check.node))
    test = f"IFERROR(IF({cell},1,0),0)"
    sheet.text(row, NAME, check.node, "name")
    sheet.text(row, LEVEL, check.level, "text")
    absent = check.node in book.absent
    sheet.formula(row, HOLDS, f"IF(ISNA({cell}),1,{test})" if absent else test, int(holds), "calc", _OK, align="center")
    formula, text = _message(book, check)
    here = CellRange(CHECKS, row, HOLDS).address(CHECKS)
    sheet.formula(
        row, MESSAGE, f'IF({here}=1,"",IFERROR({formula},"cannot be computed"))', "" if holds else text, "wrap"
    )
    sheet.text(row, RULE, book.document.written_text(node), "formula")
    sheet.text(row, WRITTEN, node.declaration.span.place, "note")
    return holds


def _message(book: Book, check: Check) -> LiveCell:
    """A message with its numbers."""
    parts = [
        LiveCell(excel_string(part), part)
        if isinstance(part, str)
        else _quoted(book, book.document.graph.nodes[part.node])
        for part in check.message
        if isinstance(part, str | e.Reference)
    ]
    return LiveCell("&".join(part.text for part in parts) or '""', "".join(str(part.value) for part in parts))


def _quoted(book: Book, node: Node) -> LiveCell:
    """A value within a sentence."""
    cell, value = book.naming.reference(node.name, CHECKS), book.value(node.name)
    if isinstance(value, str) and value.startswith("#"):
        return LiveCell(f'IFERROR({cell}&"","not given")', "not given")
    if isinstance(node.type, Flag):
        return read_cell(node, cell, value, UnitScale())
    if isinstance(node.type, Choice) or isinstance(value, str):
        return LiveCell(cell, value)
    scales = book.units.shown(node)
    if not scales:
        return LiveCell(f"ROUND({cell},4)", _number_text(value))
    number, unit = shown(cell, value, scales)
    if isinstance(node.type, Date):
        return LiveCell(day_text(number.text), written_day(float(number.value)))
    return LiveCell(f'ROUND({number.text},2)&" "&{unit.text}', f"{_number_text(number.value, 2)} {unit.value}")


def _number_text(value: Value, digits: int = 4) -> str:
    return f"{round(float(value), digits):.15g}"


def _write_summaries(book: Book, sheet: Sheet, held: list[tuple[str, bool]], last: int) -> None:
    levels = CellRange(CHECKS, FIRST, LEVEL, last).address(CHECKS)
    states = CellRange(CHECKS, FIRST, HOLDS, last).address(CHECKS)
    for line, level in enumerate(LEVELS):
        formula = f'SUMPRODUCT(({levels}="{level}")*({states}=0))'
        broken = sum(1 for name, holds in held if name == level and not holds)
        sheet.text(SUMMARY + line, NAME, book.looks["checks"].words[level], "wrap")
        sheet.text(SUMMARY + line, LEVEL, level, "text")
        sheet.formula(SUMMARY + line, HOLDS, formula, broken, "calc", "0", align="center")


def _colour(sheet: Sheet, last: int, palette: Palette) -> None:
    """Colours besides the words: red for what is refused, paler ones for warnings and notes."""
    level, holds = CellRange(CHECKS, FIRST, LEVEL).address(CHECKS), CellRange(CHECKS, FIRST, HOLDS).address(CHECKS)
    level, holds = level.replace(f"${FIRST + 1}", str(FIRST + 1)), holds.replace(f"${FIRST + 1}", str(FIRST + 1))
    for word, state in _STATES.items():
        rule = {"type": "formula", "criteria": f'=AND({level}="{word}",{holds}=0)'}
        form = sheet.conditional(bg_color=pale(palette.state(state)))
        sheet.raw.conditional_format(FIRST, LEVEL, last, HOLDS, {**rule, "format": form})
    good = {"type": "cell", "criteria": "==", "value": 1, "format": sheet.conditional(font_color=palette.state("good"))}
    sheet.raw.conditional_format(FIRST, HOLDS, last, HOLDS, good)


def _write_comparison(book: Book, sheet: Sheet, at: int) -> None:
    """Write the wanted quantities with their values at export and now."""
    nodes = [book.document.graph.nodes[name] for name in book.document.wanted]
    nodes = [node for node in nodes if node.kind == "formula" and not isinstance(node.type, Flag | Choice)]
    words = book.looks["checks"].words
    sheet.band(at, words["compared"], WRITTEN + 1)
    for column, title in enumerate(words["compared_columns"]):
        sheet.text(at + 1, column, title, "head")
    row = at + 2
    for node in nodes[:_MOST_COMPARED]:
        value = book.value(node.name)
        if isinstance(value, str):
            continue
        then, now = (CellRange(CHECKS, row, column).address(CHECKS) for column in (LEVEL, HOLDS))
        sheet.text(row, NAME, node.name, "name")
        scale, form = _declared(book, node), number_format(node, book.number_format(node))
        value, cell = scaled(value, scale), scale.from_base(book.naming.reference(node.name, CHECKS))
        sheet.number(row, LEVEL, value, "number", form)
        sheet.formula(row, HOLDS, cell, value, "calc", form)
        changed = f'IF({then}=0,"changed",ROUND({now}/{then},4)&" times")'
        ratio = f'IF(ISERROR({now}),"no value",IF({now}={then},"the same",{changed}))'
        sheet.formula(row, MESSAGE, ratio, "the same", "text", align="left", indent=1)
        sheet.text(row, RULE, node.sentence, "wrap")
        sheet.text(row, WRITTEN, scale.unit or book.units.base(node), "unit")
        row += 1


def _declared(book: Book, node: Node) -> UnitScale:
    """The unit that its author declared, where it is a multiple; else the unit in which the value is held."""
    scales = book.units.shown(node)
    return scales[0] if len(scales) == 1 else UnitScale()


def checks_status(book: Book, here: str) -> LiveCell:
    """One sentence on the checks, for the sheets that are read first."""
    refused, warned = (book.naming.reference(f"broken {level}", here) for level in ("refuse", "warn"))
    bad, fair = "this configuration is refused, see Checks", "warnings apply, see Checks"
    one = "1 warning applies, see Checks"
    warning = f'IF({warned}=1,"{one}",{warned}&" {fair}")'
    formula = f'IF({refused}>0,{refused}&" broken: {bad}",IF({warned}>0,{warning},"{ALL_HOLD}"))'
    levels = {check.node: check.level for check in book.document.checks}
    broken = [level for name, level in levels.items() if not book.value(name)]
    count = {level: broken.count(level) for level in ("refuse", "warn")}
    if count["refuse"]:
        return LiveCell(formula, f"{count['refuse']} broken: {bad}")
    if count["warn"]:
        return LiveCell(formula, one if count["warn"] == 1 else f"{count['warn']} {fair}")
    return LiveCell(formula, ALL_HOLD)
