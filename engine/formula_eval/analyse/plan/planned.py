"""Defines what a plan finds: its alternatives, what each takes, and the fleet of two of them that is cheaper."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from formula_eval.analyse.ineffective_inputs import Effects
from formula_eval.analyse.plan.day import PlannedDay
from formula_eval.analyse.plan.demand import NO_CASES, DayLayout, Load, MixLayout, PlanCases, PlanColumn, Verdict
from formula_eval.records.givens import Question


class Alternative(NamedTuple):
    """One accelerator and engine: how it differs from the others, and the question of its best configuration.

    `values` are those of the columns, in base units, nan where there is none; `layout` is the configuration in short.
    `hours` are the questions that these values answer, `warnings` what checks say of the configuration, `most` the
    largest rate at which one replica meets the targets, `day` what it takes by the hour. Where no layout meets
    the targets, `stops` says what the nearest one fails at, and all else tells of that one.
    """

    varies: Sequence[tuple[str, str]]  # inputs or kinds of records, with this alternative's choice
    question: Question | None
    values: Sequence[float]
    stops: Sequence[str] = ()
    is_proven: bool = True  # False if the search ran out of time
    layout: str = ""
    hours: Mapping[str, Question | None] = MappingProxyType({})
    warnings: Sequence[str] = ()
    most: float = math.nan
    day: PlannedDay | None = None

    @property
    def name(self) -> str:
        """The words that distinguish it from the others: `h200-sxm`."""
        return " ".join(text for _, text in self.varies) or "best"


class FleetPart(NamedTuple):
    """The replicas of one accelerator in a fleet of two, and the question of its share of the requests."""

    name: str
    replicas: int
    question: Question


class MixedFleet(NamedTuple):
    """The two parts of a fleet, its cost, and that of the cheapest fleet of one accelerator."""

    parts: Sequence[FleetPart]
    cost: float
    alone: float
    layout: MixLayout


class Plan(NamedTuple):
    """The alternatives, the best first and those that cannot keep what is asked last.

    The best is the cheapest, or what has the most of the input that is found. `columns` are what is reported of each,
    `effects` what options move of what is told and decided, `verdict` is the sentence about it, `assumed` what it rests
    on, `named_by` the kind of records whose name an alternative bears.
    """

    columns: Sequence[PlanColumn]
    alternatives: Sequence[Alternative]
    effects: Sequence[Effects] = ()
    verdict: Verdict = Verdict()
    load: Load | None = None  # None where nothing arrives at a rate
    cases: PlanCases = NO_CASES  # that are told beside the columns
    day: DayLayout | None = None  # of its hours, where these were asked for
    mix: MixedFleet | None = None  # of two alternatives, where that is cheaper
    assumed: Sequence[PlanColumn] = ()
    named_by: str = ""

    @property
    def best(self) -> Alternative | None:
        """The best; None where none meets the targets."""
        return next((each for each in self.alternatives if not each.stops), None)
