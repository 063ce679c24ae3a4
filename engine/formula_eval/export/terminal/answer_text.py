"""Answers a question as text for a terminal, or as Markdown, JSON or CSV."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from formula_eval.ask.evaluate import Evaluated
from formula_eval.core.namespace import is_change_note
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.required_choices import reasons
from formula_eval.evaluate.result import Result
from formula_eval.export.terminal.blocks import Block
from formula_eval.export.terminal.markdown_blocks import markdown_blocks, markdown_table
from formula_eval.export.terminal.screen import Screen, padded, screen_text
from formula_eval.records.givens import Question

FORMATS = ("table", "json", "csv", "markdown")


def answer_text(  # noqa: PLR0913 - what to show, and where
    answer: Evaluated,
    form: str,
    on: Screen,
    *,
    tell: Callable[[str], None] | None = None,
    command: str = "",
    every: bool = False,
) -> str:
    """The quantities that were named, or the whole answer, on request with `every` default that it assumes.

    Messages of checks on the former go to `tell`, so that the values stand alone. `command` asks the question again.
    """
    result, evaluator, question, _, named = answer
    if named and tell is not None and form not in ("json", "csv"):
        tell(checks_text(result, on))
    if form == "json":
        return _json_of(result, question)
    if named:
        return values_text(result, evaluator, form, on)
    before = _launched(question, evaluator)
    return result_text(result, evaluator, answer.purpose, form, on, command=command, before=before, every=every)


def _json_of(result: Result, question: Question) -> str:
    """An answer as JSON, with what became of each option where a launch command asked."""
    from formula_eval.export.terminal.json_csv import json_text  # noqa: PLC0415 - for programs

    launched = {} if question.launch is None else {"launch": question.launch.to_data()}
    return json_text({**launched, **result.to_data()})


def _launched(question: Question, evaluator: Evaluator) -> Sequence[Block]:
    """The block about the launch command, which stands before its answer."""
    if question.launch is None:
        return ()
    from formula_eval.export.terminal.launch_blocks import launch_blocks  # noqa: PLC0415 - most questions launch nothing

    return launch_blocks(question.launch, evaluator.schema)


def result_text(  # noqa: PLR0913 - as above
    result: Result,
    evaluator: Evaluator,
    purpose: str,
    form: str,
    on: Screen,
    *,
    command: str = "",
    before: Sequence[Block] = (),
    every: bool = False,
) -> str:
    """A result as the answer of this purpose; without one, the values that were named and what checks say of them."""
    if not purpose and form == "table":
        said = checks_text(result, on)
        return values_text(result, evaluator, form, on) + (f"\n{said}" if said else "")
    if form in ("json", "csv"):
        return values_text(result, evaluator, form, on)
    blocks = [*before, *result_blocks(result, evaluator, purpose, command, every=every)]
    return screen_text(blocks, on) if form == "table" else markdown_blocks(blocks)


def result_blocks(
    result: Result, evaluator: Evaluator, purpose: str, command: str = "", *, every: bool = False
) -> list[Block]:
    """The sections that a report has for this purpose; without any, all that the result holds, by folder."""
    from formula_eval.ask.answer_layout import read_answer_layout  # noqa: PLC0415
    from formula_eval.export.terminal.answer_blocks import answer_blocks  # noqa: PLC0415 - only the whole answer needs them
    from formula_eval.export.terminal.quantity_blocks import assumed_blocks, quantity_blocks  # noqa: PLC0415

    layout = read_answer_layout(evaluator.library, purpose) if purpose else None
    if layout is None or not layout.sections:
        return quantity_blocks(result, evaluator, every=every)
    if not every:
        return answer_blocks(layout, result, evaluator, command)
    layout = layout._replace(sections=[section for section in layout.sections if section["kind"] != "assumed"])
    return [*assumed_blocks(result, evaluator, every=True), *answer_blocks(layout, result, evaluator, command)]


def values_text(result: Result, evaluator: Evaluator, form: str, on: Screen) -> str:
    """The wanted values alone, tables as tables."""
    if form in ("json", "csv"):
        from formula_eval.export.terminal.json_csv import csv_of_values, json_text  # noqa: PLC0415 - for programs

        return json_text(result.to_data()) if form == "json" else csv_of_values(result)
    from formula_eval.export.terminal.quantity_blocks import changed_lines, split_tables, tables_of  # noqa: PLC0415

    names, cells = split_tables(list(result), evaluator.schema)
    tables = list(tables_of(cells, result, evaluator.schema))
    values = [(name, str(result[name])) for name in names]
    changed = [*changed_lines(result.checks), *reasons(result.lacking)]
    if form == "markdown":
        rows = [(f"`{name}`", text) for name, text in values]
        lines = markdown_table(("name", "value"), rows, frozenset({1})) if rows else ""
        more = markdown_blocks(tables) + "".join(f"\n{name}\n" for name in changed)
    else:
        whys = [*(why for name in names if (why := result[name].why)), *changed]
        said = (on.paint(line, "dim") for why in whys for line in wrap(why, on.width, break_on_hyphens=False))
        lines = "".join(f"{line}\n" for line in (*_lines(values), *said))
        more = screen_text(tables, on)
    return "\n".join(part for part in (lines, more) if part)


def checks_text(result: Result, on: Screen) -> str:
    """Messages of failed checks, without what a library changed, which the values tell; empty if all hold."""
    spoken = [check for check in result.checks if not check.ok and not is_change_note(check.name)]
    if not spoken:
        return ""
    from formula_eval.export.terminal.quantity_blocks import failed_checks  # noqa: PLC0415 - for people

    return screen_text(list(failed_checks(spoken)), on)


def _lines(values: Sequence[tuple[str, str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*values, strict=True)]
    yield from (padded(row, widths, (1,)) for row in values)
