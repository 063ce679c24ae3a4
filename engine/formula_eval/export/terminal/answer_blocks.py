"""Builds the blocks of an answer from a result, by the layout of a report."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from formula_eval.analyse.alternatives import Neighbours
from formula_eval.analyse.recommendations import next_step
from formula_eval.ask import answer_layout
from formula_eval.ask.answer_layout import AnswerLayout, holds, named, titled
from formula_eval.ask.layout import Section
from formula_eval.core.namespace import in_words
from formula_eval.core.table import LEFT_OUT, elided
from formula_eval.core.unit import UnitTable
from formula_eval.evaluate.display import plain_number, shown_value
from formula_eval.evaluate.display_unit import unit_of_entry
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.evaluate.value import Value
from formula_eval.export.palette import palette_of
from formula_eval.export.terminal import blocks
from formula_eval.export.terminal.beside_blocks import data_table, measured_run, targets
from formula_eval.export.terminal.blocks import Pair
from formula_eval.export.terminal.breakdown import breakdown
from formula_eval.export.terminal.quantity_blocks import failed_checks, left_out, spoken
from formula_eval.records.origin import Origin, is_assumed
from formula_eval.records.record_values import origin_of
from formula_eval.records.schema import Schema


def answer_blocks(
    layout: answer_layout.AnswerLayout, result: Result, evaluator: Evaluator, command: str = ""
) -> list[blocks.Block]:
    """The blocks of all sections that have something to say; `command` is the line that asks the question again."""
    layout = layout.asked_by(result.givens)
    told = (each for each in layout.sections if result.lacking.keys().isdisjoint(named(each, evaluator.schema)))
    sections = [each for each in told if answer_layout.holds(each, result)]
    said = {name for each in sections for name in each.get("says", ())}
    others = result.but(checks=[check for check in result.checks if check.name not in said])
    found: list[blocks.Block] = []
    last: list[blocks.Block] = []
    for section in sections:
        if section["kind"] == "command":
            last += [blocks.Command(section["title"], command)] if command else []
            continue
        block = _BLOCKS[section["kind"]](section, others if section["kind"] == "checks" else result, evaluator)
        if isinstance(block, blocks.Pairs) and section["kind"] == "assumed":
            block = block._replace(pairs=(*block.pairs, *set_besides(layout, result, evaluator.schema)))
        found += [] if block is None else [block]
    return [*found, *left_out(result), *last]


def _values(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block | None:
    pairs = tuple(_pairs(section, result, evaluator))
    if not pairs:
        return None
    said = tuple(spoken([check for check in result.checks if check.name in section.get("says", ())]))
    legend = section.get("legend", "") if any(pair.remark for pair in pairs) else ""
    return blocks.Pairs(section["title"], pairs, section.get("align") == "left", legend, said)


def _pairs(section: Section, result: Result, evaluator: Evaluator) -> Iterator[blocks.Pair]:
    units = evaluator.schema.units
    for entry in section.get("entries", ()):
        if "record" in entry:
            yield from _record(entry, result)
            continue
        if not answer_layout.holds(entry, result):
            continue
        if "unset" in entry:
            yield from _unset(entry, result, evaluator)
            continue
        value = result[entry["name"]]
        number = value.value
        if number is None and entry.get("unless_absent"):
            continue
        text = _text(value, entry, units)
        remark = ""
        if "share_of" in entry:
            if not number:
                continue
            remark = percent(_number(result, entry["name"]), _number(result, entry["share_of"]))
        if "between" in entry:
            remark = _between(entry["between"], entry, result, units)
        if "listed" in entry and len({_number(result, name) for name in entry["listed"]}) > 1:
            remark = f"of {_between(entry['listed'], entry, result, units).rpartition(' ')[0]}"
        yield blocks.Pair(titled(entry, result), text, remark, is_assumed(value.origin))


def _unset(entry: Mapping[str, Any], result: Result, evaluator: Evaluator) -> Iterator[blocks.Pair]:
    """What the value would be if nobody had set these inputs."""
    if result.givens.values.keys().isdisjoint(entry["unset"]):
        return
    number = Neighbours.around(result, evaluator).unset(entry["unset"]).numbers[entry["name"]]
    yield blocks.Pair(entry["title"], shown_value(number, result[entry["name"]].quantity), "")


def _text(value: Value, entry: Mapping[str, str], units: UnitTable) -> str:
    """The value as usual, or in the unit of the entry; a plain number with any word after it."""
    unit = unit_of_entry(value.name, value.quantity, entry, units)
    if unit is None or isinstance(value.value, bool) or not isinstance(value.value, int | float):
        return str(value)
    return f"{plain_number(value.value)} {unit}".rstrip() if isinstance(unit, str) else shown_value(value.value, unit)


def _between(ends: Sequence[str], entry: Mapping[str, Any], result: Result, units: UnitTable) -> str:
    """`2.71 .. 12.29 USD/hour`: two quantities, the unit once where both are shown in the same."""
    if not math.isfinite(_number(result, entry["name"])):
        return ""
    low, high = (_text(result[name], entry, units) for name in ends)
    number, _, unit = low.partition(" ")
    return f"{number} .. {high}" if unit == high.partition(" ")[2] else f"{low} .. {high}"


def _record(entry: Mapping[str, str], result: Result) -> Iterator[blocks.Pair]:
    supplier = entry["record"]
    if supplier in result.givens.records:
        default = result.givens.record_origins.get(supplier) == Origin.DEFAULT
        yield blocks.Pair(entry["title"], result.givens.records[supplier], "", default)


def _number(result: Result, name: str) -> float:
    return float(result.numbers[name])


def percent(part: float, whole: float) -> str:
    """A share as `17.5%`, with one digit after the point."""
    if not whole or not math.isfinite(part / whole):
        return ""
    share = 100 * part / whole
    return "<0.1%" if 0 < share < 0.05 else f"{share:.1f}%"  # noqa: PLR2004 - what one digit can show


def _bar(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block:
    whole, within, used = (_number(result, section[key]) for key in ("whole", "within", "used"))
    fits = bool(_number(result, section["holds"]))
    parts = _parts(section, result, evaluator, lambda name: str(result[name]))
    quantity = result[section["within"]].quantity

    def shown(number: float) -> str:
        return shown_value(number, quantity)

    if fits:
        parts.append(blocks.BarPart(section["free"], within - used, shown(within - used), "free"))
        verdict = f"fits: {shown(used)} of the {shown(within)} usable"
    else:
        verdict = f"does not fit: {shown(used)} of the {shown(within)} usable, {shown(used - within)} too much"
    if whole > within:
        parts.append(blocks.BarPart(section.get("rest", "rest"), whole - within, shown(whole - within), "rest"))
    return blocks.CapacityBar(
        section["title"], tuple(parts), within, fits, verdict, tuple(_pairs(section, result, evaluator))
    )


def _parts(section: Section, result: Result, evaluator: Evaluator, text: Callable[[str], str]) -> list[blocks.BarPart]:
    """The parts of a bar; those larger than 0 have colours of their own."""
    sizes = {part["name"]: _number(result, part["name"]) for part in section["parts"]}
    there = [name for name, size in sizes.items() if size > 0]
    colours = dict(zip(there, palette_of(evaluator.library).of_parts(there), strict=True))
    return [
        blocks.BarPart(part["title"], sizes[part["name"]], text(part["name"]), colour=colours.get(part["name"], ""))
        for part in section["parts"]
    ]


def _split(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block:
    whole = _number(result, section["whole"])

    def shared(name: str) -> str:
        return f"{result[name]} {percent(_number(result, name), whole)}".rstrip()

    parts, pairs = _parts(section, result, evaluator, shared), tuple(_pairs(section, result, evaluator))
    return blocks.CapacityBar(section["title"], tuple(parts), whole, holds=True, verdict="", pairs=pairs)


def _table(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block | None:
    """The rows of a table of formulas that are there at all, if there are several; columns of nothing are left out."""
    counts = {
        row: _number(result, _cell(section, row, section["counts"]))
        for row in answer_layout.rows_of(section, evaluator.schema)
    }
    names = [row for row, count in counts.items() if count]
    columns = [
        column
        for column in section["columns"]
        if any(_number(result, _cell(section, row, column["column"])) for row in names)
    ]
    units = evaluator.schema.units
    rows = [
        (
            row.replace("_", " "),
            *(_text(result[_cell(section, row, column["column"])], column, units) for column in columns),
        )
        for row in names
    ]
    titles = tuple(column["title"] for column in columns)
    if evaluator.schema.tables[section["table"]].sequence:
        rows = elided(rows, (LEFT_OUT,) * (1 + len(columns)))
    return blocks.TextTable(section["title"], titles, tuple(rows)) if len(rows) > 1 else None


def _cell(section: Section, row: str, column: str) -> str:
    return f"{section['table']}.{row}.{column}"


def _checks(section: Section, result: Result, _: Evaluator) -> blocks.Block | None:
    return next(failed_checks(result.checks, section["title"]), None)


def _next(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block | None:
    step = next_step(section, result, evaluator)
    if step is None:
        return None
    return blocks.Hint(
        section["title"], step.text, step.good, tuple((advice.options, advice.gives) for advice in step.advice)
    )


_BLOCKS: Mapping[str, Callable[[Section, Result, Evaluator], blocks.Block | None]] = {
    "assumed": _values,
    "values": _values,
    "bar": _bar,
    "split": _split,
    "table": _table,
    "operators": breakdown,
    "targets": targets,
    "data_table": data_table,
    "nearest": measured_run,
    "checks": _checks,
    "next": _next,
}


def set_besides(layout: AnswerLayout, result: Result, schema: Schema) -> Iterator[Pair]:
    """The records and inputs that the user chose and nothing in the answer shows."""
    givens = result.givens
    entries = [entry for section in layout.sections for entry in section.get("entries", ())]
    shown = {entry.get(key) for entry in entries if holds(entry, result) for key in ("record", "name", "shows")}
    unchosen = {Origin.DEFAULT, *(origin_of(file, schema) for file in givens.files.values())}
    for kind, origin in givens.record_origins.items():
        if kind in schema.kinds and kind not in shown and origin not in unchosen:
            yield Pair(in_words(schema.kinds[kind].word), givens.records[kind])
    for name, value in result.inputs.items():
        if name in givens.origins and name not in shown and value.origin not in unchosen and value.value is not None:
            yield Pair(in_words(name), str(value))
