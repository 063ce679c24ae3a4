"""Plans a search: determines its regions, and orders its constraints by their cost.

Constraints are checks that refuse, and conditions.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from typing import NamedTuple

from formula_eval.analyse.search.record_grid import Region, first_question, inputs_set, regions_of, varied
from formula_eval.analyse.search.search_space import Goal, GoalGroup, SearchSpace
from formula_eval.analyse.sweep.broadcast_inputs import LaneGivens
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.selection import the_only
from formula_eval.evaluate.views import View, refuse_unchosen, selected
from formula_eval.records.givens import Givens, Question
from formula_eval.records.schema import CheckSchema

# What needs no more nodes than this is decided before whole configurations are made.
_FEW = 256


class Constraint(NamedTuple):
    """A check that refuses, or a condition: its node, its name in messages, what it reads, how many nodes it needs."""

    node: str
    text: str
    check: CheckSchema | None
    reads: frozenset[str]
    nodes: frozenset[str]

    @property
    def is_cheap(self) -> bool:
        """Whether few nodes have to be computed to decide it."""
        return len(self.nodes) <= _FEW


def constraints_of(
    program: Program, checks: Iterable[CheckSchema], conditions: Mapping[str, str], known: Collection[str]
) -> list[Constraint]:
    """The constraints of a program that computes all of these checks and conditions (nodes by text).

    `known` are inputs that have a value of their own wherever constraints are tested.
    """

    def constraint(node: str, text: str, check: CheckSchema | None) -> Constraint:
        nodes = frozenset(program.ancestors([node], known))
        return Constraint(node, text, check, nodes.intersection(program.inputs), nodes)

    found = [constraint(schema.name, schema.name, schema) for schema in checks]
    return found + [constraint(node, text, None) for text, node in conditions.items()]


class Stage(NamedTuple):
    """Constraints that are decided together, once the first `depth` axes have values."""

    depth: int
    constraints: tuple[Constraint, ...]

    @property
    def conditions(self) -> dict[str, str]:
        """The nodes of its conditions by their texts."""
        return {constraint.text: constraint.node for constraint in self.constraints if constraint.check is None}

    @property
    def checks(self) -> list[CheckSchema]:
        """Its checks."""
        return [constraint.check for constraint in self.constraints if constraint.check is not None]


def in_order(axes: Sequence[str], constraints: Sequence[Constraint]) -> tuple[list[str], list[str]]:
    """Splits axes into those that some cheap constraint reads and the rest, each in the order given."""
    read = {name for constraint in constraints if constraint.is_cheap for name in constraint.reads}
    return [axis for axis in axes if axis in read], [axis for axis in axes if axis not in read]


def stages_of(axes: Sequence[str], constraints: Sequence[Constraint]) -> list[Stage]:
    """Groups the cheap constraints into stages, each decided as soon as the axes that it reads have values."""
    by_depth: dict[int, list[Constraint]] = {}
    for constraint in constraints:
        if constraint.is_cheap:
            depth = max((1 + number for number, axis in enumerate(axes) if axis in constraint.reads), default=0)
            by_depth.setdefault(depth, []).append(constraint)
    return [Stage(depth, tuple(found)) for depth, found in sorted(by_depth.items())]


def in_two(constraints: Sequence[Constraint], goal: Sized) -> tuple[list[Constraint], list[Constraint]]:
    """Splits the other constraints: those decided before the goal, which costs much more, and those beside it."""
    others = [constraint for constraint in constraints if not constraint.is_cheap]
    first = [constraint for constraint in others if 2 * len(constraint.nodes) < len(goal)]
    return first, [constraint for constraint in others if constraint not in first]


class Sought(NamedTuple):
    """The request of a search: a goal, or the usual one, further conditions, and the seed of draws.

    `anyway` computes a space of any size; otherwise bounds are computed of one that is too large, `seconds` at most.
    """

    goal: Goal | None = None
    where: Sequence[str] = ()
    seed: int = 0
    anyway: bool = False
    seconds: float = 60.0


class SearchPlan(NamedTuple):
    """The goal, the regions, and the constraints: cheap ones, then those before the goal, then those beside it.

    `evaluator` has the conditions among its quantities, `program` computes all that is decided or told; `moved` are the
    inputs that the space moves, not the user, `idle` those that the user moves and nothing that is sought reads: they
    stay at their first value.
    """

    evaluator: View
    program: Program
    goal: Goal
    group: GoalGroup  # the settings of the goal: conditions, columns, front
    regions: tuple[Region, ...]
    moved: tuple[str, ...]
    idle: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    before: Stage
    beside: Stage
    first: Givens

    @property
    def ranked(self) -> list[Goal]:
        """The quantities that rank configurations, the first before the second."""
        return [self.goal, *([self.group.then] if self.group.then else [])]

    @property
    def wanted(self) -> list[str]:
        """The quantities for which every configuration needs a value."""
        return list(dict.fromkeys(goal.name for goal in (*self.ranked, *self.group.front)))

    @property
    def told(self) -> list[str]:
        """The quantities to report: inputs that may vary, what the goal is shown with, its interval."""
        varies = [axis.name for region in self.regions for axis in region.grid.axes]
        shown = [each.name for each in self.group.shows]
        return list(dict.fromkeys([*varies, *shown, *self.group.interval]))

    @property
    def size(self) -> int:
        """How many configurations there are."""
        return sum(region.grid.size for region in self.regions)

    def stages_of(self, region: Region) -> list[Stage]:
        """The cheap constraints of a region, each as soon as the axes that it reads have values."""
        return stages_of([axis.name for axis in region.grid.axes], self.constraints)


def plan_of(evaluator: Evaluator, question: Question, space: SearchSpace, sought: Sought) -> SearchPlan:
    """The plan of a search.

    Raises FormulaError for a goal that is not a number, and for conditions that there are not.
    """
    first = evaluator.givens(first_question(evaluator, question))
    named = inputs_set(evaluator, question, first)
    shown, goal = _goal(evaluator, sought.goal or space.usual_goal(named, first.values), question)
    goal = space.titled(goal)
    refuse_unchosen(shown, [goal.name], first, question)
    group = space.group_of(goal.name, first.values)
    group = group._replace(shows=[each for each in group.shows if named.isdisjoint(each.without)])
    shown, _ = selected(shown, [each.asked for each in group.shows if each.name != goal.name], question)
    free = [axis for axis in space.axes if axis.input not in {*named, *group.still} and named.isdisjoint(axis.without)]
    own = [axis.where for axis in free if axis.where]
    texts = [*space.where, *group.where, *sought.where]
    moving = question._replace(values={**{axis.input: None for axis in free}, **question.values})
    conditioned = View(shown, [*own, *texts], moving, [goal.name])
    nodes = [condition.node for condition in conditioned.conditions]
    filters, asked = dict(zip(own, nodes, strict=False)), dict(zip(texts, nodes[len(own) :], strict=True))
    checks = [schema for schema in shown.speaking([goal.name], first, question.namespace) if schema.level == "refuse"]
    goals = [each.name for each in (goal, *group.front, *([group.then] if group.then else []))]
    told = [*goals, *(each.name for each in group.shows), *group.interval]
    moved = [*(axis.input for axis in free), *(axis.name for axis in varied(evaluator, question))]
    gaps = [condition.gap for condition in conditioned.conditions if condition.gap]
    tested = [*nodes, *gaps, *space.heeds, *(check.name for check in checks)]
    program = conditioned.program([*told, *tested, *moved])
    read = set(program.ancestors([*goals, *asked.values()]))
    axes = [(axis, filters.get(axis.where, "")) for axis in free if axis.input in read]
    regions = list(regions_of(conditioned, question, axes, space.shown))
    varies = {axis.name for region in regions for axis in region.grid.axes}
    if not varies and len(regions) == 1 and not space.axes:
        help_ = "Give an option several values, as in `sweep`; reports/search/ of a library says what varies by itself."
        raise refuse("missing-value", "Nothing varies, so there is nothing to search", help=help_)
    heeded = {f"{program.text_of(heed)} ({heed})": heed for heed in space.heeds}
    joint = {axis.where: node for axis, node in axes if node and _reads_several(program, node, varies)}
    known = frozenset.intersection(*(frozenset(axis.name for axis in region.grid.axes) for region in regions))
    constraints = constraints_of(program, checks, {**asked, **heeded, **joint}, known)
    before, beside = in_two(constraints, program.ancestors([goal.name], known))
    decides = set(program.ancestors(goals, known))
    decides.update(name for constraint in constraints for name in constraint.reads)
    idle = tuple(name for axis in varied(evaluator, question) if (name := axis.name) not in decides)
    return SearchPlan(
        conditioned,
        program,
        goal,
        group,
        tuple(_laid_out(region, conditioned, constraints, idle) for region in regions),
        tuple(axis.input for axis, _ in axes),
        idle,
        tuple(constraints),
        Stage(0, tuple(before)),
        Stage(0, tuple(beside)),
        first,
    )


def _goal(evaluator: Evaluator, said: Goal | None, question: Question) -> tuple[Evaluator, Goal]:
    """The goal by its full name, and the evaluator that shows it in the unit asked for."""
    if said is None:
        raise refuse("missing-value", "Nothing is sought", help="Say what: --minimise NAME or --maximise NAME.")
    shown, names = selected(evaluator, [said.name], question)
    name = the_only(names, said.name)
    kind = shown.schema.quantity(name).kind
    if kind not in ("number", "whole"):
        help_ = f"Name a number; what has to hold is a condition: --where '{name}'." if kind == "flag" else ""
        raise refuse("no-quantity", f"`{name}` is a {kind}, of which nothing is largest or smallest", help=help_)
    return shown, said._replace(name=name)


def _reads_several(program: Program, node: str, varies: set[str]) -> bool:
    """Whether a condition reads more than one of the inputs that vary."""
    return len(varies.intersection(program.ancestors([node]))) > 1


def _laid_out(region: Region, evaluator: Evaluator, constraints: Sequence[Constraint], idle: Collection[str]) -> Region:
    """The region with the axes first that cheap constraints read, which make a layout; idle axes are held fixed."""
    moving = region.grid.held(idle, evaluator.schema)
    by_name = {dimension.axes[0].name: dimension for dimension in moving.dimensions}
    laid, others = in_order([*by_name], constraints)
    grid = moving._replace(dimensions=tuple(by_name[name] for name in (*laid, *others)))
    return Region(grid, LaneGivens(evaluator, grid), region.words, len(laid))
