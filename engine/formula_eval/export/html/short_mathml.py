"""Shortens MathML: each of its most frequent tags is a single character, which the page replaces again."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

_TAG = re.compile(r"<[^<>]*>")
_CHARACTERS = "~^`|$#@?!%{}"  # those that no text has stand for tags


def marks_of(texts: Iterable[str]) -> Mapping[str, str]:
    """A character for each of the tags whose writing takes most in these texts, by tag."""
    whole = "".join(texts)
    free = [each for each in _CHARACTERS if each not in whole]
    takes = Counter(_TAG.findall(whole))
    longest = sorted(takes, key=lambda tag: (-takes[tag] * len(tag), tag))
    return dict(zip(longest, free, strict=False))


def shortened(text: str, marks: Mapping[str, str]) -> str:
    """The text with a character in the place of each tag that has one."""
    return _TAG.sub(lambda tag: marks.get(tag[0], tag[0]), text)
