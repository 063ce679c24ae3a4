"""Lists the words of a question that name no record and set no input."""

import re
from collections.abc import Sequence, Set as AbstractSet

from formula_eval.core.quantity import plural
from formula_eval.core.record_kind import COUNTED, RecordKind

# Words that stand between what is named, and those in which people ask: "how much does it take to run ... on a ...".
_WORDS = """
a actually against am an and anyone app are at be between board boards but calculate calculator can card cards chip
chips could do does each enough estimate fast fit fits for from get gets handle handles has have high hosting how i
i'm if im in is it it's its just know long low many me much my need needed needs of on only or our per please possible
really run running self self-hosted self-hosting should so still take takes that the there this to too using want was
we we're what what's whats when where which will with without would x you
"""
_VERSUS = ("vs", "versus", "compared", "or", "than")
BETWEEN = frozenset((*_WORDS.split(), *_VERSUS))
_NUMERALS = {"two": "2", "dual": "2", "three": "3", "four": "4", "quad": "4", "six": "6", "eight": "8", "sixteen": "16"}
_MAGNITUDES = {"thousand": "k", "million": "M", "billion": "B", "trillion": "T"}
_PLAIN = re.compile(r"\d[\d,.]*")


def words_of(kind: RecordKind | None) -> AbstractSet[str]:
    """What records of a kind are called: `gpu`, `gpus`; nothing where there is no such kind."""
    return frozenset() if kind is None else {kind.word, plural(kind.word)}


def is_versus(words: Sequence[str]) -> bool:
    """Whether words begin with one that sets two things side by side."""
    return bool(words) and words[0].lower() in _VERSUS


def of_magnitude(words: Sequence[str]) -> list[str]:
    """The words with a number and its magnitude as one of them, in figures: `100 million` as `100M`, `two` as `2`."""
    found: list[str] = []
    for word in (_NUMERALS.get(word.lower(), word) for word in words):
        letter = _MAGNITUDES.get(word.lower())
        if letter and found and _PLAIN.fullmatch(found[-1]):
            found[-1] += letter
        else:
            found.append(word)
    return found


def side_by_side(words: Sequence[str]) -> list[str]:
    """The words, with `8xh100 vs 8xh200` as one: names with counts, between commas."""
    found = list(words)
    for place in range(len(found) - 2, 0, -1):
        left, word, right = found[place - 1 : place + 2]
        if is_versus([word]) and COUNTED.fullmatch(left) and COUNTED.fullmatch(right):
            found[place - 1 : place + 2] = [f"{left},{right}"]
    return found


def merged(options: Sequence[str]) -> list[str]:
    """Options with their values, each option once: what is said twice has its values between commas."""
    values: dict[str, dict[str, None]] = {}
    for option in options:
        if option.startswith("--"):
            last = values.setdefault(option, {})
        else:
            last[option] = None
    return [word for name, said in values.items() for word in (name, *([",".join(said)] if said else []))]
