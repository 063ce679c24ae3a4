"""Towers of vision-language models with Transformers: images to the tokens that the language model receives."""

from collections.abc import Iterator
from functools import partial

import torch
from benchmarks.accelerator.build import built, numbers
from benchmarks.accelerator.clock import timed

# Edges of square images after each family's rule has cut them to its patches, and how many there are.
_IMAGES = ((448, 1), (448, 8), (896, 1), (896, 8), (1792, 1))
_FIXED = (1, 8, 32)


def seeing(name: str) -> Iterator[tuple[dict, dict]]:
    """Times of a tower and its projector over images, the language model apart."""
    model = built(name)
    with torch.inference_mode():
        if hasattr(model.config.vision_config, "spatial_merge_size"):
            yield from _patches(name, model)
        else:
            yield from _whole_images(name, model)


def _patches(name: str, model: torch.nn.Module) -> Iterator[tuple[dict, dict]]:
    vision = model.config.vision_config
    width = vision.in_channels * vision.temporal_patch_size * vision.patch_size**2
    unit = vision.patch_size * vision.spatial_merge_size
    for edge, count in _IMAGES:
        side = edge // unit * vision.spatial_merge_size
        pixels = numbers(count * side * side, width)
        grid = torch.tensor([[1, side, side]] * count, device="cuda")
        inputs = {"model": name, "phase": "see", "images": count, "image_size": side * vision.patch_size}
        yield inputs, timed(partial(model.get_image_features, pixel_values=pixels, image_grid_thw=grid))


def _whole_images(name: str, model: torch.nn.Module) -> Iterator[tuple[dict, dict]]:
    edge = model.config.vision_config.image_size
    for count in _FIXED:
        pixels = numbers(count, 3, edge, edge)
        inputs = {"model": name, "phase": "see", "images": count, "image_size": edge}
        yield inputs, timed(partial(model.get_image_features, pixel_values=pixels))
