"""Finds the nearest known version for a name with a version that no record has: `vllm-0.6` for `vllm-0.7`."""

import re
from collections.abc import Mapping

from formula_eval.records.record import RecordFile

_VERSIONED = r"(.+?)-v?(\d+(?:\.\d+)*)"


def nearest_version(wanted: str, known: Mapping[str, RecordFile]) -> RecordFile | None:
    """The record of the newest version that is not newer than the one wanted, else of the oldest; None without any.

    Only records that state a `version` have some, under their ids and under those of their aliases that end in one.
    """
    asked = re.fullmatch(_VERSIONED, wanted.lower())
    if asked is None:
        return None
    stem = _stem(asked[1], known)
    versions = {
        _parts(found[2]): record
        for name, record in known.items()
        if "version" in record.data and (found := re.fullmatch(_VERSIONED, name)) and found[1] == stem
    }
    if not versions:
        return None
    older = [each for each in versions if each <= _parts(asked[2])]
    record = versions[max(older) if older else min(versions)]
    there = ", ".join(dict.fromkeys(f"`{versions[each].id}`" for each in sorted(versions)))
    return record._replace(
        remark=f"There is no {record.supplier} `{wanted}`: `{record.id}` is used instead. There are {there}."
    )


def _stem(bare: str, known: Mapping[str, RecordFile]) -> str:
    """What stands before the version in the id of the record that a bare name means; `trtllm` is `tensorrt-llm`."""
    found = re.fullmatch(_VERSIONED, known[bare].id) if bare in known else None
    return found[1] if found else bare


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
