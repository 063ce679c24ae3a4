"""Runs `formula-eval` for `command_client.py`: each command in a fork of one process that has read the formulas.

With `plain` behind the address it finds none of the packages that a plain installation lacks.
"""

import gc
import json
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from io import StringIO
from pathlib import Path

from formula_eval import load
from formula_eval.cli import main
from formula_eval.evaluate import codegen  # noqa: F401 - which most commands import


def hide_extras() -> None:
    """Let no package be found that a plain installation lacks, as if it were not installed."""
    plain = {*_with_what_it_needs("formula-eval")}
    for module, names in packages_distributions().items():
        if plain.isdisjoint(map(_spelled, names)):
            sys.modules[module] = None  # type: ignore[assignment] - which makes its import fail


def _with_what_it_needs(name: str) -> Iterator[str]:
    yield _spelled(name)
    with suppress(PackageNotFoundError):  # what another system needs
        for each in requires(name) or ():
            if "extra ==" not in each and (found := re.match(r"[\w.-]+", each)):
                yield from _with_what_it_needs(found[0])


def _spelled(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def serve(address: str) -> None:
    """Answer until somebody ends the process."""
    graph = load().evaluator.graph
    for name in graph.nodes:
        graph.nodes[name]
    with redirect_stdout(StringIO()):
        main(["--model", "llama2-70b"])  # reads what is read for most answers
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
    if sys.argv[2:] == ["plain"]:
        hide_extras()
    serve(Path(sys.argv[1]).as_posix())
