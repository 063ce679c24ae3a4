"""Writes a sweep to a file, in bounded memory, so that an interruption neither loses nor repeats rows.

In: the batches of a `Sweep`. Out: CSV, JSON or Parquet, with a column for each input that varies and each quantity.
Read first: `parts.py`; then `row_formats.py`.
"""
