"""Lists the words of a question that name no record and set no input."""

from collections.abc import Set as AbstractSet

from formula_eval.core.quantity import plural
from formula_eval.core.record_kind import RecordKind

# Words that stand between what is named.
BETWEEN = frozenset(("a", "an", "at", "card", "cards", "for", "in", "of", "on", "the", "using", "with", "x"))


def words_of(kind: RecordKind | None) -> AbstractSet[str]:
    """What records of a kind are called: `gpu`, `gpus`; nothing where there is no such kind."""
    return frozenset() if kind is None else {kind.word, plural(kind.word)}
