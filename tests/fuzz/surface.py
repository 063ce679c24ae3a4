"""What every fuzzed surface shares: one input, made from a random source, and what came of it."""

import io
import math
import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

import numpy as np

from formula_eval import Formulas
from formula_eval.cache import Cache
from formula_eval.cli import main, verb_command
from formula_eval.evaluate.batch import evaluate_many
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import Library
from formula_eval.records.givens import Question

ACCEPTED, REFUSED, TRACEBACK, HANG, DISCLOSURE, WRONG, UNTOLD = KINDS = (
    "accepted",
    "refused",
    "traceback",
    "hang",
    "disclosure",
    "wrong number",
    "untold",
)
FOUND = KINDS[2:]
SECRET = "hf_SeCrEtThatNobodyShouldRead"
PRIVATE = "the-private-file-of-another-user"
RELATIVE = 1e-9
_NO_NUMBER = re.compile(r"(?<![\w.-])(?:nan|inf)(?![\w.-])", re.IGNORECASE)


class Outcome(NamedTuple):
    """What came of one input: a kind of KINDS, and what shows it again."""

    kind: str
    shown: str = ""


class Surface(Protocol):
    """One place where texts of strangers enter."""

    name: str
    patience: int
    """Seconds after which an input that waits for something hangs."""

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """Make ready, in a folder of its own, what all inputs need."""

    def one(self, random: Random) -> Outcome:
        """Make one input and see what comes of it; an exception is a finding."""

    def close(self) -> None:
        """End what was started."""


def load_once(formulas: Formulas) -> None:
    """Let every command of this process that asks our own library use this one, which is loaded."""

    def evaluator(library: Library, cache: Cache, announce: Callable[[str], None] | None = None) -> Evaluator:
        ours = formulas.evaluator
        return ours if library == ours.library else Evaluator(library, cache, announce)

    verb_command.Evaluator = evaluator  # type: ignore[assignment, misc]


def command(arguments: Sequence[str], files: str = "") -> Outcome:
    """What the command makes of these arguments; `files` says what stands in the files that it reads."""
    out, err = io.StringIO(), io.StringIO()
    shown = f"formula-eval {shlex.join(arguments)}\n{files}"
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main(list(arguments))
    except Exception as error:
        raise Failed(shown) from error
    except BaseException as stopped:  # when it takes too long
        stopped.add_note(shown)
        raise
    told = out.getvalue() + err.getvalue()
    if "Traceback" in told or code not in (0, 2):
        return Outcome(TRACEBACK, f"{shown}\n{told[-2000:]}")
    if SECRET in told or PRIVATE in told:
        return Outcome(DISCLOSURE, f"{shown}\n{told[-2000:]}")
    if code == 2:
        return Outcome(REFUSED, shown) if err.getvalue().strip() else Outcome(WRONG, f"{shown}\nrefused in silence")
    if _NO_NUMBER.search(told) and not _NO_NUMBER.search(shown):  # which an answer may repeat
        return Outcome(WRONG, f"{shown}\nno number is shown:\n{told[-2000:]}")
    return Outcome(ACCEPTED, shown)


class Failed(Exception):  # noqa: N818 - it says where
    """An exception that nobody told as a message, with what brought it about."""


def disagreement(formulas: Formulas, question: Question, wanted: Sequence[str]) -> str:
    """Where plain Python and NumPy give different values for a question; raises FormulaError if it is refused."""
    program = formulas.evaluator.program(wanted)
    givens = formulas.evaluator.givens(question).values
    plain = program.evaluate(givens)
    numbers = {
        name: np.array([float(value)]) for name, value in givens.items() if name in program.inputs and value is not None
    }
    many = evaluate_many(program, numbers)
    for name in program.wanted:
        ours, theirs = float(plain[name]), float(many[name][0])
        if not math.isclose(ours, theirs, rel_tol=RELATIVE) and not (math.isnan(ours) and math.isnan(theirs)):
            return f"{name}: {ours!r} in Python, {theirs!r} in NumPy"
    return ""
