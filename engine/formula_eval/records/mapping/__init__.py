"""Evaluates expressions over foreign names, with which a table maps foreign data to our inputs.

Enters: expressions in our language, as families of models and measured runs write them in TOML, and the plain data (a
config, a row) whose names they use. Leaves: their values; what cannot be computed is a message that names table and
key. Read `reader.py` first; `interpreter.py` walks the tree, `functions.py` has what may be called.
"""
