"""A sweep to a file by way of a folder of parts, so that what was done before an interruption is not done again."""

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from formula_eval.analyse.sweep.sweep import Sweep
from formula_eval.analyse.sweep.tally import Tally
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.export.files import whole_file, write_whole
from formula_eval.export.sweep.row_formats import RowFormat

_SUFFIX = ".parts"
_WHAT = "sweep.json"


class Parts:
    """The folder beside a file that holds what is done of a sweep: for each batch its rows, then its counts.

    A batch is done when its counts are there. The folder is removed when the file is whole; it becomes the output
    itself where this is a folder (`sweep.parquet/`).
    """

    def __init__(self, output: str, sweep: Sweep, form: RowFormat) -> None:
        """Find what is done already; raises FormulaError where the folder is of another sweep or cannot be written."""
        self.folder = Path(f"{output.rstrip('/')}{_SUFFIX}")
        self._partitioned = output.endswith("/")
        self._output = output
        self._sweep = sweep
        self._form = form
        self._what = {"sweep": sweep.identity, "format": form.name}
        self._begin()
        self.tally = Tally()
        self._parts: list[Path] = []
        while (held := self._held(self.tally.tried)) is not None:
            self._parts.append(self._rows_at(self.tally.tried))
            self.tally.add(held)

    def write(self, tell: Callable[[int], object] = lambda _: None) -> Tally:
        """Compute and keep what is not done yet, then write the whole file; `tell` hears how many each time."""
        tell(self.tally.tried)
        for rows, tally in self._sweep.each(self._form.counted, self.tally.tried):
            start = self.tally.tried
            write_whole(self._rows_at(start), rows)
            write_whole(self._counts_at(start), json.dumps(tally.to_data()))
            self._parts.append(self._rows_at(start))
            self.tally.add(tally)
            tell(tally.tried)
        if self._partitioned:
            self._leave_parts()
            return self.tally
        with whole_file(self._output) as target:
            self._form.join(self._parts, self.tally, target)
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.tally

    def _leave_parts(self) -> None:
        """The parts that have rows are the output, as readers of partitioned tables want them."""
        for each in self.folder.iterdir():
            if each not in self._parts or not each.stat().st_size:
                each.unlink()
        self.folder.rename(self._output)

    def _begin(self) -> None:
        if self._partitioned:
            self._refuse_target()
        about = self.folder / _WHAT
        if self.folder.is_dir() and _read(about) == self._what:
            return
        if self.folder.exists() and not (self.folder.is_dir() and not any(self.folder.iterdir())):
            message = f"`{self.folder}` holds what is done of another sweep, or of this one under other formulas"
            raise refuse("exists", message, help="Remove it to begin anew, or name another file.")
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise refuse("unwritable", f"Cannot write `{self.folder}`: {reason}") from error
        try:
            write_whole(about, json.dumps(self._what))
        except FormulaError:
            with suppress(OSError):
                self.folder.rmdir()
            raise

    def _refuse_target(self) -> None:
        target = Path(self._output)
        if not self._form.is_partitioned:
            message = f"`{self._output}` is a folder, and {self._form.name} is one file"
            raise refuse("bad-value", message, help="Only Parquet is written in parts: FOLDER.parquet/.")
        if target.exists() and not (target.is_dir() and not any(target.iterdir())):
            raise refuse("exists", f"`{self._output}` is there already", help="Remove it, or name another folder.")

    def _held(self, start: int) -> Tally | None:
        data = _read(self._counts_at(start))
        return Tally.from_data(data) if data is not None and self._rows_at(start).is_file() else None

    def _rows_at(self, start: int) -> Path:
        return self.folder / f"{start:018}.{self._form.name}"

    def _counts_at(self, start: int) -> Path:
        return self.folder / f"{start:018}.counts"


def _read(path: Path) -> Any:  # noqa: ANN401 - whatever JSON holds
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
