"""Reads the search spaces of reports/search/: what may vary, which conditions hold, and what to report."""

from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.situation import has_values
from formula_eval.toml_shape import Several
from formula_eval.toml_table import Check, Condition, Glob, Input, Quantity, Unit, shape, table


class SpaceAxis(NamedTuple):
    """An input that varies unless it is set: over those of `values`, written as for an option, that meet `where`.

    Where none meets it, the input stays as it is. The simplest value stands first: it is taken among equally good ones.
    A load is asked of a program, which needs no option for it. A number that is asked while the inputs of `shared` vary
    is what all of them have together. It stays as it is beside inputs that it is `without`.
    """

    input: Input
    values: str
    where: Condition = ""
    load: bool = False
    shared: Sequence[Input] = ()  # inputs whose product shares a number that is asked
    unless: Sequence[Input] = ()  # inputs with which it is not shared
    without: Sequence[Input] = ()

    def sharing(self, asked: int) -> tuple[str, str]:
        """The values that may be left of a number that is asked, and the condition of what each configuration has."""
        parts = dict.fromkeys(-(-asked // number) for number in range(1, asked + 1))
        return ",".join(map(str, parts)), f"{self.input} == ceildiv({asked}, {' * '.join(self.shared)})"


class Goal(NamedTuple):
    """A goal: a quantity, and whether to maximise it; `when` names inputs of which one must be set.

    `of` are values of inputs that a question must have, such as those of a kind of model; `title` is what people call
    the quantity.
    """

    name: str
    is_largest: bool
    when: Sequence[str] = ()
    of: Mapping[str, Any] = {}
    title: str = ""

    @property
    def sought(self) -> str:
        """What is sought in words: `largest throughput`."""
        return f"{'largest' if self.is_largest else 'smallest'} {self.title or self.name}"


def goal_of(minimise: str | None, maximise: str | None) -> Goal | None:
    """The goal that options state; None without one. Raises FormulaError for both at once."""
    if minimise is not None and maximise is not None:
        message = "`minimise` and `maximise` both say what is sought"
        raise refuse("asked-twice", message, help="Give one of them, and a condition (`where`) for the other.")
    name = minimise if minimise is not None else maximise
    return None if name is None else Goal(name, maximise is not None)


def _goal(
    minimise: str | None = None,
    maximise: str | None = None,
    when: Sequence[str] = (),
    of: Mapping[str, Any] | None = None,
    title: str = "",
) -> Goal:
    return Goal(minimise or maximise or "", maximise is not None, when, of or {}, title)


_VALUES = table("*input:any")
GOAL = table(
    "minimise?:quantity maximise?:quantity when?:[input] of?:values title?:text",
    one_of=("minimise", "maximise"),
    make=_goal,
    values=_VALUES,
)


class Shown(NamedTuple):
    """A quantity to report for each configuration, its title, and its unit if not the declared one.

    It is reported unless an input that it is `without` is set.
    """

    title: str
    name: Quantity
    unit: Unit = ""
    without: Sequence[Input] = ()

    @property
    def asked(self) -> str:
        """The text that asks for it, with its unit."""
        return f"{self.name} in {self.unit}" if self.unit else self.name


class GoalGroup(NamedTuple):
    """The settings of a group of goals, by name or glob: further conditions, what is shown, a front of two quantities.

    `still` are axes that do not vary for these goals, `then` decides between equally good configurations. `interval`
    are the quantities between which eight of ten measured runs lie, over prediction of a time; a goal that is a rate
    shrinks as the time grows. `ahead` is said where the front has a configuration that is better in its first quantity
    than the best, which another goal prefers.
    """

    names: Sequence[Glob]  # quantities, or globs of them, that it applies to
    of: Annotated[Mapping[str, Any], _VALUES] = {}  # values of inputs that a question must have
    where: Sequence[Condition] = ()  # further conditions that every configuration has to meet
    still: Sequence[Input] = ()
    shows: Sequence[Shown] = ()  # quantities reported for each configuration
    then: Annotated[Goal | None, GOAL] = None
    front: Annotated[Sequence[Goal], Several(GOAL, (0, 2))] = ()
    interval: Annotated[Sequence[str], Several(shape("quantity"), (0, 2))] = ()
    rate: bool = False
    ahead: str = ""


class SearchSpace(NamedTuple):
    """A search space: axes, conditions, checks of the level `warn` that have to hold, goals.

    `shown` is what messages call the file, `words` what a configuration does wrong, by the condition or check.
    """

    shown: str = ""
    axes: Annotated[Sequence[SpaceAxis], "axis"] = ()
    where: Sequence[Condition] = ()  # conditions on configurations, whatever the goal
    heeds: Sequence[Check] = ()  # names of the `warn` checks treated as constraints
    goals: Annotated[Sequence[Goal], Several(GOAL), "goal"] = ()
    groups: Annotated[Sequence[GoalGroup], "group"] = ()  # settings by goal; the first that matches applies
    words: Mapping[str, str] = {}

    def sayable(self, inputs: Collection[str]) -> "SearchSpace":
        """The space reduced to the axes that a program with options for these inputs can set."""
        return self._replace(axes=tuple(axis for axis in self.axes if axis.load or axis.input in inputs))

    def group_of(self, goal: str, values: Mapping[str, Any]) -> GoalGroup:
        """The first group for such values of inputs whose names or globs match a goal; an empty one where none does."""
        fitting = (group for group in self.groups if has_values(values, group.of))
        return next(
            (group for group in fitting if any(fnmatchcase(goal, name) for name in group.names)), GoalGroup((goal,))
        )

    def titled(self, goal: Goal) -> Goal:
        """A goal that an option states, with the title of one here that seeks the same."""
        same = (each for each in self.goals if (each.name, each.is_largest) == (goal.name, goal.is_largest))
        return next((goal._replace(title=each.title) for each in same), goal)

    def usual_goal(self, named: Collection[str], values: Mapping[str, Any]) -> Goal | None:
        """The default goal, given the inputs that are set and the values of all."""
        fitting = (goal for goal in self.goals if has_values(values, goal.of))
        return next((goal for goal in fitting if not goal.when or not set(goal.when).isdisjoint(named)), None)
