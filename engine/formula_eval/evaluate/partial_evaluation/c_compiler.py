"""Compiles C source to a shared library with the machine's own compiler, and caches the result."""

import ctypes
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache as once
from pathlib import Path
from typing import Any

from formula_eval.cache import Cache
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.missing_extra import brought_by
from formula_eval.file_hash import sha256

# Nothing that changes a number: no contraction to fused operations, no reordering; traps and errno are nobody's here.
_EXACT = ("-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math")
_OPTIONS = ("-O3", "-std=c11", "-fPIC", "-shared", "-fopenmp-simd", *_EXACT)
_PROCESSOR = Path("/proc/cpuinfo")  # where Linux says what this one can do
_PATIENCE = 120  # seconds until a compiler is given up


def compiler() -> tuple[str, ...]:
    """The command of a C compiler: $CC, those of this machine, else that of the extra `compiled`; empty without one."""
    if own := os.environ.get("CC"):
        return tuple(own.split())
    for name in ("cc", "gcc", "clang"):
        if found := shutil.which(name):
            return (found,)
    return (sys.executable, "-m", "ziglang", "cc") if importlib.util.find_spec("ziglang") else ()


def key_of(source: str) -> str:
    """The cache key of a library: a hash of its source, the compiler and the machine."""
    parts = (source, *compiler(), *_options(), sys.platform, platform.machine())
    return f"{sha256(chr(0).join(parts).encode()).hexdigest()}-library"


def library(source: str, cache: Cache) -> Any:  # noqa: ANN401 - a library of ctypes
    """The library of this source, from the cache if it is there; raises FormulaError where it cannot be built."""
    key = key_of(source)
    with tempfile.TemporaryDirectory(prefix="formula-eval-") as folder:
        path = Path(folder) / "lanes.so"
        held = cache.get(key)
        if held is None:
            _build(source, path)
            cache.put(key, path.read_bytes())
        else:
            path.write_bytes(held)
        try:
            return ctypes.CDLL(str(path))
        except OSError as error:
            raise _refused(f"what it built cannot be loaded: {error}") from error


def _build(source: str, path: Path) -> None:
    command = compiler()
    if not command:
        raise _refused("there is none")
    try:
        run = subprocess.run(  # noqa: S603 - the user's own compiler
            [*command, *_options(), "-x", "c", "-", "-o", str(path), "-lm"],
            input=source.encode(),
            capture_output=True,
            check=False,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _refused(str(error)) from error
    if run.returncode or not path.exists():
        raise _refused(_first_line(run.stderr.decode(errors="replace").splitlines()) or f"exit code {run.returncode}")


@once
def _options() -> tuple[str, ...]:
    """The compiler options, with vectors of four numbers where this processor is known to have them."""
    is_wide = platform.machine() == "x86_64" and _PROCESSOR.exists() and " avx2 " in _PROCESSOR.read_text()
    return (*_OPTIONS, "-mavx2") if is_wide else _OPTIONS


def _first_line(lines: Sequence[str]) -> str:
    """The first line that reports an error, else the first line."""
    return next((each for each in lines if "error" in each), lines[0] if lines else "")


def _refused(why: str) -> FormulaError:
    help_ = f"NumPy computes the same numbers. $CC names a compiler, {brought_by('compiled')} brings one."
    return refuse("no-compiler", f"The C compiler failed: {why}", help=help_)
