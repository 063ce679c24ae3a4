"""Reads words without an option as records and a count: `llama3.1-70b 8xH100 fp8`, `deepseek-v3 on 16 H200`."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from typing import NoReturn

from formula_eval.cli.another_verb import AnotherVerb
from formula_eval.cli.counted_accelerators import CountedAccelerators, count_in
from formula_eval.cli.second_kind import LONGEST_NAME, without_second_kind
from formula_eval.cli.sentence_names import RecordNames
from formula_eval.cli.sides import ZIP, sides_of, tell_held
from formula_eval.cli.stated_input import stated_input
from formula_eval.cli.stated_memory import SIZE, of_memories, only_with_memory
from formula_eval.cli.stated_width import format_of_width, width_of
from formula_eval.cli.unknown_word import UnknownWord
from formula_eval.core.record_kind import COUNTED, RecordKind
from formula_eval.library import Library
from formula_eval.records.question_words import BETWEEN, is_versus, merged, nodes_in, of_host, plain_words, words_of
from formula_eval.records.record_files import EVERY, all_records, find_record
from formula_eval.records.roles import Roles, roles_of
from formula_eval.records.schema import Schema

_AMOUNT = re.compile(r"\d[\d,.]*[kKmMbBtT]")
_NUMBER = re.compile(r"[a-z]?\d{3,4}[a-z]?", re.IGNORECASE)
_COMPARE, _SWEEP = "compare", "sweep"
_ONLY = "--only"


def options_said(  # noqa: PLR0913 - each says something else of the question
    words: Sequence[str],
    library: Library,
    schema: Schema,
    verbs: Sequence[str],
    *,
    job: bool,
    beside: Mapping[str, str] = {},
    verb: str = "",
    chooses: bool = True,
) -> list[str]:
    """The options that say the same as these words; raises FormulaError for one that says nothing.

    `beside` are records that options name, by kind. A count of accelerators is that of a whole `job`, as where words
    say how many share a model or it is one that each has a copy of, or else of those that share it. `verbs` are what a
    word may have been meant for, if any; `verb` reads the words, and `chooses` what it shows with --only. Raises
    AnotherVerb where they ask for one and none was named.
    """
    roles = roles_of(library)
    sentence = _Sentence(library, schema, roles, RecordNames(library, schema, roles), verbs, beside, job, verb, chooses)
    sentence.read(plain_words(words))
    job = job or any(f"--{purpose}" in sentence.options for purpose in (*roles.shared, *roles.purposes[1:]))
    named = {kind: text for kind, text in beside.items() if kind in (roles.engine, roles.format)} | sentence.named
    counted = CountedAccelerators(
        library, schema, roles, named, sentence.count, sentence.nodes, sentence.counts_machines
    )
    stated = sentence.stated()
    if verb in (_COMPARE, _SWEEP):
        stated, for_all = sentence.beside_each_other()
        tell_held(for_all)
    asked = () if sentence.counting else " ".join(words).split()
    return merged([*schema.synonyms.as_memory(asked, stated), *counted.options(job=job)])


@dataclass(slots=True)
class _Sentence:
    library: Library
    schema: Schema
    roles: Roles
    names: RecordNames
    verbs: Sequence[str]
    beside: Mapping[str, str]
    job: bool
    verb: str
    chooses: bool
    options: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)  # kinds
    usual: list[str] = field(default_factory=list)  # options of the verb or a record, which yield to what else is said
    comparing: str = ""  # `vs`, behind which another one of a kind may stand
    marks: list[int] = field(default_factory=list)  # how many options stand before each `vs`
    count: int = 0
    nodes: int = 0
    counts_machines: bool = True
    counting: bool = False  # `how many gpus`, or what hangs on it
    load: bool = False  # `10 rps`
    widths: list[str] = field(default_factory=list)
    size: str = ""  # of the memory of an accelerator, beside its name
    host: str = ""  # likewise, of that of its computer
    around: dict[str, str] = field(default_factory=dict)  # by kind, the first of the words around a record of it
    named: dict[str, str] = field(default_factory=dict)  # by kind, what was said

    def read(self, words: list[str]) -> None:
        words, second = without_second_kind(words, self.schema, self.roles, self.names.accelerator)
        purposes = {f"--{purpose}" for purpose in self.roles.purposes[1:]}
        plain = " ".join(words).split()  # also in quotes
        self.job = self.job or any(purposes & {*self.schema.synonyms.phrase_at([name])[1]} for name in plain)
        self.counting = any(self._counts(plain[at:]) for at in range(len(plain)))
        self.load = any(self.schema.synonyms.load_at(plain[at:], job=self.job) for at in range(len(plain)))
        first = True
        while words:
            taken = self._phrase(words) or self._width(words[0]) or self._record(words) or self._set(words[0])
            taken = taken or self._around(words) or self._counted(words)
            if not taken and len(parts := words[0].split()) > 1:  # in quotes
                words[:1] = parts
                continue
            if not taken and is_versus(words):
                self.comparing = words[0].lower()
                self.marks.append(len(self.options))
            if not taken and words[0].lower() not in self._between():
                self._refuse(words[self._is_amount_of_unknown(words)], first=first)
            first = False
            del words[: taken or 1]
            if taken and self.count and words and words[0].lower() in self._accelerators():
                self.counts_machines = False
        self._settle()
        self.options += second

    def _is_amount_of_unknown(self, words: Sequence[str]) -> bool:
        """Whether an amount stands before a word that names nothing either, so that this word is the unknown one."""
        known = any(self.names.many(kind, word) for kind in self._kinds() for word in words[1:2])
        return _AMOUNT.fullmatch(words[0]) is not None and len(words) > 1 and not known

    def _counts(self, words: Sequence[str]) -> bool:
        """Whether words begin with a question for a number of accelerators, `how many h100s`, or what hangs on it."""
        if self.schema.synonyms.counts_at(words):
            return True
        counted = words[2].lower() if [word.lower() for word in words[:2]] == ["how", "many"] and words[2:] else ""
        return bool(counted) and (counted in self._accelerators() or self.names.accelerator(counted.removesuffix("s")))

    def _settle(self) -> None:
        """Refuse words around a record where none is named, and a size that is not that of the accelerator."""
        if self.size or self.host:
            self._size()
        for kind, word in self.around.items():
            if kind not in self.said and kind not in self.beside:
                known = self.schema.kinds[kind]
                self._say(known, self.names.of_named(known, word, self.named) or self._refuse(word, first=False))
        said = {*self.options, *(self.schema.kinds[text].option for text in (*self.beside, *self.said))}
        for option, value in zip(self.usual[::2], self.usual[1::2], strict=True):
            if option not in said:
                self.options += [option, value]
        if self.verbs:
            self._ask_another()

    def _ask_another(self) -> None:
        """Raise AnotherVerb where several stand side by side, or how many are needed for what is stated."""
        options, (sides, _) = self.stated(), self.beside_each_other()
        twice = self.comparing and (ZIP in sides or len(sides) < len(options))
        if twice or any("," in name for name in self.named.values()):
            raise AnotherVerb(_COMPARE)
        if self.schema.synonyms.advised(self.comparing):
            self._refuse(self.comparing, first=False)
        if self.counting and (verb := self.schema.synonyms.verb_that_counts(self.options)):
            raise AnotherVerb(verb)

    def beside_each_other(self) -> tuple[list[str], list[str]]:
        """The options, with what stands on either side of `vs` side by side, and those that one side alone states."""
        return sides_of(self.stated(), self.marks, self.schema, self.roles)

    def _size(self) -> None:
        """Take sizes as those of the memory of the accelerators that are named, or of the only one that has it."""
        kind = self.schema.kinds[self.roles.accelerator]
        all_ = [*all_records(self.library, kind)]
        if kind.name not in self.named:
            self._say(kind, only_with_memory(self.size or self.host, all_, self.roles, kind))
            return
        records = [find_record(self.library, self.schema, kind.name, text) for text in self.named[kind.name].split(",")]
        self.options += of_memories(self.size, self.host, records, all_, self.roles)

    def _around(self, words: Sequence[str]) -> int:
        """How many words stand around the name of a record: `mac studio`."""
        length, kind = self.schema.synonyms.around_at(words)
        if length:
            self.around.setdefault(kind, words[0])
        return length

    def _phrase(self, words: Sequence[str]) -> int:
        """How many words are a phrase that the library knows; its options are noted."""
        length, asked = self.schema.synonyms.verb_at(words, load=self.load)
        if length and asked[0].split()[0] == self.verb:
            self.usual += asked[1:]
            return length
        if length and self.verbs:
            raise AnotherVerb(asked[0])
        length, options = self.schema.synonyms.phrase_at(words, job=self.job)
        if self.job and length == 1 and _AMOUNT.fullmatch(words[0]) and any(map(self.names.accelerator, words[1:2])):
            return 0  # `16k h100`
        shown = options.index(_ONLY) if _ONLY in options and not self.chooses else len(options)
        self.options += (*options[:shown], *options[shown + 2 :])
        for kind in (each for each in self._kinds() if each.option in options):
            self.named[kind.name] = options[options.index(kind.option) + 1]
        return length

    def _width(self, word: str) -> int:
        """`4bit`: a number format that hangs on what else is named."""
        width = width_of(word, self.library)
        if (self.roles.format in self.said and not self.comparing) or not width:
            return 0
        self.widths.append(width)
        self.options += [self.schema.kinds[self.roles.format].option, width]
        self.said.add(self.roles.format)
        return 1

    def stated(self) -> list[str]:
        """The options, with widths as the number formats that they mean beside the records that are named."""
        said = [pair for pair in {**self.beside, **self.named}.items() if self.widths and pair[1] != EVERY]
        records = [find_record(self.library, self.schema, kind, text.split(",")[0]) for kind, text in said]
        widths = {width: format_of_width(width, self.library, records) for width in self.widths}
        return [widths.get(word, word) for word in self.options]

    def _between(self) -> AbstractSet[str]:
        """Words that say nothing by themselves, such as what accelerators are called."""
        return BETWEEN | self._accelerators() | {self.library.answer}

    def _accelerators(self) -> AbstractSet[str]:
        return words_of(self.schema.kinds.get(self.roles.accelerator))

    def _kinds(self) -> Iterator[RecordKind]:
        """The kinds that may be named yet, first that of words around its name, then those with a role."""
        names = dict.fromkeys(
            (*self.around, self.roles.model, self.roles.accelerator, self.roles.format, *self.schema.kinds)
        )
        free = (name for name in names if name in self.schema.kinds and (self.comparing or name not in self.said))
        yield from (self.schema.kinds[name] for name in free)

    def _record(self, words: Sequence[str]) -> int:
        """How many words name a record, the longest name first; the record is noted. `in` alone names no grid."""
        several: tuple[RecordKind, str] | None = None
        for length in range(min(LONGEST_NAME, len(words)), 0, -1):
            text = " ".join(words[:length])
            compared = any(is_versus([word]) for word in words[length:])
            of_compared = length > 1 and compared and self.names.is_format(words[length - 1])
            if of_compared or text.lower() in self._between():
                continue
            if length == 1 and SIZE.fullmatch(text) and self.roles.accelerator in self.schema.kinds:
                behind = of_host(words[1:4])
                self.host, self.size = (text, self.size) if behind else (self.host, self.size or text)
                return 1 + behind
            for kind in self._kinds():
                names = self.names.many(kind, text)
                if names != 1 and kind.name == self.roles.accelerator and text.lower().endswith("s"):
                    text, names = (text[:-1], 1) if self.names.many(kind, text[:-1]) == 1 else (text, names)  # `H100s`
                if names == 1:
                    self._say(self.names.bearing(text, (kind, *self._kinds())), text)
                    return length
                several = several or ((kind, text) if names else None)
            if self._another(text):
                return length
        if several is not None:
            kind, text = several
            self._refuse_unknown_number(kind, text, words)
            find_record(self.library, self.schema, kind.name, text)  # which says that there are several
        return 0

    def _refuse_unknown_number(self, kind: RecordKind, text: str, words: Sequence[str]) -> None:
        """Refuse `rtx 3050`: a family of accelerators and a number that none of it has."""
        if kind.name == self.roles.accelerator and " " not in text and _NUMBER.fullmatch(" ".join(words[1:2])):
            find_record(self.library, self.schema, kind.name, f"{text} {words[1]}")

    def _another(self, text: str) -> bool:
        """Whether this names one more accelerator, where none was counted; several are set beside each other."""
        kind = self.roles.accelerator
        if kind not in self.named or self.count or not re.search(r"\d", text) or not self.names.accelerator(text):
            return False
        self._say(self.schema.kinds[kind], text)
        return True

    def _say(self, kind: RecordKind, text: str) -> None:
        """Note a record of a kind, the first or another one beside it."""
        self.options += [kind.option, text]
        self.named[kind.name] = ",".join((*filter(None, (self.named.get(kind.name),)), text))
        self.said.add(kind.name)
        self.usual += self.schema.synonyms.usual.get(text.lower(), ())

    def _set(self, word: str) -> int:
        """Whether a word sets an input."""
        options = stated_input(word, self.library, self.schema)
        self.options += options
        return int(bool(options))

    def _counted(self, words: list[str]) -> int:
        """How many words are a count; what is counted becomes a word of its own."""
        if not self.nodes and (nodes := nodes_in(words)):
            self.nodes = nodes
            return 2
        first = self.comparing and self.named.get(self.roles.accelerator, "").partition(",")[0]
        again = self.count and first and COUNTED.fullmatch(words[0])
        if (self.count and not again) or self.roles.shared[0] not in self.schema.inputs:
            return 0
        word = f"{self.count}x{first},{words[0]}" if again else words[0]  # refused where the counts differ
        self.count, counted = count_in(word, self.schema, self.roles, self.names.accelerator)
        words[1:1] = [counted.rpartition(",")[2] if again else counted] if counted else []
        return int(self.count > 0)

    def _refuse(self, word: str, *, first: bool) -> NoReturn:
        parts = word.split(",")
        unknown = (part for part in parts if not any(self.names.many(kind, part) == 1 for kind in self._kinds()))
        word = next(unknown, word) if len(parts) > 1 else word
        said = {text: self.named.get(text, "") for text in self.said}
        raise UnknownWord(self.library, self.schema, self.verbs, said, list(self._kinds())).refused(word, first=first)
