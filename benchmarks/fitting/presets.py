"""Fitted values to the records that ship them, rounded to two digits; what belongs to no record is only told."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from formula_eval.analyse.validate.parameters import Parameter

_HEAD = re.compile(r'\["?([^\]"]+)"?\]\n')
_FILES = {"engine": "presets/engine.toml", "family": "presets/family.toml", "hardware": "hardware.toml"}
_TIMES = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6))


def write_presets(
    root: Path, parameters: Sequence[Parameter], values: Mapping[str, float], suppliers: Mapping[str, str]
) -> list[str]:
    """Set each fitted input in its records, and those of all in every record of its kind; what has none is returned."""
    told = []
    own = {(each.input, record) for each in parameters for record in each.records}
    for each in parameters:
        kind = each.scope or suppliers.get(each.input, "")
        if kind not in _FILES:
            told.append(f"{each.input} = {values[each.name]:.3g}")
            continue
        path = root / _FILES[kind]
        blocks = re.split(r"(?m)^(?=\[)", path.read_text(encoding="utf-8"))
        text = _shown(each.input, values[each.name])
        path.write_text("".join(_set(block, each, text, own) for block in blocks), encoding="utf-8")
    return told


def _set(block: str, parameter: Parameter, text: str, own: set[tuple[str, str]]) -> str:
    head = _HEAD.match(block)
    if head is None or (parameter.records and head[1] not in parameter.records):
        return block
    line = re.compile(rf"(?m)^{parameter.input} = .*\n")
    if line.search(block):
        general = not parameter.records and (parameter.input, head[1]) in own
        return block if general else line.sub(f"{parameter.input} = {text}\n", block)
    if not parameter.records:
        return block
    before, note, after = block.partition("\nnote = ")
    return f"{before.rstrip()}\n{parameter.input} = {text}\n" + (f"note = {after}" if note else "\n")


def _shown(name: str, value: float) -> str:
    rounded = float(f"{value:.2g}")
    if not name.endswith(("_time", "_latency")):
        return f"{rounded:g}"
    unit, size = next((each for each in _TIMES if rounded >= each[1]), _TIMES[-1])
    return f'"{float(f"{value / size:.2g}"):g} {unit}"'
