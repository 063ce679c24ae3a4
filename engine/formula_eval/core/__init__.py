"""Defines the data types of the engine: frozen values that know nothing of files, grammars or notations.

Nothing enters and nothing leaves: all other folders exchange these types. Read `declaration.py` (what an author
declares), `expression.py` (the tree as its author writes it), `lowered.py` (the nodes that every notation prints) and
`graph.py` (what all outputs are made of) in this order. `type.py` and `unit.py` say what a value is; `quantity.py`,
`table.py` and `namespace.py` say it as plain data, which the everyday command reads without the rest; `builtins.py` is
the table of functions; `diagnostic.py` has the findings and the error that carries them.
"""
