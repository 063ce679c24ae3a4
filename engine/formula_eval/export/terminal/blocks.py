"""Defines the blocks of an answer, plain data that each form of output lays out in its own way."""

from typing import NamedTuple


class Pair(NamedTuple):
    """A title, the text of its value and a remark such as a share; `default` if nobody set it."""

    title: str
    text: str
    remark: str = ""
    default: bool = False


class Pairs(NamedTuple):
    """A block with a `title`: `pairs` of titles and values; values stand to the right, or `left` if mostly words.

    `legend` explains their remarks; beneath them stands how many `more` there are, and `messages` of checks about them.
    """

    title: str
    pairs: tuple[Pair, ...]
    left: bool = False
    legend: str = ""
    messages: tuple[tuple[str, str], ...] = ()
    more: str = ""


class BarPart(NamedTuple):
    """One part of a bar: its title, its size and the text of its size."""

    title: str
    size: float
    text: str
    kind: str = "part"
    colour: str = ""


class CapacityBar(NamedTuple):
    """Parts of one whole; `holds` tells whether they fit, `verdict` says it in words, empty where nothing must."""

    title: str  # heading above the bar
    parts: tuple[BarPart, ...]  # what is used, then what is free
    whole: float
    holds: bool
    verdict: str
    pairs: tuple[Pair, ...] = ()  # figures that stand beneath the bar


class TimeCell(NamedTuple):
    """The time of one row in one group, its share of the group and what binds it."""

    text: str = ""
    share: float = 0.0
    bound: str = ""
    colour: str = ""


class Breakdown(NamedTuple):
    """Rows of times in groups side by side, each in a unit of its own, and the total of each group.

    `after` leads from the totals to the figures of the answer: a title, and a text for each group.
    """

    title: str
    groups: tuple[str, ...]
    units: tuple[str, ...]  # of the times, one for each group
    rows: tuple[tuple[str, tuple[TimeCell, ...]], ...]  # a title, and a cell for each group
    totals: tuple[str, ...]
    after: tuple[tuple[str, tuple[str, ...]], ...] = ()


class TextTable(NamedTuple):
    """Rows of texts, the first their title, beneath titles of columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Messages(NamedTuple):
    """What checks say, each with its level."""

    title: str
    messages: tuple[tuple[str, str], ...]


class Hint(NamedTuple):
    """What to try: options, what they give."""

    title: str
    text: str
    good: bool = True
    options: tuple[tuple[str, str], ...] = ()


class Command(NamedTuple):
    """The command line that gives the same answer."""

    title: str
    line: str


Block = Pairs | CapacityBar | Breakdown | TextTable | Messages | Hint | Command
