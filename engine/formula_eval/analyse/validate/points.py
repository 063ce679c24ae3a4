"""Reads a file of measured runs, and checks the form of each point before anything is computed from it."""

import lzma
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.json_yaml import json_in
from formula_eval.text_files import refuse_pipe

NAMES = ("measured*.json", "measured*.json.xz")
MOST_BYTES = 100_000_000
_TEXTS = ("id", "source", "kind")
_TABLES = ("inputs", "measured")


class Point(NamedTuple):
    """One published measurement: its source, its kind, what ran and what was measured."""

    id: str  # its own name in the file
    source: str
    kind: str
    inputs: Mapping[str, Any]  # the setup in the words of the source
    measured: Mapping[str, Any]
    tier: str = ""  # quality `A`, `B` or `C`; empty if unrated
    core: bool = False  # whether it is in the subset without repetitions
    derived: tuple[str, ...] = ()  # figures that follow from others of the source


def number(value: Any) -> float | None:  # noqa: ANN401 - whatever JSON holds
    """A figure as a finite number, with yes as 1 and no as 0; None if it is not one."""
    if not isinstance(value, bool | int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def read_points(place: str | Path) -> list[Point]:
    """The points of a file, or of all files in a folder that are called so; raises FormulaError for anything else."""
    return [point for path in _found(Path(place)) for point in _points(path)]


def _points(path: Path) -> list[Point]:
    data = json_in(_content(path), str(path))
    if not isinstance(data, list):
        raise refuse(
            "bad-points", f"`{path}` does not hold a list of points", help="It is a list of objects, one for each run."
        )
    return [_point(each, number, path) for number, each in enumerate(data)]


def _found(place: Path) -> list[Path]:
    """The file itself, or those of a folder; a packed file counts only where the same is not unpacked beside it."""
    try:
        folder, there = place.is_dir(), place.exists()
    except OSError:
        folder = there = False
    if not there:
        raise refuse(
            "unreadable", f"There is no `{place}`", help="Name a folder with a `measured.json`, or such a file."
        )
    if not folder:
        return [place]
    plain, packed = (sorted(place.glob(name)) for name in NAMES)
    found = [*plain, *(path for path in packed if path.with_suffix("") not in plain)]
    if not found:
        raise refuse(
            "unreadable", f"`{place}` holds no `measured.json`", help="Name the file itself if it is called otherwise."
        )
    return sorted(found)


def _content(path: Path) -> str:
    refuse_pipe(path, str(path))
    try:
        if path.stat().st_size > MOST_BYTES:
            raise refuse("too-large", f"`{path}` is too large for a file of points", help="Is it the right file?")
        packed = path.read_bytes()
        return (_unpacked(packed) if path.suffix == ".xz" else packed).decode("utf-8-sig")
    except OSError as error:
        raise refuse("unreadable", f"Cannot read `{path}`: {(error.strerror or str(error)).lower()}") from error
    except lzma.LZMAError as error:
        raise refuse("unreadable", f"`{path}` is not an xz archive", help="Is it the right file?") from error
    except UnicodeDecodeError as error:
        raise refuse("unreadable", f"`{path}` is not text in UTF-8", help="Is it the right file?") from error


def _unpacked(packed: bytes) -> bytes:
    content = lzma.LZMADecompressor().decompress(packed, MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise refuse("too-large", "The unpacked file is too large for a file of points")
    return content


def _point(data: Any, number: int, path: Path) -> Point:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(data, Mapping):
        raise refuse("bad-points", f"`{path}`: point {number} is not an object")
    named = f"point {number} (`{data['id']}`)" if isinstance(data.get("id"), str) else f"point {number}"
    for keys, kind, what in ((_TEXTS, str, "a text"), (_TABLES, Mapping, "an object")):
        for key in keys:
            if not isinstance(data.get(key), kind):
                state = "is not" if key in data else "is missing; it should be"
                raise refuse("bad-points", f"`{path}`: {named}: `{key}` {state} {what}")
    derived = data.get("derived_fields")
    return Point(
        id=data["id"],
        source=data["source"],
        kind=data["kind"],
        inputs=data["inputs"],
        measured=data["measured"],
        tier=str(data.get("tier", "")),
        core=data.get("core") is True,
        derived=tuple(map(str, derived)) if isinstance(derived, list) else (),
    )
