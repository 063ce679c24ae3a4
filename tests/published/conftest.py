"""Golden cases of published tools, one test each, and a summary of how they compare."""

from pathlib import Path

import pytest

from formula_eval import Formulas
from formula_eval.evaluate.evaluator import Evaluator
from published.comparison import Tally, cases_of

TALLIES = pytest.StashKey[dict[str, Tally]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--cases DIR` compares with the cases of another folder, `DIR/<tool>/cases.json`."""
    parser.addoption("--cases", metavar="DIR", type=Path, help="golden cases of published tools, DIR/<tool>/cases.json")


def pytest_configure(config: pytest.Config) -> None:
    """Start counting; raises UsageError for a folder that holds the cases of no tool."""
    config.stash[TALLIES] = {}
    folder = config.getoption("--cases", default=None)
    if folder is not None and not any(folder.glob("*/cases.json")):
        raise pytest.UsageError(f"--cases {folder}: there is no {folder}/<tool>/cases.json")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case of the tool that a module is about."""
    if "case" in metafunc.fixturenames:
        folder = metafunc.config.getoption("--cases", default=None)
        cases = cases_of(metafunc.module.TOOL, folder)
        metafunc.parametrize("case", cases, ids=[str(case["id"]) for case in cases])


@pytest.fixture(scope="module")
def tally(request: pytest.FixtureRequest) -> Tally:
    """The counts of this module's tool."""
    tallies = request.config.stash.setdefault(TALLIES, {})
    return tallies.setdefault(request.module.TOOL, Tally(request.module.TOOL))


@pytest.fixture(scope="session")
def evaluator(formulas: Formulas) -> Evaluator:
    """Our own library."""
    return formulas.evaluator


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say for each tool how many values were compared, how they agree, and what was left out."""
    tallies = config.stash.get(TALLIES, {})
    if tallies:
        terminalreporter.section("published tools")
    for tally in tallies.values():
        for line in tally.lines():
            terminalreporter.write_line(line)
