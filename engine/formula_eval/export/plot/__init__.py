"""Draws pictures of results: lines, heat maps, bars and rooflines, as SVG, PNG or a page.

In: what `analyse/` and `evaluate/` found. Out: a `Picture`, plain data of what is shown, which `draw/` turns into a
file; nothing else knows the library that draws. Read first: `chart_data.py`, then `answer_picture.py`.
"""
