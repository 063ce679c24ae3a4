"""Reads the files of a library: formulas, models, hardware and presets of the project and of its user."""

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from formula_eval.cache import NOWHERE, Cache
from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.same_object import SameObject
from formula_eval.core.unit import UnitTable
from formula_eval.core.unit_meaning import UnitMeaning, meanings_in, unit_table
from formula_eval.file_hash import all_files, hash_of_file, path_within, sha256, text_hash
from formula_eval.report_addition import is_addition, with_addition
from formula_eval.text_files import MOST_BYTES, is_there, read_text, read_toml, stamp_of

_PACKAGE = Path(__file__).parent
_SHIPPED = _PACKAGE / "shipped"
# What was computed from our own library when the package was built: entries of a cache that nobody writes to.
COMPILED = _PACKAGE / "compiled"
# Our own library, which every other one is written in the terms of: its units and the templates of documents.
OURS = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parents[1]
# Libraries that come with the project, built on ours; `--library NAME` is one of them.
SHIPPED_LIBRARIES = OURS / "libraries"
MANIFEST = "library.toml"
# What a library may hold, at least one of which it does.
PARTS = ("formulas", "models", "hardware.toml", "presets", "reports", MANIFEST)
_UNITS = "formulas/units.formula"
_Made = TypeVar("_Made")


