"""Lists the words of a question that name no record and set no input."""

from collections.abc import Set as AbstractSet

from formula_eval.core.quantity import plural
from formula_eval.core.record_kind import RecordKind

# Words that stand between what is named, and those in which people ask: "how much does it take to run ... on a ...".
_WORDS = """
a against an and at calculate can card cards compared do does estimate fast fit fits for has have how i in is it long
many much my need needed needs of on or per run running take takes the to using versus vs we what what's whats which
will with x
"""
BETWEEN = frozenset(_WORDS.split())


def words_of(kind: RecordKind | None) -> AbstractSet[str]:
    """What records of a kind are called: `gpu`, `gpus`; nothing where there is no such kind."""
    return frozenset() if kind is None else {kind.word, plural(kind.word)}
