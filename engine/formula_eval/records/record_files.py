"""Finds records in the files of a library by id, alias, path or nearest version, and lists all records of a kind."""

import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import listed, nearest, refuse, shortened
from formula_eval.core.option_names import option_of
from formula_eval.core.quantity import plural
from formula_eval.core.record_kind import COUNTED, RecordKind
from formula_eval.library import Library
from formula_eval.records.record import RecordFile
from formula_eval.records.record_names import containing, is_hub_name, named, names_of, resembling
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema
from formula_eval.text_files import is_there

LISTS = "reports/lists.toml"

EVERY = "all"
_FEW = 8  # records that a message can list
_CHECKPOINTS = (".bin", ".gguf", ".npz", ".onnx", ".safetensors")
_UNREAD_WEIGHTS = (".ckpt", ".h5", ".pt", ".pth")
_HUB_ADDRESS = re.compile(r"^(?:https?://)?(?:www\.)?huggingface\.co/")
_OLLAMA, _BLOB = "manifests", "sha256-"  # the folder of Ollama's manifests, and how the files that they name begin
_VERSIONED = r"(.+?)-v?(\d+(?:\.\d+)*)"


def find_record(library: Library, schema: Schema, supplier: str, wanted: str) -> RecordFile:
    """The record of this id, alias or path; raises FormulaError with the nearest ids."""
    return library.once((supplier, wanted), lambda: _found(library, schema, supplier, wanted))


def _found(library: Library, schema: Schema, supplier: str, wanted: str) -> RecordFile:
    kind = schema.kinds[supplier]
    wanted = _HUB_ADDRESS.sub("", wanted)
    if not wanted.strip():
        help_ = f"`formula-eval list {kind.title(library.last(LISTS)[1])}` shows all."
        raise refuse("unknown-record", f"The name of a {kind.name} is empty", help=help_)
    if _is_path(library, wanted, kind):
        return _from_path(library, schema, kind, wanted)
    found = record_of_id(library, kind, wanted)
    if found is not None:
        return found
    records = list(all_records(library, kind))
    found = next((record for record in records if record.id == wanted), None) or named(wanted, records)
    if found is not None:
        return found
    if not is_hub_name(wanted) and (parts := containing(wanted, records, schema.synonyms.variants_of(kind.name))):
        return _only_of(wanted, parts, kind.title(library.last(LISTS)[1]))
    copied = resembling(wanted, records, schema.synonyms.tunings_of(kind.name))
    if has_configs(library, kind):
        from formula_eval.records.checkpoint_name import quantised  # noqa: PLC0415 - seldom needed

        copied = copied or quantised(wanted, library, schema, kind, records)
        if is_hub_name(wanted):
            from formula_eval.records.hub import from_hub  # noqa: PLC0415 - as above

            return from_hub(library, schema, kind, wanted, copied)
    _refuse_misread(library, wanted, kind, records, schema)
    known = {name.lower(): record for record in reversed(records) for name in reversed(names_of(record))}
    near = copied or nearest_version(wanted, known)
    if near is not None:
        return near
    none = f"The library has no `{kind.path}` with records in it."
    help_ = (
        nearest(wanted.lower(), known) or _which(records, f"`formula-eval list {kind.title(library.last(LISTS)[1])}`")
        if known
        else none
    )
    raise refuse("unknown-record", f"Unknown {kind.name} `{shortened(wanted)}`", help=help_, subject=wanted)


def _which(records: Sequence[RecordFile], command: str) -> str:
    """The ids of a few records, or the command that shows all."""
    return f"Which: {listed([record.id for record in records])}?" if len(records) <= _FEW else f"{command} shows all."


