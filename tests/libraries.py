"""A library to what `formula-eval check` finds in it, with our own chapters from the cache of the tests."""

from pathlib import Path

from formula_eval.cache import Cache, cache_directory
from formula_eval.check.library import soundness
from formula_eval.check.soundness import Soundness
from formula_eval.export.formats import FORMATS

# What tells of formulas; the command that launches a configuration tells of its inputs alone.
DOCUMENTS = tuple(each for each in FORMATS if each != "launch")


def text_of(document: Path) -> str:
    """What a document says; a site by its first page."""
    return (document / "index.html" if document.is_dir() else document).read_text(encoding="utf-8")


def checked(folder: str | Path, only: str = "") -> Soundness:
    return soundness(str(folder), (), Cache(cache_directory()), only)
