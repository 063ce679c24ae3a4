"""Follows dependencies: what some items lead to, directly and by way of others."""

from collections.abc import Callable, Iterable
from typing import TypeVar

_Item = TypeVar("_Item")


def circle(start: _Item, leads_to: Callable[[_Item], Iterable[_Item]]) -> list[_Item]:
    """The items on a way from one back to itself, which stands at both ends; none where nothing leads back."""
    ways, seen = [[start]], set[_Item]()
    while ways:
        way = ways.pop()
        for lead in leads_to(way[-1]):
            if lead == start:
                return [*way, lead]
            if lead not in seen:
                seen.add(lead)
                ways.append([*way, lead])
    return []


def closure(items: Iterable[_Item], leads_to: Callable[[_Item], Iterable[_Item]]) -> dict[_Item, None]:
    """Collects these items and all that they lead to, each once; `leads_to` is asked once for each."""
    found = dict.fromkeys(items)
    pending = list(found)
    while pending:
        new = dict.fromkeys(lead for lead in leads_to(pending.pop()) if lead not in found)
        found.update(new)
        pending += new
    return found
