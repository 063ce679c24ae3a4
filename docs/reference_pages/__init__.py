"""Builds the reference of the site from a library: each quantity with its equation, sources, readers and examples.

In: the chapters of a library, read and not evaluated.
Out: pages of Markdown and HTML by path, which Sphinx builds with the rest of docs/.
Read first: `pages.py`, which lists them; `entries.py` finds out what reads what.
"""
