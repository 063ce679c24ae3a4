"""Draws a picture, given as plain data, to a file with matplotlib; no other folder draws with it.

In: a `Picture` and the looks of its themes. Out: SVG, PNG, or a page that holds both themes; the same bytes each time.
Read first: `picture_file.py`, then `figure.py`.
"""