def _refuse_misread(
    library: Library, wanted: str, kind: RecordKind, records: Sequence[RecordFile], schema: Schema
) -> None:
    """Refuse what is no name for a reason that can be told: several names, or a count beside one."""
    if advice := schema.synonyms.advised(wanted):
        raise refuse("unknown-record", f"Unknown {kind.name} `{shortened(wanted)}`", help=advice, subject=wanted)
    if "," in wanted and all(named(name.strip(), records) is not None for name in wanted.split(",")):
        several = f"{kind.option} {shlex.quote(wanted)}"
        help_ = f"`formula-eval compare ... {several}` sets them side by side, `sweep` goes through them."
        if kind.name == roles_of(library).accelerator:
            help_ += f" Two that share a model: `{wanted.replace(',', '+')}`."
        raise refuse("unknown-record", f"`{shortened(wanted)}` names more than one {kind.word}", help=help_)
    parts = [name.strip() for name in wanted.split("+")]
    if len(parts) > 1 and all(named(part, records) is not None for part in parts):
        message = f"`{shortened(wanted)}` joins several {plural(kind.word)}, and `{kind.option}` takes one"
        second = option_of(roles_of(library).second.record)
        help_ = f"Two that share a model: `{kind.option} {parts[0]} {second} {parts[1]}`; `plan` mixes replicas of two."
        raise refuse("unknown-record", message, help=help_)
    counted = COUNTED.fullmatch(wanted)
    if counted is not None and named(counted[2], records) is not None:
        help_ = f"Name it alone, `{counted[2]}`; the command line takes a count too: `formula-eval MODEL {wanted}`."
        raise refuse("unknown-record", f"`{shortened(wanted)}` is a name with a count before it", help=help_)
    begun = [record.id for record in records if record.id.lower().startswith(f"{wanted.lower()}.")]
    if begun:
        raise refuse("unknown-record", f"Unknown {kind.name} `{wanted}`", help=f"Which: {listed(begun, most=8)}?")


def _only_of(wanted: str, found: Sequence[RecordFile], title: str) -> RecordFile:
    """The record whose name has all parts of the one wanted; raises FormulaError where there are several."""
    if len(found) == 1:
        return found[0]._replace(read_as=f"`{wanted}` is read as `{found[0].id}`, by its name.")
    message = f"`{shortened(wanted)}` may be any of {len(found)} {title}"
    newest = sorted(found, key=lambda file: str(file.data.get("date", "")), reverse=True)
    help_ = f"Which: {listed([file.id for file in newest], most=_FEW)}?"
    if len(found) > _FEW:
        help_ += f" The newest are first; `formula-eval list {title} {shlex.quote(wanted)}` shows more."
    raise refuse("unknown-record", message, help=help_, subject=wanted)


def record_of_id(library: Library, kind: RecordKind, wanted: str) -> RecordFile | None:
    """The record of this id, without looking at any other."""
    if not kind.is_folder:
        tables = (
            (shown, data.get(wanted))
            for folder in reversed(library.folders)
            for shown, data in _tables_in(library, kind, folder)
        )
        return next((RecordFile(kind.name, wanted, shown, data) for shown, data in tables if data is not None), None)
    paths = ((folder, folder / kind.path / f"{wanted}.toml") for folder in reversed(library.folders))
    if not re.fullmatch(r"[\w.-]{1,60}", wanted):  # what any disk takes as a name
        return None
    return next((_in_folder(library, kind, folder, path) for folder, path in paths if is_there(path)), None)


def has_configs(library: Library, kind: RecordKind) -> bool:
    """Whether tables of families say how a config.json becomes a record of this kind."""
    return kind.is_folder and next(library.files(f"{kind.path}families/*.toml"), None) is not None


def _is_path(library: Library, wanted: str, kind: RecordKind) -> bool:
    return (
        wanted.endswith((".toml", ".json", *_CHECKPOINTS))
        or wanted.startswith((".", "/", "~"))
        or (kind.is_folder and _is_folder(library.base / wanted))
    )


