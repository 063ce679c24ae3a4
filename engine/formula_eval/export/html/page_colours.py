"""The palette to the page: a class for each colour in its style, and which class things have in its data."""

from collections.abc import Mapping
from typing import Any

from formula_eval.export.palette import Palette


def colour_style(palette: Palette) -> str:
    """A rule for each colour, which sets what the style sheet calls `--c`."""
    return "".join(f".{_look(each)} {{ --c: {each}; }}\n" for each in dict.fromkeys(palette.colours.values()))


def colours_data(palette: Palette) -> dict[str, Any]:
    """The class of each word for what time waits for, of those that other words take, and of lines in turn."""
    turn = [_look(palette.colour(each)) for each in palette.turn]
    waits = {word: _look(palette.colour(each)) for word, each in palette.waits.items()}
    return {"waits": waits, "free": [each for each in turn if each not in waits.values()] or turn, "turn": turn}


def coloured_stack(section: Mapping[str, Any], palette: Palette) -> dict[str, Any]:
    """A section of kind `stack` whose parts know their class."""
    colours = palette.of_parts([each["name"] for each in section["parts"]])
    parts = zip(section["parts"], colours, strict=True)
    return {**section, "parts": [{**part, "look": _look(colour)} for part, colour in parts]}


def _look(colour: str) -> str:
    return f"is-{colour[1:].lower()}"
