"""Turns the palette into the style of the page, a class for each colour, and into the classes of things in its data."""

from collections.abc import Mapping
from typing import Any

from formula_eval.export.palette import THEMES, Palette, palette_of
from formula_eval.export.plot.style import look_of
from formula_eval.library import Library

# Where the page is in the colours of a theme: chosen by the reader, else by the system.
_IN_THEME = {
    "light": ':root, :root[data-theme="light"]',
    "dark": ':root[data-theme="dark"]',
}


def colour_style(library: Library) -> str:
    """A rule for each colour, which sets what the style sheet calls `--c`, and the shades of heat maps."""
    palette = palette_of(library)
    colours = [f".{_look(colour)} {{ --c: {colour}; }}\n" for colour in dict.fromkeys(palette.colours.values())]
    heats = {theme: enumerate(look_of(library, theme).heat) for theme in THEMES}
    shades = {theme: " ".join(f"--heat-{place}: {name};" for place, name in heats[theme]) for theme in THEMES}
    themes = [f"{_IN_THEME[theme]} {{ {shades[theme]} }}\n" for theme in THEMES]
    by_system = f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {shades["dark"]} }} }}\n'
    return "".join([*colours, *themes, by_system])


def colours_data(palette: Palette) -> dict[str, Any]:
    """The class of each word for what time waits for, of states, of other words, and of lines in turn."""
    turn = [_look(palette.colour(name)) for name in palette.turn]
    waits = {word: _look(palette.colour(wait)) for word, wait in palette.waits.items()}
    status = {word: _look(palette.state(word)) for word in palette.status}
    return {
        "waits": waits,
        "status": status,
        "free": [name for name in turn if name not in waits.values()] or turn,
        "turn": turn,
    }


def coloured_stack(section: Mapping[str, Any], palette: Palette) -> dict[str, Any]:
    """A section of kind `stack` whose parts know their class."""
    colours = palette.of_parts([part["name"] for part in section["parts"]])
    parts = zip(section["parts"], colours, strict=True)
    return {**section, "parts": [{**part, "look": _look(colour)} for part, colour in parts]}


def _look(colour: str) -> str:
    return f"is-{colour[1:].lower()}"
