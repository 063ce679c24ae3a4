"""Writes the files of a first library into a folder: those of reports/new/, for a user to change."""

import re
from collections.abc import Iterator
from pathlib import Path

from formula_eval.core.diagnostic import refuse
from formula_eval.export.files import write_whole
from formula_eval.library import OURS
from formula_eval.text_files import read_text

_TEMPLATE = OURS / "reports" / "new"


def write_first_library(folder: Path) -> list[Path]:
    """Write the files and give their paths; raises FormulaError where there is something already."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise refuse(
            "exists", f"`{folder}` is there already, and not empty", help="Name a folder that is yet to be made."
        )
    files = list(_files())
    for path, _ in files:
        _make(folder / path.parent)
    for path, text in files:
        write_whole(folder / path, text)
    return [folder / path for path, _ in files]


def _files() -> Iterator[tuple[Path, str]]:
    for path in sorted(_TEMPLATE.rglob("*")):
        if path.is_file() and not re.match(r"[._]", path.name):
            inside = path.relative_to(_TEMPLATE)
            yield inside, read_text(path, f"reports/new/{inside.as_posix()}")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise refuse("unwritable", f"Cannot make the folder `{folder}`: {reason}") from error
