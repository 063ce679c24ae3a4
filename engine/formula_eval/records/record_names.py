"""Finds the record that a name as people type it means: `facebook_opt-1.3b`, `Llama-3.1-70B-Instruct`."""

import re
from collections.abc import Collection, Iterable

from formula_eval.records.record import RecordFile

_SEPARATORS = r"[-_/:\s]+"
_HUB_NAME = r"[\w.-]+/[\w.-]+"
# Files of others keep the hub's `facebook/opt-1.3b` under `facebook_opt-1.3b`.
_OWNER = r"[^/_]+[/_](.+)"


def is_hub_name(wanted: str) -> bool:
    """Whether it looks like a repository of the Hugging Face hub."""
    return re.fullmatch(_HUB_NAME, wanted) is not None


def names_of(record: RecordFile) -> list[str]:
    """Its id and its other names."""
    return [record.id, *map(str, record.data.get("aliases", ()))]


def named(wanted: str, records: Iterable[RecordFile]) -> RecordFile | None:
    """The record that bears this name but for capitals, what stands between its parts, and whose it is."""
    records = list(records)
    return _exactly(wanted.lower(), records) or _only(
        _parts(wanted), [(_parts(name), record) for record in records for name in _spellings(record)]
    )


def containing(wanted: str, records: Iterable[RecordFile], variants: Collection[str] = ()) -> list[RecordFile]:
    """The records that have a name with all parts of this one in it: `A100 80GB`, `v5e`, `70B`.

    A name with one of the `variants` more is that of another record: an `RTX 4070` is no `RTX 4070 Ti`.

    Of several, the only one that one of these parts alone means: an `A100` is the one of 80 GB on a module of its own;
    or the only one with its maker alone before this name: an `M3` is no `M3 Max`.
    """
    parts = _words(wanted)
    others = frozenset(variants) - parts
    found = {
        record.id: record
        for record in records
        if parts and any(parts <= _words(name) and not others & _words(name) for name in names_of(record))
    }
    plain = {each.id: each for part in parts if (each := _exactly(part, found.values())) is not None}
    made = {file.id: file for file in found.values() if _parts(file.id.partition("-")[2]) == _parts(wanted)}
    return [*next((each for each in (plain, made) if len(each) == 1), found).values()]


def resembling(wanted: str, records: Iterable[RecordFile], tunings: Collection[str]) -> RecordFile | None:
    """The record of what another one was tuned from or is a copy of, by their names; it says so.

    `tunings` are the parts of a name that tell of how a model was tuned, which changes none of its shape.
    """
    names = [(_bare(name, tunings), record) for record in records for name in _spellings(record)]
    owner = re.fullmatch(_OWNER, wanted)
    for name in dict.fromkeys((wanted, owner[1] if owner else wanted)):
        found = _only(_bare(name, tunings), names)
        if found is not None:
            remark = f"`{wanted}` is not in the library; `{found.id}`, of the same name, is used."
            return found._replace(remark=remark)
    return None


def _spellings(record: RecordFile) -> list[str]:
    """Its names, each also without the owner before the slash."""
    names = names_of(record)
    return list(dict.fromkeys((*names, *(name.rpartition("/")[2] for name in names))))


def _words(name: str) -> frozenset[str]:
    return frozenset(filter(None, re.split(_SEPARATORS, name.lower())))


def _parts(name: str) -> str:
    """The name in lower case without the separators between its parts."""
    return re.sub(_SEPARATORS, "", name.lower())


def _bare(name: str, tunings: Collection[str]) -> str:
    return "".join(each for each in re.split(_SEPARATORS, name.lower()) if each not in tunings)


def _exactly(wanted: str, records: Iterable[RecordFile]) -> RecordFile | None:
    """The record of this name in any capitals; an id goes before another name."""
    ids = next((record for record in records if record.id.lower() == wanted), None)
    return ids or next((record for record in records if wanted in (name.lower() for name in names_of(record))), None)


def _only(wanted: str, names: Iterable[tuple[str, RecordFile]]) -> RecordFile | None:
    """The record of this name, unless several bear it."""
    found = {file.id: file for name, file in names if name == wanted}
    return next(iter(found.values())) if len(found) == 1 and wanted else None
