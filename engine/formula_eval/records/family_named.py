"""Says which family a config names: its `model_type`, or the class of a diffusion model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

CONFIG = "config.json"
PIPELINE = "model_index.json"  # of diffusers: which class each component is of
GGML = b"lmgg"  # how the files of whisper.cpp begin, which have no config.json
GGML_FAMILY, GGML_ENDING = "ggml", ".bin"
GGUF_ENDING = ".gguf"
PROJECTOR = "mmproj"  # in the name of the file in which llama.cpp keeps an encoder of images or audio
# The component of a pipeline that it is asked about.
_DENOISERS = ("transformer", "unet")


def denoiser_of(config: Mapping[str, Any]) -> tuple[str, object] | None:
    """The component of a diffusers pipeline that removes noise, and its class; nothing of another config."""
    parts = ((name, config.get(name)) for name in _DENOISERS)
    return next(((name, part[1]) for name, part in parts if isinstance(part, list) and len(part) > 1), None)


def family_named(config: Mapping[str, Any]) -> object:
    """What a config says its family is: its `model_type`, or the class of a diffusion model."""
    denoiser = denoiser_of(config)
    return denoiser[1] if denoiser else config.get("model_type", config.get("_class_name"))


def projector_beside(path: Path) -> Path | None:
    """The file of the encoder in the folder of a GGUF file, the first of several; None without one."""
    return next(iter(sorted(path.parent.glob(f"*{PROJECTOR}*{GGUF_ENDING}"))), None)
