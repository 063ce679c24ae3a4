"""Renders a document as one HTML file that recalculates in the browser, with no server and no network.

In: a `Document`, and reports/page.toml (`page_layout.py`) with the scripts and styles of reports/page/.
Out: HTML that holds the formulas as a JavaScript program, all records to choose from, and how each value is derived.
Read first: `page.py`, which puts the parts together; `program.py` prints what is computed.
"""
