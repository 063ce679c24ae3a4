"""A sweep to a file, in bounded memory, that an interruption neither loses nor doubles.

In: the batches of a `Sweep`. Out: CSV, JSON or Parquet, with a column for each input that varies and each quantity.
Read first: `parts.py`; then `row_formats.py`.
"""
