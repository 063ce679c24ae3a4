"""Renders results for people and programs: the answer in a terminal, and a document in each format.

In: the result of a question, or a `Document` (the needed part of the graph with all its numbers, records and sources).
Out: text, or a file of one of the formats in `formats.py`. Which quantities head it and what it looks like is data in
reports/, whose keys `layout.py` checks; no exporter knows a quantity by name.
Read first: `document.py`, then `json_document.py`, the shortest of the formats.
"""
