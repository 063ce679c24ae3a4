"""A result, by the layout of a report, to the blocks of a document."""

import math
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping

from formula_eval.evaluate.display import plain_number
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.answer.blocks import Bar
from formula_eval.export.answer.blocks import Block
from formula_eval.export.answer.blocks import Messages
from formula_eval.export.answer.blocks import Pair
from formula_eval.export.answer.blocks import Pairs
from formula_eval.export.answer.blocks import Part
from formula_eval.export.answer.breakdown import breakdown
from formula_eval.export.answer.hint import hint
from formula_eval.export.answer.layout import Layout
from formula_eval.export.answer.layout import Section


def answer(layout: Layout, result: Result, evaluator: Evaluator) -> list[Block]:
    """The blocks of all sections that have something to say."""
    blocks = (_BLOCKS[section["kind"]](section, result, evaluator) for section in layout.sections)
    return [block for block in blocks if block is not None]


def _values(section: Section, result: Result, _: Evaluator) -> Block | None:
    pairs = tuple(_pairs(section, result))
    return Pairs(section["title"], pairs, section.get("align") == "left") if pairs else None


def _pairs(section: Section, result: Result) -> Iterator[Pair]:
    for entry in section.get("entries", ()):
        if "record" in entry:
            yield from _record(entry, result)
            continue
        value = result[entry["name"]]
        number = value.value
        text = str(value)
        if "unit" in entry and isinstance(number, int | float) and not isinstance(number, bool):
            text = f"{plain_number(number)} {entry['unit']}".rstrip()
        remark = ""
        if "share_of" in entry:
            if not number:
                continue
            remark = percent(_number(result, entry["name"]), _number(result, entry["share_of"]))
        yield Pair(entry["title"], text, remark, value.origin == "default")


def _record(entry: Mapping[str, str], result: Result) -> Iterator[Pair]:
    supplier = entry["record"]
    if supplier in result.givens.records:
        default = result.givens.record_origins.get(supplier) == "default"
        yield Pair(entry["title"], result.givens.records[supplier], "", default)


def _number(result: Result, name: str) -> float:
    return float(result.numbers[name])


def percent(part: float, whole: float) -> str:
    """`17.5%`, with one digit behind the point below a hundred."""
    if not whole or not math.isfinite(part / whole):
        return ""
    share = 100 * part / whole
    return "<0.1%" if 0 < share < 0.05 else f"{share:.1f}%"  # noqa: PLR2004 - what one digit can show


def _bar(section: Section, result: Result, _: Evaluator) -> Block:
    whole, within, used = (_number(result, section[key]) for key in ("whole", "within", "used"))
    holds = bool(_number(result, section["holds"]))
    parts = [Part(each["title"], _number(result, each["name"]), str(result[each["name"]])) for each in section["parts"]]
    shown = _shown_like(result, section["within"])
    if holds:
        parts.append(Part(section["free"], within - used, shown(within - used), "free"))
        verdict = f"fits: {shown(used)} of the {shown(within)} usable"
    else:
        verdict = f"does not fit: {shown(used)} of the {shown(within)} usable, {shown(used - within)} too much"
    if whole > within:
        parts.append(Part(section.get("rest", "rest"), whole - within, shown(whole - within), "rest"))
    return Bar(section["title"], tuple(parts), within, holds, verdict, tuple(_pairs(section, result)))


def _shown_like(result: Result, name: str) -> Callable[[float], str]:
    quantity = result[name].quantity
    return lambda number: shown_value(number, quantity)


def _checks(section: Section, result: Result, _: Evaluator) -> Block | None:
    said = tuple((each.level, each.message) for each in result.checks if not each.ok)
    return Messages(section["title"], said) if said else None


_BLOCKS: Mapping[str, Callable[[Section, Result, Evaluator], Block | None]] = {
    "values": _values,
    "bar": _bar,
    "operators": breakdown,
    "checks": _checks,
    "next": hint,
}