class Library:
    """Folders of the layout `formulas/ models/ hardware.toml presets/`; later ones go before earlier ones.

    Our own is among them unless a library stands alone. `title`, `answer` and `purpose` are what the library
    asked says of itself.
    What is read of its files is kept in `cache`. Relative paths of records are read from the folder `base`.
    """

    def __init__(
        self, folders: tuple[Path, ...], title: str = "", answer: str = "", purpose: str = "", cache: Cache = NOWHERE
    ) -> None:
        """The library of these folders, the last of which goes before all others."""
        self.folders = folders
        self.title = title
        self.answer = answer
        self.purpose = purpose
        self.cache = cache
        self.base = Path()
        self._held: dict[Hashable, Any] | None = None

    def __eq__(self, other: object) -> bool:
        """Whether both are the same folders, which say the same of themselves."""
        return isinstance(other, Library) and self._said() == other._said()

    def __hash__(self) -> int:
        """By its folders."""
        return hash(self._said())

    def _said(self) -> tuple[tuple[Path, ...], str, str, str]:
        return self.folders, self.title, self.answer, self.purpose

    def and_folder(self, folder: Path) -> "Library":
        """The same with a folder more, which goes before all others."""
        return Library((*self.folders, folder), self.title, self.answer, self.purpose, self.cache)

    def until(self, folder: Path) -> "Library":
        """The same without the folders behind this one."""
        folders = self.folders[: self.folders.index(folder) + 1]
        return Library(folders, self.title, self.answer, self.purpose, self.cache).read_from(self.base)

    def keeping(self, cache: Cache) -> "Library":
        """The same, what is read of its files kept in a cache."""
        return self._with(cache=cache)

    def read_from(self, base: Path) -> "Library":
        """The same, relative paths of records being read from this folder."""
        return self._with(base=base)

    def holding(self) -> "Library":
        """The same, which reads every record only once, so that later edits of its file are not seen."""
        return self if self._held is not None else self._with(_held={})

    def _with(self, **changed: object) -> "Library":
        found = object.__new__(Library)
        found.__dict__.update(self.__dict__, **changed)
        return found

    def once(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """The result of `make`; in a library that holds what it read, made once for each key."""
        if self._held is None:
            return make()
        if key not in self._held:
            self._held.setdefault(key, make())
        found: _Made = self._held[key]
        return found

    @property
    def is_builtin(self) -> bool:
        """Whether it is our own library and no other."""
        return self.folders == (OURS,)

    @property
    def is_alone(self) -> bool:
        """Whether it is read without our own formulas, records and reports."""
        return OURS not in self.folders

    def files(self, pattern: str) -> Iterator[tuple[Path, Path]]:
        """The files that match, each with its folder; sorted, so that the order never varies."""
        return iter(self.once(("files", pattern), lambda: tuple(self._files(pattern))))

    def _files(self, pattern: str) -> Iterator[tuple[Path, Path]]:
        for folder in self.folders:
            for path in sorted(folder.glob(pattern)):
                if path.is_file():  # a pipe would never end
                    yield folder, path

    def last(self, file: str) -> tuple[str, Mapping[str, Any]]:
        """What messages call a TOML file, and its contents, in the last folder that has it; nothing in none.

        One that says `extends = true` is added to the one before it. A library that stands alone has those of our
        reports/ that say nothing of ours.
        """
        alone = [OURS / "reports" / "alone" / file.removeprefix("reports/")] if self.is_alone else []
        additions: list[tuple[str, SameObject[Mapping[str, Any]]]] = []
        for path in (*(folder / file for folder in reversed(self.folders)), *alone):
            if is_there(path):
                folder = next((each for each in self.folders if path == each / file), OURS)
                shown = self.shown(folder, path)
                data = self.toml(path, shown)
                additions.append((shown, SameObject(data)))
                if not is_addition(data, shown):
                    break
        return _with_additions(tuple(reversed(additions)))

    def last_or_ours(self, file: str) -> tuple[str, Mapping[str, Any]]:
        """The same of a TOML file that every library has: ours where it has none of its own."""
        shown, data = self.last(file)
        return (shown, data) if shown else (file, self.toml(OURS / file, file))

    def toml(self, path: Path, shown: str) -> Mapping[str, Any]:
        """The contents of a TOML file, as `read_toml`; nobody changes them."""
        return self.once(path, lambda: read_toml(path, shown, self.cache))

    def shown(self, folder: Path, path: Path) -> str:
        """How messages name a file: from its folder for our own library, else as the user would type it."""
        if folder == OURS or folder.is_relative_to(SHIPPED_LIBRARIES):
            return path.relative_to(OURS).as_posix()
        inside = path.relative_to(folder).as_posix()
        return f"./{inside}" if folder == Path() else (folder / inside).as_posix()

    def is_ours(self, place: str) -> bool:
        """Whether a file, as messages name it, is one of our own library."""
        return place.startswith("formulas/")

    def is_own(self, place: str) -> bool:
        """Whether a place, as messages name it, is in the last folder, and not in one that it builds on."""
        folder = self.folders[-1]
        return place.startswith(f"{self.shown(folder, folder / 'formulas')}/")

    @cached_property
    def units(self) -> UnitTable:
        """The units of all folders, which hold everywhere."""
        return self.units_until(self.folders[-1])

    def units_until(self, last: Path) -> UnitTable:
        """The units of our own library and of the folders up to one: what the chapters of that one may use."""
        ours = [OURS / _UNITS] if self.is_alone else []
        folders = self.folders[: self.folders.index(last) + 1]
        chapters = [path for folder, path in self.files("formulas/**/*.formula") if folder in folders]
        return _table(tuple(unit_statement for path in (*ours, *chapters) for unit_statement in _unit_statements(path)))

    @cached_property
    def citations(self) -> Mapping[str, Mapping[str, Any]]:
        """All entries of the sources.toml files by key."""
        found: dict[str, Mapping[str, Any]] = {}
        for folder, path in self.files("formulas/**/sources.toml"):
            found.update(self.toml(path, self.shown(folder, path)))
        return found

    @cached_property
    def synonyms(self) -> Mapping[str, Mapping[str, Any]]:
        """All entries of the synonyms.toml files, those of later folders behind those before."""
        found: dict[str, Mapping[str, Any]] = {}
        for folder, path in self.files("formulas/synonyms.toml"):
            for part, entries in self.toml(path, self.shown(folder, path)).items():
                held = found.get(part, {})
                found[part] = {**held, **entries} if isinstance(entries, dict) else entries
        return found

    def fingerprint(self) -> str:
        """A hash of the engine and of all formulas as they stand now, so that a cached program is never an old one."""
        return self.named(self.contents())

    def contents(self) -> str:
        """The same wherever its folders lie and whatever they are called."""
        return _hash_of(self._shaping())

    def named(self, contents: str) -> str:
        """The hash of such contents in these folders, whose names in messages stand in what is made of them."""
        own = "".join(f"\0{self.shown(folder, folder)}" for folder in self.folders if folder != OURS)
        return text_hash(f"{contents}{own}") if own else contents

    def stamp(self) -> str:
        """A hash of which files these are, without reading them; empty if one is so new that it may change unseen.

        One path may lead to another library each time: `.`, or a link that is moved.
        """
        about = [f"{os.path.realpath(folder)}\n" for folder in self.folders]
        for name, path in self._shaping():
            seen = stamp_of(path)
            if not seen:
                return ""
            about.append(f"{name}\0{path}\0{seen}\n")
        return text_hash("".join(about))

    def _shaping(self) -> Iterator[tuple[str, str]]:
        """Every file that shapes a program: a name that is the same wherever our own library lies, and its path."""
        yield from _engine_files()
        if self.is_alone:
            yield "/units.formula", str(OURS / _UNITS)
        for number, folder in enumerate(self.folders):
            inside = folder / "formulas"
            for path in all_files(inside, endings=(".formula", ".toml", ".csv")):
                yield f"{'' if folder == OURS else number}/{path_within(path, inside)}", path


@lru_cache(maxsize=64)
def _with_additions(parts: tuple[tuple[str, SameObject[Mapping[str, Any]]], ...]) -> tuple[str, Mapping[str, Any]]:
    """What messages call the last of several files, and what all of them say; the same of files that stay the same."""
    name, whole = "", dict[str, Any]()
    for shown, each in parts:
        name, whole = shown, with_addition(whole, each.held, shown)
    return name, whole


def engine_fingerprint(but: Collection[str] = ()) -> str:
    """A hash of every file of the engine, some of its folders left out."""
    return _hash_of(_engine_files(but))


def _hash_of(files: Iterable[tuple[str, str]]) -> str:
    """The hash of files by a name and a path; one that has not changed since it was hashed is not read again."""
    digest = sha256()
    for name, path in files:
        digest.update(os.fsencode(name))
        seen = stamp_of(path)
        digest.update(_unchanged_hash(path, seen) if seen else hash_of_file(path, MOST_BYTES))
    return str(digest.hexdigest())


@lru_cache(maxsize=4096)
def _unchanged_hash(path: str, seen: tuple[int, ...]) -> bytes:  # noqa: ARG001 - the key
    """The hash of a file that is as it was seen: every library on ours asks for those of ours, and of the engine."""
    return hash_of_file(path, MOST_BYTES)


def _engine_files(but: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    for path in all_files(_PACKAGE, but=(_SHIPPED, COMPILED, *(_PACKAGE / name for name in but))):
        yield f"engine/{path_within(path, _PACKAGE)}", path


def _unit_statements(path: Path) -> tuple[UnitMeaning, ...]:
    """The `unit` statements of a chapter; what cannot be read is left to those who read the chapters."""
    with suppress(FormulaError, OSError):
        seen = stamp_of(path)
        return _unchanged_statements(path, seen) if seen else _meanings(read_text(path, str(path)))
    return ()


@lru_cache(maxsize=4096)
def _unchanged_statements(path: Path, seen: tuple[int, ...]) -> tuple[UnitMeaning, ...]:  # noqa: ARG001 - the key
    """The same of a file that is as it was seen: every library on ours asks for those of our chapters."""
    return _meanings(read_text(path, str(path)))


@lru_cache(maxsize=2048)
def _meanings(text: str) -> tuple[UnitMeaning, ...]:
    return tuple(meanings_in(text))


@lru_cache(maxsize=8)
def _table(meanings: tuple[UnitMeaning, ...]) -> UnitTable:
    """The table of these units; the same statements give the same table."""
    return unit_table(meanings)
