"""Writes the sheet where a reader types: records by drop-down, values beside what a record states."""

from formula_eval.ask.workbook.naming import INPUTS, CellRange
from formula_eval.core.graph import Node
from formula_eval.core.type import Flag
from formula_eval.export.workbook.data_table_sheet import varied_formula
from formula_eval.export.workbook.record_sheets import (
    called_formula,
    called_now,
    linked_formula,
    linked_now,
    record_number,
    title_of,
)
from formula_eval.export.workbook.record_tables import Selector
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.units import Value, number_format, read_cell, typed_format
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
    row = FIRST + 1
    for selector in book.selectors:
        wanted = f"chosen_{selector.key}"
        book.naming.put(f"{selector.key} chosen", wanted, CellRange(INPUTS, row, SHOWN))
        book.naming.put(f"{selector.key} row", f"{selector.key}_row", CellRange(INPUTS, row, VALUE))
        book.naming.places[f"{selector.key} typed"] = CellRange(INPUTS, row, YOURS)
        if selector.key not in book.tables:
            book.naming.put(f"{selector.key} set by", f"{selector.key}_set_by", CellRange(INPUTS, row, SHOWN))
        row += 1
    for title, nodes in _blocks(book):
        row += 2 if title else 1
        for node in nodes:
            _put(book, node, row)
            row += 1
    book.naming.put(INFINITY, INFINITY, CellRange(INPUTS, row + 2, VALUE))


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
    last = book.naming.places[blocks[0][1][-1].name].row if blocks else FIRST + len(book.selectors)
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
    yours, says = (CellRange(INPUTS, row, column).address(INPUTS) for column in (YOURS, RECORD))
    rows = {each.key: book.naming.reference(f"{each.key} row", INPUTS) for each in book.selectors}
    linked = linked_formula(book, selector, INPUTS, rows)
    otherwise, held = excel_string(selector.unchosen), selector.unchosen
    if linked:
        says_now = linked_now(book, selector)
        sheet.formula(row, RECORD, linked, says_now, align="left")
        otherwise, held = f'IF({says}<>"",{says},{otherwise})', says_now or held
    chosen = selector.typed or held
    sheet.formula(row, SHOWN, f'IF({yours}<>"",{yours},{otherwise})', chosen, align="left")
    sheet.formula(row, VALUE, record_number(book, selector, place.address(INPUTS), INPUTS), table.number_of(chosen))
    origin = f'IF({yours}<>"","you",' + (f'IF({says}<>"","record","default"))' if linked else '"default")')
    who = "you" if selector.typed else "record" if held != selector.unchosen else "default"
    sheet.formula(row, SET_BY, origin, who, align="left", indent=1)
    called = called_formula(book, selector, INPUTS)
    text = f'IF({called}="","",{called}&", ")&{excel_string(f"a row of {title}")}'
    name = called_now(book, selector)
    sheet.formula(row, ALLOWED, text, f"{name}, a row of {title}" if name else f"a row of {title}", "note")
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
    record = _write_supplied(book, sheet, node, row) if _supplied(book, node) else ""
    value = book.value(node.name)
    _write_shown(book, sheet, node, value)
    sheet.formula(row, VALUE, book.input_formula(node, INPUTS), value, "calc", book.number_format(node))
    sheet.text(row, BASE, book.units.base(node), "unit")
    _write_set_by(book, sheet, node, record)
    if node.name in book.varied:
        sheet.formula(row, VARIED, varied_formula(book, node, INPUTS), "", "calc", form)
    sheet.text(row, DEFAULT, _default_text(node), "formula", text_wrap=False)
    sheet.text(row, ALLOWED, allowed_text(book, node), "note")
    sheet.text(row, SENTENCE, node.sentence, "wrap")
    sheet.text(row, WRITTEN, node.declaration.span.place, "note")


