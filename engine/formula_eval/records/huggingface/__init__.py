"""Converts a model's config.json on Hugging Face to a record of ours.

Enters: a config, and the table of its family (`models/families/*.toml`), which says in expressions over the config
what our inputs are. Leaves: the values of a model record, its kinds of layers as rows of a table included. Read
`config.py` first; `family_config.py` brings older spellings and defaults into one form, `family.py` reads the table,
`unread.py` tells what it does not read.
"""
