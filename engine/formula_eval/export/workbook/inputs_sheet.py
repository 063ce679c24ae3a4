"""Inputs to the one sheet where a reader types: records by drop-down, values beside what a record says."""

from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Flag
from formula_eval.export.workbook.book import Book
from formula_eval.export.workbook.naming import CUSTOM, HEADS, INPUTS, CellRange
from formula_eval.export.workbook.record_sheets import title_of
from formula_eval.export.workbook.record_tables import Selector
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.units import Value
from formula_eval.export.workbook.validation import allowed_text, validate
from formula_eval.printing.excel import LARGEST_NUMBER
from formula_eval.printing.text import expression_text
from formula_eval.records.record_files import LINKS
from formula_eval.records.rows import is_unfilled

NAME, YOURS, UNIT, RECORD, VALUE, BASE, SET_BY, DEFAULT, ALLOWED, SENTENCE, WRITTEN = range(11)
HEAD, FIRST = 4, 5
_WIDTHS = [26.0, 20.0, 12.0, 18.0, 20.0, 11.0, 10.0, 34.0, 26.0, 56.0, 36.0]
_SUBTITLES = (
    "Type in the yellow cells of the column yours. An empty one takes what its record says, or else the default.",
    "Everything else recalculates; nothing is hidden, and protection is only a guard-rail without a password.",
)


def plan_inputs(book: Book) -> None:
    """Give every selector and every input its place."""
    row = FIRST + 1
    for selector in book.selectors:
        wanted = f"chosen_{selector.key}"
        book.naming.put(f"{selector.key} chosen", wanted, CellRange(INPUTS, row, VALUE))
        book.naming.put(f"{selector.key} row", f"{selector.key}_row", CellRange(INPUTS, row, BASE))
        if selector.key not in book.tables:
            book.naming.put(f"{selector.key} set by", f"{selector.key}_set_by", CellRange(INPUTS, row, YOURS))
        row += 1
    for title, nodes in _blocks(book):
        row += 2 if title else 1
        for node in nodes:
            _put(book, node, row)
            row += 1
    book.put_infinity(INPUTS, row + 2, VALUE)


def _put(book: Book, node: Node, row: int) -> None:
    book.naming.put(node.name, node.name, CellRange(INPUTS, row, VALUE))
    book.naming.places[f"{node.name} typed"] = CellRange(INPUTS, row, YOURS)
    if _supplied(book, node):
        book.naming.places[f"{node.name} supplied"] = CellRange(INPUTS, row, RECORD)
    if node.name in book.asked_given:
        book.naming.put(f"{node.name} set by", f"{node.name}_set_by", CellRange(INPUTS, row, SET_BY))


def _blocks(book: Book) -> list[tuple[str, list[Node]]]:
    """The inputs by who supplies them, those of the user first; rows of a table that are not there stand last."""
    found: dict[tuple[str, str], list[Node]] = {("", ""): []}
    first = {name: place for place, name in enumerate(book.layout.first)}

    def order(node: Node) -> tuple[bool, int, str, int]:
        span = node.declaration.span
        unfilled = is_unfilled(node.cell, book.document.numbers, node.record)
        return unfilled, first.get(node.name, len(first)), span.file, 0 if unfilled else span.line

    for node in sorted(book.inputs, key=order):
        found.setdefault((node.supplier, node.record), []).append(node)
    titles = {}
    for supplier, record in found:
        source = f"{record}, a {supplier}" if record else supplier
        titles[supplier, record] = (
            f"What the {source} says unless you say otherwise" if supplier else "What you ask for"
        )
    return [(titles[key], nodes) for key, nodes in found.items() if nodes]


def _supplied(book: Book, node: Node) -> bool:
    """Whether a record or the namespace may say something about an input."""
    return (node.supplier in book.tables) or node.name in book.presets.values or bool(_restated(book, node))


def _restated(book: Book, node: Node) -> str:
    key = f"hardware: restated {node.name}"
    return key if key in book.naming.places else ""


