"""Writes the heading of a plan's documents: title, question, verdict, and what scaling by the hour saves."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formula_eval.analyse.plan.demand import BUSIEST, DayLayout, RecordRow, SentencePart
from formula_eval.analyse.plan.planned import Alternative, Plan, PlannedDay, PooledFleet
from formula_eval.analyse.plan.pools_layout import PoolsLayout
from formula_eval.analyse.plan.values import said, values_of
from formula_eval.ask.plan_layout import SheetWords
from formula_eval.evaluate.display import shown_value
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.rows import days_told
from formula_eval.records.record import RecordFile


class Heading(NamedTuple):
    """The title of a plan, what was asked for, and the verdict; the last two may be empty."""

    title: str
    asks: str
    verdict: str


def heading_of(plan: Plan, words: SheetWords, evaluator: Evaluator) -> Heading:
    """The heading of a plan's documents."""
    told = first_told(plan)
    asks = said(words.asks, told.question, evaluator) if told else ""
    names = (
        {record_named(alternative, words.of, evaluator) for alternative in plan.alternatives if alternative.question}
        if words.of
        else ()
    )
    of = f" of {next(iter(names))}" if len(names) == 1 else ""
    return Heading(f"{words.title}{of}", asks, verdict_of(plan, evaluator))


def first_told(plan: Plan) -> Alternative | None:
    """The best, or the first that comes near; None where nothing could be laid out."""
    return plan.best or next((alternative for alternative in plan.whole if alternative.question), None)


def record_named(alternative: Alternative, kind: str, evaluator: Evaluator) -> str:
    """The name of the record of a kind behind an alternative, a dash where it has none."""
    file = evaluator.givens(alternative.question).files.get(kind) if alternative.question else None
    return file.called if file else "-"


def record_meant(alternative: Alternative, rows: Sequence[RecordRow], evaluator: Evaluator) -> RecordFile | None:
    """The record behind an alternative that the first of these rows means whose flag holds."""
    if alternative.question is None:
        return None
    flags = values_of(evaluator, alternative.question, {row.when for row in rows if row.when})
    files = evaluator.givens(alternative.question).files
    return next((files.get(row.record) for row in rows if not row.when or flags[row.when] > 0), None)


def verdict_of(plan: Plan, evaluator: Evaluator) -> str:
    """The sentence about a plan: of its best, or of the first that comes near; nothing where none is to be said."""
    best, told = plan.best, first_told(plan)
    parts = plan.verdict.best if best else plan.verdict.nothing
    first = f"{told.name} ({told.layout}){_told(parts, told, evaluator)}" if told and parts else ""
    sentences = [first, mix_sentence(plan, evaluator), pools_sentence(plan, evaluator), day_sentence(plan, evaluator)]
    return " ".join(filter(None, sentences))


def _told(parts: Sequence[SentencePart], told: Alternative, evaluator: Evaluator) -> str:
    """The parts of a sentence about an alternative, each of its hour, without those of an hour that it lacks."""
    hours = {BUSIEST: told.question, **told.hours}
    return "".join(said([part], hours.get(part.hour), evaluator) for part in parts)


def mix_sentence(plan: Plan, evaluator: Evaluator) -> str:
    """What two accelerators cost that share the requests, where that is less."""
    mix = plan.mix
    if mix is None:
        return ""
    few = [f"{part.replicas:,} {'replica' if part.replicas == 1 else 'replicas'} on {part.name}" for part in mix.parts]
    cost = shown_value(mix.cost, evaluator.schema.quantity(mix.layout.cost))
    less = f"{1 - mix.cost / mix.alone:.1%} less"
    return f"A mix costs less: {' and '.join(few)} share the requests for {cost} {mix.layout.per}, {less}."


