"""Finds libraries by the names that users give them, each with those that its `library.toml` says it is built on."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.library import MANIFEST, OURS, SHIPPED_LIBRARIES, Library
from formula_eval.text_files import is_there, read_toml

_VARIABLE = "FORMULA_EVAL_LIBRARY"
BUILTIN = "builtin"


class Manifest(NamedTuple):
    """What `library.toml` says of a library: its title, the libraries that it is built on, what its answer shows.

    `models` is a folder of records of its own that are listed among models. `purpose` is what its questions are about,
    one of those that `presets/roles.toml` gives a job, if not the usual one.
    """

    title: str = ""
    uses: tuple[str, ...] = (BUILTIN,)
    answer: str = ""
    models: str = ""
    purpose: str = ""


def find_library(more: Sequence[str | Path] = ()) -> Library:
    """The libraries of the environment variable, then those named, each after what it uses; our own, if none says no.

    The last one that has a title, an answer or a purpose says what the whole is called, shows and is about.
    Refuses what is not a folder.
    """
    named = [*(name for name in os.environ.get(_VARIABLE, "").split(os.pathsep) if name), *map(str, more)]
    found: dict[Path, tuple[Path, Manifest]] = {}
    for name in named:
        _add_library(_folder_of(name), found, ())
    folders = [folder for place, (folder, _) in found.items() if place != OURS.resolve()]
    ours = [OURS] if not named or any(BUILTIN in manifest.uses for _, manifest in found.values()) else []
    # A library that is only used says neither what the whole is called nor what it shows.
    said = [found[_folder_of(name).resolve()][1] for name in reversed(named)]
    title = next((manifest.title for manifest in said if manifest.title), "")
    answer = next((manifest.answer for manifest in said if manifest.answer), "")
    purpose = next((manifest.purpose for manifest in said if manifest.purpose), "")
    return Library((*ours, *folders), title, answer, purpose)


def shipped_libraries() -> list[str]:
    """The names of the libraries that come with the project."""
    return sorted(path.parent.name for path in SHIPPED_LIBRARIES.glob(f"*/{MANIFEST}"))


def library_name(folder: Path) -> str:
    """How `--library` names a folder: one of ours by its name, any other one as its user wrote it."""
    return folder.name if folder.parent == SHIPPED_LIBRARIES else str(folder)


def _folder_of(name: str, user: Path | None = None) -> Path:
    """The folder of a library, seen from its user; one of ours by its name, unless there is such a folder."""
    folder = Path(name) if user is None else Path(os.path.normpath(user / name))
    return folder if folder.is_dir() or name not in shipped_libraries() else SHIPPED_LIBRARIES / name


def _add_library(folder: Path, found: dict[Path, tuple[Path, Manifest]], users: tuple[Path, ...]) -> None:
    """A library behind all that it uses; refuses a circle of them."""
    if not folder.is_dir():
        help_ = "A library is a folder with formulas/, models/ or hardware.toml."
        where = f", which {users[-1] / MANIFEST} uses," if users else ""
        raise refuse("no-library", f"The library `{folder}`{where} is not a folder", help=help_)
    place = folder.resolve()
    if place in (user.resolve() for user in users):
        chain = " uses ".join(f"`{user}`" for user in (*users, folder))
        raise refuse("library-circle", f"A library uses itself: {chain}", help=f"Take it out of `uses` in {MANIFEST}.")
    manifest = read_manifest(folder)
    for use in manifest.uses:
        if use != BUILTIN:
            _add_library(_folder_of(use, folder), found, (*users, folder))
    found.setdefault(place, (folder, manifest))


def read_manifest(folder: Path) -> Manifest:
    """What a library says of itself; without a file, that it is built on ours. Refuses what is misspelt."""
    path = folder / MANIFEST
    if not is_there(path):
        return Manifest()
    shown = path.as_posix()
    data = read_toml(path, shown)
    for key, value in data.items():
        if key not in Manifest._fields:
            help_ = nearest(key, Manifest._fields) or f"Known are {', '.join(Manifest._fields)}."
            raise refuse("bad-library", f"{shown}: `{key}` is not a key of a library", help=help_)
        texts = value if key == "uses" else [value]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            form = f'["{BUILTIN}"], or [] for a library that stands alone' if key == "uses" else "a text in quotes"
            raise refuse("bad-library", f"{shown}: `{key} = {value!r}` is not understood", help=f"Write {form}.")
    uses = data.get("uses", (BUILTIN,))
    said = {key: str(data.get(key, "")) for key in ("title", "answer", "models", "purpose")}
    return Manifest(uses=tuple(uses), **said)
