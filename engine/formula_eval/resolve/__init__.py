"""Resolves declarations into the graph: names, types and units, then calls, copies and order, all checked once.

Enters: the chapters of a library, as `language` read them. Leaves: a frozen `FormulaGraph` (`core/graph.py`) of
lowered nodes in the order of evaluation, or none and every finding; and the `Scope` of what was declared. Read
`passes.py` first: `PASSES` is the table of contents, one function for each pass over one state. `load.py` does all of
it for the files of a library; `typecheck/` is the checker of expressions.
"""
