"""Writes a document as a live Excel workbook, and reads an edited workbook back as a scenario.

In: a `Document`, and reports/workbook.toml (`workbook_layout.py`); or a file that somebody edited (`safe_reader.py`).
Out: a workbook whose every cell is a formula with the value of the engine; or the inputs that were typed into one.
Read first: `writer.py`, a line for each sheet; `workbook_context.py` holds what sheets share, `naming.py` what
formulas refer to.
"""
