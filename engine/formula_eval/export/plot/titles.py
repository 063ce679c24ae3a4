"""Makes the title of a picture: the records that the question is about, and the values that somebody gave."""

from collections.abc import Collection

from formula_eval.core.record_kind import subjects
from formula_eval.records.givens import Givens, Question, input_named
from formula_eval.records.schema import Schema


def asked_title(question: Question, schema: Schema, givens: Givens, but: Collection[str] = ()) -> str:
    """`llama2-70b, h100-sxm, tp 8`, without the inputs and records that vary in the picture."""
    kinds = [kind for kind in subjects(schema.kinds) if kind not in but and kind in givens.records]
    others = [kind for kind in question.records if kind not in (*kinds, *but)]
    values = {input_named(said, schema, question.namespace): value for said, value in question.values.items()}
    said = [f"{name.replace('_', ' ')} {value}" for name, value in values.items() if name not in but]
    return ", ".join([*(givens.records.get(kind, question.records.get(kind, "")) for kind in (*kinds, *others)), *said])


def title_of_name(name: str) -> str:
    """The last part of a name in words: `memory bandwidth`."""
    return name.rpartition(".")[2].replace("_", " ")
