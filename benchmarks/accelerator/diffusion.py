"""Denoisers, decoders and text encoders of images and videos with Diffusers, step by step."""

from collections.abc import Callable, Iterator

import torch
from benchmarks.accelerator.build import built, numbers, text
from benchmarks.accelerator.clock import timed

# (width, height, batch) of images; (width, height, frames) of videos.
_STEPS: dict[str, tuple[tuple[int, int, int], ...]] = {
    "flux.1-dev": ((1024, 1024, 1), (512, 512, 1), (2048, 2048, 1), (1024, 1024, 4)),
    "sd3.5-large": ((1024, 1024, 2), (512, 512, 2)),
    "sdxl-base-1.0": ((1024, 1024, 2), (512, 512, 2), (1024, 1024, 8)),
    "sd-1.5": ((512, 512, 2), (512, 512, 16)),
    "wan2.1-t2v-1.3b": ((832, 480, 81), (832, 480, 17)),
    "wan2.1-t2v-14b": ((832, 480, 81), (1280, 720, 17)),
}
_DECODED: dict[str, tuple[tuple[int, int, int], ...]] = {
    "flux.1-dev": ((1024, 1024, 1), (1024, 1024, 4), (2048, 2048, 1)),
    "sdxl-base-1.0": ((1024, 1024, 1),),
    "wan2.1-t2v-1.3b": ((832, 480, 17),),
}


def denoising(name: str) -> Iterator[tuple[dict, dict]]:
    """Times of one step of a denoiser; guidance that runs twice is a batch twice as large."""
    model = built(f"{name}/denoiser")
    with torch.inference_mode():
        for width, height, count in _STEPS[name]:
            run = _STEP_OF[type(model).__name__](model, width, height, count)
            yield _asked(name, "denoise", width, height, count), timed(run)
    if name == "flux.1-dev":
        model.compile_repeated_blocks(fullgraph=True)
        with torch.inference_mode():
            run = _flux(model, 1024, 1024, 1)
            yield _asked(name, "denoise", 1024, 1024, 1) | {"by_compiler": "repeated blocks"}, timed(run)


def decoding(name: str) -> Iterator[tuple[dict, dict]]:
    """Times of the decoder from latents to pixels."""
    model = built(f"{name}/vae")
    channels = getattr(model.config, "latent_channels", None) or model.config.z_dim
    with torch.inference_mode():
        for width, height, count in _DECODED[name]:
            latents = (
                numbers(1, channels, (count - 1) // 4 + 1, height // 8, width // 8)
                if "Wan" in type(model).__name__
                else numbers(count, channels, height // 8, width // 8)
            )
            yield _asked(name, "decode", width, height, count), timed(model.decode, latents)


def reading(name: str) -> Iterator[tuple[dict, dict]]:
    """Times of a text encoder over one prompt and several."""
    model = built(name)
    with torch.inference_mode():
        for batch, length in ((1, 512), (8, 512)):
            tokens = text(batch, length)
            inputs = {"model": name, "phase": "read", "batch": batch, "input_len": length}
            yield inputs, timed(model, tokens)


def _asked(name: str, phase: str, width: int, height: int, count: int) -> dict[str, object]:
    counted = "frames" if "wan" in name else "batch"
    return {"model": name, "phase": phase, "width": width, "height": height, counted: count}


def _flux(model: torch.nn.Module, width: int, height: int, batch: int) -> Callable[[], object]:
    patches = width * height // 256
    given = {
        "hidden_states": numbers(batch, patches, 64),
        "encoder_hidden_states": numbers(batch, 512, 4096),
        "pooled_projections": numbers(batch, 768),
        "timestep": torch.full((batch,), 0.5, device="cuda", dtype=torch.bfloat16),
        "guidance": torch.full((batch,), 3.5, device="cuda", dtype=torch.bfloat16),
        "img_ids": torch.zeros(patches, 3, device="cuda", dtype=torch.bfloat16),
        "txt_ids": torch.zeros(512, 3, device="cuda", dtype=torch.bfloat16),
    }
    return lambda: model(**given)


def _sd3(model: torch.nn.Module, width: int, height: int, batch: int) -> Callable[[], object]:
    given = {
        "hidden_states": numbers(batch, 16, height // 8, width // 8),
        "encoder_hidden_states": numbers(batch, 333, 4096),
        "pooled_projections": numbers(batch, 2048),
        "timestep": torch.full((batch,), 500.0, device="cuda"),
    }
    return lambda: model(**given)


def _unet(model: torch.nn.Module, width: int, height: int, batch: int) -> Callable[[], object]:
    latents = numbers(batch, 4, height // 8, width // 8)
    texts = numbers(batch, 77, model.config.cross_attention_dim)
    added = {"text_embeds": numbers(batch, 1280), "time_ids": numbers(batch, 6)}
    conditions = {"added_cond_kwargs": added} if model.config.addition_embed_type else {}
    return lambda: model(latents, 500, texts, **conditions)


def _wan(model: torch.nn.Module, width: int, height: int, frames: int) -> Callable[[], object]:
    latents = numbers(1, 16, (frames - 1) // 4 + 1, height // 8, width // 8)
    texts = numbers(1, 512, 4096)
    moment = torch.full((1,), 500, device="cuda")
    return lambda: model(hidden_states=latents, timestep=moment, encoder_hidden_states=texts)


_STEP_OF: dict[str, Callable[[torch.nn.Module, int, int, int], Callable[[], object]]] = {
    "FluxTransformer2DModel": _flux,
    "SD3Transformer2DModel": _sd3,
    "UNet2DConditionModel": _unet,
    "WanTransformer3DModel": _wan,
}
