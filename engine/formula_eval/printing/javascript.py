"""Prints lowered expressions as JavaScript, in the author's shape, computed as `printing.python` does."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.c_like import CLikePrinter
from formula_eval.printing.code import OWN_NAMES

# What Python refuses, JavaScript would call Infinity or NaN: these refuse as well, so that a page shows no number
# where the engine shows none.
PRELUDE = Path(__file__).with_name("prelude.js").read_text(encoding="utf-8")


def javascript_text(expression: e.Expression, names: p.Names, conditions: p.Names | None = None) -> str:
    """The expression on one line of JavaScript that needs only what `PRELUDE` defines, and `given` for `given(input)`.

    `names` spells a node. `conditions` spells a flag where it decides, for flags that may be absent (NaN).
    """
    return JavaScriptPrinter(names, conditions).text(expression)


class JavaScriptPrinter(CLikePrinter):
    """JavaScript, with functions that refuse where the language itself does not."""

    words: ClassVar[Mapping[str, str]] = {"true": "true", "false": "false", "infinity": "inf", "absent": "nan"}
    watched: ClassVar[Mapping[str, str]] = {"/": "divide", "%": "modulo", "**": "power"}
    signs: ClassVar[Mapping[str, str]] = {**CLikePrinter.signs, "==": " === ", "!=": " !== "}
    functions: ClassVar[Mapping[str, str]] = {**OWN_NAMES, "abs": "Math.abs"}

    def number(self, x: e.Number) -> p.Printed:
        """All digits of the float, and no point behind whole ones."""
        text, level = super().number(x)
        return text.removesuffix(".0"), level

    def given(self, x: e.Given) -> p.Printed:
        """Looked up among the inputs that have a value of their own."""
        return f"({json.dumps(x.node)} in given)", p.ATOM
