"""A result to a picture of it: lines, heat maps, bars, rooflines, as SVG, PNG or a page.

In: what `analyse/` and `evaluate/` found. Out: a `Picture`, plain data of what is shown, which `draw/` turns into a
file; nothing else knows the library that draws. Read first: `charts.py`, then `answer_picture.py`.
"""
