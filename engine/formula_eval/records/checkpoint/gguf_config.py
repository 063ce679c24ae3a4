"""Converts the metadata of a GGUF file to a config as the hub keeps one, by `models/checkpoints/gguf.toml`."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from formula_eval.core.diagnostic import nearest, refuse, shortened
from formula_eval.library import Library
from formula_eval.records.checkpoint.gguf import Gguf
from formula_eval.records.mapping.interpreter import described, held
from formula_eval.records.mapping.reader import ConfigReader, Written
from formula_eval.records.record_values import flat

_NAME = re.compile(r"[a-z]\w*(\.\w+)*")
_EMBEDDING = "token_embd.weight"


def config_of(
    library: Library, table: Mapping[str, Any], parts: Iterable[Gguf], families: Iterable[str], shown: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """The config of a model whose first file says its architecture, and the file's own key for each of its keys.

    Raises FormulaError for an unknown architecture.
    """
    files = list(parts)
    metadata = files[0].metadata
    architecture = _architecture(metadata, table["architectures"], shown)
    shapes = {tensor.name: tensor.shape for each in files for tensor in each.tensors}
    said = {**_nested(metadata, f"{architecture}."), "tensors": list(shapes)}
    if len(shapes.get(_EMBEDDING, ())) == 2:  # noqa: PLR2004 - rows and width
        said["vocabulary"] = shapes[_EMBEDDING][0]
    keys = ((name, f"{architecture}.{name}", value) for name, value in flat(_nested(metadata, f"{architecture}.")))
    written = {name: Written(key, f"{key} = {described(value)}") for name, key, value in keys}
    read = ConfigReader(library, said, shown, written)
    expressions = {**table["config"], **table["architectures"][architecture]}
    config = {
        key: read.value(text, key, tuple(families) if key == "model_type" else ())
        for key, text in expressions.items()
        if not _NAME.fullmatch(text) or key == "model_type" or held(tuple(text.split(".")), said) is not None
    }
    sources = {key: " and ".join(each.key for each in read.sources(expressions[key])) for key in config}
    return config, {key: names for key, names in sources.items() if names}


def _architecture(metadata: Mapping[str, Any], known: Mapping[str, Any], shown: str) -> str:
    name = metadata.get("general.architecture")
    if not isinstance(name, str):
        raise refuse("missing-value", f"`{shown}` lacks `general.architecture`", help="Is it a file of a model?")
    if name not in known:
        near = nearest(name, known) or f"There are tables for {', '.join(known)}."
        help_ = f"{near} The config.json of the model that it was made from can be named instead."
        message = f"`{shown}` is of the architecture `{shortened(name)}`, which is not read from GGUF files"
        raise refuse("unknown-family", message, help=help_)
    return name


def _nested(metadata: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The values behind a prefix: `attention.head_count` is `head_count` within `attention`."""
    found: dict[str, Any] = {}
    for key, value in metadata.items():
        if key.startswith(prefix):
            *outer, last = key.removeprefix(prefix).split(".")
            inner = found
            for part in outer:
                inner = inner.setdefault(part, {})
                if not isinstance(inner, dict):
                    break
            else:
                inner[last] = value
    return found
