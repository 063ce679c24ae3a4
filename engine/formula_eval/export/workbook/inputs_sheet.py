"""Writes the sheet where a reader types: records by drop-down, values beside what a record states."""

from collections.abc import Iterable

from formula_eval.ask.workbook.naming import INPUTS, CellRange
from formula_eval.core.graph import Node
from formula_eval.core.type import Flag
from formula_eval.export.workbook.data_table_sheet import varied_formula
from formula_eval.export.workbook.record_sheets import called, linked, record_number, title_of
from formula_eval.export.workbook.record_tables import Selector
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.units import (
    ABSENT,
    LiveCell,
    Value,
    first_said,
    number_format,
    read_cell,
    typed_format,
)
from formula_eval.export.workbook.validation import allowed_text, validate, validate_record
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.excel import INFINITY, LARGEST_NUMBER, excel_string
from formula_eval.printing.text import expression_text
from formula_eval.records.rows import is_unfilled

NAME, SENTENCE, YOURS, UNIT, RECORD, SHOWN, SET_BY, ALLOWED, DEFAULT, WRITTEN, VALUE, BASE, VARIED = range(13)
HEAD, FIRST = 4, 5
_WIDE = VARIED + 1


def plan_inputs(book: Book) -> None:
    """Give every selector and every input its place."""
    asked, others = _selectors(book)
    row = _put_selectors(book, asked, FIRST + 1)
    blocks = _blocks(book)
    row = _put_blocks(book, blocks[:1], row)
    row = _put_selectors(book, others, row + 2) if others else row
    row = _put_blocks(book, blocks[1:], row)
    book.naming.put(INFINITY, INFINITY, CellRange(INPUTS, row + 2, VALUE))


def _selectors(book: Book) -> tuple[list[Selector], list[Selector]]:
    """What chooses the records of the question, and what may choose further ones, such as a draft model, unused now."""
    others = [selector for selector in book.selectors if selector.key not in book.tables and not selector.holds]
    return [selector for selector in book.selectors if selector not in others], others


def _put_selectors(book: Book, selectors: Iterable[Selector], row: int) -> int:
    for selector in selectors:
        wanted = f"chosen_{selector.key}"
        book.naming.put(f"{selector.key} chosen", wanted, CellRange(INPUTS, row, SHOWN))
        book.naming.put(f"{selector.key} row", f"{selector.key}_row", CellRange(INPUTS, row, VALUE))
        book.naming.places[f"{selector.key} typed"] = CellRange(INPUTS, row, YOURS)
        if selector.key not in book.tables:
            book.naming.put(f"{selector.key} set by", f"{selector.key}_set_by", CellRange(INPUTS, row, SHOWN))
        row += 1
    return row


def _put_blocks(book: Book, blocks: Iterable[tuple[str, list[Node]]], row: int) -> int:
    for title, nodes in blocks:
        row += 2 if title else 1
        for node in nodes:
            _put(book, node, row)
            row += 1
    return row


def _put(book: Book, node: Node, row: int) -> None:
    book.naming.put(node.name, node.name, CellRange(INPUTS, row, VALUE))
    book.naming.places[f"{node.name} typed"] = CellRange(INPUTS, row, YOURS)
    if node.name in book.varied:
        book.naming.places[f"{node.name} varied"] = CellRange(INPUTS, row, VARIED)
    if _supplied(book, node):
        book.naming.places[f"{node.name} supplied"] = CellRange(INPUTS, row, RECORD)
    if node.name in book.asked_given:
        book.naming.put(f"{node.name} set by", f"{node.name}_set_by", CellRange(INPUTS, row, SET_BY))


def _blocks(book: Book) -> list[tuple[str, list[Node]]]:
    """Inputs in blocks: a library's own and those that the layout puts on top, then by supplier, then all others."""
    found: dict[tuple[str, str], list[Node]] = {("", ""): []}
    rest: list[Node] = []
    is_ours = book.document.evaluator.library.is_ours
    first = {node.name: -1 for node in book.inputs if not is_ours(node.declaration.span.file)}
    first |= {name: place for place, name in enumerate(book.layout.first)}

    def order(node: Node) -> tuple[bool, int, str, int]:
        span = node.declaration.span
        unfilled = is_unfilled(node.cell, book.document.numbers, node.record)
        return unfilled, first.get(node.name, len(first)), span.file, 0 if unfilled else span.line

    for node in sorted(book.inputs, key=order):
        if not node.supplier and book.layout.first and found["", ""] and node.name not in first:
            rest.append(node)
        else:
            found.setdefault((node.supplier, node.record), []).append(node)
    words, titles = book.looks["inputs"].words, {}
    for supplier, record in found:
        source = f"{record}, a {supplier}" if record else supplier
        titles[supplier, record] = words["stated"].replace("{}", source) if supplier else words["asked"]
    blocks = [*((titles[key], nodes) for key, nodes in found.items()), (words["rest"], rest)]
    return [(title, nodes) for title, nodes in blocks if nodes]


