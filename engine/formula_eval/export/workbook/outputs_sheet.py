"""Writes a dashboard of one page with the headlines of reports/workbook.toml, and its charts' numbers beneath."""

from formula_eval.ask.layout import Section
from formula_eval.ask.workbook.naming import CHECKS, quoted_sheet
from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Date, Flag
from formula_eval.export.quantities import headlines as headlines_of, heads_of, is_written_for, title_of
from formula_eval.export.workbook import units
from formula_eval.export.workbook.charts import OUTPUTS, write_charts
from formula_eval.export.workbook.checks_sheet import ALL_HOLD, checks_status
from formula_eval.export.workbook.record_sheets import called
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.records.roles import roles_of

CARDS = 6
_WIDTH = 27.0
_FIRST = 4
_SPAN = 5
_MOST_ASKED = 18


def write_outputs(book: Book) -> None:
    """Write the whole sheet."""
    sheet = book.sheet(OUTPUTS, [_WIDTH] * CARDS)
    _write_title(book, sheet)
    known = book.asked & book.naming.places.keys()
    nodes = book.document.graph.nodes
    heads = heads_of(book.document)
    ordered = sorted(book.layout.headlines, key=lambda each: each["name"] not in heads)
    headlines = [(each, nodes[each["name"]]) for each in ordered if each["name"] in known]
    own = is_written_for(book.document, book.layout.headlines)
    if not headlines or (book.document.is_asked and not own):
        headlines = _asked_headlines(book)
    for number, (section, node) in enumerate(headlines):
        row, column = divmod(number, CARDS)
        _write_card(book, sheet, section, node, (_FIRST + _SPAN * row, column))
    after = _FIRST + _SPAN * -(-len(headlines) // CARDS)
    last = write_charts(book, sheet, after)
    sheet.finish()
    sheet.raw.print_area(0, 0, last, CARDS - 1)
    sheet.raw.fit_to_pages(1, 1)


def _asked_headlines(book: Book) -> list[tuple[Section, Node]]:
    """The wanted quantities, where the headlines of the layout are about others."""
    nodes = book.document.graph.nodes
    entries = headlines_of(book.document, _MOST_ASKED, book.layout.headlines)
    shown = [(entry, nodes[entry["name"]]) for entry in entries if entry["name"] in book.naming.places]
    return [({**_fitting(book, node), **entry}, node) for entry, node in shown]


def _fitting(book: Book, node: Node) -> Section:
    """The unit that fits a value at export, where it has some to choose from."""
    scales, value = book.units.shown(node), book.value(node.name)
    if isinstance(value, str) or not scales or not scales[0].unit:
        return {}
    return {"unit": units.shown("", value, scales)[1].value}


def _write_title(book: Book, sheet: Sheet) -> None:
    """Write the chosen records, live, and whether the checks hold."""
    words = book.looks["outputs"].words
    sheet.tall(0, 26)
    own = book.document.evaluator.library.title
    keys = [key for key in book.document.result.records if f"{key} chosen" in book.naming.places]
    chosen = [selector for key in keys for selector in book.selectors if selector.key == key]
    if chosen and not own:
        names = [called(book, selector, OUTPUTS) for selector in chosen]
        text = '&" on "&'.join(name.text for name in names)
        sheet.formula(0, 0, text, " on ".join(str(name.value) for name in names), "title")
    else:
        sheet.text(0, 0, title_of(book.document), "title")
    sheet.formula(1, 0, *checks_status(book, OUTPUTS), "status")
    rule = {"type": "text", "criteria": "not containing", "value": ALL_HOLD}
    bad = sheet.conditional(font_color=book.palette.state("bad"))
    sheet.raw.conditional_format(1, 0, 1, 0, {**rule, "format": bad})
    sheet.link(1, CARDS - 1, f"internal:{CHECKS}!A1", words["checks"])
    sheet.text(
        2,
        0,
        " ".join(words["says" if roles_of(book.document.evaluator.library).model in keys else "without_model"]),
        "subtitle",
    )


def _write_card(book: Book, sheet: Sheet, section: Section, node: Node, at: tuple[int, int]) -> None:
    """Write a headline: its title, its value, and its name in the formulas."""
    row, column = at
    cell, value = book.naming.reference(node.name, OUTPUTS), book.value(node.name)
    place = book.naming.places[node.name]
    sheet.link(row, column, f"internal:{quoted_sheet(place.sheet)}!A{place.row + 1}", section["title"], "label")
    sheet.tall(row, 18)
    sheet.tall(row + 1, 22)
    if isinstance(node.type, Flag):
        sheet.formula(row + 1, column, *units.read_cell(node, cell, value, units.UnitScale()), "big")
        book.colour_flags(sheet, row + 1, (column, column))
    elif isinstance(node.type, Choice):
        sheet.formula(row + 1, column, cell, value, "big")
    elif isinstance(node.type, Date):
        day, _ = units.shown(cell, value, book.units.shown(node))
        sheet.formula(row + 1, column, *day, "big", units.DATE_FORMAT)
    else:
        scale = _scale(book, section, node)
        suffix = section.get("suffix", scale.unit)
        form = (
            units.PERCENT_FORMAT if section.get("percent") else _number_format(node, scale, book.units.plural(suffix))
        )
        sheet.formula(row + 1, column, *units.read_cell(node, cell, value, scale, section), "big", form)
        sheet.say_infinite((row + 1, column), (row + 1, column))
    ends = [each for each in section.get("between", ()) if each in book.naming.places]
    for line, (name, word) in enumerate(zip(ends, ("from", "to"), strict=False), row + 2):
        end = book.document.graph.nodes[name]
        scale = _scale(book, section, end)
        text, held = scale.from_base(book.naming.reference(name, OUTPUTS)), units.scaled(book.value(name), scale)
        sheet.formula(line, column, text, held, "card", f'"{word} "#,##0.0" {scale.unit}"')
    if not ends:
        sheet.text(row + 2, column, node.name, "card")


def _scale(book: Book, section: Section, node: Node) -> units.UnitScale:
    """The unit of a headline: the one that the layout names, else the one that it is declared in."""
    if "scale" in section and "unit" not in section:
        return units.UnitScale(str(section.get("suffix", "")), units.UnitScale().factor * int(section["scale"]))
    return book.units.of_section(section, node)


def _number_format(node: Node, scale: units.UnitScale, unit: str) -> str:
    """Three digits or so, whatever the size, and the unit."""
    suffix = f'" {unit}"' if unit else ""
    if getattr(node.type, "whole", False) and scale.factor == 1:
        return f"#,##0{suffix}"
    if node.quantity.style == "cents":
        return units.money_format(suffix)
    return f"[<0.1]0.0000{suffix};[<100]0.00{suffix};#,##0.0{suffix}"
