"""The command `formula-eval`: arguments to questions, answers to text, findings to messages and exit codes.

In: the arguments of a command line. Out: text on standard output or in a file, messages on standard error, a code.
Each verb is one module with a `command`, imported when it is used; `command.py` has the table of them, `options.py`
what they share, `errors.py` how findings are told.
Read first: `command.py`, then `explain.py` as a verb.
"""

import gc
import sys
from collections.abc import Sequence

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit code is 0, 2 for anything wrong, 130 when interrupted.

    Without arguments they are those of the process, which is the command's own then.
    """
    if arguments is None:
        gc.disable()  # a command is over before there is garbage worth looking for, and the looking takes a tenth of it
    try:
        from formula_eval.cli.command import main as run  # noqa: PLC0415 - after the line above
    except KeyboardInterrupt:  # while the command itself is not there to tell it
        sys.stderr.write("Interrupted.\n")
        return _INTERRUPTED
    code = run(arguments)
    if arguments is None:
        gc.freeze()  # nor is there at the end of the interpreter, which would look through all that was read
    return code


__all__ = ["main"]
