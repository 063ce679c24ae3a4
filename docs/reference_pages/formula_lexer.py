"""Colours formulas: a lexer for Pygments, made of the words of the grammar."""

from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, include, words
from pygments.token import Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from formula_eval.core.builtins import BUILTINS, OVER_ROWS
from formula_eval.language.keywords import language_words, note_words, reserved_words, statement_words

_CONSTANTS = ("true", "false", "infinity")
_UNIT = r"(?:%|[A-Za-z]+(?:\*\*\d)?(?:[*/][A-Za-z]+(?:\*\*\d)?)*)"
_NUMBER = r"\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?"
_NOT_A_UNIT = rf"(?!(?:{'|'.join(sorted(reserved_words()))})\b)"


class FormulaLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Colours the language of the formulas; what the language does not know is an error token."""

    name = "formula"
    aliases: ClassVar = ["formula"]
    filenames: ClassVar = ["*.formula"]
    mimetypes: ClassVar = ["text/x-formula"]
    tokens: ClassVar = {
        "root": [
            (r"\n", Whitespace),
            (r'"""(?:.|\n)*?"""', String.Doc),
            (words(statement_words(), prefix=r"^", suffix=r"(?= +[A-Za-z_])"), Keyword.Declaration, "head"),
            (rf"^( +)({'|'.join(note_words())})\b(?= )", bygroups(Whitespace, Keyword)),
            (r"^( +)(row)( +)(\w+)", bygroups(Whitespace, Keyword.Declaration, Whitespace, Name.Label)),
            (
                rf"^( *)([a-z_][\w.]*)(\s*)(:)(\s*)((?:1/)?{_UNIT})",
                bygroups(Whitespace, Name.Function, Whitespace, Punctuation, Whitespace, Keyword.Type),
            ),
            (r"^([a-z_][\w.]*)(?=\s*=)", Name.Function),
            include("inner"),
        ],
        "head": [
            (r"\n", Whitespace, "#pop"),
            (words(sorted(language_words()), prefix=r"\b", suffix=r"\b"), Keyword),
            include("inner"),
        ],
        "inner": [
            (r'"', String, "text"),
            (rf"({_NUMBER})( +){_NOT_A_UNIT}({_UNIT})", bygroups(Number, Whitespace, Keyword.Type)),
            (rf"({_NUMBER})(%)", bygroups(Number, Keyword.Type)),
            (_NUMBER, Number),
            (words(_CONSTANTS, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
            (words(sorted(reserved_words()), prefix=r"\b", suffix=r"\b"), Keyword),
            (words(sorted({*BUILTINS, *OVER_ROWS}), prefix=r"\b", suffix=r"(?=\()"), Name.Builtin),
            (r"[A-Za-z_]\w*(?:\.\w+)*", Name),
            (r"->|\.\.|[-+*/%=<>!|]+", Operator),
            (r"[().,:{}\[\]?]", Punctuation),
            (r"[ \t]+", Whitespace),
        ],
        "text": [(r'"', String, "#pop"), (r"\n", Whitespace, "#pop"), (r"[^\"\n]+", String)],
    }
