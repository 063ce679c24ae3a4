"""Renders a plan as text: its alternatives side by side, then why others miss the targets."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from formula_eval.analyse.plan.demand import PlanColumn
from formula_eval.analyse.plan.planned import Alternative, Plan
from formula_eval.analyse.plan.values import values_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.grounds import assumed
from formula_eval.export.plan.heading import verdict_of
from formula_eval.export.plan.rows import Told, case_titles, cases_told, hours_told, named_day, rows_of, values_told
from formula_eval.export.terminal import blocks
from formula_eval.export.terminal.screen import Screen, screen_text

_MANY = 8  # alternatives of which all is told
_FEW = 5  # names of those that were not reached


def plan_text(plan: Plan, evaluator: Evaluator, on: Screen, commands: Sequence[tuple[str, str]]) -> str:
    """All of it; `commands` ask for the cheapest alternative and for the parts of a mix, each behind its title."""
    large = large_fleets(plan, evaluator) if _is_long(plan) else []
    kept = [alternative for alternative in plan.alternatives if not alternative.stops and alternative not in large]
    missed = [alternative for alternative in plan.alternatives if alternative.stops and alternative.is_reached]
    verdict = verdict_of(plan, evaluator)
    parts = ["".join(f"{line}\n" for line in wrap(verdict, on.width, break_on_hyphens=False))] if verdict else []
    if rests := [*assumed(plan, [alternative for alternative in plan.whole if alternative.question], evaluator)]:
        pairs = [blocks.Pair(rest.title, rest.text) for rest in rests]
        parts.append(screen_text([blocks.Pairs("Assumed", tuple(pairs), left=True)], on))
    if kept:
        parts.append(screen_text([_table("Plan", plan, kept, evaluator)], on))
    parts += _large_told(large, plan, evaluator, on)
    if not _is_long(plan) and (cases := cases_told(plan, kept, evaluator)):
        rows = tuple((row.title, *row.texts) for row in cases)
        parts.append(
            screen_text([blocks.TextTable(plan.cases.title, tuple(alternative.name for alternative in kept), rows)], on)
        )
    if plan.best and (hours := hours_told(plan, plan.best, evaluator)):
        shown = [turn for turn in range(len(hours[0].texts)) if any(row.texts[turn] for row in hours[1:])]
        titles, *told = [(row.title, *(row.texts[turn] for turn in shown)) for row in hours]
        table = screen_text([blocks.TextTable(hours[0].title, titles[1:], tuple(told))], on)
        parts.append(f"{on.paint(named_day(plan.best), 'title')}\n{table}")
    if any(alternative.question for alternative in missed) and not (kept and _is_long(plan)):
        near = [alternative for alternative in missed if alternative.question]
        parts.append(screen_text([_table("Nearest to what is asked", plan, near, evaluator)], on))
    if missed and _is_long(plan):
        parts.append(_stops(missed, on, f" on {len(missed)} others" if kept else ""))
    else:
        parts += [_stopped(alternative, on) for alternative in missed]
    undecided = (wrap(name, on.width, break_on_hyphens=False) for name in _undecided(plan.alternatives))
    parts += ["".join(f"{line}\n" for line in lines) for lines in undecided]
    warned = dict.fromkeys(text for alternative in plan.alternatives for text in alternative.warnings)
    if warned:
        messages = tuple(("warn", _of_whom(text, plan.alternatives)) for text in warned)
        parts.append(screen_text([blocks.Messages("Worth knowing", messages)], on))
    if commands:
        parts.append(screen_text([blocks.Command(title, name) for title, name in commands], on))
    return "\n".join(parts)


def _undecided(several: Sequence[Alternative]) -> Iterator[str]:
    """Yields which alternatives the time did not reach, and that of others not everything was looked at."""
    unreached = [alternative for alternative in several if not alternative.is_reached]
    for stop in dict.fromkeys(alternative.stops[0] for alternative in unreached):
        names = [alternative.name for alternative in unreached if alternative.stops[0] == stop]
        more = f" and {len(names) - _FEW} others, all in --format json" if len(names) > _FEW + 1 else ""
        yield f"{stop.removesuffix('.')}: {', '.join(names[:_FEW] if more else names)}{more}."
    if any(not alternative.is_proven and alternative.is_reached for alternative in several):
        yield "Of some alternatives not every configuration was decided in the time given: better ones may exist."


def _of_whom(text: str, several: Sequence[Alternative]) -> str:
    """A warning after the names of the alternatives that it is about, unless it is about all."""
    found = [alternative for alternative in several if text in alternative.warnings]
    return text if len(found) == len(several) else f"{', '.join(alternative.name for alternative in found)}: {text}"


def _table(title: str, plan: Plan, several: Sequence[Alternative], evaluator: Evaluator) -> blocks.TextTable:
    """Alternatives side by side, without rows that have no value in any of them; of many the brief rows alone."""
    if _is_long(plan):
        brief = [
            (turn, column._replace(title=column.brief)) for turn, column in enumerate(plan.columns) if column.brief
        ]
        values = [[alternative.values[turn] for turn, _ in brief] for alternative in several]
        layout = Told("layout", [alternative.layout or "-" for alternative in several])
        rows = [layout, *values_told([row for _, row in brief], values, evaluator)]
    else:
        left_out = case_titles(plan)
        rows = [row for row in rows_of(plan, several, evaluator) if row.title not in left_out]
    told = tuple((row.title, *row.texts) for row in rows if not row.is_empty)
    return blocks.TextTable(title, tuple(alternative.name for alternative in several), told)


def large_fleets(plan: Plan, evaluator: Evaluator) -> list[Alternative]:
    """The alternatives that count so many times what the smallest does that a line names them; never the best."""
    if plan.left_out is None or plan.best is None:
        return []
    name, times = plan.left_out
    counts = [
        (values_of(evaluator, alternative.question, [name])[name], alternative)
        for alternative in plan.whole
        if not alternative.stops
    ]
    most = times * min(count for count, _ in counts)
    return [alternative for count, alternative in counts if count > most and alternative is not plan.best]


def _large_told(large: Sequence[Alternative], plan: Plan, evaluator: Evaluator, on: Screen) -> Iterator[str]:
    """Yields the line that names them, with how many each takes, if there are some."""
    left_out = plan.left_out
    if not large or left_out is None:
        return
    row = PlanColumn("", left_out.by)
    counts = [[values_of(evaluator, alternative.question, [row.name])[row.name]] for alternative in large]
    (told,) = values_told([row], counts, evaluator)
    named = ", ".join(f"{alternative.name} {text}" for alternative, text in zip(large, told.texts, strict=True))
    text = f"Left out, since each takes over {left_out.times:g} times as many as the smallest: {named}."
    yield "".join(f"{line}\n" for line in wrap(text, on.width, break_on_hyphens=False))


def _is_long(plan: Plan) -> bool:
    return len(plan.alternatives) > _MANY and any(column.brief for column in plan.columns)


def _stopped(alternative: Alternative, on: Screen) -> str:
    """What stops an alternative."""
    head = f"{alternative.name}: nothing meets the targets. The nearest fails at:"
    lines = [on.paint(line, "bad") for line in wrap(head, on.width)]
    for text in alternative.stops:
        lines += wrap(text, on.width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    return "".join(f"{line}\n" for line in lines)


def _stops(missed: Sequence[Alternative], on: Screen, where: str) -> str:
    """What stops each of many alternatives, those with the same message together; `where` says if others are not."""
    lines = [on.paint(f"Nothing meets the targets{where}. The nearest fails at:", "bad")]
    for text in dict.fromkeys("; ".join(alternative.stops) for alternative in missed):
        names = ", ".join(alternative.name for alternative in missed if "; ".join(alternative.stops) == text)
        lines += wrap(
            f"{names}: {text}", on.width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    return "".join(f"{line}\n" for line in lines)