def write_inputs(book: Book) -> None:
    """The whole sheet."""
    sheet = book.sheet(INPUTS, _WIDTHS)
    sheet.text(0, 0, "Inputs", "title")
    sheet.tall(0, 24)
    for line, text in enumerate(_SUBTITLES):
        sheet.text(1 + line, 0, text, "subtitle")
    sheet.head(HEAD, HEADS)
    sheet.band(FIRST, "What it is about", len(HEADS))
    for selector in book.selectors:
        _write_selector(book, sheet, selector)
    for title, nodes in _blocks(book):
        sheet.band(book.naming.places[nodes[0].name].row - 1, title, len(HEADS))
        for node in nodes:
            _write_input(book, sheet, node)
    _write_infinity(book, sheet)
    sheet.raw.freeze_panes(FIRST, 2)
    sheet.raw.set_selection(FIRST + 1, YOURS, FIRST + 1, YOURS)
    sheet.finish(repeat=HEAD)


def _write_infinity(book: Book, sheet: Sheet) -> None:
    place = book.naming.places["infinity"]
    sheet.band(place.row - 1, "A constant", len(HEADS))
    sheet.text(place.row, NAME, "infinity", "name")
    sheet.number(place.row, VALUE, float(LARGEST_NUMBER), "calc")
    sheet.text(place.row, SENTENCE, "A spreadsheet has no infinity: this number is larger than any other here", "note")


def _write_selector(book: Book, sheet: Sheet, selector: Selector) -> None:
    key, table = selector.key, book.tables[selector.supplier]
    place = book.naming.places[f"{key} chosen"]
    row, title = place.row, title_of(book, selector.supplier)
    ids = book.naming.places[f"{selector.supplier} ids"].address()
    sheet.text(row, NAME, key, "name")
    sheet.text(row, YOURS, selector.typed, "input", bold=True, align="left")
    message = f"Choose a row of the sheet {title}; {CUSTOM} is the one that you fill in."
    rule = {"validate": "list", "source": f"={ids}", "input_title": key[:32], "input_message": message}
    sheet.raw.data_validation(row, YOURS, row, YOURS, {**rule, "error_message": message})
    yours, says = (CellRange(INPUTS, row, column).address(INPUTS) for column in (YOURS, RECORD))
    linked = _link_formula(book, key)
    own = key in book.tables
    otherwise, held = (f'"{CUSTOM}"', CUSTOM) if own else ('""', "")
    if linked:
        says_now = _linked(book, key)
        sheet.formula(row, RECORD, linked, says_now, align="left")
        otherwise, held = f'IF({says}<>"",{says},"{CUSTOM}")', says_now or CUSTOM
    chosen = selector.typed or held
    sheet.formula(row, VALUE, f'IF({yours}<>"",{yours},{otherwise})', chosen, align="left")
    lookup = f"IFERROR(MATCH({place.address(INPUTS)},{book.naming.reference(f'{selector.supplier} ids', INPUTS)},0),1)"
    sheet.formula(row, BASE, lookup, table.row_of(chosen) + 1, "calc")
    origin = f'IF({yours}<>"","you",' + (f'IF({says}<>"","record","default"))' if linked else '"default")')
    sheet.formula(
        row,
        SET_BY,
        origin,
        "you" if selector.typed else "record" if held not in ("", CUSTOM) else "default",
        align="left",
        indent=1,
    )
    sheet.text(row, ALLOWED, f"a row of {title}", "note")
    sheet.text(row, SENTENCE, f"The row of the sheet {title} that counts, and its number", "wrap")


def _link_formula(book: Book, key: str) -> str:
    """What the chosen accelerator, or else the chosen model, says about which record goes with it."""
    text = ""
    for supplier in ("model", "hardware"):
        if key in LINKS and f"{supplier}: {key}" in book.naming.places:
            column, row = (book.naming.reference(f"{supplier}{each}", INPUTS) for each in (f": {key}", " row"))
            cell = f"INDEX({column},{row})"
            text = f'IF({cell}<>"",{cell},{text or chr(34) * 2})'
    return text


def _linked(book: Book, key: str) -> str:
    """What that formula gives."""
    for supplier in ("hardware", "model"):
        if supplier in book.tables:
            table = book.tables[supplier]
            holds = next(each.holds for each in book.selectors if each.key == supplier)
            link = table.rows[table.row_of(holds)].links.get(key, "")
            if link and key in table.links:
                return link
    return ""


