"""Compares answers to one question side by side: those of published tools, or of several configurations.

In: a `Question`, or several, and which quantities are compared. Out: a `Comparison`.
Read first: `comparison.py`, which says what that is; then `published_tools.py` and `configurations.py`, which make it.
"""
