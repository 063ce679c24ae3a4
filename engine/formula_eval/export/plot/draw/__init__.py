"""A picture, as plain data, to a file, by matplotlib: the only door to it.

In: a `Picture` and the looks of its themes. Out: SVG, PNG, or a page that holds both themes; the same bytes each time.
Read first: `picture_file.py`, then `figure.py`.
"""
