"""A search as data: the space that a report says, and its outcome as CSV, JSON and Parquet.

In: reports/search/ and an `Outcome`. Out: a `SearchSpace`, and files. Read first: `search_layout.py`.
"""
