"""Runs `check` on a saved library in a process of its own, so that typing never waits."""

import asyncio
import json
import sys
from pathlib import Path

from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.core.span import Span


class WholeCheck:
    """At most one `check` at a time; a new one ends the one before."""

    def __init__(self) -> None:
        """None runs yet."""
        self._process: asyncio.subprocess.Process | None = None

    def stop(self) -> None:
        """End the one that runs, if one does."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        self._process = None

    async def findings(self, folder: Path) -> list[Diagnostic] | None:
        """All findings of a library folder; None if another check began meanwhile or this one failed."""
        self.stop()
        process = self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "formula_eval", "check", str(folder), "--format", "json"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        out, _ = await process.communicate()
        if process is not self._process:
            return None
        try:
            return [_finding(load) for load in json.loads(out)]
        except (ValueError, KeyError, TypeError):
            return None


def _finding(data: dict[str, object]) -> Diagnostic:
    places: list[dict[str, object]] = data["places"]  # type: ignore[assignment]
    labels = [Label(_span(place), str(place["text"])) for place in places]
    return Diagnostic(str(data["code"]), str(data["message"]), tuple(labels), str(data["help"]))


def _span(place: dict[str, object]) -> Span:
    numbers = (int(str(place[each])) for each in ("line", "column", "end_line", "end_column"))
    return Span(str(place["file"]), *numbers)
