"""The quantities of reports/workbook.toml to a dashboard of one page, with the numbers behind its charts beneath."""

from formula_eval.core.graph import Node
from formula_eval.core.type import Choice, Flag
from formula_eval.export.layout import Section
from formula_eval.export.quantities import headline_nodes, headline_title
from formula_eval.export.workbook import units
from formula_eval.export.workbook.book import Book
from formula_eval.export.workbook.charts import OUTPUTS, write_charts
from formula_eval.export.workbook.checks_sheet import ALL_HOLD, status_formula
from formula_eval.export.workbook.naming import CHECKS
from formula_eval.export.workbook.sheet import Sheet

__all__ = ["OUTPUTS", "write_outputs"]

CARDS = 6
_WIDTH = 27.0
_FIRST = 4
_SPAN = 4
_MOST_ASKED = 18


def write_outputs(book: Book) -> None:
    """The whole sheet."""
    sheet = book.sheet(OUTPUTS, [_WIDTH] * CARDS)
    _write_title(book, sheet)
    known = book.asked & book.naming.places.keys()
    nodes = book.document.graph.nodes
    headlines = [(each, nodes[each["name"]]) for each in book.layout.headlines if each["name"] in known]
    if not headlines:
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
    """What was asked for, where the headlines are about something else."""
    return [
        ({"title": headline_title(node), "name": node.name, **_fitting(book, node)}, node)
        for node in headline_nodes(book.document, _MOST_ASKED)
    ]


def _fitting(book: Book, node: Node) -> Section:
    """The unit that fits a value at export, where it has some to choose from."""
    scales, value = book.units.shown(node), book.value(node.name)
    return {"unit": units.shown_value(value, scales)[1]} if scales and not isinstance(value, str) else {}


def _write_title(book: Book, sheet: Sheet) -> None:
    """What it is about, live, and whether the checks hold."""
    sheet.tall(0, 26)
    keys = [key for key in ("model", "hardware") if f"{key} chosen" in book.naming.places]
    cells = [book.naming.reference(f"{key} chosen", OUTPUTS) for key in keys]
    holds = {selector.key: selector.holds for selector in book.selectors}
    if cells:
        sheet.formula(0, 0, '&" on "&'.join(cells), " on ".join(holds[key] for key in keys), "title")
    else:
        sheet.text(0, 0, "Outputs", "title")
    formula, value = status_formula(book, OUTPUTS)
    sheet.formula(1, 0, formula, value, "status")
    rule = {"type": "text", "criteria": "not containing", "value": ALL_HOLD}
    sheet.raw.conditional_format(1, 0, 1, 0, {**rule, "format": sheet.conditional(font_color="#B02A37")})
    sheet.link(1, CARDS - 1, f"internal:{CHECKS}!A1", "All checks and what they say")
    sheet.text(2, 0, "Choose another model or accelerator, or change any value, on the sheet Inputs.", "subtitle")


def _write_card(book: Book, sheet: Sheet, section: Section, node: Node, at: tuple[int, int]) -> None:
    """A headline: its title, its value, what it is called in the formulas."""
    row, column = at
    cell, value = book.naming.reference(node.name, OUTPUTS), book.value(node.name)
    sheet.text(row, column, section["title"], "label")
    sheet.tall(row, 18)
    sheet.tall(row + 1, 22)
    if isinstance(node.type, Flag):
        sheet.formula(row + 1, column, f'IF({cell},"yes","no")', "yes" if value else "no", "big")
        for word, colour in (("yes", "#2E6B3A"), ("no", "#B02A37")):
            rule = {
                "type": "cell",
                "criteria": "==",
                "value": f'"{word}"',
                "format": sheet.conditional(font_color=colour),
            }
            sheet.raw.conditional_format(row + 1, column, row + 1, column, rule)
    elif isinstance(node.type, Choice):
        sheet.formula(row + 1, column, cell, value, "big")
    else:
        scale = _scale(book, section, node)
        suffix = section.get("suffix", scale.unit)
        text, held = units.unless_zero(section, cell, value, scale)
        form = (
            units.PERCENT_FORMAT if section.get("percent") else _number_format(node, scale, book.units.plural(suffix))
        )
        sheet.formula(row + 1, column, text, held, "big", form)
        rule = {"type": "cell", "criteria": ">=", "value": 1e280, "format": sheet.conditional(num_format='"infinite"')}
        sheet.raw.conditional_format(row + 1, column, row + 1, column, rule)
    sheet.text(row + 2, column, node.name, "card")


def _scale(book: Book, section: Section, node: Node) -> units.Scale:
    """The unit of a headline: the one that the layout names, else the one that its value is held in."""
    if "unit" in section:
        return book.units.scale(section["unit"])
    if "scale" in section:
        return units.Scale(str(section.get("suffix", "")), units.Scale().factor * int(section["scale"]))
    return units.Scale(book.units.base(node) or node.unit)


def _number_format(node: Node, scale: units.Scale, unit: str) -> str:
    """Three digits or so, whatever the size, and the unit."""
    suffix = f'" {unit}"' if unit else ""
    if getattr(node.type, "whole", False) and scale.factor == 1:
        return f"#,##0{suffix}"
    return f"[<0.1]0.0000{suffix};[<100]0.00{suffix};#,##0.0{suffix}"
