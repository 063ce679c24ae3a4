"""libraries/vision: tiles and their tokens are those of the image processors of transformers, for any size of image."""

import math
import random
from pathlib import Path

import pytest

from counted import seen
from formula_eval import Formulas

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "libraries" / "vision"
Size = tuple[int, int]
NEXT = [(336, 672), (672, 336), (672, 672), (1008, 336), (336, 1008)]
ONEVISION = [(384 * down, 384 * across) for down in range(1, 7) for across in range(1, 7)]


def best_resolution(height: int, width: int, ways: list[Size]) -> Size:
    """Choose as `select_best_resolution` does: heights and widths, most pixels shown, then fewest left empty."""
    best, most, least = ways[0], 0, math.inf
    for way in ways:
        scale = min(way[0] / height, way[1] / width)
        shown = min(round(width * scale, 9) // 1 * (round(height * scale, 9) // 1), width * height)
        empty = way[0] * way[1] - shown
        if shown > most or (shown == most and empty < least):
            best, most, least = way, shown, empty
    return best


def unpadded(height: int, width: int, rows: int, columns: int) -> Size:
    """Cut empty edges off as `unpad_image` does."""
    if width / height > columns / rows:
        edge = (rows - int(round(height * (columns / width), 7))) // 2
        return rows - 2 * edge, columns
    edge = (columns - int(round(width * (rows / height), 7))) // 2
    return rows, columns - 2 * edge


def anyres(height: int, width: int, ways: list[Size], side: int, most: int) -> tuple[int, int]:
    """Count squares and tokens as LLaVA-NeXT and LLaVA-OneVision do: `most` is the number behind `anyres_max_`."""
    chosen = best_resolution(height, width, ways)
    patches = side // 14
    rows, columns = unpadded(height, width, *(patches * (each // side) for each in chosen))
    shrink = math.sqrt(rows * columns / (most * patches**2)) if most else 1
    if shrink > 1.1:
        rows, columns = int(rows // shrink), int(columns // shrink)
    return 1 + chosen[0] * chosen[1] // side**2, patches**2 + rows * (columns + 1)


def cohere(height: int, width: int) -> int:
    """Count squares as `get_optimal_tiled_canvas` of Command A Vision does."""
    ways = sorted(((i, j) for i in range(1, 13) for j in range(1, 13) if i * j <= 12), key=lambda way: way[0] * way[1])
    scales = [min(512 * across / width, 512 * down / height) for across, down in ways]
    fitting = [scale for scale in scales if scale >= 1]
    across, down = ways[scales.index(min(fitting) if fitting else max(scales))]
    return across * down + (across * down > 1)


def idefics3(height: int, width: int, longest: int, side: int) -> int:
    """Count squares as the image processor of Idefics3 and SmolVLM does."""
    proportion = width / height
    size = (int(longest / proportion), longest) if width >= height else (longest, int(longest * proportion))
    size = tuple(max(1, each + each % 2) for each in size)
    return math.ceil(size[0] / side) * math.ceil(size[1] / side) + 1


def sizes(seed: int) -> list[Size]:
    draw = random.Random(seed)
    drawn = [(draw.randint(20, 4000), draw.randint(20, 4000)) for _ in range(20)]
    return [(1000, 1000), (336, 672), (720, 1280), (300, 200), (200, 300), (900, 600), (2000, 200), *drawn]


def found(library: Formulas, model: str, size: Size) -> tuple[int, int]:
    names = ["vision.image_count", "vision.image_tokens"]
    numbers = library.evaluate(model=model, image_height=size[0], image_width=size[1], only=names).numbers
    return tuple(int(numbers[name]) for name in names)


def test_tiles_of_llava_next(library: Formulas) -> None:
    for size in seen(sizes(1)):
        assert found(library, "llava-v1.6-mistral-7b", size) == anyres(*size, NEXT, 336, 0), size


def test_tiles_of_llava_onevision(library: Formulas) -> None:
    for size in seen(sizes(2)):
        assert found(library, "llava-onevision-7b", size) == anyres(*size, ONEVISION, 384, 9), size


def test_tiles_of_command_a_vision(library: Formulas) -> None:
    for size in seen(sizes(3)):
        assert found(library, "command-a-vision-112b", size) == (cohere(*size), 256 * cohere(*size)), size


def test_tiles_of_smolvlm(library: Formulas) -> None:
    for size in seen(sizes(4)):
        tiles = idefics3(*size, 1536, 384)
        assert found(library, "smolvlm2-2.2b", size) == (tiles, 81 * tiles), size
