"""An expression to a notation, in its author's shape; and a diagnostic to text.

In: the tree of `core/expression.py`. Out: text in Python, NumPy, JavaScript, Excel, LaTeX, MathML or our own language.
One module for each notation, which imports nothing of ours but `core`.
Read first: `text.py`, the notation that formulas are written in.
"""
