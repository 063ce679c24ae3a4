"""Writes a document as a Python module that needs nothing else.

In: a `Document`.
Out: source code with a function for each quantity, whose arguments are its inputs, and with our values bit for bit.
Read first: `module.py`; `prelude.py` holds what every such module begins with.
"""
