"""Renders answers as text for a terminal, as Markdown, and as JSON and CSV: what each verb prints.

In: a result, with reports/answers/ (`answer_layout.py`) to say what the main command shows of it; or what a module of
`analyse` found (a comparison, a derivation, a description, a listing), each in a module of that name here.
Out: text. An answer becomes `blocks.py` first, which `screen.py` and `markdown_blocks.py` lay out.
Read first: `answer_text.py`, then `answer_blocks.py`.
"""
