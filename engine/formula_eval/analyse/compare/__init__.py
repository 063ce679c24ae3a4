"""One question to several who answer it, side by side: published tools, or configurations of our own.

In: a `Question`, or several, and which quantities are compared. Out: a `Comparison`.
Read first: `comparison.py`, which says what that is; then `published_tools.py` and `configurations.py`, which make it.
"""