def _write_input(book: Book, sheet: Sheet, node: Node) -> None:
    place = book.naming.places[node.name]
    row = place.row
    form = "" if isinstance(node.type, Flag | Choice) else "General"
    sheet.text(row, NAME, node.name, "name")
    if node.name in book.own:
        sheet.number(row, YOURS, book.typed_value(node, float(book.own[node.name])), "input", form)
    else:
        sheet.blank(row, YOURS, "input", form)
    validate(book, sheet, node, (row, YOURS))
    sheet.text(row, UNIT, book.units.typed(node).unit, "unit")
    record = _write_supplied(book, sheet, node, row) if _supplied(book, node) else ""
    value = book.value(node.name)
    sheet.formula(row, VALUE, book.input_formula(node, INPUTS), value, "calc", book.number_format(node))
    sheet.text(row, BASE, book.units.base(node), "unit")
    _write_set_by(book, sheet, node, record)
    sheet.text(row, DEFAULT, _default_text(node), "formula")
    sheet.text(row, ALLOWED, allowed_text(book, node), "note")
    sheet.text(row, SENTENCE, node.declaration.notes.sentence, "wrap")
    sheet.text(row, WRITTEN, f"{node.declaration.span.file}:{node.declaration.span.line}", "note")


def _default_text(node: Node) -> str:
    if node.author is not None:
        return expression_text(node.author)
    return "" if node.expression is None and not node.optional else "absent" if node.optional else ""


def _write_supplied(book: Book, sheet: Sheet, node: Node, row: int) -> Value:
    """What the chosen record says, or the namespace, which goes before it."""
    text = '""'
    value: Value = ""
    if node.supplier in book.tables:
        key = node.record or node.supplier
        name = node.name.removeprefix(f"{node.record}.") if node.record else node.name
        text, value = _lookup(book, f"{node.supplier}: {name}", key), _looked_up(book, key, node, name)
        if node.record:
            text = f'IF({book.naming.reference(f"{key} chosen", INPUTS)}="","",{text})'
    if node.name in book.presets.values:
        preset = book.presets.values[node.name]
        text, value = book.typed_literal(node, float(preset)), book.typed_value(node, float(preset))
    if _restated(book, node):
        cell = _lookup(book, _restated(book, node), "hardware")
        text = f'IF({cell}<>"",{cell},{text})'
        table = book.tables["hardware"]
        holds = next(each.holds for each in book.selectors if each.key == "hardware")
        anew = table.rows[table.row_of(holds)].restated
        value = book.typed_value(node, float(anew[node.name])) if node.name in anew else value
    sheet.formula(row, RECORD, text, value, "calc", "General")
    return value


def _lookup(book: Book, column: str, key: str) -> str:
    cells, row = book.naming.reference(column, INPUTS), book.naming.reference(f"{key} row", INPUTS)
    return f'IF(INDEX({cells},{row})="","",INDEX({cells},{row}))'


def _looked_up(book: Book, key: str, node: Node, name: str) -> Value:
    table = book.tables[node.supplier]
    holds = next(each.holds for each in book.selectors if each.key == key)
    chosen = any(each.key == key and (each.typed or key in book.tables) for each in book.selectors)
    values = table.rows[table.row_of(holds)].values if chosen else {}
    return book.typed_value(node, float(values[name])) if name in values else ""


def _write_set_by(book: Book, sheet: Sheet, node: Node, record: Value) -> None:
    row = book.naming.places[node.name].row
    yours = CellRange(INPUTS, row, YOURS).address(INPUTS)
    text, value = '"default"', "default"
    if f"{node.name} supplied" in book.naming.places:
        says = CellRange(INPUTS, row, RECORD).address(INPUTS)
        text, value = f'IF({says}<>"","record","default")', "record" if record != "" else "default"
    text = f'IF({yours}<>"","you",{text})'
    sheet.formula(row, SET_BY, text, "you" if node.name in book.own else value, "calc", align="left", indent=1)
