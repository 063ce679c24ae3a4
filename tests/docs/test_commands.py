"""Every command shown in the README, in docs/ and in examples/ is run, and what it prints compared with what is shown.

Those of the pages that people read first run as after `pip install formula-eval`: without the packages of any extra.

`UPDATE_DOCS=1 pytest tests/docs/test_commands.py` writes the outputs anew; read the difference.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import pytest

from counted import seen

pytestmark = pytest.mark.slow

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Those of reinforcement_learning are run in its own folder, by its own test.
LIBRARIES = sorted([*(ROOT / "examples").glob("*/README.md"), *(ROOT / "libraries").glob("*/README.md")])
EXAMPLES = [each for each in LIBRARIES if "reinforcement" not in each.parent.name]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *EXAMPLES]
PLAIN = {ROOT / each for each in ("README.md", "docs/tutorial.md", "docs/first-questions.md")}
PROGRESS = re.compile(r"^[\d,]+ of [\d,]+ configurations, about [\d,]+ s left\n", re.MULTILINE)  # on a slow machine
COUNTED = re.compile(r"\b\d+ quantities")  # which every added formula changes
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
UPDATE = os.environ.get("UPDATE_DOCS") == "1"


@pytest.fixture(scope="module")
def environment_of(kept: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], dict[str, str]]]:
    """The environment of a `formula-eval` with a `plain` installation, or with `extras`; one of each for all pages."""
    with ExitStack() as running:
        yield cache(lambda kind: running.enter_context(served(kind, kept, tmp_path_factory.mktemp("programs"))))


@pytest.fixture(scope="module")
def environment(environment_of: Callable[[str], dict[str, str]]) -> dict[str, str]:
    return environment_of("extras")


@contextmanager
def served(kind: str, kept: Path, programs: Path) -> Iterator[dict[str, str]]:
    """A shell that knows `formula-eval`, for which one process has read the formulas, and `python`."""
    for name, started in (("formula-eval", f" -IS {HERE / 'command_client.py'}"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{started} "$@"\n')
        (programs / name).chmod(0o755)
    others = {name: value for name, value in os.environ.items() if not name.startswith(("FORMULA_EVAL", "NO_COLOR"))}
    whole = others | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "engine"),
        "FORMULA_EVAL_CACHE": str(kept),
        "COLUMNS": "80",
        "PYTHONIOENCODING": "utf-8",
        "COMMAND_SERVER": str(programs / "server"),
    }
    arguments = [sys.executable, str(HERE / "command_server.py"), whole["COMMAND_SERVER"], kind]
    with subprocess.Popen(arguments, env=whole, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        yield whole
        server.terminate()


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Each command of a block with what is shown beneath it; it goes on in lines with a `>` or up to END."""
    lines = block.splitlines(keepends=True)
    while lines:
        command, shown = lines.pop(0), ""
        while lines and (lines[0].startswith("> ") or ("<<'END'" in command and not command.endswith("\nEND\n"))):
            command += lines.pop(0)
        while lines and not lines[0].startswith("$ "):
            shown += lines.pop(0)
        yield command, shown


def ran(command: str, folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-c", re.sub(r"^[$>] ", "", command, flags=re.MULTILINE)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    return PROGRESS.sub("", done.stdout.decode())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_prints_what_is_shown(
    page: Path, tmp_path: Path, environment_of: Callable[[str], dict[str, str]]
) -> None:
    environment, text = environment_of("plain" if page in PLAIN else "extras"), page.read_text(encoding="utf-8")
    for folder in ("examples", "libraries"):
        (tmp_path / folder).symlink_to(ROOT / folder)

    def run(found: re.Match[str]) -> str:
        done = [(command, ran(command, tmp_path, environment)) for command, _ in commands(found[1])]
        return f"```console\n{''.join(command + output for command, output in done)}```"

    now = BLOCK.sub(run, text)
    if UPDATE:
        page.write_text(now, encoding="utf-8")
    assert COUNTED.sub("so many quantities", now) == COUNTED.sub("so many quantities", text)


def test_a_block_is_taken_apart_as_it_is_read() -> None:
    block = "$ one |\n> more\nits output\n\n$ cat > x <<'END'\na\n$ b\nEND\n$ last\nend\n"
    assert list(commands(block)) == [
        ("$ one |\n> more\n", "its output\n\n"),
        ("$ cat > x <<'END'\na\n$ b\nEND\n", ""),
        ("$ last\n", "end\n"),
    ]


def test_no_page_shows_a_command_that_is_not_run() -> None:
    fence = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
    blocks = [(page, *found) for page in PAGES for found in fence.findall(page.read_text())]
    for page, language, block in seen(blocks):
        assert language == "console" or not re.search(r"^\$ ", block, re.MULTILINE), page
