"""Runs the command `formula-eval`: parses arguments, prints answers, and reports findings with exit codes.

In: the arguments of a command line. Out: text on standard output or in a file, messages on standard error, a code.
Each verb is one module with a `command`, imported when it is used; `command.py` has the table of them,
`verb_command.py` and `options.py` what they share, `errors.py` how findings are told.
Read first: `command.py`, then `explain.py` as a verb.
"""

import atexit
import gc
import os
import sys
import threading
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
        _leave(code)
    return code


def _leave(code: int) -> None:
    """End the process as it is: to take apart all that was read would take a twentieth of its time.

    Comes back where threads are still at work, or something cannot be written any more: Python knows what to do then.
    """
    if threading.active_count() > 1:
        return
    atexit._run_exitfuncs()  # noqa: SLF001 - as Python does at its end
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit(code)


__all__ = ["main"]