def _supplied(book: Book, node: Node) -> bool:
    """Whether a record or the namespace may say something about an input."""
    name = node.name.removeprefix(f"{node.record}.") if node.record else node.name
    stated = f"{node.supplier}: {name}" in book.naming.places
    return stated or node.name in book.preset or bool(_restated(book, node))


def _restated(book: Book, node: Node) -> str:
    """The kind whose records a namespace restates with this input."""
    return next((kind for kind in book.tables if f"{kind}: restated {node.name}" in book.naming.places), "")


def write_inputs(book: Book) -> None:
    """Write the whole sheet."""
    look = book.looks["inputs"]
    sheet = book.opened(INPUTS, "inputs")
    sheet.head(HEAD, look.heads)
    sheet.band(FIRST, look.words["about"], _WIDE)
    asked, others = _selectors(book)
    if others:
        sheet.band(book.naming.places[f"{others[0].key} chosen"].row - 1, look.words["further"], _WIDE)
    for selector in book.selectors:
        _write_selector(book, sheet, selector)
    blocks = _blocks(book)
    for title, nodes in blocks:
        sheet.band(book.naming.places[nodes[0].name].row - 1, title, _WIDE)
        for node in nodes:
            _write_input(book, sheet, node)
    _write_infinity(book, sheet)
    sheet.raw.set_selection(FIRST + 1, YOURS, FIRST + 1, YOURS)
    sheet.finish(frozen=(FIRST, 1), repeat=HEAD)
    last = book.naming.places[blocks[0][1][-1].name].row if blocks else FIRST + len(asked)
    sheet.raw.print_area(0, 0, last, ALLOWED)  # what is asked; what records say stands on their own sheets too


def _write_infinity(book: Book, sheet: Sheet) -> None:
    place = book.naming.places["infinity"]
    sheet.band(place.row - 1, book.looks["inputs"].words["constant"], _WIDE)
    sheet.text(place.row, NAME, "infinity", "name")
    sheet.number(place.row, VALUE, float(LARGEST_NUMBER), "calc")
    sheet.text(place.row, SENTENCE, "A spreadsheet has no infinity: this number is larger than any other here", "note")


def _write_selector(book: Book, sheet: Sheet, selector: Selector) -> None:
    key, table = selector.key, book.tables[selector.supplier]
    place = book.naming.places[f"{key} chosen"]
    row, title = place.row, title_of(book, selector.supplier)
    sheet.text(row, NAME, key, "name")
    sheet.text(row, YOURS, selector.typed, "input", bold=True, align="left")
    validate_record(book, sheet, selector, (row, YOURS))
    rows = {each.key: book.naming.reference(f"{each.key} row", INPUTS) for each in book.selectors}
    says = linked(book, selector, INPUTS, rows)
    cells = [LiveCell(_cell(row, YOURS), selector.typed)]
    if says.text:
        sheet.formula(row, RECORD, *says, align="left")
        cells.append(LiveCell(_cell(row, RECORD), says.value))
    chosen = first_said(cells, LiveCell(excel_string(selector.unchosen), selector.unchosen))
    sheet.formula(row, SHOWN, *chosen, align="left")
    number = table.number_of(str(chosen.value))
    sheet.formula(row, VALUE, record_number(book, selector, place.address(INPUTS), INPUTS), number)
    sheet.formula(row, SET_BY, *_who(zip(cells, ("you", "record"), strict=False)), align="left", indent=1)
    name, text = called(book, selector, INPUTS), f"a row of {title}"
    told = f'IF({name.text}="","",{name.text}&", ")&{excel_string(text)}'
    sheet.formula(row, ALLOWED, told, f"{name.value}, {text}" if name.value else text, "note")
    sheet.text(row, SENTENCE, book.document.evaluator.schema.kinds[selector.supplier].sentence, "wrap")
    sheet.text(row, BASE, "row", "unit")


