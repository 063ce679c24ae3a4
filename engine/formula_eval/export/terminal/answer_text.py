"""A question to the text of its answer: for a terminal, as Markdown, JSON or CSV."""

from collections.abc import Sequence

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.export.terminal.screen import Screen
from formula_eval.records.givens import Question

FORMATS = ("table", "json", "csv", "markdown")


def answer_text(evaluator: Evaluator, question: Question, only: Sequence[str], form: str, on: Screen) -> str:
    """The quantities of `only`, or without any the whole answer; raises FormulaError."""
    if only:
        wanted = evaluator.select(only, question.namespace)
        return values_text(evaluator.evaluate(evaluator.givens(question), wanted, question.namespace), form, on)
    from formula_eval.export.terminal.answer_blocks import answer_blocks  # noqa: PLC0415 - only the whole answer needs them
    from formula_eval.export.terminal.answer_layout import read_answer_layout  # noqa: PLC0415
    from formula_eval.export.terminal.markdown_blocks import markdown_blocks  # noqa: PLC0415
    from formula_eval.export.terminal.screen import screen_text  # noqa: PLC0415

    layout = read_answer_layout(evaluator.library, question.purpose)
    wanted = layout.quantities(evaluator.schema)
    result = evaluator.evaluate(evaluator.givens(question), wanted, question.namespace)
    if form in ("json", "csv"):
        return values_text(result, form, on)
    blocks = answer_blocks(layout, result, evaluator)
    return screen_text(blocks, on) if form == "table" else markdown_blocks(blocks)


def values_text(result: Result, form: str, on: Screen) -> str:
    """The wanted values alone."""
    if form in ("json", "csv"):
        from formula_eval.export.terminal.json_csv import csv_of_values, json_text  # noqa: PLC0415 - for programs

        return json_text(result.to_data()) if form == "json" else csv_of_values(result)
    rows = [(name, str(value), value.why) for name, value in result.values.items()]
    if form == "markdown":
        from formula_eval.export.terminal.markdown_blocks import markdown_table  # noqa: PLC0415 - one of several forms

        return markdown_table(("name", "value"), [(f"`{name}`", text) for name, text, _ in rows], frozenset({1}))
    name_width = max(len(name) for name, _, _ in rows)
    value_width = max(len(text) for _, text, _ in rows)
    lines = (f"{name:{name_width}}  {text:>{value_width}}" for name, text, _ in rows)
    whys = [why for _, text, why in rows if why]
    return "".join(f"{line}\n" for line in (*lines, *(on.paint(why, "dim") for why in whys)))
