"""Defines what a plan is asked for: what it makes smallest, what it tells of each alternative, the load, the search."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, NamedTuple

from formula_eval.analyse.plan.pools_layout import PoolsLayout
from formula_eval.analyse.search.search_space import GOAL, Goal, SearchSpace
from formula_eval.core.diagnostic import refuse
from formula_eval.records.givens import Question
from formula_eval.toml_shape import Several
from formula_eval.toml_table import Condition, Input, Kind, Quantity, Quoting, Unit, shape, table, table_of

BUSIEST, AVERAGE = "busiest", "average"


class PlanColumn(NamedTuple):
    """A quantity to report for each alternative: its title, its name, its unit if not the declared one, and its hour.

    The hour is the busiest, the average one, or a case by its name.
    Where alternatives are too many for all columns, those with a `brief` title are told; the brief of one page leaves
    each `detail` out. One with `when` is told where this flag holds for an alternative, and has no value for others. In
    an hour of a day, each replica that starts for it adds `start`.
    """

    title: str
    name: Quantity
    unit: Unit = ""
    hour: str = BUSIEST
    brief: str = ""
    start: Quantity = ""
    when: Quantity = ""
    detail: bool = False


class Load(NamedTuple):
    """The inputs that state the load: the rate of the busiest hour, `mean_rate` of all hours, and the replicas.

    `average` is the quantity of the rate at which requests arrive on average, whichever of these was given; `peak` the
    input of how many times the mean rate the busiest hour's is; `most` the title of the largest rate at which one
    replica meets the targets.
    """

    rate: Input
    mean_rate: Input
    average: Quantity
    replicas: Input
    peak: Input
    most: str


class RecordRow(NamedTuple):
    """The title of a row that names the record of a kind where the flag `when` holds; of one title, the first."""

    title: str
    record: Kind
    when: Quantity = ""


class SentencePart(NamedTuple):
    """A part of a sentence, which quotes quantities in a `unit`; left out without a value, or where `when` fails.

    What it quotes is of the busiest `hour`, or of another one as in columns.
    """

    says: Quoting
    when: Quantity = ""
    unit: Unit = ""
    hour: str = BUSIEST


class Miss(NamedTuple):
    """A condition, and the sentence about what does not meet it, which quotes quantities in a `unit`."""

    where: Condition
    says: Quoting
    unit: Unit = ""


class Verdict(NamedTuple):
    """What the best takes, as a sentence, and what nearly does where `nothing` does; what alternatives miss."""

    best: Sequence[SentencePart] = ()
    nothing: Sequence[SentencePart] = ()
    misses: Sequence[Miss] = ()


class Commitment(NamedTuple):
    """The input of replicas that stay all day, where the flag `when` holds: as many as make a day cheapest.

    It is what `counts` is in one of the hours: as many as the machines have room for that are rented then.
    """

    title: str
    input: Input
    counts: Quantity
    when: Quantity


class DayShape(NamedTuple):
    """The column of a table with a row for each hour of a day, which holds its rates."""

    table: Annotated[str, shape("table")]
    column: Annotated[str, shape("column")]


class DayLayout(NamedTuple):
    """What is told of each hour of a day, what is summed over it, and the time that a new replica takes to start.

    `columns` are told of each hour, `sums` of all; `start` is shown in `start_unit`. `starts` is the title of how many
    replicas start for an hour, `rented` the quantity of those that there are, `commitment` how many of them may stay
    all day; `title` and `says` head the hours. `shapes` are the rates that a word stands for. An hour without requests
    keeps a replica unless `idle` is 0 and nothing is committed: then the quantities `none` are 0 in it, and others have
    no value. `kept` and `stopped` are said of such hours, with the time that a replica takes as {start}.
    """

    title: str
    says: Sequence[str]
    columns: Sequence[PlanColumn]
    sums: Sequence[PlanColumn]
    start: Quantity
    starts: str
    rented: Quantity
    start_unit: Unit = ""
    commitment: Commitment | None = None
    idle: Quantity = ""
    none: Sequence[Quantity] = ()
    kept: str = ""
    stopped: str = ""
    shapes: Mapping[str, DayShape] = MappingProxyType({})


class MixLayout(NamedTuple):
    """What a fleet of two alternatives makes least, if by more than the share `premium`.

    They may differ in records of the kinds `among`; `per` is what stands behind the cost in a sentence.
    """

    cost: Quantity
    per: str
    premium: Input
    among: Sequence[Kind]


class LeftOut(NamedTuple):
    """What a line names where alternatives are many: those that by a quantity are over so many `times` the smallest."""

    by: Quantity
    times: float


class PlanCase(NamedTuple):
    """A busiest hour that comes otherwise: what each of some inputs is multiplied by. `title` tells it to a reader."""

    name: str
    title: str
    scales: Annotated[Mapping[str, float], table("*input:number")]


class PlanCases(NamedTuple):
    """What is told of each case: the layout stays, and there are the fewest replicas that meet the targets."""

    title: str
    columns: Sequence[PlanColumn]
    cases: Sequence[PlanCase]

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called."""
        return tuple(case.name for case in self.cases)


