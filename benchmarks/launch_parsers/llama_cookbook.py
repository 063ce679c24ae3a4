"""The arguments of the Llama cookbook: fields of the dataclasses among which its `update_config` looks; no torch."""

import ast
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("llama-cookbook",)
_PARTS = ("training", "fsdp", "peft", "quantization")
_CONFIGS = ("train_config", "fsdp_config", "lora_config", "quantization_config")


def _fields() -> dict[str, set[str]]:
    """The names of the fields of each configuration."""
    found = find_spec("llama_cookbook")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("llama_cookbook")
    folder = Path(next(iter(found.submodule_search_locations))) / "configs"
    texts = (folder / f"{part}.py" for part in _PARTS)
    classes = (each for text in texts for each in ast.parse(text.read_text(encoding="utf-8")).body)
    return {
        each.name: {name for line in each.body for name in _names(line)}
        for each in classes
        if isinstance(each, ast.ClassDef) and each.name in _CONFIGS
    }


def _names(line: ast.stmt) -> list[str]:
    targets = [line.target] if isinstance(line, ast.AnnAssign) else line.targets if isinstance(line, ast.Assign) else []
    return [each.id for each in targets if isinstance(each, ast.Name)]


_FIELDS = _fields()


def accept(words: list[str]) -> None:
    """Look for the fields that words set; raises ValueError for one that no configuration has."""
    for each in (word.removeprefix("--") for word in words if word.startswith("--")):
        config, _, name = each.rpartition(".")
        if not any(name in fields for key, fields in _FIELDS.items() if config in ("", key)):
            raise ValueError(f"unknown parameter {each}")