def _is_folder(path: Path) -> bool:
    """Whether there is such a folder; a name that no disk can hold is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def _from_path(library: Library, schema: Schema, kind: RecordKind, wanted: str) -> RecordFile:
    path = library.base / Path(wanted).expanduser()
    try:
        is_checkpoint = (
            path.is_dir() or path.suffix in _CHECKPOINTS or _OLLAMA in path.parts or path.name.startswith(_BLOB)
        )
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unreadable", f"Cannot read `{wanted}`: {reason}") from error
    if path.suffix in _UNREAD_WEIGHTS and not is_checkpoint:
        message = f"`{wanted}` is a file of weights of a kind that is not read ({path.suffix})"
        help_ = f"Name the {kind.name}, or its folder with a config.json; {', '.join(_CHECKPOINTS)} files are read."
        raise refuse("unreadable", message, help=help_)
    if is_checkpoint or path.suffix == ".json":
        if not has_configs(library, kind):
            help_ = f"Write a TOML file with the inputs of a {kind.name}."
            raise refuse("no-families", f"`{wanted}`: no table says how a config becomes a {kind.name}", help=help_)
        if is_checkpoint:
            from formula_eval.records.checkpoint.checkpoint import from_checkpoint  # noqa: PLC0415 - as below

            return from_checkpoint(library, schema, kind, path)
        from formula_eval.records.huggingface.config import from_config  # noqa: PLC0415 - needs the parser of expressions

        return from_config(library, schema, kind, path, str(path))
    data = library.toml(path, wanted)
    if not data:
        needed = [name for name, input_schema in schema.inputs_of(kind.name).items() if input_schema.is_required]
        help_ = f"A {kind.name} file states {', '.join(needed)}." if needed else f"A {kind.name} file states inputs."
        raise refuse("empty-record", f"`{wanted}` is empty", help=help_)
    return RecordFile(kind.name, path.stem, wanted, data)


def _in_folder(library: Library, kind: RecordKind, folder: Path, path: Path) -> RecordFile:
    shown = library.shown(folder, path)
    return RecordFile(kind.name, path.stem, shown, library.toml(path, shown))


def all_records(library: Library, kind: RecordKind) -> Iterator[RecordFile]:
    """All records of a kind, the user's before ours."""
    folders = reversed(library.folders)
    found = library.once(
        ("all", kind.name), lambda: tuple(record for folder in folders for record in records_in(library, kind, folder))
    )
    return iter(found)


def every_named(library: Library, kind: RecordKind, said: str, about: Collection[str] = ()) -> str:
    """The same names between commas; the ids of all records for `all`, but for a record of that name.

    Where some of them are `of` a record that the question is `about`, as an API is of a model, all are those.
    """
    records = {record.id: record for record in all_records(library, kind)} if said == EVERY else {}
    if said != EVERY or said in records:
        return said
    return ",".join([name for name, record in records.items() if record.data.get("of") in about] or records)


def records_in(library: Library, kind: RecordKind, folder: Path) -> Iterator[RecordFile]:
    """The records of a kind that one folder of the library holds."""
    if kind.is_folder:
        for path in sorted((folder / kind.path).glob("*.toml")):
            yield _in_folder(library, kind, folder, path)
        return
    for shown, tables in _tables_in(library, kind, folder):
        for name, data in tables.items():
            yield RecordFile(kind.name, name, shown, data)


def _tables_in(library: Library, kind: RecordKind, folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The records by id of the one file of a kind, if the folder has it, and what messages call that file."""
    path = folder / kind.path
    if is_there(path):
        shown = library.shown(folder, path)
        tables = library.toml(path, shown)
        outside = next((name for name, data in tables.items() if not isinstance(data, dict)), None)
        if outside is not None:
            raise refuse("bad-record", f"{shown}: `{outside}` stands outside a table", help="Begin with `[id]`.")
        yield shown, tables


def record_ids(library: Library, kind: RecordKind) -> list[str]:
    """The ids of all records of a kind; those that are files of their own without opening one."""
    if kind.is_folder:
        return sorted({path.stem for _, path in library.files(f"{kind.path}*.toml")})
    return sorted({record.id for record in all_records(library, kind)})


def nearest_version(wanted: str, known: Mapping[str, RecordFile]) -> RecordFile | None:
    """The record of the newest version that is not newer than the one wanted, else of the oldest; None without any.

    Only records that state a `version` have some, under their ids and under those of their aliases that end in one.
    """
    asked = re.fullmatch(_VERSIONED, wanted.lower())
    if asked is None:
        return None
    stem = _stem_of(asked[1], known)
    versions = {
        _version_parts(found[2]): record
        for name, record in known.items()
        if "version" in record.data and (found := re.fullmatch(_VERSIONED, name)) and found[1] == stem
    }
    if not versions:
        return None
    older = [version for version in versions if version <= _version_parts(asked[2])]
    record = versions[max(older) if older else min(versions)]
    there = ", ".join(dict.fromkeys(f"`{versions[version].id}`" for version in sorted(versions)))
    return record._replace(
        remark=f"There is no {record.supplier} `{wanted}`: `{record.id}` is used instead. There are {there}."
    )


def _stem_of(bare: str, known: Mapping[str, RecordFile]) -> str:
    """What stands before the version in the id of the record that a bare name means; `trtllm` is `tensorrt-llm`."""
    found = re.fullmatch(_VERSIONED, known[bare].id) if bare in known else None
    return found[1] if found else bare


def _version_parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
