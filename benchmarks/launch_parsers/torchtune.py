"""What `tune validate` asks of a recipe, and the keys that torchtune's own recipes read."""

import re
from pathlib import Path
from typing import Any

import torchtune
from omegaconf import OmegaConf
from torchtune import config

PACKAGES = ("torchtune", "torchao")
_RECIPES = Path(torchtune.__file__).parents[1] / "recipes"
_READ = re.compile(r"cfg(?:\.get\(\s*[\"']|\.)(\w+)")


def accept(table: dict[str, Any]) -> None:
    """Validate a recipe; raises ValueError for a key that no recipe reads."""
    texts = [path.read_text(encoding="utf-8") for path in _RECIPES.glob("*.py")]
    unknown = set(table) - {name for text in texts for name in _READ.findall(text)}
    if unknown:
        raise ValueError(f"no recipe reads: {', '.join(sorted(unknown))}")
    config.validate(OmegaConf.create(table))
