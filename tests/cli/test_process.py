"""What only a process of its own can show: what is imported, closed pipes, caches."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ENGINE = Path(__file__).parents[2] / "engine"
HEAVY = ("sympy", "lark", "numpy", "jinja2")


def start(*arguments: str, cache: Path | str, **options: object) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ENGINE), "FORMULA_EVAL_CACHE": str(cache)}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, *arguments], env=environment, stdout=pipe, stderr=pipe, text=True, **options
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


# A library that stands alone: ours takes seconds to read, and nothing here is about what it says.
TRIP = Path(__file__).parents[1] / "user_library" / "trip_library"
ENERGY = ("-m", "formula_eval", "--library", str(TRIP), "--only", "trip.energy")
ANSWER = "trip.energy  89.28 MJ\n"


def test_two_processes_build_the_cache_at_once_and_the_next_imports_nothing_heavy(tmp_path):
    both = [start(*ENERGY, cache=tmp_path) for _ in range(2)]
    assert [finish(each) for each in both] == [(0, ANSWER, "")] * 2
    run = f"import sys; from formula_eval.cli import main; main(['--library', {str(TRIP)!r}])"
    code = f"{run}; print([each for each in {HEAVY} if each in sys.modules])"
    finish(start("-c", code, cache=tmp_path))
    assert finish(start("-c", code, cache=tmp_path))[1].splitlines()[-1] == "[]"
    for entry in tmp_path.rglob("*.*"):
        entry.write_bytes(b"\0" * 100)
    assert finish(start(*ENERGY, cache=tmp_path)) == (0, ANSWER, "")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_cache(tmp_path):
    tmp_path.chmod(0o500)
    code, out, err = finish(start(*ENERGY, cache=tmp_path))
    assert (code, out) == (0, ANSWER)
    assert err.count("note: Works without a cache") == 1


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder here refuses even root")
def test_cache_where_nobody_may_write():
    code, out, err = finish(start(*ENERGY, cache="/proc/formula-eval"))
    assert (code, out) == (0, ANSWER)
    assert err.count("note: Works without a cache") == 1


def test_cache_that_is_a_file(tmp_path):
    path = tmp_path / "cache"
    path.write_text("", encoding="utf-8")
    code, out, err = finish(start(*ENERGY, cache=path))
    assert (code, out) == (0, ANSWER)
    assert err.startswith("note: ")
    assert err.count("\n") == 1


def test_closed_output(kept):
    process = start("-m", "formula_eval", "--model", "llama2-70b", "--only", "*", "--format", "csv", cache=kept)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=60) == 0
