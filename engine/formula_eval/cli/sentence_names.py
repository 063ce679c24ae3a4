"""Tells which records a few words of a sentence may be the name of."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from formula_eval.cli.stated_width import width_of
from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.checkpoint_name import quantised
from formula_eval.records.record_files import all_records, find_record
from formula_eval.records.record_names import containing, named, names_of
from formula_eval.records.roles import Roles
from formula_eval.records.schema import Schema

_READ_AS_WRITTEN = re.compile(r"\d+|[a-z]{2,3}")  # `24` is no `2:4`, nor `qat` the code `QAT` of a country


class RecordNames(NamedTuple):
    """The names of the records of a library."""

    library: Library
    schema: Schema
    roles: Roles

    def bearing(self, text: str, kinds: Iterable[RecordKind]) -> RecordKind:
        """The first of these kinds of which one bears this very name, or else the first of all.

        A record may also be called by a part of its name; who bears all of it goes before.
        """
        kinds = list(kinds)
        whole = (kind for kind in kinds if named(text, all_records(self.library, kind)) is not None)
        return next(whole, kinds[0])

    def many(self, kind: RecordKind, text: str) -> int:
        """How many records this may be; a model or an accelerator may be called by parts of its name.

        Several between commas are one, of a kind: whoever takes several values compares them.
        """
        records = list(all_records(self.library, kind))
        if "," in text:
            return int(all(name and self.many(kind, name) == 1 for name in text.split(",")))
        spoken_of = kind.name in (self.roles.model, self.roles.accelerator)
        is_code = not spoken_of and _READ_AS_WRITTEN.fullmatch(text) is not None
        is_other = is_code and all(text not in names_of(each) for each in records)
        if not is_other and named(text, records) is not None:  # `cpu` is a family too, and nobody means it
            return int(spoken_of or kind.name == self.roles.format or text.lower() not in self.schema.synonyms.advice)
        if not spoken_of or text.isdigit() or self.schema.synonyms.advised(text):  # `openai`, which made some of ours
            return 0
        if called := containing(text, records, self.schema.synonyms.variants_of(kind.name)):
            return len(called)
        if any(width_of(name, self.library) for name in text.split()[1:]):
            return 0
        is_file = " " not in text and ("/" in text or text.endswith((".json", ".toml", ".gguf", ".safetensors")))
        of_format = not self.is_format(text.partition(" ")[0])
        of_format = of_format and quantised(text, self.library, self.schema, kind, records) is not None
        return int(kind.name == self.roles.model and (is_file or of_format))

    def accelerator(self, text: str) -> bool:
        """Whether this is the name of one accelerator."""
        kind = self.schema.kinds.get(self.roles.accelerator)
        return kind is not None and self.many(kind, text) == 1

    def of_named(self, kind: RecordKind, word: str, named_: Mapping[str, str]) -> str:
        """The record that a word begins and that is of one which was named: an offer by who makes it; or nothing."""
        for of in (each for each in kind.suppliers if each in named_):
            id_ = find_record(self.library, self.schema, of, named_[of].split(",")[0]).id
            for record in all_records(self.library, kind):
                if record.id == f"{word.lower()}-{id_}" and record.data.get(of) == id_:
                    return record.id
        return ""

    def is_format(self, word: str) -> bool:
        """Whether this is the name of a number format."""
        kind = self.schema.kinds.get(self.roles.format)
        return kind is not None and named(word, all_records(self.library, kind)) is not None
