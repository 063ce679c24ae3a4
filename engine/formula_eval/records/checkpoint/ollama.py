"""Finds the GGUF files that an Ollama manifest names, among the blobs beside it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse, shortened
from formula_eval.text_files import read_text

MANIFESTS = "manifests"
_MODEL = "application/vnd.ollama.image.model"
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


def gguf_files(manifest: Path) -> list[Path]:
    """The files of the model's weights; raises FormulaError for a manifest without one, or files that are missing."""
    blobs = next(each for each in manifest.parents if each.name == MANIFESTS).parent / "blobs"
    found = [_blob(each, blobs, manifest) for each in _layers(manifest) if each.get("mediaType") == _MODEL]
    if not found:
        message = f"`{manifest}` names no weights"
        raise refuse("bad-value", message, help="Models that run in Ollama's cloud alone have none on this machine.")
    return found


def _layers(manifest: Path) -> list[Mapping[str, Any]]:
    try:
        data = json.loads(read_text(manifest, str(manifest)))
    except (ValueError, RecursionError) as error:
        raise refuse("bad-json", f"`{manifest}` is not valid JSON: {error}") from error
    layers = data.get("layers") if isinstance(data, dict) else None
    if not isinstance(layers, list) or not all(isinstance(each, dict) for each in layers):
        raise refuse("bad-json", f"`{manifest}` lists no layers", help="Is it a manifest that Ollama wrote?")
    return layers


def _blob(layer: Mapping[str, Any], blobs: Path, manifest: Path) -> Path:
    digest = _DIGEST.fullmatch(str(layer.get("digest")))
    if digest is None:
        raise refuse(
            "bad-value", f"`{manifest}` names the blob `{shortened(layer.get('digest'))}`, which is not a digest"
        )
    path = blobs / f"sha256-{digest[1]}"
    if not path.is_file():
        help_ = "`ollama pull` fetches it again."
        raise refuse("missing-file", f"`{manifest}` names `{path.name}`, which is not in `{blobs}`", help=help_)
    return path
