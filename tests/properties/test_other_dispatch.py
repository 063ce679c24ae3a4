"""Numbers and bounds hold whichever functions NumPy takes: with AVX-512 also without, else without wide vectors."""

import os
import subprocess
import sys
from collections.abc import Collection, Mapping

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__ as dispatched, __cpu_features__ as features

pytestmark = pytest.mark.slow

WIDEST = ("AVX512", "X86_V4")  # how their names begin, in one or another version of NumPy
TESTS = ("every_formula", "bounds_of_formulas", "bounds_of_functions")
CHOSEN = "(numpy_and_plain and training) or (dense and not quantised) or test_bounds_hold_what"
RUN = """
import sys
from numpy._core._multiarray_umath import __cpu_features__ as features
import pytest
assert not [each for each in sys.argv[1].split() if features[each]]
sys.exit(pytest.main(sys.argv[2:]))
"""


def to_disable(dispatched: Collection[str], has: Mapping[str, bool]) -> list[str]:
    """What a second run leaves out of what NumPy chooses by and is there: AVX-512, or all where there is none of it."""
    there = [each for each in dispatched if has.get(each)]
    return [each for each in there if each.startswith(WIDEST)] or there


@pytest.mark.parametrize(
    ("dispatched", "has", "without"),
    [
        ("X86_V3 X86_V4 AVX512_ICL AVX512_SPR", "AVX2 X86_V2 X86_V3", "X86_V3"),
        ("X86_V3 X86_V4 AVX512_ICL AVX512_SPR", "AVX2 X86_V3 X86_V4 AVX512_ICL", "X86_V4 AVX512_ICL"),
        ("SSSE3 AVX2 FMA3 AVX512F AVX512_SKX", "SSSE3 AVX2 FMA3 AVX512F AVX512_SKX", "AVX512F AVX512_SKX"),
        ("SSSE3 AVX2 FMA3 AVX512F AVX512_SKX", "SSSE3 AVX2 FMA3", "SSSE3 AVX2 FMA3"),
        ("ASIMDHP ASIMDDP SVE", "NEON ASIMD ASIMDHP", "ASIMDHP"),
        ("X86_V3 X86_V4", "X86_V2", ""),
    ],
)
def test_only_what_is_there_and_chosen_by_is_left_out(dispatched: str, has: str, without: str) -> None:
    there = has.split()
    known = {each: each in there for each in (*dispatched.split(), *there)}
    assert to_disable(dispatched.split(), known) == without.split()


@pytest.mark.skipif(not to_disable(dispatched, features), reason="NumPy has one set of functions for this processor")
def test_the_numbers_hold_without_the_widest_functions() -> None:
    without = " ".join(to_disable(dispatched, features))
    files = [f"tests/properties/test_{each}.py" for each in TESTS]
    command = [sys.executable, "-W", "error", "-c", RUN, without, "-q", "-k", CHOSEN, *files]
    settings = os.environ | {"NPY_DISABLE_CPU_FEATURES": without}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " passed" in done.stdout