def _write_shown(book: Book, sheet: Sheet, node: Node, value: Value) -> None:
    """Write the current value, in the unit in which it is typed."""
    place, scale = book.naming.places[node.name], book.units.typed(node)
    form = number_format(node, book.number_format(node) if scale.is_base else "General")
    form = "" if isinstance(node.type, Flag) else form
    sheet.formula(place.row, SHOWN, *read_cell(node, place.address(INPUTS), value, scale), "calc", form)


def _default_text(node: Node) -> str:
    if node.author is not None:
        return expression_text(node.author)
    return "absent" if node.optional else ""


def _write_supplied(book: Book, sheet: Sheet, node: Node, row: int) -> Value:
    """Write the value that the chosen record states, or the namespace, which takes precedence."""
    text = '""'
    value: Value = ""
    if node.supplier in book.tables:
        key = _chooser(book, node)
        name = node.name.removeprefix(f"{node.record}.") if node.record else node.name
        text, value = _lookup(book, f"{node.supplier}: {name}", key), _looked_up(book, key, node, name)
        if node.record:
            text = f'IF({book.naming.reference(f"{key} chosen", INPUTS)}="",{_outside(book, node, name)},{text})'
            value = value if value != "" else _outside_now(book, key, node, name)
    if node.name in book.preset:
        preset = book.preset[node.name]
        text, value = book.typed_literal(node, float(preset)), book.typed_value(node, float(preset))
    if _restated(book, node):
        kind = _restated(book, node)
        cell = _lookup(book, f"{kind}: restated {node.name}", kind)
        text = f'IF({cell}<>"",{cell},{text})'
        table = book.tables[kind]
        anew = table.held(book.holds[kind]).restated
        value = book.typed_value(node, float(anew[node.name])) if node.name in anew else value
    sheet.formula(row, RECORD, text, value, "calc", number_format(node))
    return value


def _chooser(book: Book, node: Node) -> str:
    """The cell that chooses the record of an input: its kind, another record, or one that this one names."""
    brought = f"{node.record}.{node.supplier}"
    named = brought in (each.key for each in book.selectors)
    return brought if named else node.record or node.supplier


def _outside(book: Book, node: Node, name: str) -> str:
    """The formula of the value outside of another record for an input that it does not state, without a default."""
    cells = [book.naming.places.get(f"{name} {each}") for each in ("typed", "supplied")]
    if _chooser(book, node) == node.record or node.expression is not None or None in cells:
        return '""'
    yours, says = (each.address(INPUTS) for each in cells if each is not None)
    return f'IF({yours}<>"",{yours},IF({says}="","",{says}))'


def _outside_now(book: Book, key: str, node: Node, name: str) -> Value:
    """The current value of that formula."""
    value = book.document.givens.values.get(name)
    if book.holds[key] or _outside(book, node, name) == '""' or value is None:
        return ""
    return book.typed_value(node, float(value))


def _lookup(book: Book, column: str, key: str) -> str:
    cells, row = book.naming.reference(column, INPUTS), book.naming.reference(f"{key} row", INPUTS)
    return f'IF(INDEX({cells},{row})="","",INDEX({cells},{row}))'


def _looked_up(book: Book, key: str, node: Node, name: str) -> Value:
    table = book.tables[node.supplier]
    values = table.held(book.holds[key]).values
    return book.typed_value(node, float(values[name])) if name in values else ""


def _write_set_by(book: Book, sheet: Sheet, node: Node, record: Value) -> None:
    row = book.naming.places[node.name].row
    yours = CellRange(INPUTS, row, YOURS).address(INPUTS)
    text, value = '"default"', "default"
    if f"{node.name} supplied" in book.naming.places:
        says = CellRange(INPUTS, row, RECORD).address(INPUTS)
        text, value = f'IF({says}<>"","record","default")', "record" if record != "" else "default"
    text = f'IF({yours}<>"","you",{text})'
    if node.name in book.varied:
        text = f'IF({CellRange(INPUTS, row, VARIED).address(INPUTS)}<>"","table",{text})'
    sheet.formula(row, SET_BY, text, "you" if node.name in book.own else value, "calc", align="left", indent=1)
