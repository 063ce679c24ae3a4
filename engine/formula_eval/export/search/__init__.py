"""A search as data: the space that a report says, and what was found as CSV, JSON and Parquet.

In: reports/search/ and a `Found`. Out: a `SearchSpace`, and files. Read first: `search_layout.py`.
"""
