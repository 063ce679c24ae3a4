"""Reads an edited workbook of ours as what it states: records that were chosen, values that were typed.

In: a file that `export excel` wrote. Out: a mapping as of a scenario file. Read first: `read_back.py`.
"""
