"""Keeps what a question about a whole library came to, until one of its files changes."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from formula_eval.cache import Cache
from formula_eval.file_hash import all_files, text_hash
from formula_eval.library import OURS, PARTS, Library
from formula_eval.text_files import stamp_of

_Made = TypeVar("_Made")


def kept_result(  # noqa: PLR0913 - a question, and what its answer is made of
    library: Library,
    cache: Cache,
    kind: type[_Made],
    asked: object,
    make: Callable[[], _Made],
    *,
    more: Sequence[Path] = (),
) -> _Made:
    """The result of `make`, an object of this kind, from the cache unless a file changed; `more` are files beside."""
    stamp = _stamp(library, more)
    key = f"result-{text_hash(repr((stamp, kind.__name__, asked)))}"
    held: _Made | None = cache.get_object(key, kind) if stamp else None
    if held is not None:
        return held
    made = make()
    if stamp and stamp == _stamp(library, more):
        cache.put_object(key, made)
    return made


def _stamp(library: Library, more: Sequence[Path]) -> str:
    """A hash of which files these are, without reading them; empty if one is so new that it may change unseen."""
    formulas, records = library.stamp(), _stamp_of((*_files(library), *map(str, more)))
    return text_hash(f"{formulas}{records}") if formulas and records else ""


def stamp_of_records(library: Library) -> str:
    """The same of all that a library holds beside its chapters."""
    return _stamp_of(file for file in _files(library) if not file.endswith(".formula"))


def _stamp_of(paths: Iterable[str]) -> str:
    """The same of these files, those that there are."""
    seen = [(path, stamp_of(path)) for path in paths if Path(path).is_file()]
    return text_hash(repr(seen)) if all(stamp for _, stamp in seen) else ""


def _files(library: Library) -> list[str]:
    parts = [folder / part for folder in {OURS: 0, **dict.fromkeys(library.folders)} for part in PARTS]
    return [path for part in parts for path in (all_files(part) if part.is_dir() else [str(part)])]
