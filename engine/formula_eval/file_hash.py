"""Hashes files with Python's own SHA-256: loading OpenSSL would take longer than all the hashing."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

try:
    from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]  # Python 3.12 and later
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]  # Python 3.11
    except ImportError:
        from hashlib import sha256

__all__ = ["all_files", "hash_of_file", "path_within", "sha256", "text_hash"]


def text_hash(text: str) -> str:
    """The hash of a text, as a name; a path may stand in it."""
    return str(sha256(text.encode("utf-8", "surrogateescape")).hexdigest())


def path_within(path: str, folder: Path) -> str:
    """The path from a folder that it was found in; what the standard library offers is slow for hundreds of them."""
    return path[len(str(folder)) + 1 :]


def hash_of_file(path: str, most: int) -> bytes:
    """The hash of a file, so many bytes of it at most."""
    with open(path, "rb") as file:  # noqa: PTH123 - hundreds of files, before anything else can start
        return bytes(sha256(file.read(most + 1)).digest())  # nobody reads a larger one


def all_files(folder: Path, but: Sequence[Path] = (), endings: tuple[str, ...] = ("",)) -> list[str]:
    """Every file of a folder with one of these endings, but what Python keeps there and what lies in some folders."""
    left_out = {str(path) for path in but}
    found, pending = [], [str(folder)]
    while pending:
        with suppress(OSError), os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__" and entry.path not in left_out:
                        pending.append(entry.path)
                elif entry.name.endswith(endings) and not entry.name.endswith(".pyc") and entry.is_file():
                    found.append(entry.path)
    return sorted(found)
