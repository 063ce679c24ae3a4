"""Prints a closed form as a Python module that stands alone: its function, and the arithmetic that this calls."""

import re

from formula_eval.analyse.closed_form import ClosedForm
from formula_eval.export.python.prelude import prelude


def closed_form_python(form: ClosedForm) -> str:
    """The text of the module."""
    called = prelude(form.python)
    whole = re.sub(r'"""[^"]*"""', "", called + form.python)
    words = {each: re.search(rf"\b{each}\b", whole) for each in ("math", "inf", "nan")}
    imports = [f"from math import {each}" if each != "math" else "import math" for each, used in words.items() if used]
    parts = ["\n".join(imports), called.strip(), form.python.rstrip()]
    return "\n\n\n".join(each for each in parts if each) + "\n"
