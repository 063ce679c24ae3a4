"""Lists the words of a question that name no record and set no input."""

import re
from collections.abc import Sequence, Set as AbstractSet

from formula_eval.core.quantity import plural
from formula_eval.core.record_kind import COUNTED, RecordKind

# Words that stand between what is named, and those in which people ask: "how much does it take to run ... on a ...".
_WORDS = """
& - @ a about actually against am an and anyone app approx approximately are around at be between board boards but
calculate calculator can card cards chip chips could currently do does each enough estimate expect fast fit fits for
from get gets getting got handle handles has have high hosting how i i'm if im in is it it's its just know llm llms
local locally long low many me much my need needed needs of on only or our per please possible realistic realistically
really rig roughly run running self self-hosted self-hosting setup should so someone still take takes that the there
this to too using via want was we we're what what's whats when where which will with without would x you
"""
_VERSUS = ("vs", "versus", "compared", "or", "than")
BETWEEN = frozenset((*_WORDS.split(), *_VERSUS))
_NUMERALS = {"two": "2", "dual": "2", "three": "3", "four": "4", "quad": "4", "six": "6", "eight": "8", "sixteen": "16"}
_MAGNITUDES = {"thousand": "k", "million": "M", "billion": "B", "trillion": "T"}
_PLAIN = re.compile(r"\d[\d,.]*")
_NODES = ("node", "nodes")
_GIGABYTES = re.compile(r"gi?b|gigabytes?|gigs?", re.IGNORECASE)
_GIGABYTE = re.compile(r"\d+g", re.IGNORECASE)
_OF_HOST = re.compile(r"(?:of )?(?:(?:system|cpu|host|main) (?:ram|memory)|ram|ddr[345](?: ram)?)", re.IGNORECASE)


def words_of(kind: RecordKind | None) -> AbstractSet[str]:
    """What records of a kind are called: `gpu`, `gpus`; nothing where there is no such kind."""
    return frozenset() if kind is None else {kind.word, plural(kind.word)}


def is_versus(words: Sequence[str]) -> bool:
    """Whether words begin with one that sets two things side by side."""
    return bool(words) and words[0].lower() in _VERSUS


def plain_words(words: Sequence[str]) -> list[str]:
    """The words of a question as they are read: numbers in figures, counts that stand side by side as one word."""
    return _side_by_side(_of_magnitude([plain for word in words if (plain := word.rstrip("?,"))]))


def _of_magnitude(words: Sequence[str]) -> list[str]:
    """The words with a number and its magnitude or unit of memory as one of them, in figures: `100M`, `24gb`, `2`."""
    found: list[str] = []
    for word in (_NUMERALS.get(word.lower(), word) for word in words):
        letter = _MAGNITUDES.get(word.lower()) or (f"{word[0].lower()}b" if _GIGABYTES.fullmatch(word) else "")
        if letter and found and _PLAIN.fullmatch(found[-1]):
            found[-1] += letter
        elif _GIGABYTE.fullmatch(word):  # `80G`
            found.append(f"{word}b")
        else:
            found.append(word)
    return found


def nodes_in(words: Sequence[str]) -> int:
    """How many nodes the first words say, `2 nodes`; 0 for any others."""
    is_number = len(words) > 1 and words[0].isdigit() and words[1].lower() in _NODES
    return int(words[0]) if is_number else 0


def of_host(words: Sequence[str]) -> int:
    """How many of the first words say that a size before them is of the host's memory: `of system ram`, `ddr5`."""
    lengths = (length for length in (3, 2, 1) if _OF_HOST.fullmatch(" ".join(words[:length])))
    return next(lengths, 0)


def _side_by_side(words: Sequence[str]) -> list[str]:
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
