"""Merges the values that the branches of a shell script leave: those on which all possible branches agree."""

from collections.abc import Mapping, Sequence
from enum import Enum

from formula_eval.launch.shell.conditions import both, negated
from formula_eval.launch.shell.expansion import Value
from formula_eval.records.open_text import left_open


class Status(Enum):
    """How a statement ended: a test that holds or fails, one that nobody decides here, a command that is not run."""

    HOLDS = "holds"
    FAILS = "fails"
    OPEN = "open"
    RAN = "ran"

    def follows(self, joined: str) -> bool | None:
        """Whether a statement behind this operator is run; of commands it is taken that they succeed."""
        holds = {Status.HOLDS: True, Status.FAILS: False, Status.OPEN: None, Status.RAN: True}[self]
        match joined:
            case "&&":
                return holds
            case "||":
                return None if self is Status.RAN else negated(holds)
        return True

    @property
    def decided(self) -> bool | None:
        """Whether a branch with this condition is taken."""
        return {Status.HOLDS: True, Status.FAILS: False}.get(self)

    @property
    def turned(self) -> "Status":
        """Behind `!`."""
        return {Status.HOLDS: Status.FAILS, Status.FAILS: Status.HOLDS}.get(self, Status.OPEN)

    @classmethod
    def of(cls, holds: bool | None) -> "Status":  # noqa: FBT001 - a truth value of three
        """The status of a test."""
        return cls.OPEN if holds is None else cls.HOLDS if holds else cls.FAILS


class Branches:
    """One `if`, `case`, loop or group: `active` says whether the branch that is being read is taken.

    `condition` is what its branches hang on as written, `subject` the text of a `case` or the variable of a loop over
    `items`; a function's body has parameters of its own, and those outside are `kept`.
    """

    def __init__(self, kind: str, values: Mapping[str, Value], line: int, *, reached: bool | None) -> None:
        """Begin before the first branch, where these values hold."""
        self.kind, self.line = kind, line
        self.active = reached
        self.condition = ""
        self.subject = ""
        self.items: Sequence[str] = ()
        self.kept: Mapping[str, Value | None] = {}
        self.decides = kind in ("if", "while", "until")
        self._reached = self._begun = reached
        self._before = dict(values)
        self._ends: list[Mapping[str, Value]] = []
        self._left = True

    def enter(self, holds: bool | None) -> dict[str, Value]:  # noqa: FBT001 - a truth value of three
        """Begin the branch of a condition; the values that hold there."""
        self.active = both(self._reached, holds)
        self._reached = both(self._reached, negated(holds))
        self.decides = self._left = False
        return dict(self._before)

    def decide(self) -> dict[str, Value]:
        """Begin the condition of a further branch."""
        self.active, self.decides, self._left = self._reached, True, True
        return dict(self._before)

    def add_condition(self, written: str, joined_by: str = "") -> None:
        """Note what a branch hangs on."""
        between = f" {joined_by} " if joined_by in ("|", "&&", "||") else "; "
        self.condition = f"{self.condition}{between}{written}" if self.condition else written

    def end(self, values: Mapping[str, Value]) -> None:
        """End the branch that is being read."""
        if self.active is not False and not self._left:
            self._ends.append(dict(values))
        self.active, self._left = False, True

    def leave(self) -> None:
        """The branch ends the script."""
        self._left = True

    def after(self) -> tuple[dict[str, Value], list[str]]:
        """The values behind it, and the variables that it leaves open."""
        passed = self._begun is not True or self._reached is not False or not self._ends
        ends = [*self._ends, self._before] if passed else self._ends
        return joined(self._before, ends)


def joined(before: Mapping[str, Value], ends: Sequence[Mapping[str, Value]]) -> tuple[dict[str, Value], list[str]]:
    """What all these ends agree on, and the variables that they leave open."""
    found: dict[str, Value] = {}
    opened: list[str] = []
    for name in dict.fromkeys(name for end in ends for name in end):
        values = [end.get(name) for end in ends]
        value = values[0]
        if value is None or any(each != value for each in values):
            value = _grown(before.get(name), values, left_open(f"${name}"))
            opened.append(name)
        found[name] = value
    return found, opened


def _grown(before: Value | None, values: Sequence[Value | None], more: str) -> Value:
    """What is known of a variable that branches may have changed: what was there, if they add to it."""
    if isinstance(before, tuple) and all(
        isinstance(value, tuple) and value[: len(before)] == before for value in values
    ):
        return (*before, more)
    if isinstance(before, str) and before and all(_adds(before, value) for value in values):
        return f"{before} {more}"
    return more


def _adds(before: str, value: Value | None) -> bool:
    return value == before or (isinstance(value, str) and value.startswith(f"{before} "))