NO_CASES = PlanCases("", (), ())


def hours_of(cases: PlanCases) -> tuple[str, ...]:
    """The hours that columns may tell of, by name."""
    return (BUSIEST, AVERAGE, *cases.names)


def case_columns(rows: Sequence[PlanColumn], cases: Sequence[PlanCase]) -> list[PlanColumn]:
    """These rows for each of the cases."""
    return [row._replace(title=f"{row.title}, {case.title}", hour=case.name) for case in cases for row in rows]


class SolvedInput(NamedTuple):
    """An input to solve for: it becomes `most`, computed with it at 0 and `goal` at its largest (reports/plan.toml).

    `bounded_by` are inputs any group of which bounds it; `lacks` and `help` are what is said where none is given.
    """

    input: Input
    most: Quantity
    goal: Quantity
    bounded_by: Sequence[Sequence[Input]]
    lacks: str
    help: str

    @property
    def where(self) -> str:
        """The condition that the input found is above 0."""
        return f"{self.most} > 0"

    def with_most(self, question: Question, most: float) -> Question:
        """The question with the input that was found."""
        return question._replace(values={**question.values, self.input: f"{most:.0f}"})


def unless_given(solved: SolvedInput | None, given: Mapping[str, object]) -> SolvedInput | None:
    """The input if it has to be found, by the values that are given; raises FormulaError where nothing bounds it."""
    if solved is None or given.get(solved.input):
        return None
    if not any(all(name in given for name in group) for group in solved.bounded_by):
        raise refuse("missing-value", solved.lacks, help=solved.help)
    return solved


class LeastLayout(NamedTuple):
    """Bounds below each of `orders` and `goals`, and what is said of an alternative that they leave out."""

    bounds: Sequence[Quantity]
    beaten: str  # it cannot cost less than {best}
    unranked: str  # it has no value of what the best is ordered by


class PlanLayout(NamedTuple):
    """The objective, the conditions and the columns of a plan, as reports/plan.toml states them.

    Attributes:
        goals: what is made smallest, the first that has a value.
        columns: what is told of the best configuration of each alternative.
        orders: what alternatives are ordered by, the first that has a value.
        then_by: what those are ordered by that are alike in this.
        least: what no alternative can cost less than; None where nothing bounds it.
        nearest: what alternatives that miss what is asked are ordered by, in place of `orders`.
        where: conditions that every configuration has to meet.
        still: inputs that a search varies and a plan does not.
        then: what decides between equally good configurations.
        inputs: those that tell a configuration's layout.
        plain: what is told where none of them was set.
        defaults: inputs that are stated at their defaults where nobody states any of them.
        assumed: inputs that are told as what the plan rests on.
        records: records that are told so too.
        load: the inputs of the load; None where nothing arrives at a rate.
        solved: the input that is found; None where none is.
        named_by: the kind of records whose name a single alternative bears.
        purpose: what is asked about where this is planned, and `stated` inputs one of which is then above 0.
        amount: the quantity that the first of `stated` is where nobody gives it, but one of `amount_with`.
        amount_with: the inputs that ask for that.
        verdict: the sentence that heads the plan.
        cases: what is told if things come otherwise; `columns` hold this too.
        day: what is told of the hours of a day; None where nothing arrives at a rate.
        mix: what a fleet of two alternatives makes least; None where alternatives cannot share the work.
        pools: the pools of workers apart that may do the work; None where none can.
        left_out: which of many alternatives are named in a line alone.

    """

    goals: Annotated[Sequence[str], Several(shape("quantity"), range(1, 9))]
    columns: Annotated[Sequence[PlanColumn], Several(table_of(PlanColumn), range(1, 99))]
    orders: Sequence[Quantity] = ()
    then_by: Quantity = ""
    least: LeastLayout | None = None
    nearest: Sequence[Quantity] = ()
    where: Sequence[Condition] = ()
    still: Sequence[Input] = ()
    then: Annotated[Goal | None, GOAL] = None
    inputs: Annotated[Sequence[Input], "layout"] = ()
    plain: str = "-"
    defaults: Sequence[Input] = ()
    assumed: Sequence[PlanColumn] = ()
    records: Sequence[RecordRow] = ()
    load: Load | None = None
    solved: SolvedInput | None = None
    named_by: Kind = ""
    purpose: str = ""
    stated: Sequence[Input] = ()
    amount: Quantity = ""
    amount_with: Sequence[Input] = ()
    verdict: Verdict = Verdict()
    cases: PlanCases = NO_CASES
    day: DayLayout | None = None
    mix: MixLayout | None = None
    pools: PoolsLayout | None = None
    left_out: LeftOut | None = None


class Demand(NamedTuple):
    """The layout and search space of a plan."""

    space: SearchSpace
    layout: PlanLayout
    rates: Sequence[float] = ()  # of the hours of a day, in requests each second; none for one busiest hour
