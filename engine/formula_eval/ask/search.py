"""Searches the best configuration for a goal: `STAGES` is the table of contents."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from formula_eval.analyse.dask_workers import client_of
from formula_eval.analyse.search.outcome import Outcome
from formula_eval.analyse.search.search_plan import Sought
from formula_eval.analyse.search.search_run import Search
from formula_eval.analyse.search.search_space import SearchSpace, goal_of
from formula_eval.ask.question import with_every_record
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import Library
from formula_eval.records.givens import Question
from formula_eval.records.input_names import input_named
from formula_eval.records.schema import Schema
from formula_eval.toml_table import read_table

Watch = Callable[[int], AbstractContextManager[Callable[[int], object]]]


@contextmanager
def unwatched(_size: int) -> Iterator[Callable[[int], object]]:
    """Shows nobody how far it is."""
    yield lambda _: None


class SearchRequest(NamedTuple):
    """A question of which what nobody gives varies.

    Attributes:
        question: what is asked.
        minimise: the quantity whose smallest value is sought; without any goal the usual one of the answer.
        maximise: the quantity whose largest value is sought.
        where: conditions in the language of formulas.
        seed: which errors are drawn for the robustness of the best.
        anyway: computes every configuration, however many there are.
        seconds: for how long bounds are computed where there are too many to compute each.
        workers: computes in so many processes of this machine.
        cluster: computes on the workers of this Dask scheduler.
        sayable: of the inputs that vary only these, which a program has options for.
        holds: conditions of that program.

    """

    question: Question
    minimise: str | None = None
    maximise: str | None = None
    where: Sequence[str] = ()
    seed: int = 0
    anyway: bool = False
    seconds: float = 60.0
    workers: int | None = None
    cluster: str = ""
    sayable: Collection[str] | None = None
    holds: Sequence[str] = ()


class SearchAnswer(NamedTuple):
    """What was found, the search that found it, and whether the user ended that before all were decided."""

    outcome: Outcome
    search: Search
    interrupted: bool


@dataclass(slots=True)
class _State:
    """What the stages have made of a request so far."""

    evaluator: Evaluator
    request: SearchRequest
    watch: Watch
    client: Any  # dask is optional
    space: SearchSpace = field(init=False)
    search: Search = field(init=False)
    interrupted: bool = False


def read_space(state: _State) -> None:
    """Read what may vary, and of that what the program that is to run the best can say."""
    request = state.request
    library = state.evaluator.library
    space = read_search_space(library, request.question.about(library), state.evaluator.schema)
    if request.sayable is not None:
        space = space.sayable(request.sayable)._replace(where=(*space.where, *request.holds))
    state.space = space


def share_loads(state: _State) -> None:
    """Let configurations that consist of several parts share a load that is asked, so that all bear the same one."""
    question, schema = state.request.question, state.evaluator.schema
    asked = {input_named(name, schema, question.namespace): name for name in question.values}
    for axis in state.space.axes:
        said = str(question.values.get(asked.get(axis.input, ""), ""))
        if axis.shared and said.isdigit() and asked.keys().isdisjoint((*axis.shared, *axis.unless, *axis.without)):
            parts, each_has = axis.sharing(int(said))
            shared = question._replace(values={**question.values, asked[axis.input]: parts})
            state.request = state.request._replace(question=shared, where=(*state.request.where, each_has))


def lay_out(state: _State) -> None:
    """Find the goal, the regions and the constraints, and leave out what cannot be laid out."""
    evaluator, request = state.evaluator, state.request
    question = with_every_record(evaluator, request.question)
    goal = goal_of(request.minimise, request.maximise)
    sought = Sought(goal, request.where, request.seed, request.anyway, request.seconds)
    state.search = Search(evaluator, question, state.space, sought, state.client)


def look_through(state: _State) -> None:
    """Compute all configurations, or bound them; what was decided stays where the user ends it."""
    with state.watch(state.search.size) as tell:
        try:
            state.search.run(tell)
        except KeyboardInterrupt:
            state.interrupted = True


STAGES: tuple[Callable[[_State], None], ...] = (read_space, share_loads, lay_out, look_through)


def search(evaluator: Evaluator, request: SearchRequest, watch: Watch = unwatched) -> SearchAnswer:
    """The best configurations; raises FormulaError for two goals or one that is no number, and too large a space."""
    with client_of(request.workers, request.cluster) as client:
        state = _State(evaluator, request, watch, client)
        for stage in STAGES:
            stage(state)
    return SearchAnswer(state.search.found(), state.search, state.interrupted)


def read_search_space(library: Library, purpose: str, schema: Schema) -> SearchSpace:
    """The space of a purpose; an empty one where no library has any. Raises FormulaError for a file that is wrong."""
    shown, data = library.last(f"reports/search/{purpose}.toml")
    space = read_table(SearchSpace, data, shown, schema.vocabulary)
    names = [axis.input for axis in space.axes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise refuse("bad-report", f"{shown}: `{twice}` has two axes", help="Write its values in one.")
    return space._replace(shown=shown)
