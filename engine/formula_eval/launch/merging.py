"""Merges launches: commands of one text that state the same, and readings of a text beside each of several records."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from formula_eval.core.option_names import option_of
from formula_eval.launch.to_inputs import Translation
from formula_eval.library import Library
from formula_eval.records.launch_reading import Beside, Launch
from formula_eval.records.record_files import every_named
from formula_eval.records.schema import Schema

_TOLD = ("without_effect", "without_input", "unknown", "remarks")


def different(launches: Sequence[tuple[Launch, bool]]) -> list[Launch]:
    """The commands that state different inputs, those of branches that nobody can decide only without others.

    Of commands that state the same, one tells what is told of any of them.
    """
    sure = [launch for launch, sure in launches if sure] or [launch for launch, _ in launches]
    found: dict[str, Launch] = {}
    for launch in sure:
        stated = json.dumps(launch.stated, sort_keys=True, default=str)
        found[stated] = telling(found[stated], launch) if stated in found else launch
    return list(found.values())


def telling(launch: Launch, *others: Launch | Translation) -> Launch:
    """Adds what is told of other launches that state the same, or of parts of this one."""
    all_of_them = (launch, *others)
    told: dict[str, Any] = {
        name: tuple(dict.fromkeys(told for translation in all_of_them for told in getattr(translation, name)))
        for name in _TOLD
    }
    return launch._replace(**told)


def each_alone(beside: Beside, library: Library, schema: Schema) -> Iterator[Beside]:
    """What was said beside a text, once for each of the records that stand between commas, or of `all`."""
    named_each = (
        (every_named(library, schema.kinds[kind], str(said)) if kind in schema.kinds else str(said)).split(",")
        for kind, said in beside.records.items()
    )
    for named in product(*named_each):
        yield beside._replace(records={kind: name.strip() for kind, name in zip(beside.records, named, strict=True)})


def in_common(launches: Mapping[str, Launch]) -> Launch:
    """The launch without inputs on which these readings of one text, by the records beside them, do not agree."""
    first = next(iter(launches.values()))
    stated = list(dict.fromkeys(name for launch in launches.values() for name in launch.stated))
    apart = [name for name in stated if len({str(launch.stated.get(name)) for launch in launches.values()}) > 1]
    if not apart:
        return first
    told = [
        f"`{name}` follows from what it runs on: {_by_value(name, launches)}. "
        f"None of these is taken for all: give {option_of(name)}, or ask about one at a time."
        for name in apart
    ]
    return first._replace(
        stated={name: value for name, value in first.stated.items() if name not in apart},
        used=tuple(use for use in first.used if use.input not in apart),
        assumed=tuple(use for use in first.assumed if use.input not in apart),
        remarks=(*first.remarks, *told),
    )


def _by_value(name: str, launches: Mapping[str, Launch]) -> str:
    """Each value of an input, with the first of the records that bring it and how many others do."""
    found: dict[str, list[str]] = {}
    for records, launch in launches.items():
        found.setdefault(str(launch.stated.get(name, "unsaid")), []).append(records)
    return ", ".join(
        f"{value} with {first}{f' and {len(others)} others' if others else ''}"
        for value, (first, *others) in found.items()
    )
