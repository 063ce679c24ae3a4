"""Spells out `all` where several records may be named: `search --hardware all` goes through every accelerator."""

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.records.record_files import every_named


def with_every_record(evaluator: Evaluator, question: Question) -> Question:
    """The question with the ids of all records of a kind where it says `all`, but for a record of that name."""
    kinds, library = evaluator.schema.kinds, evaluator.library
    records = {
        kind: every_named(library, kinds[kind], wanted) if kind in kinds and isinstance(wanted, str) else wanted
        for kind, wanted in question.records.items()
    }
    return question._replace(records=records)
