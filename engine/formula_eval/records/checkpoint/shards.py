"""Finds all files that hold a checkpoint's tensors: of a folder, a numbered series, a manifest of Ollama."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse, shortened
from formula_eval.json_yaml import json_in
from formula_eval.text_files import read_text

_NUMBERED = re.compile(r"(.+)-(\d{5})-of-(\d{5})(\.\w+)")
ONNX = ".onnx"
_WHOLE = ("model.onnx", "encoder_model.onnx")
# How Optimum calls the files of an encoder and of the decoder that attends to it, before what says their number format.
_HALVES = (("encoder_model", "decoder_model_merged"), ("encoder_model", "decoder_model"))
_WEIGHTS = (".safetensors", ".npz", ".gguf", ONNX, ".json")
_MOST_SHARDS = 10_000
_NAMED = 4
MANIFESTS = "manifests"
_MODEL = "application/vnd.ollama.image.model"
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


def refuse_broken_links(folder: Path) -> None:
    """Refuse a folder with a link to weights that are not there, as a cache has that was cleared by hand."""
    broken = next((path for path in sorted(folder.iterdir()) if path.suffix in _WEIGHTS and not path.exists()), None)
    if broken is not None:
        help_ = "Download it again, or name the config.json alone: weights then count as it says."
        raise refuse("missing-file", f"`{broken}` is a link to a file that is not there", help=help_)


def safetensors_files(folder: Path) -> list[Path]:
    """The safetensors files of a folder: those of its index, else the one file, else all of a numbered series."""
    for name in ("model.safetensors.index.json", "consolidated.safetensors.index.json"):
        if (folder / name).is_file():
            return _indexed(folder / name)
    for name in ("model.safetensors", "weights.safetensors", "consolidated.safetensors"):
        if (folder / name).is_file():
            return [folder / name]
    numbered = [path for path in sorted(folder.glob("*.safetensors")) if _NUMBERED.fullmatch(path.name)]
    return numbered and whole_series(numbered[0])


def npz_files(folder: Path) -> list[Path]:
    """The npz files of a folder of MLX before it had safetensors: `weights.npz`, else `weights.00.npz` and so on."""
    if (whole := folder / "weights.npz").is_file():
        return [whole]
    found = sorted(path for path in folder.glob("weights.*.npz") if path.suffixes[0][1:].isdecimal())
    return _present(
        folder / f"weights.{number:02}.npz" for number in range(int(found[-1].suffixes[0][1:]) + 1 if found else 0)
    )


def onnx_file(folder: Path) -> Path | None:
    """The ONNX model of a folder, or of `onnx` in it; several are refused unless one is `model.onnx`."""
    for place in (folder, folder / "onnx"):
        found = sorted(place.glob(f"*{ONNX}"))
        plain = [path for path in found if path.name in _WHOLE] or found
        if len(plain) > 1:
            named = ", ".join(f"`{path.name}`" for path in plain[:_NAMED])
            raise refuse(
                "ambiguous", f"`{place}` holds several ONNX files: {named}", help="Name the one that is meant."
            )
        if plain:
            return plain[0]
    return None


def onnx_files(path: Path) -> list[Path]:
    """The file of an ONNX model, or those of encoder and decoder of which it is one; half of a model is refused."""
    pairs = [
        [path.with_name(half + path.name.removeprefix(named)) for half in halves]
        for halves in _HALVES
        for named in halves
        if path.name.startswith(named)
    ]
    whole = next((pair for pair in pairs if all(file.is_file() for file in pair)), None)
    if pairs and whole is None and path.is_file():
        lacking = next(file for file in pairs[0] if file != path)
        help_ = "Save it there, or name the config.json alone: weights then count as it says."
        raise refuse("missing-file", f"`{path}` is half of a model, and `{lacking.name}` is not beside it", help=help_)
    return whole or [path]


def whole_series(path: Path) -> list[Path]:
    """The files of the series that `NAME-00001-of-00004.EXT` is one of; the file itself if it is numbered otherwise."""
    numbered = _NUMBERED.fullmatch(path.name)
    if numbered is None:
        return [path]
    stem, _, count, ending = numbered.groups()
    if int(count) > _MOST_SHARDS:
        raise refuse("too-large", f"`{path}` would be one of {int(count):,} files, more than are read")
    return _present(path.parent / f"{stem}-{number:05}-of-{count}{ending}" for number in range(1, int(count) + 1))


def _indexed(index: Path) -> list[Path]:
    try:
        names = json.loads(read_text(index, str(index)))["weight_map"].values()
        files = sorted(set(names))
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        message = f"`{index}` does not say which file holds which tensor"
        raise refuse("bad-json", message, help="It holds a `weight_map`, from tensors to files.") from error
    outside = next((file for file in files if not isinstance(file, str) or Path(file).name != file), None)
    if outside is not None:
        raise refuse("bad-value", f"`{index}` names the file `{shortened(outside)}`, which is not in its folder")
    return _present(index.parent / file for file in files)


def _present(files: Iterable[Path]) -> list[Path]:
    found = list(files)
    missing = [path for path in found if not path.is_file()]
    if missing:
        named = ", ".join(f"`{path.name}`" for path in missing[:_NAMED]) + (", ..." if len(missing) > _NAMED else "")
        message = f"`{missing[0].parent}` lacks {len(missing)} of the {len(found)} files of its checkpoint: {named}"
        help_ = "Download them, or name the config.json alone: weights then count as it says."
        raise refuse("missing-file", message, help=help_)
    return found


def gguf_files(manifest: Path) -> list[Path]:
    """The files of the model's weights; raises FormulaError for a manifest without one, or files that are missing."""
    blobs = next(parent for parent in manifest.parents if parent.name == MANIFESTS).parent / "blobs"
    found = [_blob(layer, blobs, manifest) for layer in _layers(manifest) if layer.get("mediaType") == _MODEL]
    if not found:
        message = f"`{manifest}` names no weights"
        raise refuse("bad-value", message, help="Models that run in Ollama's cloud alone have none on this machine.")
    return found


def _layers(manifest: Path) -> list[Mapping[str, Any]]:
    data = json_in(read_text(manifest, str(manifest)), str(manifest))
    layers = data.get("layers") if isinstance(data, dict) else None
    if not isinstance(layers, list) or not all(isinstance(layer, dict) for layer in layers):
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
