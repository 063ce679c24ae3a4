"""A folder of counted models to entries: `models.json`, and the config.json of each model beside it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OURS = Path(__file__).parent / "reference"


@dataclass(frozen=True)
class Entry:
    """One model: its name, the family that reads it, its config.json, and what was counted."""

    name: str
    model_type: str
    config: Path
    counted: Mapping[str, Any]

    def __str__(self) -> str:
        """How a test names it."""
        return self.name


def entries(folder: Path) -> Sequence[Entry]:
    """Every model of a folder, in its order; raises OSError or ValueError if it cannot be read."""
    counted = json.loads((folder / "models.json").read_text(encoding="utf-8"))
    return [Entry(each["name"], each["model_type"], folder / each["config_file"], each) for each in counted]
