"""Renders what a search found: the best, its runners-up, what was infeasible, and what is proven."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from textwrap import wrap
from typing import Any

from formula_eval.analyse.search.outcome import Outcome, Proof, Robustness
from formula_eval.analyse.sweep.column import Column
from formula_eval.analyse.sweep.sweep_frame import batch_rows
from formula_eval.evaluate.display import digits, shown_value
from formula_eval.export.terminal import blocks
from formula_eval.export.terminal.screen import Screen, padded, screen_text
from formula_eval.export.terminal.sweep_table import tally_lines

_FRONT_ROWS = 8
_BEHIND = 9
_NEXT = "Runners-up"
# A front ends where the rest of it gains less than a tenth for more than twice as much.
_GAIN, _PRICE = math.log(1.1), math.log(2)


class SearchText:
    """The lines of what a search found, on one screen."""

    def __init__(self, found: Outcome, titles: Mapping[str, str], on: Screen) -> None:
        """Name quantities by these titles, those without one by their names."""
        self._found = found
        self._titles = {**titles, **{shown.name: shown.title for shown in found.group.shows}}
        self._on = on
        self._axes = [column for column in found.columns if column.is_axis]
        self._shown = [column for column in found.columns if not column.is_axis]

    def text(self, top: int, command: str = "") -> str:
        """The whole text, with so many of the best; `command` asks for the first of them, or for the nearest."""
        rows = batch_rows(self._found.leaders, self._found.columns, top)
        parts = [self._best(rows), self._next(rows), self._front(), self._misses(), [*self._counts()], [*self._sure()]]
        lines = "\n\n".join("\n".join(part) for part in parts if part)
        return f"{lines}\n\n{screen_text([blocks.Command('Command', command)], self._on)}" if command else f"{lines}\n"

    def _best(self, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        if self._found.best is None or not rows:
            return []
        title = f"Best: the {self._found.goal.sought}"
        figures = [
            blocks.Pair(column.title(self._titles), _text(rows[0][column.name], column)) for column in self._shown
        ]
        chosen = [blocks.Pair(axis.name, _text(rows[0][axis.name], axis)) for axis in self._axes]
        chosen += [blocks.Pair(name, text, default=True) for name, text in self._found.best.assumed.items()]
        held = [blocks.Pairs(title, tuple(figures)), blocks.Pairs("Configuration", tuple(chosen), left=True)]
        warned = tuple(("warn", text) for text in self._found.best.warnings)
        said = [blocks.Messages("Worth knowing", warned)] if warned else []
        text = screen_text([*(pairs for pairs in held if pairs.pairs), *said], self._on)
        return text.rstrip("\n").split("\n")

    def _next(self, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        """The runners-up: the value of each, by how much it is behind, and what differs from the best."""
        if len(rows) <= 1:
            return []
        goal = next(column for column in self._found.columns if column.name == self._found.goal.name)
        values = [_text(each[goal.name], goal) for each in rows[1:]]
        title = goal.title(self._titles)
        width = max(len(title), *map(len, values))
        lines = [self._on.paint(f"{_NEXT}  {title:>{width}}  {'vs best':>{_BEHIND}}  differs in", "title")]
        for number, (row, value) in enumerate(zip(rows[1:], values, strict=True), 2):
            behind = _behind(rows[0][goal.name], row[goal.name])
            start = f"  {number:<{len(_NEXT)}}{value:>{width}}  {behind:>{_BEHIND}}  "
            lines += self._on.hanging(start, self._differs(rows[0], row), len(start))
        return lines

    def _differs(self, best: Mapping[str, Any], row: Mapping[str, Any]) -> str:
        found = [
            f"{axis.name} {_text(row[axis.name], axis)}" for axis in self._axes if row[axis.name] != best[axis.name]
        ]
        return ", ".join(found) or "nothing"

    def _front(self) -> list[str]:
        """Some of the front, evenly, with what each takes."""
        found = self._found
        rows = batch_rows(found.front, found.columns, len(found.front.places))
        if len(rows) < 2:  # noqa: PLR2004 - one alone is the best
            return []
        columns = [next(column for column in found.columns if column.name == goal.name) for goal in found.group.front]
        titles = [column.title(self._titles) for column in columns]
        useful = _useful(rows, [column.name for column in columns])
        end, left = rows[-1], len(rows) - len(useful)
        rows = _spread(useful, [column.name for column in columns])
        texts = [[_text(row[column.name], column) for column in columns] for row in rows]
        widths = [max(len(title), *(len(text[number]) for text in texts)) for number, title in enumerate(titles)]
        varied = [axis for axis in self._axes if len({row[axis.name] for row in rows}) > 1]
        same = ", ".join(f"{axis.name} {_text(rows[0][axis.name], axis)}" for axis in self._axes if axis not in varied)
        head = padded(titles, widths, range(len(widths)))
        lines = [self._on.paint("Pareto front", "title"), self._on.paint(f"  {head}  with", "title")]
        for row, text in zip(rows, texts, strict=True):
            start = f"  {padded(text, widths, range(len(widths)))}  "
            told = ", ".join(f"{column.name} {_text(row[column.name], column)}" for column in varied)
            lines += self._on.hanging(start, told, len(start))
        more = f"{len(rows)} of {len(useful):,}. " if len(rows) < len(useful) else ""
        said = f"{more}No configuration is better in both." + (f" All have {same}." if same else "")
        if end[columns[1].name] != useful[-1][columns[1].name]:
            to = ", ".join(f"{column.title(self._titles)} {_text(end[column.name], column)}" for column in columns)
            said += f" Points left out, as they gain under 10% at over twice the cost: {left:,}, the last with {to}."
        if found.group.ahead and self._is_beaten():
            said += f" {found.group.ahead}"
        return [*lines, *(self._on.paint(f"  {line}", "dim") for line in wrap(said, self._on.width - 2))]

    def _is_beaten(self) -> bool:
        """Whether the front has a configuration that is better in its first quantity than the best."""
        goal, found = self._found.group.front[0], self._found
        best, *_ = found.leaders.values[goal.name]
        ahead = (
            max(found.front.values[goal.name]) > best if goal.is_largest else min(found.front.values[goal.name]) < best
        )
        return bool(ahead)

    def _misses(self) -> list[str]:
        """The nearest configuration where nothing meets all conditions."""
        nearest, on = self._found.nearest, self._on
        if nearest is None:
            if self._found.best is not None:
                return []
            found = "Nothing meets" if self._found.proof.is_proven else "Nothing was found that meets"
            return [on.paint(f"{found} every condition.", "bad")]
        lines = [on.paint("Nothing meets every condition. What stops the configuration that comes nearest:", "bad")]
        for stop, condition in zip(nearest.stops, nearest.unmet, strict=True):
            said = self._found.demands.get(condition, condition)
            text = stop if said == condition else f"{said}: {stop}"
            lines += wrap(text, on.width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
        return lines

    def _counts(self) -> Iterator[str]:
        found = self._found
        proof = found.proof
        told = f"{proof.size:,} configurations"
        if not proof.by_bounds:
            computed = f", {proof.computed:,} of these were computed" if proof.left else ""
            laid_out = proof.computed + proof.left
            told += f": {laid_out:,} are valid layouts{computed}, {found.counts.kept:,} are feasible"
        yield from wrap(told, self._on.width)
        demand = found.demands.__getitem__
        yield from tally_lines(found.counts, demand, self._on, "infeasible", demand)
        for name in found.idle:
            told = f"`{name}` changes nothing of what is sought, so its first value stands for all."
            yield from wrap(told, self._on.width)

    def _sure(self) -> Iterator[str]:
        """How sure it is that nothing is better, in sentences."""
        found, texts = self._found, []
        if found.robustness is not None:
            texts.append(_robust(found.robustness))
        best = found.leaders.values[found.goal.name][0] if found.best else None
        goal = next(column for column in found.columns if column.name == found.goal.name)
        texts += proof_sentences(found.proof, best, lambda value: _text(value, goal))
        yield from self._on.dimmed(texts).splitlines()


def _robust(found: Robustness) -> str:
    """How often the first place holds, and how that was found."""
    rivals = "the runner-up" if found.rivals == 1 else f"all of the next {found.rivals}"
    share = f"{_percent(found.share)} of {found.draws:,} draws"
    behind = f"; where it does not, it is typically {_percent(found.behind)} behind" if found.behind else ""
    return (
        f"With prediction errors as large as those of measured runs it stays ahead of {rivals} in {share}{behind}. "
        "Similar configurations err alike, so it stays ahead more often than that."
    )


def _percent(share: float) -> str:
    return f"{digits(float(f'{100 * share:.2g}'))}%"


def _behind(best: float, value: float) -> str:
    if value == best:
        return "same"
    if not best:
        return "-"
    percent = 100 * (value / best - 1)
    return f"{percent:+,.0f}%" if abs(percent) >= 99.5 else f"{percent:+.2g}%"  # noqa: PLR2004 - rounds to 100


def _spread(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """At most so many rows of a front, spread evenly by the ratio of the quantity that changes less."""
    if len(rows) <= _FRONT_ROWS:
        return list(rows)
    steps = (min(_ratio(before[name], after[name]) for name in names) for before, after in pairwise(rows))
    passed = list(accumulate(steps, initial=0.0))
    wanted = (passed[-1] * place / (_FRONT_ROWS - 1) for place in range(_FRONT_ROWS))
    places = [bisect_left(passed, number) for number in wanted]
    return [rows[place] for place in dict.fromkeys(min(place, len(rows) - 1) for place in places)]


def _useful(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> Sequence[dict[str, Any]]:
    """The rows of a front up to where the rest gains little of the second quantity for much of the first."""
    first, second = names
    place = next(place for place, row in enumerate(rows) if _ratio(row[second], rows[-1][second]) < _GAIN)
    return rows[: place + 1] if _ratio(rows[place][first], rows[-1][first]) > _PRICE else rows


def _ratio(before: float, after: float) -> float:
    """How far one is from the other, on a scale of ratios where both are above 0."""
    return abs(math.log(after / before)) if before > 0 and after > 0 else 1.0


def _text(value: Any, column: Column) -> str:  # noqa: ANN401 - a cell
    if value is None:
        return "-"
    return shown_value(value, column.shown_as)


_OTHERS = "other values were not tried"


def proof_sentences(proof: Proof, best: float | None, shown: Callable[[float], str]) -> Iterator[str]:
    """Sentences on all configurations, beside the best if one was found; `shown` writes a value of the goal."""
    if not proof.by_bounds:
        if proof.left and best is not None:
            yield "Partial: it was interrupted, and something better may be among the rest."
        elif best is not None:
            yield f"Best of all {proof.size:,} configurations of this space; {_OTHERS}."
        return
    if proof.is_proven:
        what = "is better" if best is not None else "meets every condition"
        yield f"Proven: no configuration of the {proof.size:,} {what}; {_OTHERS}. {_how(proof)}."
        return
    yield f"Not proven: {_open(proof, best, shown)}. {_how(proof)}; a longer search (--seconds) leaves fewer."


def _open(proof: Proof, best: float | None, shown: Callable[[float], str]) -> str:
    """What the configurations that are left may still hold."""
    if best is None:
        return f"one of the {proof.left:,} configurations that are left may meet every condition"
    gap = proof.gap(best)
    if gap is None:
        return f"the bounds of what is left are too wide to say how much better than {shown(best)} it may be"
    side = "below" if proof.bound < best else "above"
    return f"none can be better than {shown(proof.bound)}, {_percent(gap)} {side} the best found"


def _how(proof: Proof) -> str:
    left = f", {proof.left:,} are left" if proof.left else ""
    return (
        f"{proof.computed:,} were computed, {proof.beaten:,} excluded by bounds, {proof.excluded:,} by conditions{left}"
    )
