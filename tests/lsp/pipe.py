"""A server of the language spoken to in bytes, as no client library would."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Pipe:
    """A server spoken to in bytes, as no client library would."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self._number = 0

    def send(self, body: bytes, length: int | None = None) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body)
        self.process.stdin.flush()

    def ask(self, method: str, params: object) -> dict[str, object]:
        self._number += 1
        self.send(request(self._number, method, params))
        while (message := self._message()).get("id") != self._number:
            pass
        return message

    def _message(self) -> dict[str, object]:
        assert self.process.stdout
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b""):
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
        assert length, "the server has gone"
        message: dict[str, object] = json.loads(self.process.stdout.read(length))
        return message


@contextmanager
def served() -> Iterator[Pipe]:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "engine")}
    ends = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen([sys.executable, "-m", "formula_eval", "lsp"], env=environment, **ends) as process:
        pipe = Pipe(process)
        assert "result" in pipe.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        yield pipe
        process.kill()


def request(number: int, method: str, params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()
