"""Lists the notations that a formula can be shown in, by name: `show --notation` offers each of them."""

from collections.abc import Mapping
from importlib import import_module

from formula_eval.printing.printer import Printer

# Where the class of each is found beneath `formula_eval.printing`; imported only when it is asked for.
NOTATIONS: Mapping[str, str] = {
    "text": "text.TextPrinter",
    "latex": "latex.LatexPrinter",
    "mathml": "mathml.MathmlPrinter",
    "excel": "excel.ExcelPrinter",
    "python": "python.PythonPrinter",
    "numpy": "numpy.NumpyPrinter",
    "javascript": "javascript.JavaScriptPrinter",
}


def notation(name: str) -> type[Printer]:
    """The class of a notation."""
    module, _, found = NOTATIONS[name].partition(".")
    printer: type[Printer] = getattr(import_module(f"formula_eval.printing.{module}"), found)
    return printer
