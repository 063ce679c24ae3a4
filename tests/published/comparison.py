"""Golden cases of a published tool to what agrees: values compared, the worst of them, and what is left out."""

import json
import lzma
import math
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from formula_eval.records.schema import InputSchema

WITHIN = 1e-9
OURS = Path(__file__).parent
_EXACT = 2**53

Case = Mapping[str, Any]


def cases_of(tool: str, folder: Path | None) -> list[Case]:
    """The golden cases of a tool: the repository's own, or those of a folder of the same layout, if it has any."""
    if folder is not None and not (folder / tool).is_dir():
        return []
    found: list[Case] = json_of((folder or OURS) / tool / "cases.json")
    return found


def json_of(path: Path) -> Any:
    """The contents of a JSON file, or of the compressed file beside its place."""
    if path.is_file():
        return json.loads(path.read_bytes())
    return json.loads(lzma.decompress(path.with_name(f"{path.name}.xz").read_bytes()))


def table_of(tool: str, name: str) -> Mapping[str, Any]:
    """A table beside a tool's cases: which of their inputs and outputs are which of ours."""
    return tomllib.loads((OURS / tool / f"{name}.toml").read_text(encoding="utf-8"))


def held(value: Any, schema: InputSchema) -> float:
    """A value in base units as a program takes it: a word becomes its place in the choice."""
    return schema.quantity.words.index(value) if isinstance(value, str) else value


@dataclass
class Tally:
    """How the cases of one tool compare so far."""

    tool: str
    cases: int = 0
    values: int = 0
    differing: int = 0
    worst: float = 0.0
    left_out: Counter[str] = field(default_factory=Counter)

    def compare(self, expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
        """Each value that differs, in words; what is absent in a case (null) says nothing."""
        for name, value in expected.items():
            if value is None:
                continue
            if name not in found:
                self.left_out[f"output {name}"] += 1
                continue
            self.values += 1
            error = difference(value, found[name])
            if isinstance(error, float) and math.isfinite(error):
                self.worst = max(self.worst, error)
            if error > WITHIN:
                self.differing += 1
                yield f"{name}: {found[name]!r}, not {value!r}"

    def leave_out(self, case: Case, kind: str) -> None:
        """Count a whole case, and all its values, as not covered."""
        self.left_out[f"case {kind}"] += sum(value is not None for value in case["outputs"].values())

    @property
    def covered(self) -> float:
        """Share of all values of all cases that were compared; all of none."""
        total = self.values + self.left_out.total()
        return self.values / total if total else 1.0

    def lines(self) -> Iterator[str]:
        """The summary."""
        yield (
            f"{self.tool}: {self.cases} cases read, {self.values} values compared, {self.differing} differ,"
            f" worst relative difference {self.worst:.1e}, {self.covered:.1%} covered"
        )
        yield from (f"  not covered: {kind} ({count} values)" for kind, count in self.left_out.most_common())


def difference(expected: Any, found: Any) -> float:
    """The relative difference of two values; infinite where they must be equal and are not."""
    if isinstance(expected, Sequence) and not isinstance(expected, str):
        pairs = zip(expected, found, strict=True) if len(expected) == len(found) else [(0.0, math.inf)]
        return max((difference(*pair) for pair in pairs), default=0.0)
    if isinstance(expected, bool | str):
        return 0.0 if expected == found else math.inf
    if isinstance(found, str) or math.isnan(found) or (_is_whole(expected) and expected != found):
        return math.inf
    return 0.0 if expected == found else abs(found - expected) / max(abs(expected), abs(found))


def _is_whole(value: float) -> bool:
    return isinstance(value, int) and abs(value) < _EXACT
