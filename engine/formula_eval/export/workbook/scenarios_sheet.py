"""Plans and writes the [[scenarios]] of reports/workbook.toml, columns side by side: inputs, results, each formula."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xlsxwriter.utility import xl_rowcol_to_cell

from formula_eval.ask.layout import Section
from formula_eval.ask.workbook.naming import cell_id
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.graph import Node
from formula_eval.core.type import Flag
from formula_eval.export.quantities import is_about
from formula_eval.export.workbook import units
from formula_eval.export.workbook.record_sheets import linked, record_number
from formula_eval.export.workbook.record_tables import Selector
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.validation import validate, validate_record
from formula_eval.export.workbook.workbook_context import Book
from formula_eval.printing.excel import excel_string

SCENARIOS = "Scenarios"
_TITLE, _UNIT, _AS_ASKED, _FIRST_COLUMN = range(4)
_HEAD, _FIRST = 4, 5
_OWN_COLUMN = re.compile(r"(?<![\w$!.])[A-Z]+(\$\d+)")  # a cell of the same column, as `_address` writes it


@dataclass(slots=True)
class ScenarioColumn:
    """One column: what stands in it at export, and its cells that formulas read, as they are written."""

    at: int  # the place of the column
    title: str  # heading of the column
    records: Mapping[str, str]  # those that it sets, by kind
    values: Mapping[str, float]  # of the inputs that it sets
    holds: Mapping[str, str]  # the records that hold in it, by kind
    numbers: Mapping[str, float]  # of all that is computed for it
    own: dict[str, str] = field(default_factory=dict)  # cells that a reader fills in, by input or kind
    rows: dict[str, str] = field(default_factory=dict)  # cells with the row of each record, by kind
    local: dict[str, str] = field(default_factory=dict)  # cells of the formulas


@dataclass(frozen=True, slots=True)
class ScenarioPlan:
    """The inputs of each column, its outputs, and all that has to be computed for it, in order."""

    title: str  # heading of the sheet
    says: str  # the sentence beneath the heading
    kinds: tuple[Selector, ...]  # of records that each column lets choose
    inputs: tuple[Node, ...]
    outputs: tuple[tuple[Section, Node], ...]
    local_kinds: tuple[Selector, ...]  # all kinds, looked up anew in each column
    chain: tuple[Node, ...]  # nodes that may differ between columns, in order
    columns: tuple[ScenarioColumn, ...]  # those that are filled at export


def scenario_plan(book: Book) -> ScenarioPlan | None:
    """The first section with an output that the document holds; None for a namespace with values of its own."""
    if book.document.question.namespace:
        return None
    return next(
        (plan for plan in (_plan(book, scenario) for scenario in book.layout.scenarios) if plan is not None), None
    )


def _plan(book: Book, section: Section) -> ScenarioPlan | None:
    document, nodes = book.document, book.document.graph.nodes
    if document.is_asked and not is_about(section, document):
        return None
    known = book.asked & book.naming.places.keys()
    outputs = [(output, nodes[output["name"]]) for output in section["outputs"] if output["name"] in known]
    local = tuple(selector for selector in book.selectors if selector.key == selector.supplier)
    kinds = tuple(selector for name in section["inputs"] for selector in local if selector.key == name)
    inputs = [nodes[name] for name in section["inputs"] if name in known and nodes[name].kind == "input"]
    if not outputs or not inputs:
        return None
    needed = document.graph.ancestors([node.name for _, node in outputs])
    inputs = [node for node in inputs if node.name in needed]
    stated = {name for name in needed if is_stated(book, nodes[name])}
    changed = {node.name for node in inputs} | stated | {name for name in needed if _outside(nodes[name]) in stated}
    for name in needed:
        if any(parent in changed for parent in document.graph.parents[name]):
            changed.add(name)
    chain = tuple(nodes[name] for name in needed if name in changed)
    return ScenarioPlan(
        section["title"],
        section["says"],
        kinds,
        tuple(inputs),
        tuple(outputs),
        local,
        chain,
        tuple(_columns(book, section, chain, [node for _, node in outputs])),
    )


def is_stated(book: Book, node: Node) -> bool:
    """Whether a record of the kind in use may state an input."""
    return node.kind == "input" and not node.record and f"{node.supplier}: {node.name}" in book.naming.places


def _columns(book: Book, section: Section, chain: Sequence[Node], outputs: Sequence[Node]) -> Iterator[ScenarioColumn]:
    """The columns as the layout fills them, those of which this document has what they set."""
    document, question, at = book.document, book.document.question, _FIRST_COLUMN
    names = list(dict.fromkeys(node.name for node in (*chain, *outputs)))
    for written in section["columns"]:
        settings = dict(written.get("set", {}))
        kinds = document.evaluator.schema.kinds
        records = {name: str(settings.pop(name)) for name in list(settings) if name in kinds}
        asked = question._replace(records={**question.records, **records}, values={**question.values, **settings})
        try:
            givens = document.evaluator.givens(asked)
            numbers = document.evaluator.program(names).evaluate(givens.values)
        except FormulaError:
            continue
        holds = {name: cell_id(id_) for name, id_ in givens.records.items()}
        values = {name: float(givens.values[name]) for name in settings}
        yield ScenarioColumn(at, written["title"], records, values, holds, numbers)
        at += 1


def write_scenarios(book: Book, plan: ScenarioPlan) -> None:
    """Write the whole sheet."""
    columns = plan.columns
    look = book.looks["scenarios"]
    sheet = book.sheet(SCENARIOS, [*look.widths, *(look.widths[_AS_ASKED] for _ in columns)])
    sheet.title_lines(plan.title, [plan.says])
    sheet.head(_HEAD, look.heads)
    for column in columns:
        sheet.text(_HEAD, column.at, column.title, "head", locked=False, align="right")
    wide = _FIRST_COLUMN + len(columns)
    sheet.band(_FIRST, look.words["about"], wide)
    row = _write_inputs(book, sheet, plan, columns, _FIRST + 1)
    top = row + 1
    behind = top + 1 + len(plan.outputs) + 2
    sheet.band(behind - 1, look.words["formulas"], wide)
    row = _write_records(book, sheet, plan, columns, behind)
    _write_chain(book, sheet, plan, columns, row)
    sheet.band(top, look.words["results"], wide)
    for number, (section, node) in enumerate(plan.outputs):
        _write_output(book, sheet, section, node, columns, top + 1 + number)
    sheet.finish(frozen=(_FIRST, _AS_ASKED), repeat=_HEAD)
    sheet.raw.print_area(0, 0, top + len(plan.outputs), wide - 1)


def _write_inputs(book: Book, sheet: Sheet, plan: ScenarioPlan, columns: Sequence[ScenarioColumn], at: int) -> int:
    """The yellow cells; an empty one is as on Inputs."""
    row = at
    for selector in plan.kinds:
        sheet.text(row, _TITLE, selector.key.replace("_", " "))
        chosen = book.naming.reference(f"{selector.key} chosen", SCENARIOS)
        sheet.formula(row, _AS_ASKED, chosen, selector.holds, align="right")
        for column in columns:
            sheet.text(row, column.at, column.records.get(selector.key, ""), "input")
            validate_record(book, sheet, selector, (row, column.at))
            column.own[selector.key] = _address(row, column.at)
        row += 1
    for node in plan.inputs:
        scale = book.units.typed(node)
        form = units.typed_format(node)
        sheet.text(row, _TITLE, node.name.replace("_", " "))
        sheet.text(row, _UNIT, book.units.plural(scale.unit), "unit")
        text, held = units.read_cell(node, book.naming.reference(node.name, SCENARIOS), book.value(node.name), scale)
        sheet.formula(row, _AS_ASKED, text, held, "calc", form)
        for column in columns:
            own = column.values.get(node.name)
            if own is None:
                sheet.blank(row, column.at, "input", form)
            else:
                sheet.number(row, column.at, book.typed_value(node, own), "input", form)
            validate(book, sheet, node, (row, column.at))
            column.own[node.name] = _address(row, column.at)
        row += 1
    return row


def _write_records(book: Book, sheet: Sheet, plan: ScenarioPlan, columns: Sequence[ScenarioColumn], at: int) -> int:
    """Which records hold in each column, and the rows in which they stand."""
    row = at
    for selector in plan.local_kinds:
        sheet.text(row, _TITLE, selector.key, "name")
        sheet.text(row + 1, _TITLE, f"{selector.key}, row", "name")
        for column in columns:
            holds = column.holds.get(selector.key, "") or selector.unchosen
            sheet.formula(row, column.at, _chosen(book, selector, column), holds)
            chosen = _address(row, column.at)
            number = book.tables[selector.supplier].number_of(holds)
            sheet.formula(row + 1, column.at, record_number(book, selector, chosen, SCENARIOS), number)
            column.rows[selector.key] = _address(row + 1, column.at)
        row += 2
    return row


def _chosen(book: Book, selector: Selector, column: ScenarioColumn) -> str:
    """The record of a kind in a column: its own, the one typed on Inputs, the one that another record names."""
    rows = {each.key: book.naming.reference(f"{each.key} row", SCENARIOS) for each in book.selectors} | column.rows
    own = [column.own[selector.key]] if selector.key in column.own else []
    yours = book.naming.places[f"{selector.key} typed"].address(SCENARIOS)
    named = [each] if (each := linked(book, selector, SCENARIOS, rows).text) else []
    cells = [units.LiveCell(cell, "") for cell in (*own, yours, *named)]
    return units.first_said(cells, units.LiveCell(excel_string(selector.unchosen), "")).text


def _write_chain(book: Book, sheet: Sheet, plan: ScenarioPlan, columns: Sequence[ScenarioColumn], at: int) -> None:
    first = sorted(  # plain inputs before all others, since those of another record may be what these are
        plan.chain, key=lambda node: bool(node.record) or node.kind != "input" or node.expression is not None
    )
    for row, node in enumerate(first, at):
        sheet.text(row, _TITLE, node.name, "name")
        sheet.text(row, _UNIT, book.units.base(node), "unit")
        texts = [_chain_formula(book, node, column) for column in columns]
        held = [book.value(node.name, column.numbers) for column in columns]
        alike = len({_OWN_COLUMN.sub(r"\1", text) for text in texts}) == 1
        for some in [range(len(columns))] if alike else [range(place, place + 1) for place in range(len(columns))]:
            cells = [(row, columns[place].at) for place in some]
            sheet.formulas_alike(
                cells,
                [texts[number] for number in some],
                [held[number] for number in some],
                "calc",
                book.number_format(node),
            )
        for column in columns:
            column.local[node.name] = _address(row, column.at)


def _chain_formula(book: Book, node: Node, column: ScenarioColumn) -> str:
    return _input(book, node, column) if node.kind == "input" else book.formula(node, SCENARIOS, column.local)


def _input(book: Book, node: Node, column: ScenarioColumn) -> str:
    """An input in a column: what stands at its top, what was typed on Inputs, what the record of the column says."""
    if not is_stated(book, node) and node.name not in column.own:
        return _of_other_record(book, node, column)
    cells = [column.own[node.name]] if node.name in column.own else []
    cells.append(book.naming.places[f"{node.name} typed"].address(SCENARIOS))
    if is_stated(book, node):
        stated = book.naming.reference(f"{node.supplier}: {node.name}", SCENARIOS)
        cells.append(f"INDEX({stated},{column.rows[node.supplier]})")
    said = ",".join(f'{cell}<>""' for cell in cells)
    column.local[f"{node.name}="] = f"OR({said})"
    return book.input_formula(node, SCENARIOS, column.local, cells)


def _outside(node: Node) -> str:
    """The input that says what one of another record does where no other one is chosen, if this has no default."""
    is_other = node.kind == "input" and bool(node.record) and node.expression is None
    return node.name.removeprefix(f"{node.record}.") if is_other else ""


def _of_other_record(book: Book, node: Node, column: ScenarioColumn) -> str:
    """An input as Inputs has it; one of another record without a default is that of the column where none is chosen."""
    text, place = book.input_formula(node, SCENARIOS, column.local), f"{node.record}.{node.supplier} chosen"
    outside = column.local.get(_outside(node))
    if outside is None or place not in book.naming.places:
        return text
    typed = book.naming.places[f"{node.name} typed"].address(SCENARIOS)
    return f'IF(AND({book.naming.reference(place, SCENARIOS)}="",{typed}=""),{outside},{text})'


def _write_output(  # noqa: PLR0913, PLR0917 - a row of a grid
    book: Book, sheet: Sheet, section: Section, node: Node, columns: Sequence[ScenarioColumn], row: int
) -> None:
    scale, form = book.units.of_section(section, node), units.section_format(node, section)
    sheet.text(row, _TITLE, section["title"])
    sheet.text(row, _UNIT, "" if section.get("percent") else book.units.plural(scale.unit), "unit")
    held: list[tuple[int, str, units.Value]] = [
        (_AS_ASKED, book.naming.reference(node.name, SCENARIOS), book.value(node.name))
    ]
    for column in columns:
        cell = column.local.get(node.name) or book.naming.reference(node.name, SCENARIOS)
        held.append((column.at, cell, book.value(node.name, column.numbers)))
    for at, cell, value in held:
        text, shown = units.read_cell(node, cell, value, scale, section)
        sheet.formula(row, at, text, shown, "calc", form, align="right")
    if isinstance(node.type, Flag):
        book.colour_flags(sheet, row, (_AS_ASKED, held[-1][0]), bold=True)


def _address(row: int, column: int) -> str:
    return str(xl_rowcol_to_cell(row, column, row_abs=True))
