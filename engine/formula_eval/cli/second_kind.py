"""Reads accelerators of a second kind that share a model with the first: `4090+3090`, `2x3060` behind a plus."""

from collections.abc import Callable, Sequence

from formula_eval.cli.counted_accelerators import count_in
from formula_eval.core.diagnostic import refuse
from formula_eval.core.option_names import option_of
from formula_eval.records.roles import Roles
from formula_eval.records.schema import Schema

_PLUS = "+"
LONGEST_NAME = 4  # in words, such as `NVIDIA RTX 6000 Ada`


def without_second_kind(
    words: Sequence[str], schema: Schema, roles: Roles, is_name: Callable[[str], bool]
) -> tuple[list[str], list[str]]:
    """The words but those behind a plus, and the options that say the same; raises FormulaError for a third kind."""
    apart = [part for word in words for part in _parted(word)]
    if _PLUS not in apart[:-1] or roles.second.record not in schema.inputs:
        return list(words), []
    place = apart.index(_PLUS)
    before, behind = apart[:place], apart[place + 1 :]
    number: list[str] = []
    length = _named(behind, is_name)
    if not length and (counted := count_in(behind[0], schema, roles, is_name))[0]:
        number = [option_of(roles.second.number), str(counted[0])]
        behind[:1] = [counted[1]] if counted[1] else []
        length = _named(behind, is_name)
    if not length:
        return list(words), []
    if _PLUS in behind:
        help_ = f"Name two: `{option_of(roles.second.record)}` is the other; the slower of three sets their pace."
        raise refuse("unknown-word", "No more than two kinds of accelerators share a model here", help=help_)
    record = [option_of(roles.second.record), " ".join(behind[:length])]
    return [*before, *behind[length:]], [*record, *number]


def _named(words: Sequence[str], is_name: Callable[[str], bool]) -> int:
    """How many words name an accelerator, the longest name first; 0 where none do."""
    lengths = range(min(LONGEST_NAME, len(words)), 0, -1)
    return next((length for length in lengths if is_name(" ".join(words[:length]))), 0)


def _parted(word: str) -> list[str]:
    """The names on both sides of a plus, and the plus."""
    if _PLUS not in word:
        return [word]
    parts = [name.strip() for name in word.split(_PLUS)]
    return [name for index, part in enumerate(parts) for name in ((_PLUS, part) if index else (part,)) if name]
