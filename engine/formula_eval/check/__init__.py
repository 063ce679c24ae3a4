"""Checks a library for what is missing or misleading, beyond what keeps it from being computed at all.

In: a library, or chapters with what `resolve` made of them. Out: findings (`core/diagnostic.py`) for what is missing
or misleading (notes, sentences, evidence, ranges, names for Excel, what nothing uses) and for examples that do not
hold, which are computed. Read `library.py` first: it asks all others, for a whole library or for some chapters;
`dependencies.py` says what is checked together. `format.py` puts formula files into their one form.
"""

from typing import TYPE_CHECKING

from formula_eval.lazy_modules import modules_of

if TYPE_CHECKING:
    from formula_eval.check import library as library, severity as severity, watch as watch

__getattr__ = modules_of(__name__)
