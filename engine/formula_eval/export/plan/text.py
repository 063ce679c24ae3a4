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


def plan_text(plan: Plan, evaluator: Evaluator, on: Screen, commands: Sequence[tuple[str, str]]) -> str:
    """All of it; `commands` ask for the cheapest alternative and for the parts of a mix, each behind its title."""
    large = large_fleets(plan, evaluator) if _is_long(plan) else []
    kept = [each for each in plan.alternatives if not each.stops and each not in large]
    missed = [each for each in plan.alternatives if each.stops and each.is_reached]
    verdict = verdict_of(plan, evaluator)
    parts = ["".join(f"{line}\n" for line in wrap(verdict, on.width, break_on_hyphens=False))] if verdict else []
    if rests := [*assumed(plan, [each for each in plan.whole if each.question], evaluator)]:
        pairs = [blocks.Pair(each.title, each.text) for each in rests]
        parts.append(screen_text([blocks.Pairs("Assumed", tuple(pairs), left=True)], on))
    if kept:
        parts.append(screen_text([_table("Plan", plan, kept, evaluator)], on))
    parts += _large_told(large, plan, evaluator, on)
    if not _is_long(plan) and (cases := cases_told(plan, kept, evaluator)):
        rows = tuple((row.title, *row.texts) for row in cases)
        parts.append(screen_text([blocks.TextTable(plan.cases.title, tuple(each.name for each in kept), rows)], on))
    if plan.best and (hours := hours_told(plan, plan.best, evaluator)):
        shown = [turn for turn in range(len(hours[0].texts)) if any(row.texts[turn] for row in hours[1:])]
        titles, *told = [(row.title, *(row.texts[turn] for turn in shown)) for row in hours]
        table = screen_text([blocks.TextTable(hours[0].title, titles[1:], tuple(told))], on)
        parts.append(f"{on.paint(named_day(plan.best), 'title')}\n{table}")
    if any(each.question for each in missed) and not (kept and _is_long(plan)):
        near = [each for each in missed if each.question]
        parts.append(screen_text([_table("Nearest to what is asked", plan, near, evaluator)], on))
    if missed and _is_long(plan):
        parts.append(_stops(missed, on, f" on {len(missed)} others" if kept else ""))
    else:
        parts += [_stopped(each, on) for each in missed]
    undecided = (wrap(each, on.width, break_on_hyphens=False) for each in _undecided(plan.alternatives))
    parts += ["".join(f"{line}\n" for line in lines) for lines in undecided]
    warned = dict.fromkeys(text for each in plan.alternatives for text in each.warnings)
    if warned:
        messages = tuple(("warn", _of_whom(text, plan.alternatives)) for text in warned)
        parts.append(screen_text([blocks.Messages("Worth knowing", messages)], on))
    if commands:
        parts.append(screen_text([blocks.Command(title, each) for title, each in commands], on))
    return "\n".join(parts)


def _undecided(several: Sequence[Alternative]) -> Iterator[str]:
    """Yields which alternatives the time did not reach, and that of others not everything was looked at."""
    if unreached := [each for each in several if not each.is_reached]:
        yield f"{unreached[0].stops[0].removesuffix('.')}: {', '.join(each.name for each in unreached)}."
    if any(not each.is_proven and each.is_reached for each in several):
        yield "Of some alternatives not every configuration was decided in the time given: better ones may exist."


def _of_whom(text: str, several: Sequence[Alternative]) -> str:
    """A warning after the names of the alternatives that it is about, unless it is about all."""
    found = [each for each in several if text in each.warnings]
    return text if len(found) == len(several) else f"{', '.join(each.name for each in found)}: {text}"


def _table(title: str, plan: Plan, several: Sequence[Alternative], evaluator: Evaluator) -> blocks.TextTable:
    """Alternatives side by side, without rows that have no value in any of them; of many the brief rows alone."""
    if _is_long(plan):
        brief = [(turn, each._replace(title=each.brief)) for turn, each in enumerate(plan.columns) if each.brief]
        values = [[each.values[turn] for turn, _ in brief] for each in several]
        layout = Told("layout", [each.layout or "-" for each in several])
        rows = [layout, *values_told([row for _, row in brief], values, evaluator)]
    else:
        left_out = case_titles(plan)
        rows = [row for row in rows_of(plan, several, evaluator) if row.title not in left_out]
    told = tuple((row.title, *row.texts) for row in rows if not row.is_empty)
    return blocks.TextTable(title, tuple(each.name for each in several), told)


def large_fleets(plan: Plan, evaluator: Evaluator) -> list[Alternative]:
    """The alternatives that count so many times what the smallest does that a line names them; never the best."""
    if plan.left_out is None or plan.best is None:
        return []
    name, times = plan.left_out
    counts = [(values_of(evaluator, each.question, [name])[name], each) for each in plan.whole if not each.stops]
    most = times * min(count for count, _ in counts)
    return [each for count, each in counts if count > most and each is not plan.best]


def _large_told(large: Sequence[Alternative], plan: Plan, evaluator: Evaluator, on: Screen) -> Iterator[str]:
    """Yields the line that names them, with how many each takes, if there are some."""
    left_out = plan.left_out
    if not large or left_out is None:
        return
    row = PlanColumn("", left_out.by)
    counts = [[values_of(evaluator, each.question, [row.name])[row.name]] for each in large]
    (told,) = values_told([row], counts, evaluator)
    named = ", ".join(f"{each.name} {text}" for each, text in zip(large, told.texts, strict=True))
    text = f"Left out, since each takes over {left_out.times:g} times as many as the smallest: {named}."
    yield "".join(f"{line}\n" for line in wrap(text, on.width, break_on_hyphens=False))


def _is_long(plan: Plan) -> bool:
    return len(plan.alternatives) > _MANY and any(each.brief for each in plan.columns)


def _stopped(each: Alternative, on: Screen) -> str:
    """What stops an alternative."""
    head = f"{each.name}: nothing meets the targets. The nearest fails at:"
    lines = [on.paint(line, "bad") for line in wrap(head, on.width)]
    for text in each.stops:
        lines += wrap(text, on.width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    return "".join(f"{line}\n" for line in lines)


def _stops(missed: Sequence[Alternative], on: Screen, where: str) -> str:
    """What stops each of many alternatives, those with the same message together; `where` says if others are not."""
    lines = [on.paint(f"Nothing meets the targets{where}. The nearest fails at:", "bad")]
    for text in dict.fromkeys("; ".join(each.stops) for each in missed):
        names = ", ".join(each.name for each in missed if "; ".join(each.stops) == text)
        lines += wrap(
            f"{names}: {text}", on.width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    return "".join(f"{line}\n" for line in lines)
