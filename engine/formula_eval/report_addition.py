"""Merges a file of reports/ that says `extends = true` into the file that it adds to."""

from collections.abc import Mapping, Sequence
from typing import Any

from formula_eval.core.diagnostic import refuse

EXTENDS = "extends"
_REPLACES = "replaces"  # lists of the other file of which nothing stays
# What tells the tables of a list apart, and where a new one goes: in front of the one that is called so.
_NAMES = ("id", "title", "input")
_BEFORE = "before"

Table = Mapping[str, Any]


def is_addition(data: Table, shown: str) -> bool:
    """Whether a file adds to another; raises FormulaError for anything but yes or no."""
    said = data.get(EXTENDS, False)
    if not isinstance(said, bool):
        raise refuse("bad-report", f"{shown}: `{EXTENDS}` is true or false", help=f"Write `{EXTENDS} = true`.")
    return said


def with_addition(base: Table, addition: Table, shown: str) -> dict[str, Any]:
    """A table of a file with what another file adds to it: lists become longer, a table of the same name gets more.

    What is neither list nor table is replaced, as are the lists that `replaces` names. Raises FormulaError for a
    `before` that names nothing.
    """
    found = dict(base)
    for key, value in addition.items():
        held = base.get(key)
        if isinstance(held, Mapping) and isinstance(value, Mapping):
            found[key] = with_addition(held, value, shown)
        elif isinstance(held, list) and isinstance(value, list) and key not in addition.get(_REPLACES, ()):
            found[key] = _longer(held, value, shown)
        elif key not in (EXTENDS, _REPLACES):
            found[key] = value
    return found


def _longer(base: Sequence[Any], addition: Sequence[Any], shown: str) -> list[Any]:
    found = list(base)
    for each in addition:
        known = next((number for number, one in enumerate(found) if _is_the_same(one, each)), None)
        before = each.get(_BEFORE) if isinstance(each, Mapping) else None
        added = {key: value for key, value in each.items() if key != _BEFORE} if isinstance(before, str) else each
        if known is not None:
            found[known] = with_addition(found[known], added, shown)
        else:
            found.insert(_place(found, before, shown) if isinstance(before, str) else len(found), added)
    return found


def _is_the_same(one: object, other: object) -> bool:
    """Whether two tables of a list bear one name; sections of two kinds may."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return False
    name = next((key for key in _NAMES if key in other), None)
    return name is not None and one.get(name) == other[name] and one.get("kind") == other.get("kind", one.get("kind"))


def _place(found: Sequence[Any], before: str, shown: str) -> int:
    for number, each in enumerate(found):
        if isinstance(each, Mapping) and before in (each.get(name) for name in _NAMES):
            return number
    raise refuse(
        "bad-report", f"{shown}: nothing is called `{before}`", help="`before` names a title, an id or an input."
    )
