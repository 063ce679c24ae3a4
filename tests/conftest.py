"""What several folders of tests share."""

import gc
import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from export.office import Office, office_in
from formula_eval import Formulas, load
from no_network import refuse_networks
from samples import FEW

# Folders that evaluate the whole library again and again, and what files say that are slow as a whole.
_SLOW = [Path(__file__).parent / each for each in ("architectures", "properties", "published")]
# Files of them take minutes, so two workers begin with them, lest one waits at the end for the other's last file.
_ORDER = ("docs", "packaging", "export", "properties", "user_library", "examples", "validate", "plan", "resolve")
_LONG = [Path(__file__).parent / each for each in _ORDER]
_FILES, _OFTEN = count(1), 60  # those that a process is done with, and after how many it looks at all that is left
_SLOW_FILE = "\npytestmark = pytest.mark.slow\n"

settings.load_profile(FEW)
# Each process that a test starts would compile the engine anew, which takes longer than most of what it does.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Without slow tests, import nothing of which all tests are slow."""
    if config.option.markexpr != "not slow":
        return None
    is_test = collection_path.match("test_*.py") and collection_path.is_file()
    slow = collection_path in _SLOW or (is_test and _SLOW_FILE in collection_path.read_text(encoding="utf-8"))
    return True if slow else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave whole folders to `make check`, and put those with the longest files first."""
    items.sort(
        key=lambda item: next((at for at, folder in enumerate(_LONG) if folder in item.path.parents), len(_LONG))
    )
    for item in items:
        if any(folder in item.path.parents for folder in _SLOW):
            item.add_marker(pytest.mark.slow)


def pytest_configure() -> None:
    """Reach no network, and look for garbage less often: graphs of millions of parts are kept until the end."""
    refuse_networks()
    gc.set_threshold(100_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Free at the end of each file what its tests made: a graph of a library of theirs is hundreds of megabytes.

    What is left is not looked at again at the end of the next one, but at that of every sixtieth.
    """
    yield
    if nextitem is None or nextitem.path != item.path:
        if next(_FILES) % _OFTEN == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def kept(pytestconfig: pytest.Config) -> Iterator[Path]:
    """The cache of all tests but those about caches, which every process and the next run share."""
    assert pytestconfig.cache is not None
    place = pytestconfig.cache.mkdir("formulas")
    place.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORMULA_EVAL_CACHE", str(place))
        patch.delenv("FORMULA_EVAL_LIBRARY", raising=False)
        patch.setenv("HF_HUB_OFFLINE", "1")  # for commands; tests of the hub bring one of their own
        patch.setitem(sys.modules, "huggingface_hub", None)
        yield place


@pytest.fixture(scope="session")
def formulas(kept: Path) -> Formulas:  # noqa: ARG001 - read from there
    """Our own library; its graph is there until the end, so that nobody looks for garbage in it."""
    made = load()
    made.evaluator.graph  # noqa: B018 - read once
    gc.freeze()
    return made


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """LibreOffice, which holds one workbook open at a time."""
    with office_in(tmp_path_factory.mktemp("office")) as started:
        yield started
