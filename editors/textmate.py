"""The words of the grammar to the TextMate grammar of the extension: `python editors/textmate.py` writes it anew."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from formula_eval.core.builtins import BUILTINS, OVER_ROWS
from formula_eval.language.keywords import language_words, note_words, reserved_words, statement_words

TARGET = Path(__file__).parent / "vscode" / "syntaxes" / "formula.tmLanguage.json"
_CONSTANTS = ("true", "false", "infinity")
_NUMBER = r"\b[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_UNIT = r"[A-Za-z]+(?:\*\*[0-9])?(?:[*/][A-Za-z]+(?:\*\*[0-9])?)*"


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(words))})"


def grammar() -> dict[str, Any]:
    """The TextMate grammar as plain data."""
    keywords = reserved_words() - set(_CONSTANTS)
    notes = _any(note_words())
    rules = [
        {"name": "comment.block.documentation.formula", "begin": '"""', "end": '"""'},
        {
            "begin": rf"^({_any(statement_words())})(?= +[A-Za-z_])",
            "beginCaptures": {"1": {"name": "keyword.declaration.formula"}},
            "end": "$",
            "patterns": [
                {"name": "keyword.other.formula", "match": rf"\b{_any(language_words())}\b"},
                {"include": "#inner"},
            ],
        },
        {"match": rf"^ +({notes})(?= )", "captures": {"1": {"name": "keyword.other.note.formula"}}},
        {
            "match": r"^ +(row) +(\w+)",
            "captures": {"1": {"name": "keyword.declaration.formula"}, "2": {"name": "entity.name.section.formula"}},
        },
        {
            "match": rf"^ *([a-z_][\w.]*) *: *((?:1/)?{_UNIT})",
            "captures": {"1": {"name": "entity.name.function.formula"}, "2": {"name": "support.type.formula"}},
        },
        {"match": r"^([a-z_][\w.]*)(?= *=)", "captures": {"1": {"name": "entity.name.function.formula"}}},
        {"include": "#inner"},
    ]
    inner = [
        {
            "name": "string.quoted.double.formula",
            "begin": '"',
            "end": '"|$',
            "patterns": [{"name": "constant.other.placeholder.formula", "match": r"\{[^{}\"]*\}"}],
        },
        {
            "match": rf"({_NUMBER})(?: +(?!{_any(reserved_words())}\b)({_UNIT})|(%))?",
            "captures": {
                "1": {"name": "constant.numeric.formula"},
                "2": {"name": "support.type.formula"},
                "3": {"name": "support.type.formula"},
            },
        },
        {"name": "constant.language.formula", "match": rf"\b{_any(_CONSTANTS)}\b"},
        {"name": "keyword.control.formula", "match": rf"\b{_any(keywords)}\b"},
        {"name": "support.function.formula", "match": rf"\b{_any({*BUILTINS, *OVER_ROWS})}(?=\()"},
        {"name": "variable.other.formula", "match": r"\b[A-Za-z_]\w*(?:\.\w+)*"},
        {"name": "keyword.operator.formula", "match": r"->|\.\.|[-+*/%=<>!|]+"},
    ]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "formula",
        "scopeName": "source.formula",
        "fileTypes": ["formula"],
        "patterns": rules,
        "repository": {"inner": {"patterns": inner}},
    }


def text() -> str:
    """The file's contents."""
    return json.dumps(grammar(), indent=2) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
