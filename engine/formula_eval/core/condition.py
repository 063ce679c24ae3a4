"""Defines a condition that a user puts on configurations, and the nodes of the graph that say whether it holds."""

from typing import NamedTuple


class Condition(NamedTuple):
    """A condition of the graph: its text with names spelled out, and the node that says whether it holds.

    Where it compares two quantities, `operator` is how and `gap` the node of the left one less the right one.
    """

    text: str
    node: str
    operator: str = ""
    gap: str = ""
