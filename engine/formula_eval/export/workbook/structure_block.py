"""Writes an operator as a bordered block of live cells, coloured by what bounds it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xlsxwriter.utility import xl_rowcol_to_cell

from formula_eval.export.workbook import units
from formula_eval.export.workbook.sheet import Sheet, fit_text
from formula_eval.export.workbook.styles import FAINT, PALE_GROUND, PALE_INK
from formula_eval.printing.excel import excel_string

WIDTH, HEIGHT = 4, 4
_PALE = 0.78
_LONGEST = 60
_PLACES = "[>=100000]0.0E+0;[>=100]#,##0;0.00"
_COUNT = '"\N{MULTIPLICATION SIGN} "#,##0'


@dataclass(frozen=True, slots=True)
class LiveAmount:
    """A formula with its value now, in base units, and the units among which it is shown."""

    text: str
    value: units.Value
    scales: Sequence[units.UnitScale]


@dataclass(frozen=True, slots=True)
class OperatorBlock:
    """All runs of an operator together; what it has none of, or the document does not compute, is absent."""

    title: str  # its name in words
    time: LiveAmount  # of all runs
    bound: LiveAmount | None  # the word for what limits it, or None
    total: LiveAmount | None  # time of the phase, which its share is of
    count: LiveAmount | None = None  # runs in the phase, or None outside the table
    flops: LiveAmount | None = None  # of all runs, or None
    bytes: LiveAmount | None = None  # moved by all runs, or None


def write_block(sheet: Sheet, block: OperatorBlock, at: tuple[int, int], colours: Mapping[str, str]) -> None:
    """Write four lines: what and how often, time and share, FLOPs and bytes, what bounds it."""
    row, column = at
    for line in range(HEIGHT):
        for place in range(WIDTH):
            sheet.text(row + line, column + place, "", "text", **_edges(line, place))
    sheet.text(row, column, fit_text(block.title)[:_LONGEST], "text", bold=True, font_size=9, **_edges(0, 0))
    if block.count is not None:
        look = {"bold": True, "font_size": 9, "align": "right", **_edges(0, 3)}
        sheet.formula(row, column + 3, block.count.text, block.count.value, "text", _COUNT, **look)
    write_amount(sheet, (row + 1, column), block.time, "text", 1, 0)
    if block.total is not None:
        text = f"IF({block.total.text}>0,{block.time.text}/{block.total.text},0)"
        held = _share(block.time.value, block.total.value)
        look = {"font_size": 9, "align": "right", **_edges(1, 3)}
        sheet.formula(row + 1, column + 3, text, held, "text", "0.0%", **look)
    for place, amount in ((0, block.flops), (2, block.bytes)):
        if amount is not None:
            write_amount(sheet, (row + 2, column + place), amount, "text", 2, place)
    if block.bound is not None:
        sheet.text(row + 3, column, "bound by", "text", font_size=8, font_color=FAINT, **_edges(3, 0))
        look = {"bold": True, "font_size": 9, **_edges(3, 1)}
        sheet.formula(row + 3, column + 1, block.bound.text, block.bound.value, "text", **look)
    _colour(sheet, at, colours)


def share_cell(at: tuple[int, int]) -> str:
    """The cell with the share of the block that begins here."""
    return str(xl_rowcol_to_cell(at[0] + 1, at[1] + 3))


def write_amount(  # noqa: PLR0913, PLR0917 - a number, its look, and its place in a block
    sheet: Sheet, at: tuple[int, int], amount: LiveAmount, style: str, line: int = -1, place: int = -1
) -> None:
    """A number in the unit that fits, and that unit in the cell after it."""
    number, unit = units.LiveCell(amount.text, amount.value), units.LiveCell('""', "")
    if amount.scales:
        number, unit = units.shown(amount.text, amount.value, amount.scales)
    sheet.formula(*at, *number, style, _PLACES, align="right", font_size=9, **_edges(line, place))
    sheet.formula(at[0], at[1] + 1, *unit, style, align="left", font_size=9, **_edges(line, place + 1))


def _share(part: units.Value, whole: units.Value) -> units.Value:
    if isinstance(part, str) or isinstance(whole, str):
        return units.ABSENT
    return part / whole if whole > 0 else 0


def _edges(line: int, place: int) -> dict[str, Any]:
    """The borders of a cell of the block; none outside of one."""
    if line < 0:
        return {}
    edges = {"top": line == 0, "bottom": line == HEIGHT - 1, "left": place == 0, "right": place == WIDTH - 1}
    found: dict[str, Any] = {name: 1 for name, is_edge in edges.items() if is_edge}
    return found | {f"{name}_color": FAINT for name in found}


def _colour(sheet: Sheet, at: tuple[int, int], colours: Mapping[str, str]) -> None:
    """Grey where it takes no time, else by the word in its last line."""
    row, column = at
    area = row, column, row + HEIGHT - 1, column + WIDTH - 1
    time, bound = (
        xl_rowcol_to_cell(row + line, column + place, row_abs=True, col_abs=True) for line, place in ((1, 0), (3, 1))
    )
    faint = sheet.conditional(bg_color=PALE_GROUND, font_color=PALE_INK)
    rule = {"type": "formula", "criteria": f"=IF(ISNUMBER({time}),{time}=0,FALSE)", "format": faint}
    sheet.raw.conditional_format(*area, {**rule, "stop_if_true": True})
    for word, colour in colours.items():
        shade = sheet.conditional(bg_color=pale(colour))
        rule = {"type": "formula", "criteria": f"={bound}={excel_string(word)}", "format": shade}
        sheet.raw.conditional_format(*area, rule)


def pale(colour: str) -> str:
    """A colour on which black text can be read."""
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * _PALE):02X}" for part in parts)
