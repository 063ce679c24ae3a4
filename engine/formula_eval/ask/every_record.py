"""Spells out `all` where several records may be named: `search --hardware all` goes through every accelerator."""

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.records.record_files import all_records

ALL = "all"


def with_every_record(evaluator: Evaluator, question: Question) -> Question:
    """The question with the ids of all records of a kind where it says `all`, but for a record of that name."""
    kinds, library = evaluator.schema.kinds, evaluator.library
    records = dict(question.records)
    for kind, wanted in records.items():
        if kind in kinds and str(wanted) == ALL:
            ids = list(dict.fromkeys(each.id for each in all_records(library, kinds[kind])))
            records[kind] = wanted if ALL in ids else ",".join(ids)
    return question._replace(records=records)