def pools_sentence(plan: Plan, evaluator: Evaluator) -> str:
    """What pools of workers apart take, and whether that is less than one pool; nothing where none were asked for."""
    layout, pooled, best = plan.pools, plan.pooled, plan.best
    if layout is None:
        return ""
    if pooled is None:
        return "Pools apart meet the targets on none of these accelerators."
    count, cost = (evaluator.schema.quantity(name) for name in (layout.counts, layout.cost))
    parts = [
        f"{shown_value(number, count)} ({part.layout}) for {part.pool}"
        for part, number in zip(pooled.parts, pooled.counts, strict=True)
    ]
    priced = f" and {shown_value(pooled.cost, cost)} {layout.per}" if math.isfinite(pooled.cost) else ""
    where = " ".join(text for _, text in pooled.parts[0].varies[:-1])
    told = f"Pools apart on {where} take {shown_value(sum(pooled.counts), count)}, {' and '.join(parts)},{priced}"
    sums = "".join(f" {name}" for name in _sums_told(layout, pooled, evaluator))
    if best is None:
        return f"{told.rstrip(',')}; one pool does not meet the targets.{sums}"
    one = values_of(evaluator, best.question, [layout.counts, layout.cost])
    less = _compared(pooled.cost, one[layout.cost]) or _compared(sum(pooled.counts), one[layout.counts])
    return f"{told.rstrip(',')}, {less or 'as much as'} one pool.{sums}"


def _sums_told(layout: PoolsLayout, pooled: PooledFleet, evaluator: Evaluator) -> Iterator[str]:
    """A sentence about each sum over the pools that has a limit, and about the limit where it is beyond that."""
    for row in layout.within:
        found = [values_of(evaluator, part.question, [row.name, row.limit]) for part in pooled.parts]
        value, limit = sum(each[row.name] for each in found), found[0][row.limit]
        shown, held = (shown_value(each, evaluator.schema.quantity(row.name)) for each in (value, limit))
        beyond = f", {row.beyond.format(limit=held)}" if value > limit else ""
        yield f"{row.says.format(value=shown)}{beyond}."


def _compared(value: float, other: float) -> str:
    """How much less or more this is than another, where both are known and differ by what is shown."""
    if not (math.isfinite(value) and math.isfinite(other)) or math.isclose(value, other, rel_tol=5e-4):
        return ""
    return f"{abs(1 - value / other):.1%} {'less' if value < other else 'more'} than"


def day_sentence(plan: Plan, evaluator: Evaluator) -> str:
    """What scaling by the hour saves the best, and how often a replica starts; nothing where no day was asked for."""
    best = plan.best
    if plan.day is None or best is None or best.day is None:
        return ""
    day = best.day
    told = list(days_told(plan, [best], evaluator))
    scaled, steady = told[0].texts[0], told[len(plan.day.sums)].texts[0]
    if math.isnan(day.scaled[0]):
        return ""
    less = _compared(day.scaled[0], day.steady[0]) or "as much as" if day.steady[0] else "instead of"
    idle = _idle_told(day, plan.day, evaluator)
    if not day.starts:
        why = "every hour takes as many replicas" if math.isnan(day.committed) else "all replicas are committed"
        return f"The {plan.day.sums[0].title} is {scaled} on {best.name}: {why}.{idle}"
    start = shown_value(day.start_time, evaluator.schema.quantity(plan.day.start))
    committed = "" if math.isnan(day.committed) else f" and a commitment for {day.committed:.0f} of them"
    return (
        f"With the replicas that each hour takes{committed}, the {plan.day.sums[0].title} is {scaled} on {best.name}, "
        f"{less} {steady} with those of the busiest hour all day. {day.starts:.0f} "
        f"{'replica starts' if round(day.starts) == 1 else 'replicas start'} during the day: each is "
        f"rented from {start} before the hour at which it has to answer.{idle}"
    )


def _idle_told(day: PlannedDay, layout: DayLayout, evaluator: Evaluator) -> str:
    """What the replica costs that stays in hours without requests, if one does; nothing where one is committed."""
    idle = [hour for hour in day.hours if not hour.rate]
    place = next((at for at, column in enumerate(layout.columns) if column.name == layout.sums[0].name), None)
    if not idle or place is None or not math.isnan(day.committed):
        return ""
    cost = shown_value(sum(hour.values[place] for hour in idle), evaluator.schema.quantity(layout.sums[0].name))
    start = shown_value(day.start_time, evaluator.schema.quantity(layout.start))
    hours = f"{len(idle)} hours without requests keep" if len(idle) > 1 else "The hour without requests keeps"
    if day.stops:
        return f" {hours} no replica{layout.stopped.format(start=start)}"
    return f" {hours} one replica, for {cost} of that{layout.kept.format(start=start)}"
