"""Tells whether words begin as the command of a program may, so that commands are read only where they do."""

from collections.abc import Sequence

from formula_eval.library import Library
from formula_eval.records.question_words import BETWEEN
from formula_eval.records.record_files import all_records
from formula_eval.records.record_names import named
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema


def begins_command(words: Sequence[str], library: Library, schema: Schema) -> bool:
    """Whether words begin as a command may: with an engine and what it does, `ollama run`."""
    kind = schema.kinds.get(roles_of(library).engine)
    first, *rest = " ".join(words[:2]).split()
    if kind is None or not rest or (rest[0].lower() not in BETWEEN and not schema.synonyms.phrase_at(rest[:1])[0]):
        return False
    return named(first, list(all_records(library, kind))) is not None
