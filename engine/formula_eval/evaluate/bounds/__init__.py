"""Bounds every formula over boxes of configurations: runs the generated array program on sets of values.

In: a `Program`, and for each input an `Interval`, `Words` or one value. Out: for each quantity a set that holds its
value in every configuration of the box. Read first: `box_operations.py`, which says what each operation means; then
`interval.py` and `choice_sets.py`, what it works on.
"""
