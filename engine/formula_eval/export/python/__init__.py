"""A document to a Python module that needs nothing else.

In: a `Document`.
Out: source code with a function for each quantity, whose arguments are its inputs, bit for bit as precise as we are.
Read first: `module.py`; `prelude.py` holds what every such module begins with.
"""
