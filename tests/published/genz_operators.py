"""What our formulas give for the tool's lists of operators."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from published.genz_places import NAMESPACE, OPERATORS, Place, Values, placed, spoken

CALLS = ("prefill_call", "decode_call", "chunked_call", "verify_call")
_ALONE = ("call", "earlier_layers", "last_layers", "attention_layers", "mixer_layers", "stage_message_time")
COLUMNS = OPERATORS["columns"]

Operator = Mapping[str, Any]
Entry = Mapping[str, Any]


def operator_quantities(entries: int) -> set[str]:
    """All quantities that a list of operators with so many entries of a mixed iteration needs."""
    rows = [each for each in OPERATORS["operator"] if each["row"] != "mixed_batch"]
    rows += [part for number in range(1, entries + 1) for part in _parts(number, "Dec")]
    found = {place["is"] for row in rows for place in _columns(row).values() if "is" in place}
    counts = {_count(row) for row in rows if _count(row)}
    return found | counts | {_own(each) for each in _ALONE} | {"pp"}


def _count(row: Operator) -> str:
    table, _, _ = row["row"].partition(".")
    return f"{NAMESPACE}.{row['row']}.count" if table in ("products", "exchanges", "attention") else ""


def _columns(row: Operator) -> Mapping[str, Place]:
    kind = row["type"]
    found = {**COLUMNS["computing"], **COLUMNS["Logit" if kind == "Attend" else kind], **COLUMNS[kind]}
    if kind == "Sync":
        found = {**COLUMNS["Sync"], **(COLUMNS["MessagePass"] if row["collective"] == "MessagePass" else {})}
    if row["row"].startswith("mixed_batch"):
        found |= COLUMNS["mixed"]
    found |= {f"dims.{letter}": place for letter, place in row.get("letters", {}).items()}
    found |= {
        f"loc.{each}": COLUMNS["loc"][kept] for each, kept in zip("awo", row.get("loc", "").split(), strict=False)
    }
    found |= {f"dims.{key}": {"says": row[key]} for key in ("collective", "equation") if key in row}
    return {column: placed(place, row["row"]) for column, place in found.items()}


def _parts(number: int, suffix: str) -> list[Operator]:
    row = f"mixed_batch.{number}"
    return [{"name": f"{kind} {suffix}", "type": kind, "row": row} for kind in ("Logit", "Attend")]


def operators(values: Values, entries: Sequence[Entry]) -> list[Operator]:
    """The list, in the tool's order: before the layers, for the earlier stages, for the last one, and after it."""
    call = CALLS[int(values[_own("call")])]
    rows = [row for row in OPERATORS["operator"] if call in row.get("calls", CALLS)]
    message = next(number for number, row in enumerate(rows) if row.get("collective") == "MessagePass")
    before = [row for row in rows[:message] if row.get("once")]
    stack = [row for row in rows[:message] if not row.get("once")]
    earlier, last = int(values[_own("earlier_layers")]), int(values[_own("last_layers")])
    found = [*_listed(before, values, (), 1)]
    if earlier:
        found += _listed(stack, values, entries, earlier)
        found += _listed([rows[message]], values, (), int(values["pp"]) - 1)
    return [*found, *_listed(stack, values, entries, last), *_listed(rows[message + 1 :], values, (), 1)]


def _own(name: str) -> str:
    return f"{NAMESPACE}.{name}"


def _listed(rows: Sequence[Operator], values: Values, entries: Sequence[Entry], repeat: int) -> Iterator[Operator]:
    for row in rows:
        if row["row"] == "mixed_batch":
            yield from _mixed(values, entries, repeat)
        elif _is_there(row, values):
            yield _operator(row, values, repeat)


def _is_there(row: Operator, values: Values) -> bool:
    if row["row"].startswith("scan"):
        return values[_own("mixer_layers")] > 0
    return not _count(row) or values[_count(row)] != 0


def _mixed(values: Values, entries: Sequence[Entry], repeat: int) -> Iterator[Operator]:
    before: Entry = {}
    for number, entry in enumerate(entries, start=1):
        own = "Pre" if entry.get("new") or entry.get("prefix") else "Dec"
        parts = _parts(number, "Suf" if before.get("prefix") else own)
        yield from [_operator(part, values, repeat) for part in parts] * entry["count"]
        before = entry


def _operator(row: Operator, values: Values, repeat: int) -> Operator:
    found = {"name": row["name"], "type": row["type"], "repeat": repeat}
    found |= {column: spoken(place, values) for column, place in _columns(row).items()}
    if row["type"] == "Sync":
        found["comm_util"] = 1 if found["latency_s"] else 0
    return found
