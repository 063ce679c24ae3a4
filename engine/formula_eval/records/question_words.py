"""Lists the words of a question that name no record and set no input."""

import re
from collections.abc import Sequence, Set as AbstractSet

from formula_eval.core.quantity import plural
from formula_eval.core.record_kind import RecordKind

# Words that stand between what is named, and those in which people ask: "how much does it take to run ... on a ...".
_WORDS = """
a against an and at between calculate can card cards compared could do does each estimate fast fit fits for from get
gets handle handles has have hosting how i if in is it long many me much my need needed needs of on or our per please
run running self self-hosted self-hosting should so take takes than that the this to using versus vs want we what what's
whats when which will with would x
"""
BETWEEN = frozenset(_WORDS.split())
VERSUS = frozenset(("versus", "vs"))
_MAGNITUDES = {"thousand": "k", "million": "M", "billion": "B", "trillion": "T"}
_PLAIN = re.compile(r"\d[\d,.]*")


def words_of(kind: RecordKind | None) -> AbstractSet[str]:
    """What records of a kind are called: `gpu`, `gpus`; nothing where there is no such kind."""
    return frozenset() if kind is None else {kind.word, plural(kind.word)}


def of_magnitude(words: Sequence[str]) -> list[str]:
    """The words with a number and its magnitude as one of them: `100 million` as `100M`."""
    found: list[str] = []
    for word in words:
        letter = _MAGNITUDES.get(word.lower())
        if letter and found and _PLAIN.fullmatch(found[-1]):
            found[-1] += letter
        else:
            found.append(word)
    return found
