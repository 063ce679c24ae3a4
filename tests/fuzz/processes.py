"""A language server that gets broken messages, and sweeps of which a process is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

from formula_eval import Formulas
from fuzz import mutations
from fuzz.surface import ACCEPTED, HANG, REFUSED, TRACEBACK, WRONG, Outcome
from language.cases import HERE
from lsp.pipe import ROOT, Pipe, request, served

_PLACED = ("hover", "definition", "completion", "references", "prepareRename", "rename")
_SWEEP = "sweep --model llama2-7b,llama2-13b --gpu h100-sxm,b200-sxm --tp 1,2 --batch 1..128 --prompt 128..16384:500"
_WAIT = 300
_QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}


class Editor:
    """Messages of an editor."""

    name = "language server"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """A server with one library."""
        del formulas
        library = folder / "library" / "formulas"
        library.mkdir(parents=True)
        (library.parent / "library.toml").write_text('title = "Fuzzed"\nuses = []\n')
        self._uri = (library / "a.formula").as_uri()
        self._text = (HERE / "good" / "units.formula").read_text(encoding="utf-8")
        self._ends = ExitStack()
        self._pipe: Pipe | None = None

    def one(self, random: Random) -> Outcome:
        """A new text, or a request, changed; whatever has a number is answered, and so is a sound one after it."""
        if self._pipe is None:
            self._pipe = self._ends.enter_context(served())
        if random.random() < 0.3:
            text = mutations.text(random, self._text)
            item = {"uri": self._uri, "languageId": "formula", "version": 1, "text": text}
            body = json.dumps(
                {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
            ).encode()
            self._pipe.send(body)
            shown = body
            answer: dict[str, object] = {}
        else:
            place = {"line": random.randrange(60), "character": random.randrange(40)}
            params: object = {
                "textDocument": {"uri": self._uri},
                "position": place,
                "newName": "other",
                "context": {"includeDeclaration": True},
            }
            params = mutations.tree(random, params) if random.random() < 0.7 else params
            method = f"textDocument/{random.choice(_PLACED)}"
            shown = request(0, method, params)
            answer = self._pipe.ask(method, params)
        if random.random() < 0.2:
            self._pipe.send(mutations.data(random, shown))
        sound = {"textDocument": {"uri": "untitled:nothing"}, "position": {"line": 0, "character": 0}}
        if self._pipe.ask("textDocument/hover", sound).get("result", 0) is not None:
            return Outcome(WRONG, f"{shown!r}\na sound request is not answered after it")
        error = answer.get("error")
        if isinstance(error, dict) and error.get("code") == -32603:
            return Outcome(TRACEBACK, f"{shown!r}\n{error}")
        return Outcome(REFUSED if error else ACCEPTED, repr(shown))

    def close(self) -> None:
        """End the server."""
        self._ends.close()


class Kills:
    """Sweeps on several workers, of which one, or the scheduler, or the command is killed."""

    name = "cluster kills"
    patience = 900

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """The rows of one process."""
        del formulas
        self._folder, self._sound = folder, b""

    def one(self, random: Random) -> Outcome:
        """A sweep, a process of which is killed some time after its start; what it wrote, or a second run, is right."""
        if not self._sound:
            self._sound = self._alone(self._folder / "alone.csv")
        out, after = self._folder / f"{random.getrandbits(40):x}.csv", random.uniform(0.5, 8)
        victim = random.choice(("worker", "command", "scheduler"))
        shown = f"formula-eval {_SWEEP} --workers 2, a {victim} killed after {after:.1f} s"
        with ExitStack() as ends:
            apart = self._cluster(ends) if victim == "scheduler" else None
            workers = ("--cluster", self._address()) if apart else ("--workers", "2")
            process = ends.enter_context(subprocess.Popen(self._command(out, *workers), **_QUIET))
            if random.random() < 0.5:
                _until(lambda: process.poll() is not None or any(self._folder.glob(f"{out.name}.parts/*")))
            time.sleep(after)
            children = _children(process.pid)
            mortal = [each for each in children if not _is_tracker(each)] or [process.pid]
            killed = {"worker": random.choice(mortal), "command": process.pid}.get(victim) or apart.pid
            with suppress(ProcessLookupError):
                os.kill(killed, signal.SIGKILL)
            _, err = process.communicate(timeout=_WAIT)
        if b"Traceback" in err:
            return Outcome(TRACEBACK, f"{shown}\n{err[-2000:].decode(errors='replace')}")
        if not _ended(children):
            return Outcome(HANG, f"{shown}\nprocesses are left behind")
        rows = out.read_bytes() if out.exists() else self._alone(out)
        out.unlink()
        if rows != self._sound:
            return Outcome(WRONG, shown)
        return Outcome(ACCEPTED if process.returncode == 0 else REFUSED, shown)

    def close(self) -> None:
        """Every process has ended."""

    def _alone(self, out: Path) -> bytes:
        """The rows as one process writes them, going on where another was broken off."""
        subprocess.run(self._command(out), check=True, capture_output=True, timeout=_WAIT)
        return out.read_bytes()

    def _cluster(self, ends: ExitStack) -> "subprocess.Popen[bytes]":
        """A scheduler with two workers, ended with the rest."""
        (self._folder / "scheduler.json").unlink(missing_ok=True)
        file = ("--scheduler-file", str(self._folder / "scheduler.json"))
        scheduler = self._started(ends, "scheduler", *file, "--port", "0", "--no-dashboard")
        for _ in range(2):
            self._started(ends, "worker", *file, "--nthreads", "1", "--no-dashboard", "--death-timeout", "60")
        return scheduler

    def _started(self, ends: ExitStack, *arguments: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen([sys.executable, "-m", "dask", *arguments], env=_environment(), **_QUIET)
        ends.callback(process.wait)
        ends.callback(process.terminate)
        return process

    def _address(self) -> str:
        _until((self._folder / "scheduler.json").exists)
        return str(json.loads((self._folder / "scheduler.json").read_text())["address"])

    def _command(self, out: Path, *more: str) -> list[str]:
        os.environ.update(_environment())
        return [
            sys.executable,
            "-m",
            "formula_eval",
            *_SWEEP.split(),
            "--only",
            "memory.total_bytes",
            "-o",
            str(out),
            *more,
        ]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "engine")}


def _is_tracker(process: int) -> bool:
    """Whether a process is the one in which Python keeps count of semaphores; without it Python itself complains."""
    return b"resource_tracker" in _file(process, "cmdline")


def _until(happened: Callable[[], bool], seconds: float = _WAIT) -> bool:
    """Whether it happens within this time."""
    until = time.monotonic() + seconds
    while not (found := happened()) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def _ended(processes: Sequence[int]) -> bool:
    """Whether all of these end within a minute."""
    return _until(
        lambda: all(b"\nState:\tZ" in (status := _file(each, "status")) or not status for each in processes), 60
    )


def _file(process: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{process}/{name}").read_bytes()
    except OSError:
        return b""


def _children(process: int) -> list[int]:
    """The processes that one started, and those that these started; none where the system does not tell."""
    found, left = [], [process]
    while left:
        one = left.pop()
        for path in Path(f"/proc/{one}/task").glob("*/children"):
            held = [int(each) for each in path.read_text().split()]
            found += held
            left += held
    return found
