"""Reads the words of the language from its grammar: those that begin a statement or a note, and all of them."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from formula_eval.core.declaration import ORIGINAL, PREVIOUS

_RULE = re.compile(r"^[?!]?(\w+)(?:\.-?\d+)?:(.*(?:\n[ \t]+\S.*)*)", re.MULTILINE)
_OPTIONAL = re.compile(r"\[[^\[\]]*\]")
_WORD = re.compile(r'"([a-z]+)"')
_DECLARING = re.compile(r'"([a-z]+)" (?:NAME|UNIT)\b')
# Words that stand only where no name can, or at the head of a statement or a note.
_FREE = frozenset(("as", "base", "checked", "count", "default", "interval", "open", "part", "within"))


@cache
def language_words() -> frozenset[str]:
    """Every word that the grammar writes itself."""
    return frozenset(word for rule in _rules().values() for word in _WORD.findall(rule))


@cache
def reserved_words() -> frozenset[str]:
    """The words that no declaration may bear: those of the grammar, and those that read like names."""
    return language_words() - _FREE | {PREVIOUS, ORIGINAL}


@cache
def statement_words() -> tuple[str, ...]:
    """The words that begin a statement, in the order of the grammar; a formula begins with its own name."""
    return tuple(dict.fromkeys(_first_words("start")))


@cache
def declaring_words() -> tuple[str, ...]:
    """Those of them that a name follows which the statement declares, as it does not behind `extend`."""
    declaring = {word for rule in _rules().values() for word in _DECLARING.findall(rule)}
    return tuple(word for word in statement_words() if word in declaring)


@cache
def note_words() -> tuple[str, ...]:
    """The words that begin a note, in the order of the grammar."""
    return tuple(dict.fromkeys(_first_words("note")))


def _first_words(rule: str) -> Iterator[str]:
    """The words with which the alternatives of a rule, or of the rules that they begin with, begin."""
    text = re.sub(
        r'_NL|"([^"]*)"', lambda match: match[0] if (match[1] or "").isalpha() else "", _rules().get(rule, "")
    )
    while (shorter := _OPTIONAL.sub("", text)) != text:
        text = shorter
    for name in text.replace("(", " ").replace("?", " ").split("|"):
        if found := re.match(r'\s*(?:"([a-z]+)"|([a-z_]+))', name):
            yield from [found[1]] if found[1] else _first_words(found[2])


@cache
def _rules() -> dict[str, str]:
    """The text of each rule and terminal."""
    text = files("formula_eval.language").joinpath("grammar.lark").read_text(encoding="utf-8")
    return dict(_RULE.findall(text))
