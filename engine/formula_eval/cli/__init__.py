"""The command `formula-eval`: arguments to questions, answers to text, findings to messages and exit codes.

In: the arguments of a command line. Out: text on standard output or in a file, messages on standard error, a code.
Each verb is one module with a `command`, imported when it is used; `command.py` has the table of them, `options.py`
what they share, `errors.py` how findings are told.
Read first: `command.py`, then `explain.py` as a verb.
"""

import gc
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 0, 2 for anything wrong, 130 when interrupted."""
    gc.disable()  # a command is over before there is garbage worth looking for, and the looking takes a tenth of it
    from formula_eval.cli.command import main as run  # noqa: PLC0415 - after the line above

    return run(arguments)


__all__ = ["main"]
