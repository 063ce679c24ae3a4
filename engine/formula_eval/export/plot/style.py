"""Reads reports/plot.toml and the palette: the look of pictures, light and dark, and the words in them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.export.palette import THEMES, Palette, colours_in, palette_of
from formula_eval.library import Library
from formula_eval.toml_shape import Table
from formula_eval.toml_table import check_table, table

FILE = "reports/plot.toml"
_COLOURS = ("ground", "ink", "soft", "grid")
_THEME = table("ground:colour ink:colour soft:colour grid:colour heat:[colour]")
_NAMED = table("*:text")
_WORDS = {
    "answer": "times share roofline intensity rate slope peak",
    "sensitivity": "title axis up down",
    "uncertainty": "title spread axis shares share alone",
    "front": "title sought",
    "sequence": "most_lines:whole most_charts:whole most_points:whole",
    "sweep": "most_lines:whole most_charts:whole cells:whole limit limits:named",
}
PLOT = Table({**dict.fromkeys(THEMES, _THEME), **{kind: table(words, named=_NAMED) for kind, words in _WORDS.items()}})


class Look(NamedTuple):
    """The colours of a picture but for those of data: ground, letters, lesser letters, lines behind."""

    name: str  # of the theme, `light` or `dark`
    ground: str
    ink: str  # colour of titles and names
    soft: str  # colour of axes and of their numbers
    grid: str  # colour of the lines behind the data
    heat: tuple[str, ...]  # of a heat map, from least to most


class PlotWords(NamedTuple):
    """The palette, and what a layout says of one kind of picture."""

    palette: Palette
    data: Mapping[str, Any]

    def text(self, key: str, **values: str) -> str:
        """A text of the layout with values in its braces."""
        found = str(self.data[key])
        for name, value in values.items():
            found = found.replace(f"{{{name}}}", value)
        return found


def look_of(library: Library, theme: str) -> Look:
    """The look of this name; raises FormulaError for one that the layout lacks."""
    shown, data = library.last_or_ours(FILE)
    palette = palette_of(library)
    check_table(PLOT, data, shown, {"colour": colours_in({"colours": palette.colours})})
    table = data[theme]
    ground, ink, soft, grid = (palette.colour(str(table[key])) for key in _COLOURS)
    return Look(theme, ground, ink, soft, grid, tuple(palette.colour(str(each)) for each in table["heat"]))


def words_of(library: Library, kind: str) -> PlotWords:
    """What the layout says of a kind of picture; raises FormulaError for a file that is wrong."""
    shown, data = library.last_or_ours(FILE)
    check_table(PLOT, data, shown, {})
    return PlotWords(palette_of(library), data[kind])
