"""Suggests what to write in place of a word that says nothing in a sentence."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.core.option_names import option_of
from formula_eval.core.quantity import plural
from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.example_value import example_of
from formula_eval.records.record_files import all_records, find_record
from formula_eval.records.record_names import named, names_of
from formula_eval.records.schema import Schema

_SHOWN = 3
_MOST = 20  # inputs that speak of a word; one of which more do says little
_COUNT = re.compile(r"\d[\d,.]*[kKmMbBtT]?")
_SHORTEST = 3  # letters of such a word


class UnknownWord(NamedTuple):
    """What a sentence named before a word that says nothing."""

    library: Library
    schema: Schema
    verbs: Sequence[str]
    said: Mapping[str, str]  # the name of a record by its kind, empty where only a width was said
    unsaid: Sequence[RecordKind]  # kinds of which no record was named

    def refused(self, word: str, *, first: bool) -> FormulaError:
        """The error for this word, the first of the sentence or a later one."""
        message, help_ = self._message(word) or (self._no_record(word, first=first), self._help(word, first=first))
        return self._second(word) or refuse("unknown-word", message, help=help_, subject=word)

    def _message(self, word: str) -> tuple[str, str] | None:
        """What a word is that is known but named by itself, with what to write; None for any other."""
        found = None
        if word in self.verbs:
            found = (
                f"`{word}` is a verb, and verbs come first",
                f"Put it first: `formula-eval {word} ...`, its options behind it.",
            )
        elif asked := self.schema.synonyms.verb_at([word])[1]:
            found = f"`{word}` asks another question", f"`formula-eval {shlex.join(asked)} ...` answers it."
        elif advice := self.schema.synonyms.advised(word):
            found = f"`{word}` says nothing by itself", advice
        elif called := self.schema.kind_named(word):
            help_ = f"Name one: `{called.option} NAME`; `search`, `sweep` and `compare` take `{called.option} all` too."
            found = f"`{word}` is a kind of records, not one of them", help_
        elif word in self.schema.inputs:
            choices = self.schema.quantity(word).words
            example = choices[-1] if choices else example_of(self.schema.inputs[word], self.schema.units, 8)
            help_ = f"Give it as an option: `{option_of(word)} {shlex.quote(example)}`."
            found = f"`{word}` is an input, which has a value", help_
        elif sentence := self._sentence(word):
            help_ = f"`--only {word}` shows a quantity of this name ({sentence}); commas stand between several."
            found = f"`{word}` is no record", help_
        return found

    def _sentence(self, word: str) -> str:
        """What a quantity of this name is; nothing where there is none."""
        formulas = self.schema.formulas.items() if word.isidentifier() else ()
        return next((schema.sentence for name, schema in formulas if name.rpartition(".")[2] == word), "")

    def _no_record(self, word: str, *, first: bool) -> str:
        kinds = ", ".join(dict.fromkeys(kind.name for kind in self.unsaid))
        record = f"no record of any kind ({kinds})" if kinds else "no record, of which the library has no kind"
        return f"`{word}` is {'no verb and ' if first and self.verbs else ''}{record}"

    def _second(self, word: str) -> FormulaError | None:
        for kind in (self.schema.kinds[name] for name in self.said):
            if self.said[kind.name] and named(word, all_records(self.library, kind)) is not None:
                said = self.said[kind.name]
                help_ = f"`formula-eval compare {kind.option} {said},{word}` sets them side by side."
                return refuse("said-twice", f"`{word}` is a second {kind.name}, beside `{said}`", help=help_)
        return None

    def _help(self, word: str, *, first: bool) -> str:
        """A verb that is nearly this word, records that it begins, inputs that speak of it, or records nearly so."""
        if _COUNT.fullmatch(word):
            return f"Say what it counts: `{word} context`, `{word} users`, `batch {word}`, `{word}xh100`; or an option."
        verb = nearest(word, self.verbs) if first and self.verbs else ""
        known = [
            name for kind in self.unsaid for record in all_records(self.library, kind) for name in names_of(record)
        ]
        spoken_of = "" if verb else self._begun(word) or self._inputs(word)
        usual = "Name a record of one of these kinds, or use an option: `formula-eval --help` shows them."
        begun = dict.fromkeys(name.partition("-")[0] for name in known)
        return verb or spoken_of or nearest(word.lower(), known) or nearest(word.lower(), list(begun)) or usual

    def _begun(self, word: str) -> str:
        """The records whose names this word begins, those of what else was named first: offers of a provider."""
        for kind in self.unsaid if word.isalnum() and not word.isdigit() else ():
            found = [
                record.id
                for record in all_records(self.library, kind)
                if record.id.lower().startswith((f"{word.lower()}-", f"{word.lower()}."))
            ]
            if found:
                of_said = [name for name in found if name.partition("-")[2] in set(self._ids())]
                names = ", ".join(f"`{kind.option} {name}`" for name in (of_said or found)[:_SHOWN])
                return f"Say which: {names}; `formula-eval list {plural(kind.word)} {word}` shows all of them."
        return ""

    def _ids(self) -> Iterator[str]:
        for kind, text in self.said.items():
            yield from (find_record(self.library, self.schema, kind, name).id for name in text.split(",") if name)

    def _inputs(self, word: str) -> str:
        """The inputs whose names or sentences have this word in them."""
        if len(word) < _SHORTEST or not word.isalpha():
            return ""
        whole = re.compile(rf"\b{word}\b", re.IGNORECASE)
        found = [
            name
            for name, input_schema in self.schema.inputs.items()
            if whole.search(f"{name.replace('_', ' ')} {input_schema.sentence}")
        ]
        if not 0 < len(found) <= _MOST:
            return ""
        return f"`formula-eval list inputs {word}` shows the options that speak of it."
