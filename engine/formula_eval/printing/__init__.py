"""Prints expressions in a notation, in their author's shape, and diagnostics as text.

In: the tree of `core/expression.py`. Out: text in Python, NumPy, JavaScript, Excel, LaTeX, MathML or our own language.
One module for each notation, which imports nothing of ours but `core`; `code.py` and `mathematics.py` hold what several
share, `notations.py` finds them by name, and `diagnostic.py` prints findings.
Read first: `printer.py`, what every notation has to say, then `text.py`, the one that formulas are written in.
"""
