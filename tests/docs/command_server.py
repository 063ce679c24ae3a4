"""Runs `formula-eval` for `command_client.py`: each command in a fork of one process that has read the formulas."""

import gc
import json
import os
import signal
import socket
import sys
from pathlib import Path

from formula_eval import load
from formula_eval.cli import main
from formula_eval.evaluate import codegen  # noqa: F401 - which most commands import


def serve(address: str) -> None:
    """Answer until somebody ends the process."""
    load().evaluator.graph  # noqa: B018 - read once, for all forks
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(address)
        door.listen()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        print("ready", flush=True)  # noqa: T201 - for who started it
        while True:
            client, _ = door.accept()
            with client:
                if os.fork() == 0:
                    door.close()
                    _answer(client)


def _answer(client: socket.socket) -> None:
    """Run one command as if it were a process of its own, and tell its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, streams, _, _ = socket.recv_fds(client, 8, 3)
    with client.makefile("rb") as text:
        arguments, folder, environment = json.loads(text.read(int.from_bytes(size, "big")))
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        client.sendall(str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)
    client.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin, sys.stdout = (open(number, mode, encoding="utf-8") for number, mode in ((0, "r"), (1, "w")))  # noqa: SIM115, PTH123 - for the whole process
    sys.stderr = open(2, "w", encoding="utf-8", buffering=1)  # noqa: SIM115 - as above
    sys.argv = ["formula-eval", *arguments]
    sys.exit(main())


if __name__ == "__main__":
    serve(Path(sys.argv[1]).as_posix())
