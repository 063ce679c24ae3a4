"""Lists choices that the layout of an answer does not show, so that nothing that was set goes unsaid."""

from collections.abc import Iterator

from formula_eval.ask.answer_layout import AnswerLayout, holds
from formula_eval.evaluate.result import Result
from formula_eval.export.terminal.blocks import Pair
from formula_eval.export.terminal.quantity_blocks import in_words
from formula_eval.records.origin import Origin
from formula_eval.records.record_values import origin_of
from formula_eval.records.schema import Schema


def set_besides(layout: AnswerLayout, result: Result, schema: Schema) -> Iterator[Pair]:
    """The records and inputs that the user chose and nothing in the answer shows."""
    givens = result.givens
    entries = [entry for section in layout.sections for entry in section.get("entries", ())]
    shown = {entry.get(key) for entry in entries if holds(entry, result) for key in ("record", "name", "shows")}
    unchosen = {Origin.DEFAULT, *(origin_of(each, schema) for each in givens.files.values())}
    for kind, origin in givens.record_origins.items():
        if kind in schema.kinds and kind not in shown and origin not in unchosen:
            yield Pair(schema.kinds[kind].word.replace("_", " "), givens.records[kind])
    for name, value in result.inputs.items():
        if name in givens.origins and name not in shown and value.origin not in unchosen and value.value is not None:
            yield Pair(in_words(name), str(value))
