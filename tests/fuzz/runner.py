"""Inputs of a surface, one after the other, in a process of their own with a limit of time and memory for each."""

import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from formula_eval import Formulas
from fuzz.surface import HANG, TRACEBACK, Failed, Outcome, Surface

CPU_SECONDS = 10
MEMORY = 4 * 2**30
_SURFACE_FAILED = 3  # what each process of it would
_EACH = 5000  # inputs of one process, which holds what it read


class Finding(NamedTuple):
    """An input that should not have come out as it did."""

    surface: str
    number: int
    outcome: Outcome

    def __str__(self) -> str:
        """With what makes the same input again."""
        return f"--- {self.outcome.kind}: SURFACE='{self.surface}' INPUT={self.number}\n{self.outcome.shown}\n"


class _Hangs(BaseException):
    """An input that takes too long; nothing that catches Exception may catch it."""


def outcome_of(surface: Surface, seed: int, number: int, seconds: float = CPU_SECONDS) -> Outcome:
    """What comes of one input of a surface, which is the same each time."""
    signal.signal(signal.SIGPROF, _stop)
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, surface.patience)
    try:
        return surface.one(Random(f"{seed}:{surface.name}:{number}"))
    except _Hangs:
        return Outcome(HANG, traceback.format_exc())
    except Failed as error:
        return Outcome(TRACEBACK, f"{error}\n{''.join(traceback.format_exception(error.__cause__))[-3000:]}")
    except Exception:  # noqa: BLE001 - that is what is looked for
        return Outcome(TRACEBACK, traceback.format_exc()[-3000:])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _stop(*_: object) -> None:
    raise _Hangs


def fuzz(
    surface: Surface, formulas: Formulas, seed: int, numbers: range, until: float
) -> Iterator[tuple[int, Outcome]]:
    """The outcome of each input until the time is over; a process that dies is a finding, and the next one goes on."""
    at = numbers.start
    while at < numbers.stop and time.monotonic() < until:
        reader, writer = os.pipe()
        process = os.fork()
        if not process:
            os.close(reader)
            _work(
                surface,
                formulas,
                seed,
                range(at, min(numbers.stop, at + _EACH * numbers.step), numbers.step),
                until,
                writer,
            )
        os.close(writer)
        with os.fdopen(reader) as lines:
            for line in lines:
                number, kind, shown = json.loads(line)
                at = number + numbers.step
                yield number, Outcome(kind, shown)
        _, status = os.waitpid(process, 0)
        if status:
            yield at, Outcome(TRACEBACK, f"the process ended with {os.waitstatus_to_exitcode(status)}")
            at += numbers.step
            if os.waitstatus_to_exitcode(status) == _SURFACE_FAILED:
                return


def _work(  # noqa: PLR0913, PLR0917 - all of it crosses into another process
    surface: Surface, formulas: Formulas, seed: int, numbers: range, until: float, writer: int
) -> None:
    """Run inputs in a process of their own, which ends here."""
    code = _SURFACE_FAILED
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, os.fdopen(writer, "w") as out:
            surface.prepare(Path(folder), formulas)
            for number in numbers:
                if time.monotonic() > until:
                    break
                out.write(json.dumps([number, *outcome_of(surface, seed, number)]) + "\n")
                out.flush()
            surface.close()
        code = 0
    except Exception:  # noqa: BLE001 - of the surface itself
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def report(counts: dict[str, Counter[str]], kinds: Sequence[str]) -> str:
    """A row for each surface, and one for all."""
    every = sum(counts.values(), Counter())
    rows = [("surface", "inputs", *kinds)]
    rows += [
        (name, f"{of.total():,}", *(f"{of[kind]:,}" for kind in kinds))
        for name, of in [*counts.items(), ("all", every)]
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
