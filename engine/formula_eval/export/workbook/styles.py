"""Makes the formats of a workbook from names of styles: one for each look, so that Excel's limit on them is far."""

from collections.abc import Mapping
from typing import Any

from formula_eval.core.diagnostic import nearest, refuse

INK, FAINT, LINE = "#1F2933", "#6B7785", "#D5DBE1"
ACCENT, PALE = "#1F4E79", "#EAF1F8"
PAPER, PALE_GROUND, PALE_INK = "#FFFFFF", "#F3F4F6", "#A3ABB5"
GREYS = ("#AEB8C2", "#D3D9DF")

MONO = "Courier New"

_BASE = {"font_name": "Arial", "font_size": 10, "font_color": INK, "valign": "top"}
_STYLES: Mapping[str, Mapping[str, Any]] = {
    "text": {},
    "wrap": {"text_wrap": True},
    "note": {"text_wrap": True, "font_color": FAINT},
    "name": {"text_wrap": True, "font_name": MONO, "font_size": 9},
    "formula": {"text_wrap": True, "font_name": MONO, "font_size": 9, "font_color": "#3A4653"},
    "title": {"bold": True, "font_size": 16, "font_color": ACCENT},
    "subtitle": {"font_color": FAINT},
    "head": {"bold": True, "font_color": PAPER, "bg_color": ACCENT, "text_wrap": True, "valign": "bottom"},
    "unit": {"font_color": FAINT, "italic": True, "align": "left", "indent": 1},
    "block": {"bold": True, "font_color": ACCENT, "bg_color": PALE},
    "number": {"align": "right"},
    "calc": {"align": "right", "border": 1, "border_color": LINE},
    "input": {
        "align": "right",
        "font_color": "#0000FF",
        "bg_color": "#FFFFCC",
        "border": 1,
        "border_color": "#C8B560",
        "locked": False,
    },
    "open": {"align": "right", "font_color": "#0000FF", "border": 1, "border_color": LINE, "locked": False},
    "link": {"font_color": "#1155CC", "underline": 1},
    "linked": {"font_color": "#1155CC", "underline": 1, "text_wrap": True},
    "label": {"font_color": FAINT, "font_size": 9, "text_wrap": True, "valign": "bottom"},
    "big": {"bold": True, "font_size": 14, "align": "left", "valign": "top"},
    "card": {"font_color": FAINT, "font_size": 9, "align": "left", "valign": "top", "shrink": True},
    "status": {"bold": True},
}


class Styles:
    """The formats of one workbook."""

    def __init__(self, workbook: Any) -> None:  # noqa: ANN401 - a library without types
        """Make formats in this workbook, each once."""
        self._workbook = workbook
        self._made: dict[tuple[str, str, tuple[tuple[str, Any], ...]], Any] = {}

    def get(self, style: str, number_format: str = "", **more: Any) -> Any:  # noqa: ANN401 - a library without types
        """The format of a style, with a number format and further properties."""
        key = style, number_format, tuple(sorted(more.items()))
        if key not in self._made:
            properties = {**_BASE, **_STYLES[style], **more}
            if number_format:
                properties["num_format"] = number_format
            self._made[key] = self._workbook.add_format(properties)
        return self._made[key]

    def known(self, style: str) -> str:
        """The name of a style; raises FormulaError for an unknown one."""
        if style in _STYLES:
            return style
        raise refuse("bad-report", f"`{style}` is not a look of a cell", help=nearest(style, _STYLES))

    def bare(self, **properties: Any) -> Any:  # noqa: ANN401 - a library without types
        """A format of these properties alone, for a rule that colours cells."""
        key = "", "", tuple(sorted(properties.items()))
        if key not in self._made:
            self._made[key] = self._workbook.add_format(properties)
        return self._made[key]