def _write_input(book: Book, sheet: Sheet, node: Node) -> None:
    place = book.naming.places[node.name]
    row = place.row
    form = typed_format(node)
    sheet.text(row, NAME, node.name, "name")
    if node.name in book.own:
        sheet.number(row, YOURS, book.typed_value(node, float(book.own[node.name])), "input", form)
    else:
        sheet.blank(row, YOURS, "input", form)
    validate(book, sheet, node, (row, YOURS))
    sheet.text(row, UNIT, book.units.typed(node).unit, "unit")
    said = [(LiveCell(_cell(row, YOURS), "typed" if node.name in book.own else ""), "you")]
    if _supplied(book, node):
        record = _supply(book, node)
        sheet.formula(row, RECORD, *record, "calc", number_format(node))
        said.append((LiveCell(_cell(row, RECORD), record.value), "record"))
    value = book.value(node.name)
    _write_shown(book, sheet, node, value)
    sheet.formula(row, VALUE, book.input_formula(node, INPUTS), value, "calc", book.number_format(node))
    sheet.text(row, BASE, book.units.base(node), "unit")
    if node.name in book.varied:
        said.insert(0, (LiveCell(_cell(row, VARIED), ""), "table"))
        sheet.formula(row, VARIED, varied_formula(book, node, INPUTS), "", "calc", form)
    sheet.formula(row, SET_BY, *_who(said), "calc", align="left", indent=1)
    sheet.text(row, DEFAULT, _default_text(node), "formula", text_wrap=False)
    sheet.text(row, ALLOWED, allowed_text(book, node), "note")
    sheet.text(row, SENTENCE, node.sentence, "wrap")
    sheet.text(row, WRITTEN, node.declaration.span.place, "note")


def _write_shown(book: Book, sheet: Sheet, node: Node, value: Value) -> None:
    """Write the current value, in the unit in which it is typed."""
    place, scale = book.naming.places[node.name], book.units.typed(node)
    form = number_format(node, book.number_format(node) if scale.is_base else "General")
    form = "" if isinstance(node.type, Flag) else form
    cell = place.address(INPUTS)
    shown = read_cell(node, cell, value, scale)
    if node.name in book.absent:
        shown = LiveCell(f'IF(ISNA({cell}),"",{shown.text})', "" if value == ABSENT else shown.value)
    sheet.formula(place.row, SHOWN, *shown, "calc", form)


def _default_text(node: Node) -> str:
    if node.author is not None:
        return expression_text(node.author)
    return "absent" if node.optional else ""


def _supply(book: Book, node: Node) -> LiveCell:
    """The value that the chosen record states, or the namespace, which takes precedence."""
    says = LiveCell('""', "")
    if node.supplier in book.tables:
        key = _chooser(book, node)
        name = node.name.removeprefix(f"{node.record}.") if node.record else node.name
        stated = book.tables[node.supplier].held(book.holds[key]).values
        says = LiveCell(_lookup(book, f"{node.supplier}: {name}", key), _typed(book, node, stated.get(name)))
        if node.record:
            outside = _outside(book, node, name, key)
            text = f'IF({book.naming.reference(f"{key} chosen", INPUTS)}="",{outside.text},{says.text})'
            says = LiveCell(text, outside.value if says.value == "" else says.value)
    if node.name in book.preset:
        preset = float(book.preset[node.name])
        says = LiveCell(book.typed_literal(node, preset), book.typed_value(node, preset))
    if kind := _restated(book, node):
        anew = book.tables[kind].held(book.holds[kind]).restated.get(node.name)
        cell = LiveCell(_lookup(book, f"{kind}: restated {node.name}", kind), _typed(book, node, anew))
        says = first_said([cell], says)
    return says


def _typed(book: Book, node: Node, number: float | None) -> Value:
    """A number as somebody would type it; an empty text for none."""
    return "" if number is None else book.typed_value(node, float(number))


def _chooser(book: Book, node: Node) -> str:
    """The cell that chooses the record of an input: its kind, another record, or one that this one names."""
    brought = f"{node.record}.{node.supplier}"
    named = brought in (selector.key for selector in book.selectors)
    return brought if named else node.record or node.supplier


def _outside(book: Book, node: Node, name: str, key: str) -> LiveCell:
    """The value outside of another record for an input that it does not state, without a default."""
    cells = [book.naming.places.get(f"{name} {each}") for each in ("typed", "supplied")]
    if key == node.record or node.expression is not None or None in cells:
        return LiveCell('""', "")
    yours, says = (cell.address(INPUTS) for cell in cells if cell is not None)
    value = None if book.holds[key] else book.document.givens.values.get(name)
    return LiveCell(f'IF({yours}<>"",{yours},IF({says}="","",{says}))', _typed(book, node, value))


def _lookup(book: Book, column: str, key: str) -> str:
    cells, row = book.naming.reference(column, INPUTS), book.naming.reference(f"{key} row", INPUTS)
    return f'IF(INDEX({cells},{row})="","",INDEX({cells},{row}))'


def _cell(row: int, column: int) -> str:
    return CellRange(INPUTS, row, column).address(INPUTS)


def _who(cells: Iterable[tuple[LiveCell, str]]) -> LiveCell:
    """The word of the first of these cells that holds something, else that a default does."""
    text, value = '"default"', "default"
    for cell, word in reversed([*cells]):
        text, value = f'IF({cell.text}<>"","{word}",{text})', value if cell.value == "" else word
    return LiveCell(text, value)
