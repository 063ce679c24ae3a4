"""Writes the operators of each phase (reports/structure.toml) as blocks of live cells with arrows between them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from formula_eval.ask.layout import Section, row_title
from formula_eval.export.diagram.diagram_layout import DIAGRAM_FILE, DiagramLayout, read_diagram_layout
from formula_eval.export.diagram.operators import arrows_between
from formula_eval.export.diagram.placement import Placement, placed
from formula_eval.export.workbook import structure_block
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.structure_block import LiveAmount
from formula_eval.export.workbook.styles import FAINT
from formula_eval.export.workbook.units import ABSENT, Value
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.excel import excel_string

STRUCTURE = "Structure"
_TOP, _LANE, _LAYER = 4, structure_block.WIDTH + 1, structure_block.HEIGHT + 1
_LEAST = 3  # lanes of a phase: as many blocks stand side by side beneath it
_NOTHING = 1e-9  # a rest smaller than this share of the whole is rounding
_COLUMN = 6.0
_IDLE = "nothing, does not run"
_ARROW = {"font_color": FAINT, "align": "right", "font_size": 11}


@dataclass(frozen=True, slots=True)
class _Phase:
    """The drawing of one phase: blocks that ran at export or did not, and nodes for the rest of its time."""

    entry: Section
    total: LiveAmount | None
    blocks: Mapping[str, structure_block.OperatorBlock]
    idle: Mapping[str, structure_block.OperatorBlock]
    rests: tuple[Section, ...] = ()

    @property
    def drawn(self) -> list[str]:
        """The nodes that the arrows connect."""
        return [*self.blocks, *(node["id"] for node in self.rests)]


def has_structure(book: Book) -> bool:
    """Whether the document computes times of operators."""
    library = book.document.evaluator.library
    if not library.last(DIAGRAM_FILE)[0]:
        return False
    layout = read_diagram_layout(library)
    return any(_phase(book, layout, phase).drawn for phase in layout.phases)


def write_structure_sheet(book: Book) -> None:
    """Write the whole sheet."""
    layout = read_diagram_layout(book.document.evaluator.library)
    phases = [phase for each in layout.phases if (phase := _phase(book, layout, each)).drawn]
    grids = [_placed(book, layout, phase) for phase in phases]
    lefts = [sum(_columns(placement) + 1 for placement in grids[:number]) for number in range(len(grids))]
    widths = [_columns(placement) for placement in grids]
    sheet = book.sheet(STRUCTURE, [_COLUMN] * max(12, sum(widths) + len(widths)))
    words = book.looks["structure"].words
    sheet.title_lines(STRUCTURE, words["says"])
    for phase, grid, left in zip(phases, grids, lefts, strict=True):
        _write_phase(sheet, layout, phase, grid, left, words["idle"])
    sheet.finish(frozen=(3, 0))
    last = max((_row_of(placement.layers) for placement in grids), default=_TOP)
    sheet.raw.print_area(0, 0, last - 1, max(11, sum(widths) + len(widths) - 1))  # what does not run stands beneath
    sheet.raw.fit_to_pages(1, 1)


def _columns(places: Placement) -> int:
    return math.ceil(max(places.lanes - 1, _LEAST - 1) * _LANE) + structure_block.WIDTH


def _phase(book: Book, layout: DiagramLayout, entry: Section) -> _Phase:
    """The operators whose number of runs and time the document computes."""
    table = book.document.graph.tables.get(layout.table["name"])
    total = _quantity(book, entry["total"])
    rows = {row: _row(book, layout, row, entry["at"], total) for row in (table.rows if table else ())}
    blocks = {row: block for row, block in rows.items() if block is not None}
    if not blocks:
        return _Phase(entry, total, {}, {})
    for node in layout.nodes:
        time = _quantity(book, node["time"], entry["at"]) if "time" in node else None
        if time is not None:
            blocks[node["id"]] = _own(node, time, total)
    idle = {name: block for name, block in blocks.items() if block.time.value == 0}
    rests = tuple(node for node in layout.nodes if "time" not in node) if total is not None else ()
    return _Phase(entry, total, {name: blocks[name] for name in blocks if name not in idle}, idle, rests)


def _quantity(book: Book, name: str, at: str = "") -> LiveAmount | None:
    """A quantity, or its copy for a phase; none if the document does not compute it."""
    node = book.cell(name, at) if at else book.document.graph.nodes.get(name)
    if node is None or node.name not in book.naming.places:
        return None
    return LiveAmount(book.naming.reference(node.name, STRUCTURE), book.value(node.name), book.units.shown(node))


def _row(
    book: Book, layout: DiagramLayout, row: str, at: str, total: LiveAmount | None
) -> structure_block.OperatorBlock | None:
    def cell(column: str) -> LiveAmount | None:
        return _quantity(book, f"{layout.table['name']}.{row}.{layout.table[column]}", at)

    count, time = cell("count"), cell("time")
    if count is None or time is None:
        return None
    work, traffic = cell("flops"), cell("bytes")
    return structure_block.OperatorBlock(
        title=row_title(row, layout.table),
        count=count,
        time=_times(count, time),
        flops=work and _times(count, work),
        bytes=traffic and _times(count, traffic),
        bound=_bound(count, cell("bound"), cell("fixed"), time, layout.table["fixed_bound"]),
        total=total,
    )


def _own(node: Section, time: LiveAmount, total: LiveAmount | None) -> structure_block.OperatorBlock:
    """The block of a node that takes time and is not a row of the table."""
    bound = LiveAmount(excel_string(node["bound"]), node["bound"], ())
    return structure_block.OperatorBlock(node["title"], time, bound, total)


def _times(count: LiveAmount, amount: LiveAmount) -> LiveAmount:
    value: Value = ABSENT
    if not isinstance(count.value, str) and not isinstance(amount.value, str):
        value = count.value * amount.value
    return LiveAmount(f"({count.text}*{amount.text})", value, amount.scales)


def _bound(
    count: LiveAmount,
    bound: LiveAmount | None,
    fixed: LiveAmount | None,
    time: LiveAmount,
    word: str,
) -> LiveAmount | None:
    """The word of the table, or another where it does not run or the fixed time is more than half."""
    if bound is None:
        return None
    text, value = bound.text, bound.value
    if fixed is not None:
        text = f"IF({fixed.text}>{time.text}/2,{excel_string(word)},{text})"
        if isinstance(fixed.value, str) or isinstance(time.value, str):
            value = ABSENT
        elif fixed.value > time.value / 2:
            value = word
    if isinstance(count.value, str):
        value = ABSENT
    elif count.value == 0:
        value = _IDLE
    return LiveAmount(f"IF({count.text}=0,{excel_string(_IDLE)},{text})", value, ())


def _rest(total: LiveAmount, shares: Sequence[str], parts: Sequence[structure_block.OperatorBlock]) -> LiveAmount:
    """The amount that the parts leave of the whole, by their shares in these cells of the sheet."""
    text = f"(1-({'+'.join(shares) or '0'}))"
    text = f"({total.text}*IF({text}>{_NOTHING:.9f},{text},0))"
    numbers = [part.time.value for part in parts if not isinstance(part.time.value, str)]
    if isinstance(total.value, str) or len(numbers) < len(parts):
        return LiveAmount(text, ABSENT, total.scales)
    held = 0.0
    for number in numbers:  # in the order of the formula: the built-in sum rounds otherwise
        held += number / total.value if total.value > 0 else 0
    return LiveAmount(text, total.value * (1 - held if 1 - held > _NOTHING else 0), total.scales)


def _placed(book: Book, layout: DiagramLayout, phase: _Phase) -> Placement:
    flags = {name for name in layout.flags if book.document.numbers.get(name, 0.0) > 0}
    rows = book.document.graph.tables[layout.table["name"]].rows
    return placed(tuple(phase.drawn), arrows_between(set(phase.drawn), layout, rows, flags))


def _write_phase(  # noqa: PLR0913, PLR0917 - a drawing, its place and its words
    sheet: Sheet, layout: DiagramLayout, phase: _Phase, grid: Placement, left: int, idle: str
) -> None:
    columns = _columns(grid)
    colours = layout.palette.of_waits(list(layout.bounds))
    for column in range(columns):
        sheet.text(_TOP - 1, left + column, "", "block")
    says = f", {phase.entry['says']}" if "says" in phase.entry else ""
    sheet.text(_TOP - 1, left, f"{phase.entry['title']}{says}", "block")
    if phase.total is not None:
        structure_block.write_amount(sheet, (_TOP - 1, left + columns - 2), phase.total, "block")
    corners = {name: (_row_of(layer), left + _column_of(lane)) for name, (lane, layer) in grid.nodes.items()}
    corners |= dict(zip(phase.idle, _beneath(grid, left, columns, len(phase.idle)), strict=True))
    blocks = {**phase.blocks, **phase.idle}
    for name, block in blocks.items():
        structure_block.write_block(sheet, block, corners[name], colours)
    if phase.idle:
        sheet.text(_row_of(grid.layers), left, idle, "subtitle")
    shares = [structure_block.share_cell(corners[name]) for name in blocks]
    for node in phase.rests:
        if phase.total is not None:
            rest = _rest(phase.total, shares, list(blocks.values()))
            structure_block.write_block(sheet, _own(node, rest, phase.total), corners[node["id"]], colours)
    for (row, column), sign in sorted(_signs(grid).items()):
        sheet.text(row, left + column, sign, "text", **_ARROW)


def _beneath(grid: Placement, left: int, columns: int, many: int) -> Iterator[tuple[int, int]]:
    """Places for blocks beneath the drawing, in rows as wide as it is."""
    across = max(1, (columns + 1) // _LANE)
    for number in range(many):
        yield _row_of(grid.layers) + 1 + number // across * _LAYER, left + number % across * _LANE


def _row_of(layer: int) -> int:
    return _TOP + 1 + layer * _LAYER


def _column_of(lane: float) -> int:
    return math.floor(lane * _LANE + 0.5)


def _signs(grid: Placement) -> Mapping[tuple[int, int], str]:
    """The arrows as cells: down at what follows, sideways from what it follows."""
    signs: dict[tuple[int, int], str] = {}
    for points in grid.arrows:
        for at, sign in _path(points):
            crossing = {signs.get(at, sign), sign}
            signs[at] = sign if len(crossing) == 1 else "↓" if "↓" in crossing else "↔"
    return signs


def _path(points: Sequence[tuple[float, int]]) -> Iterator[tuple[tuple[int, int], str]]:
    for number, ((start, layer), (end, _)) in enumerate(pairwise(points)):
        source, target, row = _column_of(start) + 1, _column_of(end) + 1, _row_of(layer) + structure_block.HEIGHT
        if number:
            yield from (((_row_of(layer) + line, source), "│") for line in range(structure_block.HEIGHT))
        step = 1 if target > source else -1
        yield from (((row, column), "→" if step > 0 else "←") for column in range(source, target, step))
        yield (row, target), "↓"
