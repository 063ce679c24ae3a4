"""Collects the constraints of a search, checks that refuse and conditions, and orders them by their cost."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from typing import NamedTuple

from formula_eval.evaluate.program import Program
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

    found = [constraint(each.name, each.name, each) for each in checks]
    return found + [constraint(node, text, None) for text, node in conditions.items()]


class Stage(NamedTuple):
    """Constraints that are decided together, once the first `depth` axes have values."""

    depth: int
    constraints: tuple[Constraint, ...]

    @property
    def conditions(self) -> dict[str, str]:
        """The nodes of its conditions by their texts."""
        return {each.text: each.node for each in self.constraints if each.check is None}

    @property
    def checks(self) -> list[CheckSchema]:
        """Its checks."""
        return [each.check for each in self.constraints if each.check is not None]


def in_order(axes: Sequence[str], constraints: Sequence[Constraint]) -> tuple[list[str], list[str]]:
    """Splits axes into those that some cheap constraint reads and the rest, each in the order given."""
    read = {name for each in constraints if each.is_cheap for name in each.reads}
    return [each for each in axes if each in read], [each for each in axes if each not in read]


def stages_of(axes: Sequence[str], constraints: Sequence[Constraint]) -> list[Stage]:
    """Groups the cheap constraints into stages, each decided as soon as the axes that it reads have values."""
    by_depth: dict[int, list[Constraint]] = {}
    for each in constraints:
        if each.is_cheap:
            depth = max((1 + number for number, axis in enumerate(axes) if axis in each.reads), default=0)
            by_depth.setdefault(depth, []).append(each)
    return [Stage(depth, tuple(found)) for depth, found in sorted(by_depth.items())]


def in_two(constraints: Sequence[Constraint], goal: Sized) -> tuple[list[Constraint], list[Constraint]]:
    """Splits the other constraints: those decided before the goal, which costs much more, and those beside it."""
    others = [each for each in constraints if not each.is_cheap]
    first = [each for each in others if 2 * len(each.nodes) < len(goal)]
    return first, [each for each in others if each not in first]
