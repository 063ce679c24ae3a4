"""Merges models, accelerators, presets, scenarios and options into one value for each input, with who said it.

Enters: a question (records by id, values as typed, files of inputs) and the `Schema`: what the graph's inputs and
formulas are, as plain data that a cache holds, so that an everyday question loads no graph. Leaves: `Givens`, numbers
in base units, each with its origin. Read `schema.py` first, then `givens.py`, which lays the sources over each other.
`huggingface/` makes a record of a config.json, `checkpoint/` of the headers of a model's files; `mapping/` computes the
expressions of the tables that say how.
"""
