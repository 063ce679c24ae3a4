"""Suggests other input values that make a configuration fit or run faster, and tries each of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.analyse.alternatives import Neighbour, Neighbours
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result

# From here on one digit behind the point, or none, says enough of a ratio.
_ONE_DIGIT = 2
_NO_DIGIT = 10

Search = Mapping[str, Any]


class Advice(NamedTuple):
    """A suggestion: the options to add and what they bring; `numbers` are all numbers that result."""

    options: str
    gives: str
    numbers: Mapping[str, float]


class NextStep(NamedTuple):
    """The suggestions, best first; `good` where the configuration fits as it is."""

    text: str
    advice: tuple[Advice, ...] = ()
    good: bool = True


def next_step(search: Search, result: Result, evaluator: Evaluator) -> NextStep | None:
    """The advice of a section `next` of reports/answers/ that helps; None where there is nothing to suggest.

    All advice was computed: no check refuses it, and none warns that did not warn before.
    """
    fits = bool(result.numbers[search["holds"]])
    advice = tuple(_advice(search, result, evaluator, fits=fits))[: search.get("shown", 1)]
    if advice:
        return NextStep(search["faster" if fits else "found"], advice, good=fits)
    return None if fits else NextStep(search["none"], good=False)


def _advice(search: Search, result: Result, evaluator: Evaluator, *, fits: bool) -> Iterator[Advice]:
    """Yields one piece of advice for each way that helps, in the order of the ways."""
    near = Neighbours.around(result, evaluator)
    helped: set[str] = set()
    told: set[str] = set()
    for way in search.get("ways", ()):
        if way["fits"] == fits and _applies(way, result) and helped.isdisjoint(way.get("instead_of", ())):
            found = (_faster if fits else _fitting)(way, search, result, near)
            if found is not None and found.options not in told:
                helped.add(way["title"])
                told.add(found.options)
                yield Advice(found.options, _gives(search, result, found.numbers, evaluator), found.numbers)


def _applies(way: Mapping[str, Any], result: Result) -> bool:
    return bool("when" not in way or result.numbers[way["when"]]) and not result.numbers.get(way.get("unless", ""), 0)


def _tried(way: Mapping[str, Any], search: Search, result: Result, near: Neighbours) -> Iterator[Neighbour]:
    """Yields the neighbours of a way that fit, stay within bounds, and keep what has to stay the same."""
    for changes in way["try"]:
        found = near.without(changes["leave_out"]) if "leave_out" in changes else near.changed(changes)
        if found is None or not found.numbers[search["holds"]]:
            continue
        bounded = all(found.numbers[name] <= found.numbers[most] for name, most in search.get("at_most", ()))
        same = way.get("same", search.get("same", ()))
        if bounded and all(found.numbers[name] == result.numbers[name] for name in same):
            yield found


def _fitting(way: Mapping[str, Any], search: Search, result: Result, near: Neighbours) -> Neighbour | None:
    return next(_tried(way, search, result, near), None)


def _faster(way: Mapping[str, Any], search: Search, result: Result, near: Neighbours) -> Neighbour | None:
    """The first neighbour with nearly the most gain; or the one with the most, within targets that the user set.

    None takes longer than is accepted, or than it takes now.
    """
    gain = search["gain"]
    targets = [(name, most) for name, most in way.get("targets", ()) if near.givens.values.get(most) is not None]
    found = [
        neighbour
        for neighbour in _tried(way, search, result, near)
        if all(neighbour.numbers[name] <= neighbour.numbers[most] for name, most in targets)
        and all(
            neighbour.numbers[name] <= max(neighbour.numbers[most], result.numbers[name])
            for name, most in search.get("accepted", ())
        )
    ]
    enough = search["at_least"] * result.numbers[gain]
    most = max((neighbour.numbers[gain] for neighbour in found), default=0)
    wanted = most if targets else max(way["share"] * most, enough)
    return (
        next((neighbour for neighbour in found if neighbour.numbers[gain] >= wanted), None) if most >= enough else None
    )


def _gives(search: Search, result: Result, numbers: Mapping[str, float], evaluator: Evaluator) -> str:
    """What a change brings, as text: `4,058 tokens/s (42 times as many), 6.2 s to the first token`."""
    before, after = result.numbers[search["gain"]], numbers[search["gain"]]
    times = f"{search['times'].format(times=_ratio(after / before))}" if result.numbers[search["holds"]] else ""
    texts = [_entry(entry, numbers, evaluator) for entry in search["entries"]]
    return ", ".join([f"{texts[0]} {times}".rstrip(), *texts[1:]])


def _entry(entry: Mapping[str, str], numbers: Mapping[str, float], evaluator: Evaluator) -> str:
    return f"{shown_value(numbers[entry['name']], evaluator.schema.quantity(entry['name']))} {entry['title']}".rstrip()


def _ratio(value: float) -> str:
    """A ratio as text: `45`, `3.3`, `1.04`."""
    return f"{value:,.0f}" if value >= _NO_DIGIT else f"{value:.1f}" if value >= _ONE_DIGIT else f"{value:.2f}"


def _of_ways(search: Search) -> Iterator[str]:
    """The quantities that the ways of a section name."""
    for way in search.get("ways", ()):
        yield from (way[key] for key in ("when", "unless") if key in way)
        yield from (name for pair in way.get("targets", ()) for name in pair)
        yield from (
            text[1:] for changes in way["try"] for text in changes.values() if isinstance(text, str) and text[:1] == "="
        )


def names_of(search: Search) -> Sequence[str]:
    """All quantities and inputs that a section `next` names."""
    pairs = (*search.get("at_most", ()), *search.get("accepted", ()))
    return [*search.get("same", ()), *(name for pair in pairs for name in pair), *_of_ways(search)]
