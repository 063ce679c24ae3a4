"""Writes a picture to a file: SVG or PNG in one theme, or a page in both that shows the theme of its reader."""

import base64
from html import escape
from pathlib import Path

from formula_eval.core.diagnostic import refuse
from formula_eval.core.missing_extra import missing_extra
from formula_eval.export.files import write_whole
from formula_eval.export.palette import THEMES
from formula_eval.export.plot.chart_data import Picture
from formula_eval.export.plot.style import look_of
from formula_eval.library import Library

ENDINGS = ("svg", "png", "html")


def refuse_ending(target: str | Path) -> None:
    """Raise FormulaError for a file of another kind, and where matplotlib is not installed."""
    if Path(target).suffix.lower().removeprefix(".") not in ENDINGS:
        raise refuse("bad-value", f"--plot: `{target}` is not a picture", help="Name FILE.svg, FILE.png or FILE.html.")
    try:
        import matplotlib as mpl  # noqa: PLC0415 - an optional package
    except ImportError as error:
        raise missing_extra("--plot", "matplotlib", "plot") from error
    del mpl


def write_picture(picture: Picture, library: Library, target: str | Path, theme: str = THEMES[0]) -> None:
    """Write the picture; a page has both themes. Raises FormulaError for another kind of file, or a full disk."""
    refuse_ending(target)
    kind = Path(target).suffix.lower().removeprefix(".")
    if kind == "html":
        write_whole(target, _page(picture, {each: _rendered(picture, library, each, "svg") for each in THEMES}))
    else:
        write_whole(target, _rendered(picture, library, theme, kind))


def _rendered(picture: Picture, library: Library, theme: str, kind: str) -> bytes:
    from formula_eval.export.plot.draw.figure import rendered  # noqa: PLC0415 - loads matplotlib

    return rendered(picture, look_of(library, theme), kind)


def _page(picture: Picture, drawn: dict[str, bytes]) -> str:
    light, dark = (f"data:image/svg+xml;base64,{base64.b64encode(drawn[theme]).decode()}" for theme in THEMES)
    title = escape(picture.title)
    said = escape(description(picture), quote=True)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n"
        "<style>body { margin: 2vmin; text-align: center } img { max-width: 100%; height: auto }</style>\n"
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="{dark}">'
        f'<img alt="{said}" src="{light}"></picture>\n'
    )


def description(picture: Picture) -> str:
    """The picture in words, for those who cannot see it."""
    titles = [chart.title for chart in picture.charts if chart.title]
    return f"{picture.title}: {'; '.join(titles)}" if titles else picture.title
