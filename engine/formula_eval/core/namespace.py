"""Handles folders of formulas as dotted names: `published.genz` lies in `published`, that in the unnamed root."""

from collections.abc import Iterable
from functools import lru_cache

from formula_eval.core.diagnostic import refuse

# The last part of the name of a check that says what a library changed; a word of the language, so nothing else has it.
NOTE = "note"
# How the root is called where a folder has a name of its own that is one of the root too: `root.window`.
ROOT = "root"
# Between the name of a formula and the inputs under which a copy of it is computed.
COPY_MARK = "@"
_MOST_SHOWN = 6


@lru_cache(maxsize=4096)
def around(namespace: str) -> tuple[str, ...]:
    """A folder and those around it, innermost first; the root, which has no name, comes last."""
    parts = namespace.split(".") if namespace else []
    return tuple(".".join(parts[:count]) for count in range(len(parts), -1, -1))


def readings(written: str, namespace: str) -> tuple[str, ...]:
    """The full names that a name written in a folder may mean, the nearest first; `root.name` is one of the root."""
    return (*(qualified(space, written) for space in around(namespace)), written.removeprefix(f"{ROOT}."))


def qualified(namespace: str, name: str) -> str:
    """The full name of `total` in `params`, `params.total`; the root has no prefix."""
    return f"{namespace}.{name}" if namespace else name


@lru_cache(maxsize=4096)
def binding_parts(binding: str) -> tuple[str, ...]:
    """The parts of the label of a copy, one for each input that it replaces: what commas part outside parentheses."""
    parts, depth = [""], 0
    for letter in binding:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(part.strip() for part in parts if part.strip())


def in_words(name: str) -> str:
    """The last part of a name, in words: `memory bandwidth`."""
    return name.rpartition(".")[2].replace("_", " ")


def is_change_note(check: str) -> bool:
    """Whether a check says what a library changed."""
    return check.endswith(f".{NOTE}")


def is_published(name: str) -> bool:
    """Whether a name or a folder is one of the tools that others published, which speak only where they are asked."""
    return name == "published" or name.startswith("published.")


def bearer(last: str, known: Iterable[str], namespace: str = "") -> str:
    """The only one of the known names that ends so, or nothing; raises FormulaError where several do.

    Those of the namespace asked go first, then those of the folders around it; what others published comes last.
    """
    found = list(dict.fromkeys(name for name in known if name.endswith(f".{last}")))
    for space in around(namespace)[:-1]:
        found = [name for name in found if name.startswith(f"{space}.")] or found
    found = [name for name in found if not is_published(name)] or found
    if len(found) > 1:
        *first, end = [f"`{name}`" for name in found[:_MOST_SHOWN]]
        more = f", and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
        message = f"{len(found)} quantities are named `{last}`: {', '.join(first)} and {end}{more}"
        raise refuse("ambiguous-name", message, help=f"Spell out which: {' or '.join(found[:_MOST_SHOWN])}.")
    return found[0] if found else ""
