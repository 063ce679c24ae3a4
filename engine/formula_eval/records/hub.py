"""Reads a model record from a repository of the Hugging Face hub: from the hub's cache on this disk, else the hub.

Where the cache holds the weights too, their headers say how many bytes they are; the hub is asked for the config alone.
"""

import logging
import os
from pathlib import Path

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.missing_extra import brought_by
from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.checkpoint.checkpoint import from_checkpoint
from formula_eval.records.checkpoint.shards import safetensors_files
from formula_eval.records.huggingface.config import from_config
from formula_eval.records.record import RecordFile
from formula_eval.records.schema import Schema

_LONGEST_NAME = 200  # bytes: of the hub's names each half has at most 96, and a disk takes 255
_CONFIG = "config.json"
_LOG = logging.getLogger(__name__)  # which writes to stderr unless a program says otherwise


def from_hub(
    library: Library, schema: Schema, kind: RecordKind, name: str, copied: RecordFile | None = None
) -> RecordFile:
    """The record of a repository's config.json; `copied`, if anything, where nobody has it.

    The hub itself is asked only where the optional extra is installed and HF_HUB_OFFLINE is not set, and that is logged
    before it is. Raises FormulaError that says what to do.
    """
    try:
        path = cached_config(name) or _fetched(name)
    except FormulaError:
        if copied is not None:
            return copied
        raise
    shown = f"{name}/{_CONFIG}"
    if _holds_weights(path.parent):
        return from_checkpoint(library, schema, kind, path.parent)._replace(id=name, shown=shown)
    return from_config(library, schema, kind, path, shown)._replace(id=name)


def _fetched(name: str) -> Path:
    """The config.json that the hub has, fetched; raises FormulaError where it is not asked, or does not give it."""
    nowhere = f"`{name}` is in neither the library nor the Hugging Face cache, and"
    try:
        from huggingface_hub import constants, hf_hub_download  # noqa: PLC0415 - an optional extra
    except ImportError:
        help_ = f"Save {name}'s config.json and name its path, or {brought_by('hub')} and ask again."
        raise refuse("no-hub", f"{nowhere} the Hub is not queried", help=help_, subject=name) from None
    if constants.HF_HUB_OFFLINE:
        help_ = f"Unset HF_HUB_OFFLINE, or save {name}'s config.json and name its path."
        raise refuse("no-hub", f"{nowhere} the environment forbids the Hub", help=help_, subject=name)
    _LOG.warning("Fetching %s of %s from %s.", _CONFIG, name, constants.ENDPOINT)
    try:
        return Path(hf_hub_download(name, _CONFIG))
    except Exception as error:  # the hub raises many kinds
        help_ = "Is the name right, and is there a network? A saved config.json can be named by its path."
        message = f"The Hub gave no config.json for `{name}`: {type(error).__name__}"
        raise refuse("no-hub", message, help=help_, subject=name) from error


def _holds_weights(snapshot: Path) -> bool:
    """Whether all files of the weights are in the cache."""
    try:
        return bool(safetensors_files(snapshot))
    except FormulaError:
        return False


def cached_config(name: str) -> Path | None:
    """The config.json of a repository in the hub's cache on this disk: that of `main`, else of the newest snapshot."""
    cache = _cache_directory()
    known = cache is not None and len(name.encode()) <= _LONGEST_NAME
    repository = cache / f"models--{name.replace('/', '--')}" if cache and known else None
    if repository is None or not repository.is_dir():
        return None
    try:
        main = (repository / "refs" / "main").read_text(encoding="ascii").strip()
        if (found := repository / "snapshots" / Path(main).name / _CONFIG).is_file():
            return found
    except (OSError, UnicodeDecodeError):
        pass
    snapshots = sorted(repository.glob(f"snapshots/*/{_CONFIG}"), key=lambda path: path.stat().st_mtime_ns)
    return snapshots[-1] if snapshots else None


def _cache_directory() -> Path | None:
    """Where the hub's own programs keep what they loaded."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(variable):
            return Path(os.environ[variable]).expanduser()
    home = os.environ.get("HF_HOME") or f"{os.environ.get('XDG_CACHE_HOME') or '~/.cache'}/huggingface"
    try:
        return Path(home).expanduser() / "hub"
    except RuntimeError:
        return None
