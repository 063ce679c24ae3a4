"""reports/plot.toml and the palette to the look of pictures, light and dark, and to the words in them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.export.layout import check_keys
from formula_eval.export.palette import Palette, palette_of
from formula_eval.library import Library

FILE = "reports/plot.toml"
_COLOURS = ("ground", "ink", "soft", "grid")


class Look(NamedTuple):
    """The colours of a picture but for those of data: ground, letters, lesser letters, lines behind."""

    name: str
    ground: str
    ink: str
    soft: str
    grid: str
    heat: tuple[str, ...]


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
    table = data.get(theme)
    if not isinstance(table, Mapping):
        raise refuse("bad-report", f"{shown} has no table [{theme}]")
    check_keys(table, (*_COLOURS, "heat"), f"{shown}: [{theme}]")
    palette = palette_of(library)
    ground, ink, soft, grid = (palette.colour(str(table[key])) for key in _COLOURS)
    return Look(theme, ground, ink, soft, grid, tuple(palette.colour(str(each)) for each in table["heat"]))


def words_of(library: Library, kind: str, keys: tuple[str, ...]) -> PlotWords:
    """What the layout says of a kind of picture; raises FormulaError where it lacks one of the keys."""
    shown, data = library.last_or_ours(FILE)
    check_keys(data.get(kind, {}), keys, f"{shown}: [{kind}]")
    return PlotWords(palette_of(library), data[kind])
