"""A plan to text: what each alternative takes, side by side, and what stops those that cannot keep what is asked."""

from collections.abc import Sequence
from textwrap import wrap

from formula_eval.analyse.plan.plan import Alternative, Plan
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.plan.plan_files import value_text
from formula_eval.export.terminal import blocks
from formula_eval.export.terminal.screen import Screen, screen_text


def plan_text(plan: Plan, evaluator: Evaluator, on: Screen, commands: Sequence[str]) -> str:
    """All of it; `commands` ask for the cheapest alternative, and for the plan again."""
    kept = [each for each in plan.alternatives if not each.stops]
    parts = []
    if kept:
        layouts = [_layout(each) for each in kept]
        rows = [("layout", *layouts)] + [
            (
                column.title,
                *(value_text(each.values[number], column, evaluator) for each in kept),
            )
            for number, column in enumerate(plan.columns)
        ]
        told = [row for row in rows if any(text != "-" for text in row[1:])]
        parts.append(screen_text([blocks.Table("Plan", tuple(_name(each) for each in kept), tuple(told))], on))
    parts += [_stopped(each, on) for each in plan.alternatives if each.stops]
    if any(not each.is_proven for each in plan.alternatives):
        unproven = "Of some alternatives not every configuration was decided in the time given: better ones may exist."
        parts.append("".join(f"{line}\n" for line in wrap(unproven, on.width)))
    parts.append(screen_text([blocks.Command("Command", each) for each in commands if each], on))
    return "\n".join(parts)


def _name(each: Alternative) -> str:
    return " ".join(text for _, text in each.varies) or "best"


def _layout(each: Alternative) -> str:
    """The degrees of parallelism that were found."""
    values = each.question.values if each.question else {}
    degrees = ("tp", "pp", "dp", "cp", "ep", "attention_dp")
    found = [f"{name} {values[name]}" for name in degrees if str(values.get(name, 1)) != "1"]
    return ", ".join(found) or "tp 1"


def _stopped(each: Alternative, on: Screen) -> str:
    lines = [
        on.paint(f"{_name(each)}: nothing keeps what is asked. What stops the configuration that comes nearest:", "bad")
    ]
    for text in each.stops:
        lines += wrap(text, on.width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
    return "".join(f"{line}\n" for line in lines)
