"""Writes a plan as a brief in Markdown, a page for who decides: the verdict, what it takes, what it rests on."""

from collections.abc import Sequence

from formula_eval.analyse.plan.planned import Plan
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.escaping import markdown_text
from formula_eval.export.plan.grounds import assumed, records_read, worth_knowing
from formula_eval.export.plan.heading import heading_of
from formula_eval.export.plan.rows import PlanPage, Told, case_titles, cases_told, detail_titles, page_told, rows_of
from formula_eval.export.terminal import blocks
from formula_eval.export.terminal.markdown_blocks import markdown_blocks
from formula_eval.records.record import RecordFile

_FEW = 4  # alternatives that a page has room for side by side


def plan_brief(
    plan: Plan, evaluator: Evaluator, page: PlanPage, command: str, mix: Sequence[tuple[float, RecordFile]] = ()
) -> str:
    """The brief; `mix` are the workloads that share the service, each with its share of the requests."""
    heading = heading_of(plan, page.heading, evaluator)
    shown = [alternative for alternative in plan.alternatives if alternative.layout]
    page = page_told(page, [alternative.question for alternative in shown if alternative.question], evaluator)
    first = shown[:_FEW]
    meets = Told("meets the targets", ["no" if alternative.stops else "yes" for alternative in first])
    left_out = {*case_titles(plan), *detail_titles(plan)}
    rows = [meets, *(row for row in rows_of(plan, first, evaluator) if not (row.is_empty or row.title in left_out))]
    names = tuple(alternative.name for alternative in first)
    same = [row for row in rows if len(names) > 1 and len({*row.texts}) == 1]
    remarks = tuple((remark.level, remark.text) for remark in worth_knowing(plan))
    others = ", ".join(alternative.name for alternative in shown[_FEW:])
    parts: list[blocks.Block] = [
        _rows(page.words.rows, names, [row for row in rows if row not in same]),
        blocks.Hint("The same for all", "; ".join(f"{row.title}: {row.texts[0]}" for row in same)),
        _rows(plan.cases.title, names, cases_told(plan, first, evaluator)),
        blocks.Messages("Worth knowing", remarks),
        blocks.Hint(
            "Others", f"Behind these come {others}: a .csv, .xlsx or .html file tells of all." if others else ""
        ),
    ]
    head = [f"# {heading.title}", markdown_text(heading.asks), markdown_text(heading.verdict)]
    rests = assumed(plan, [alternative for alternative in first if not alternative.pool], evaluator)
    read = (
        f"{record.kind} {record.name}{record.date and f' ({record.date})'}"
        for record in records_read(first, mix, evaluator)
    )
    ends = [
        _sentence("Assumed", [f"{rest.title}: {rest.text}" for rest in rests]),
        markdown_blocks([blocks.Command("Command", command)]),
        _sentence("Sources", [*dict.fromkeys(read)]) + " Where each is from: a .html file says it.",
    ]
    return "\n\n".join(
        [*filter(None, head), markdown_blocks([part for part in parts if _says(part)]).strip(), *filter(None, ends)]
    )


def _sentence(title: str, said: Sequence[str]) -> str:
    """A heading with what is said beneath it, in a paragraph."""
    return f"## {title}\n\n{markdown_text('; '.join(said))}." if said else ""


def _rows(title: str, names: tuple[str, ...], rows: Sequence[Told]) -> blocks.TextTable:
    return blocks.TextTable(title, names, tuple((row.title, *row.texts) for row in rows))


def _says(block: blocks.Block) -> bool:
    match block:
        case blocks.TextTable(rows=said) | blocks.Messages(messages=said) | blocks.Hint(text=said):
            return bool(said)
        case _:
            return True
