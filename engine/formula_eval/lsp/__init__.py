"""Answers an editor's requests while formulas are being typed: with findings, texts and places.

In: messages of the language server protocol, with texts that may not be saved or not even be formulas. Out: findings
as one types, and what is known of a name where the cursor stands. Read `features.py` first: it says which request
goes where. `snapshot.py` is the library as the editor has it; `tokens.py` and `statement_tokens.py` tell what a text
says even where it cannot be parsed, `symbol_at.py` what a name in it means. The only door to pygls.
"""
