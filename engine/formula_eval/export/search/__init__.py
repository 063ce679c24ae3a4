"""Reads the space that a search looks through (reports/search/), and writes its outcome as CSV, JSON and Parquet.

In: reports/search/ and an `Outcome`. Out: a `SearchSpace`, and files. Read first: `search_layout.py`.
"""
