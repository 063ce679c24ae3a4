"""Reads the tensor descriptions of an npz file, a zip archive of NumPy files: their headers alone."""

import math
import struct
import zipfile
import zlib
from ast import literal_eval
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from formula_eval.core.diagnostic import refuse, shortened
from formula_eval.records.checkpoint.header import LONGEST_HEADER, Tensor, bad_header, refuse_overlaps

_MAGIC = b"\x93NUMPY"
_LONGEST_ARRAY_HEADER = 10_000  # as NumPy itself reads
_MOST_AXES = 64
_ENDING = ".npy"
_MOST_PACKED = 1032  # times that deflate makes anything smaller
_END, _END_LENGTH, _LONGEST_REMARK = b"PK\x05\x06", 22, 65_535


def read_npz(path: Path, types: Mapping[str, Any]) -> list[Tensor]:
    """The tensors of one archive, by the table of `types`; raises FormulaError for headers that contradict the file."""
    shown = str(path)
    try:
        size = path.stat().st_size
        _refuse_long_directory(path, size, shown)
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            stored = [Tensor(entry.filename, 0, entry.header_offset, entry.compress_size) for entry in entries]
            refuse_overlaps(stored, size, shown)
            return [_tensor(archive, entry, types, shown) for entry in entries]
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unreadable", f"Cannot read `{shown}`: {reason}") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        raise bad_header(shown, f"it is no archive that can be read ({shortened(str(error).lower())})") from error


def _refuse_long_directory(path: Path, size: int, shown: str) -> None:
    """Refuse an archive whose list of files is longer than any header, before all of it is read."""
    with path.open("rb") as file:
        file.seek(max(0, size - _END_LENGTH - _LONGEST_REMARK))
        end = file.read()
    place = end.rfind(_END)
    if place < 0 or len(end) - place < _END_LENGTH:
        raise bad_header(shown, "it does not end as a zip archive does")
    (length,) = struct.unpack_from("<I", end, place + 12)
    if length > min(size, LONGEST_HEADER):
        raise bad_header(shown, f"its list of files would have {length:,} bytes")


def _tensor(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, types: Mapping[str, Any], shown: str) -> Tensor:
    name = entry.filename.removesuffix(_ENDING)
    wrong = f"the array `{shortened(name)}` "
    with archive.open(entry) as file:
        length, said = _said(file)
    if not isinstance(said, dict) or not isinstance(said.get("descr"), str) or not _is_shape(said.get("shape")):
        raise bad_header(shown, f"{wrong}does not say its type and shape as NumPy does")
    kind = said["descr"].lstrip("<>|=")
    if kind not in types["bits"]:
        message = f"`{shown}`: `{shortened(name)}` is of the type `{shortened(said['descr'])}`, which is not known"
        raise refuse("unknown-type", message, help=f"Known are {', '.join(types['bits'])}.")
    most = entry.compress_size * (1 if entry.compress_type == zipfile.ZIP_STORED else _MOST_PACKED)
    numbers = math.prod(said["shape"])
    if (entry.file_size - length) * 8 != numbers * types["bits"][kind] or entry.file_size > most:
        raise bad_header(shown, f"{wrong}has {entry.file_size - length:,} bytes, which its shape and type contradict")
    size = entry.file_size - length
    if kind not in types["floating"]:
        return Tensor(name, 0, entry.header_offset, size)
    return Tensor(name, numbers, entry.header_offset, size, said["shape"])


def _said(file: IO[bytes]) -> tuple[int, Any]:
    """How many bytes stand before the numbers of an array, and what they say; nothing where they say nothing."""
    start = file.read(len(_MAGIC) + 2)
    width = 2 if start[len(_MAGIC) : len(_MAGIC) + 1] == b"\x01" else 4
    length = int.from_bytes(file.read(width), "little")
    if not start.startswith(_MAGIC) or length > _LONGEST_ARRAY_HEADER:
        return 0, None
    try:
        return len(start) + width + length, literal_eval(file.read(length).decode("latin-1").strip())
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return 0, None


def _is_shape(value: object) -> bool:
    if not isinstance(value, tuple) or len(value) > _MOST_AXES:
        return False
    return all(type(number) is int and 0 <= number < 2**63 for number in value)
