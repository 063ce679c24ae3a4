"""A result, by the layout of a report, to the blocks of a document."""

import math
from collections.abc import Callable, Iterator, Mapping

from formula_eval.analyse.hint import next_step
from formula_eval.evaluate.display import plain_number, shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result, Value
from formula_eval.export.layout import Section
from formula_eval.export.terminal import answer_layout, blocks
from formula_eval.export.terminal.breakdown import breakdown


def answer_blocks(layout: answer_layout.AnswerLayout, result: Result, evaluator: Evaluator) -> list[blocks.Block]:
    """The blocks of all sections that have something to say."""
    sections = (each for each in layout.sections if answer_layout.holds(each, result))
    built = (_BLOCKS[section["kind"]](section, result, evaluator) for section in sections)
    return [block for block in built if block is not None]


def _values(section: Section, result: Result, _: Evaluator) -> blocks.Block | None:
    pairs = tuple(_pairs(section, result))
    return blocks.Pairs(section["title"], pairs, section.get("align") == "left") if pairs else None


def _pairs(section: Section, result: Result) -> Iterator[blocks.Pair]:
    for entry in section.get("entries", ()):
        if "record" in entry:
            yield from _record(entry, result)
            continue
        if not answer_layout.holds(entry, result):
            continue
        value = result[entry["name"]]
        number = value.value
        text = _text(value, entry)
        remark = ""
        if "share_of" in entry:
            if not number:
                continue
            remark = percent(_number(result, entry["name"]), _number(result, entry["share_of"]))
        yield blocks.Pair(entry["title"], text, remark, value.origin == "default")


def _text(value: Value, entry: Mapping[str, str]) -> str:
    """The value as it is shown anywhere, or the bare number with the unit that the entry says."""
    if "unit" in entry and isinstance(value.value, int | float) and not isinstance(value.value, bool):
        return f"{plain_number(value.value)} {entry['unit']}".rstrip()
    return str(value)


def _record(entry: Mapping[str, str], result: Result) -> Iterator[blocks.Pair]:
    supplier = entry["record"]
    if supplier in result.givens.records:
        default = result.givens.record_origins.get(supplier) == "default"
        yield blocks.Pair(entry["title"], result.givens.records[supplier], "", default)


def _number(result: Result, name: str) -> float:
    return float(result.numbers[name])


def percent(part: float, whole: float) -> str:
    """`17.5%`, with one digit behind the point below a hundred."""
    if not whole or not math.isfinite(part / whole):
        return ""
    share = 100 * part / whole
    return "<0.1%" if 0 < share < 0.05 else f"{share:.1f}%"  # noqa: PLR2004 - what one digit can show


def _bar(section: Section, result: Result, _: Evaluator) -> blocks.Block:
    whole, within, used = (_number(result, section[key]) for key in ("whole", "within", "used"))
    fits = bool(_number(result, section["holds"]))
    parts = [
        blocks.Part(each["title"], _number(result, each["name"]), str(result[each["name"]]))
        for each in section["parts"]
    ]
    shown = _shown_like(result, section["within"])
    if fits:
        parts.append(blocks.Part(section["free"], within - used, shown(within - used), "free"))
        verdict = f"fits: {shown(used)} of the {shown(within)} usable"
    else:
        verdict = f"does not fit: {shown(used)} of the {shown(within)} usable, {shown(used - within)} too much"
    if whole > within:
        parts.append(blocks.Part(section.get("rest", "rest"), whole - within, shown(whole - within), "rest"))
    return blocks.Bar(section["title"], tuple(parts), within, fits, verdict, tuple(_pairs(section, result)))


def _split(section: Section, result: Result, _: Evaluator) -> blocks.Block:
    whole = _number(result, section["whole"])
    parts = [
        blocks.Part(each["title"], _number(result, each["name"]), _shared(result, each["name"], whole))
        for each in section["parts"]
    ]
    return blocks.Bar(
        section["title"], tuple(parts), whole, holds=True, verdict="", pairs=tuple(_pairs(section, result))
    )


def _shared(result: Result, name: str, whole: float) -> str:
    return f"{result[name]} {percent(_number(result, name), whole)}".rstrip()


def _table(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block | None:
    """The rows of a table of formulas that are there at all, if there are several; columns of nothing are left out."""
    counts = {
        row: _number(result, _cell(section, row, section["counts"]))
        for row in answer_layout.rows_of(section, evaluator.schema)
    }
    names = [row for row, count in counts.items() if count]
    columns = [
        each
        for each in section["columns"]
        if any(_number(result, _cell(section, row, each["column"])) for row in names)
    ]
    rows = tuple(
        (row.replace("_", " "), *(_text(result[_cell(section, row, each["column"])], each) for each in columns))
        for row in names
    )
    return blocks.Table(section["title"], tuple(each["title"] for each in columns), rows) if len(rows) > 1 else None


def _cell(section: Section, row: str, column: str) -> str:
    return f"{section['table']}.{row}.{column}"


def _shown_like(result: Result, name: str) -> Callable[[float], str]:
    quantity = result[name].quantity
    return lambda number: shown_value(number, quantity)


def _checks(section: Section, result: Result, _: Evaluator) -> blocks.Block | None:
    failed = sorted(
        ((each.level, each.message) for each in result.checks if not each.ok), key=lambda each: each[0] == "note"
    )
    return blocks.Messages(section["title"], tuple(failed)) if failed else None


def _next(section: Section, result: Result, evaluator: Evaluator) -> blocks.Block | None:
    step = next_step(section, result, evaluator)
    return blocks.Hint(section["title"], step.text, step.good) if step is not None else None


_BLOCKS: Mapping[str, Callable[[Section, Result, Evaluator], blocks.Block | None]] = {
    "values": _values,
    "bar": _bar,
    "split": _split,
    "table": _table,
    "operators": breakdown,
    "checks": _checks,
    "next": _next,
}
