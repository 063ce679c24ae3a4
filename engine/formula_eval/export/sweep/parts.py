"""Writes a sweep to a file through a folder of parts, so that what is done before an interruption is kept."""

import json
import os
import shutil
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any
from zlib import crc32

from formula_eval.analyse.identity import Identity
from formula_eval.analyse.sweep.counts import Tally
from formula_eval.analyse.sweep.sweep_batches import Sweep
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.export.files import whole_file, write_whole
from formula_eval.export.sweep.folder_lock import LOCK, FolderLock
from formula_eval.export.sweep.row_formats import RowFormat

_SUFFIX = ".parts"
_WHAT = "sweep.json"
_COUNTS = ".counts"
_MOST = 1e9  # bytes that nobody has to confirm


class SweepParts:
    """The folder beside a file that holds what is done of a sweep: for each batch its rows, then its counts.

    A batch is done when its counts are there and its rows are those that they tell of; `done` says how many
    configurations are, `damaged` which parts are not. The folder is removed when the file is whole; it becomes the
    output itself where this is a folder (`sweep.parquet/`). One process writes it at a time.
    """

    def __init__(self, output: str, sweep: Sweep, form: RowFormat) -> None:
        """Find what is done already.

        Raises FormulaError where the folder is of another sweep, of another process, or cannot be written.
        """
        self.folder = Path(f"{output.rstrip('/')}{_SUFFIX}")
        self._partitioned = output.endswith("/")
        self._output = output
        self._sweep = sweep
        self._form = form
        if self._partitioned:
            self._refuse_target()
        self._refuse_strangers()
        self._lock = FolderLock(self.folder)
        try:
            self._begin()
        except FormulaError:
            self._lock.release()
            raise
        self.damaged: list[str] = []
        self._held = {start: held for start in self._starts() if (held := self._read_back(start)) is not None}

    @property
    def done(self) -> int:
        """How many configurations are done."""
        return sum(tally.tried for tally in self._held.values())

    def write(self, tell: Callable[[int], object] = lambda _: None) -> Tally:
        """Compute and keep what is not done yet, then write the whole file; `tell` hears how many are each time."""
        try:
            tell(self.done)
            self._compute(tell)
            return self._join()
        finally:
            self._lock.release()

    def _compute(self, tell: Callable[[int], object]) -> None:
        start = 0
        while start < self._sweep.size:
            if start in self._held:
                start += self._held[start].tried
                continue
            for rows, tally in self._sweep.each(self._form.counted, start):
                if not self._held and not self._sweep.asked.anyway:
                    self._refuse_large(len(rows) * self._sweep.size / tally.tried)
                self._keep(start, rows, tally)
                start += tally.tried
                tell(tally.tried)
                if start in self._held:
                    break

    def _refuse_large(self, size: float) -> None:
        """Refuse a file that will be large, by the rows of its first part, of which nothing is kept."""
        if size > _MOST:
            shutil.rmtree(self.folder, ignore_errors=True)
            message = f"`{self._output}` will take about {size / 1e9:.1f} GB"
            help_ = "Name fewer columns with --only, keep fewer rows with --where, or write a .parquet; or --yes."
            raise refuse("too-many", message, help=help_)

    def _join(self) -> Tally:
        whole, parts = Tally(), dict[Path, Tally]()
        while (held := self._held.get(whole.tried)) is not None:
            parts[self._rows_at(whole.tried)] = held
            whole.add(held)
        if self._partitioned:
            self._leave(parts)
            return whole
        with whole_file(self._output, synced=True) as target:
            self._form.join(parts.items(), target)
        shutil.rmtree(self.folder, ignore_errors=True)
        return whole

    def _leave(self, parts: Container[Path]) -> None:
        """Make the parts that have rows the output, as readers of partitioned tables want them."""
        for path in self.folder.iterdir():
            if path not in parts or not path.stat().st_size:
                path.unlink()
        self.folder.rename(self._output)

    def _keep(self, start: int, rows: bytes, tally: Tally) -> None:
        """Keep rows, synced to disk before they count, then the counts and checksum that mark them as whole."""
        write_whole(self._rows_at(start), rows, synced=True)
        told = json.dumps({"tally": tally.to_data(), **_seal(rows)})
        write_whole(self._counts_at(start), f"{crc32(told.encode()):08x}{told}")
        self._held[start] = tally

    def _starts(self) -> list[int]:
        """The parts that are there, by their first configuration."""
        stems = (path.stem for path in self.folder.glob(f"*{_COUNTS}"))
        return sorted(int(stem) for stem in stems if stem.isdecimal())

    def _read_back(self, start: int) -> Tally | None:
        """The counts of a part; None of one that is not as it was written, which is damaged."""
        try:
            text = self._counts_at(start).read_text(encoding="utf-8")
            if text[:8] == f"{crc32(text[8:].encode()):08x}":
                told = json.loads(text[8:])
                if _seal(self._rows_at(start).read_bytes()).items() <= dict(told).items():
                    return Tally.from_data(told["tally"])
        except (OSError, ValueError, KeyError, TypeError):
            pass
        self.damaged.append(str(self._rows_at(start)))
        return None

    def _refuse_strangers(self) -> None:
        """Refuse a folder, or whatever else bears its name, that no sweep has made."""
        if not os.path.lexists(self.folder) or (self.folder / _WHAT).is_file():
            return
        if not self.folder.is_dir() or any(path.name != LOCK for path in self.folder.iterdir()):
            message = f"`{self.folder}` is there, and holds no parts of a sweep"
            raise refuse("exists", message, help="Remove it, or name another file.")

    def _begin(self) -> None:
        about = self.folder / _WHAT
        if not about.is_file():
            try:
                write_whole(about, json.dumps({"format": self._form.name, "sweep": self._sweep.identity}), synced=True)
            except FormulaError:
                shutil.rmtree(self.folder, ignore_errors=True)
                raise
            return
        other = self._difference(_read(about))
        if other:
            message = f"`{self.folder}` holds what is done of another sweep: {other}"
            raise refuse("exists", message, help="Remove it to begin anew, or name another file.")

    def _difference(self, told: Any) -> str:  # noqa: ANN401 - whatever JSON holds
        """How this sweep differs from the one that the folder holds; empty where it does not."""
        identity = Identity.from_data(told.get("sweep")) if isinstance(told, dict) else None
        if identity is None:
            return f"{_WHAT} does not say which, or another version has written it"
        if told["format"] != self._form.name:
            return f"its rows are {told['format']} there, {self._form.name} now"
        return identity.difference(self._sweep.identity, self._sweep.schema, "there", "now")

    def _refuse_target(self) -> None:
        target = Path(self._output)
        if not self._form.is_partitioned:
            message = f"`{self._output}` is a folder, and {self._form.name} is one file"
            raise refuse("bad-value", message, help="Only Parquet is written in parts: FOLDER.parquet/.")
        if target.exists() and not (target.is_dir() and not any(target.iterdir())):
            raise refuse("exists", f"`{self._output}` is there already", help="Remove it, or name another folder.")

    def _rows_at(self, start: int) -> Path:
        return self.folder / f"{start:018}.{self._form.name}"

    def _counts_at(self, start: int) -> Path:
        return self.folder / f"{start:018}{_COUNTS}"


def _seal(rows: bytes) -> dict[str, int]:
    """What tells whether the rows of a part are as they were written."""
    return {"bytes": len(rows), "crc32": crc32(rows)}


def _read(path: Path) -> Any:  # noqa: ANN401 - whatever JSON holds
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
