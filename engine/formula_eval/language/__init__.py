"""Parses text into declarations and formats them as text: the only place that knows the syntax of the language.

Enters: the text of a `.formula` file, or of one expression. Leaves: a `Chapter` of declarations
(`core/declaration.py`) and a finding for each statement that cannot be read; or, by `formatter.py`, the one canonical
text of a chapter. Names mean nothing yet and units are texts: `resolve` sees to that. Read `grammar.lark` first, then
`reader.py`, which splits a file into statements and parses each alone, so that one slip does not hide the next;
`builder.py` makes the declarations.
"""
