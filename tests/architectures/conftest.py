"""The reference that models are compared with, and a summary of what was found."""

from pathlib import Path

import pytest

from architectures.reference import OURS, entries
from architectures.tally import Tally

TALLY = pytest.StashKey[Tally]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--reference DIR` compares with another folder of the same layout."""
    parser.addoption("--reference", metavar="DIR", type=Path, help="models.json and configs/ of counted models")


def pytest_configure(config: pytest.Config) -> None:
    """Start counting."""
    config.stash[TALLY] = Tally()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each model of the reference."""
    if "entry" in metafunc.fixturenames:
        folder = metafunc.config.getoption("--reference", default=None) or OURS
        metafunc.parametrize("entry", entries(folder), ids=str)


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """The counts of this run."""
    config = request.config
    found = config.stash.setdefault(TALLY, Tally())
    folder = config.getoption("--reference", default=None)
    found.source = str(folder) if folder else "the repository's own reference"
    return found


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how many models and numbers were compared, and how they agree."""
    found = config.stash.get(TALLY, None)
    if found and found.entries:
        terminalreporter.section("architectures")
        for line in found.lines():
            terminalreporter.write_line(line)
