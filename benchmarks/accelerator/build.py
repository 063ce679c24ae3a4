"""Builds the models of models.json on the accelerator: their published dimensions, random weights in 16 bits."""

import json
from functools import cache
from pathlib import Path

import diffusers
import torch
import transformers
from transformers.initialization import no_init_weights

_MODELS = Path(__file__).with_name("models.json")
_SPREAD = 0.02


@cache
def described() -> dict[str, dict]:
    """Class and configuration of each model."""
    return json.loads(_MODELS.read_text(encoding="utf-8"))


def built(name: str, dtype: torch.dtype = torch.bfloat16, **changed: object) -> torch.nn.Module:
    """A model of random weights on the accelerator, ready to run; ``changed`` replaces what its configuration says."""
    entry = described()[name]
    fields = entry["config"] | changed
    default = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device("cuda"), no_init_weights():
            if hasattr(diffusers, entry["class"]):
                model = getattr(diffusers, entry["class"]).from_config(fields)
            else:
                fields = dict(fields)
                config = transformers.AutoConfig.for_model(fields.pop("model_type"), **fields)
                model = getattr(transformers, entry["class"])(config)
    finally:
        torch.set_default_dtype(default)
    model.to("cuda", dtype)
    if getattr(model.config, "tie_word_embeddings", False):
        model.tie_weights()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, _SPREAD)
    return model.eval()


def text(batch: int, length: int) -> torch.Tensor:
    """Tokens [batch, length] that no model treats as special."""
    return torch.randint(1000, 30000, (batch, length), device="cuda")


def numbers(*shape: int, dtype: torch.dtype = torch.bfloat16) -> torch.Tensor:
    """Random activations of a shape."""
    return torch.randn(shape, device="cuda", dtype=dtype)
