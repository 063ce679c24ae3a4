"""Renders a document as a paper: its equations in the order of evaluation, each with its numbers put in.

In: a `Document` and a style (`symbolic`, `substituted` or `full`).
Out: a `Paper`, plain data that a template prints in LaTeX or Markdown.
Read first: `paper.py`, the table of contents; `equations.py` says what is one equation, `worked_equation.py` what it
shows.
"""
