"""A language server that gets broken messages, and sweeps on workers of which one is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

from formula_eval import Formulas
from fuzz import mutations
from fuzz.surface import ACCEPTED, REFUSED, TRACEBACK, WRONG, Outcome
from language.cases import HERE
from lsp.pipe import ROOT, Pipe, request, served

_PLACED = ("hover", "definition", "completion", "references", "prepareRename", "rename")
_SWEEP = "sweep --model llama2-7b,llama2-13b --gpu h100-sxm,b200-sxm --tp 1,2 --batch 1..64 --prompt 128..16384:500"
_WAIT = 300


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
    """Sweeps on several workers, one of which is killed."""

    name = "cluster kills"
    patience = 900

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """The rows of one process."""
        del formulas
        self._folder, self._sound = folder, b""

    def one(self, random: Random) -> Outcome:
        """A sweep, a process of which is killed some time after its start; what it wrote, or a second run, is right."""
        if not self._sound:
            alone = self._folder / "alone.csv"
            subprocess.run(self._command(alone), check=True, capture_output=True, timeout=_WAIT)
            self._sound = alone.read_bytes()
        out, after = self._folder / f"{random.getrandbits(40):x}.csv", random.uniform(0.5, 8)
        shown = f"formula-eval {_SWEEP} --workers 2, a process killed after {after:.1f} s"
        with subprocess.Popen(
            self._command(out, "--workers", "2"), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
        ) as process:
            time.sleep(after)
            children = _children(process.pid)
            if children:
                os.kill(random.choice(children), signal.SIGKILL)
            _, err = process.communicate(timeout=_WAIT)
        if b"Traceback" in err:
            return Outcome(TRACEBACK, f"{shown}\n{err[-2000:].decode(errors='replace')}")
        if not out.exists():
            subprocess.run(self._command(out), check=True, capture_output=True, timeout=_WAIT)
        right = out.read_bytes() == self._sound
        out.unlink()
        return Outcome(ACCEPTED if process.returncode == 0 else REFUSED, shown) if right else Outcome(WRONG, shown)

    def close(self) -> None:
        """Every process has ended."""

    def _command(self, out: Path, *more: str) -> list[str]:
        os.environ["PYTHONPATH"] = str(ROOT / "engine")
        return [sys.executable, "-m", "formula_eval", *_SWEEP.split(), "--only", "params.total", "-o", str(out), *more]


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
