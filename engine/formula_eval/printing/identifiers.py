"""Makes distinct identifiers of Python from the names that are wished for."""

import re
from collections.abc import Collection, Iterable
from keyword import iskeyword


def distinct(wished: Iterable[tuple[str, str]], taken: Collection[str], before: str) -> dict[str, str]:
    """A Python name for each name, as near as can be to its wish; `before` begins one without a letter in front."""
    found: dict[str, str] = {}
    used = set(taken)
    for name, wish in wished:
        plain = re.sub(r"[^a-zA-Z0-9_]+", "_", wish)
        plain = f"{plain}_" if iskeyword(plain) or plain in taken else plain
        plain = plain if plain.isidentifier() else f"{before}{plain}"
        number, spelled = 2, plain
        while spelled in used:
            number, spelled = number + 1, f"{plain}_{number}"
        used.add(spelled)
        found[name] = spelled
    return found
