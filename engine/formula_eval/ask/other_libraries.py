"""Finds the shipped library that knows what ours does not: a model that reads images, an option such as `--images`.

In: the words of a question, and which of them is unknown. Out: the name of a library, as `--library` takes it, and the
words by which it is asked. Nothing of these libraries is read until a question names what ours does not know.
"""

import shlex
from collections.abc import Container, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from formula_eval.cache import Cache
from formula_eval.core.declaration import ChoiceDeclaration, InputDeclaration, RecordDeclaration
from formula_eval.core.diagnostic import Diagnostic, nearest, refuse
from formula_eval.core.namespace import qualified
from formula_eval.core.record_kind import RecordKind
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.launch.launch_reader import starts_program
from formula_eval.libraries import find_library, shipped_libraries
from formula_eval.library import Library
from formula_eval.records.answer_kind import answer_of_its_own
from formula_eval.records.family_at import family_at
from formula_eval.records.record_files import all_records, records_in
from formula_eval.records.record_names import is_hub_name, named, names_of
from formula_eval.records.roles import roles_of
from formula_eval.records.synonyms import FILE, synonyms_in
from formula_eval.resolve.load import read_own_chapters

_UNKNOWN = frozenset(
    ("no-hub", "unknown-input", "unknown-list", "unknown-option", "unknown-quantity", "unknown-record", "unknown-word")
)

_UNREAD = "no-launch"
# Of a sentence, or behind --only: the words beside it may say whose it is.
_LONGEST = 4  # words of a name, `stable diffusion 3.5 large`
_BESIDE = frozenset(("unknown-quantity", "unknown-word"))


class Elsewhere(NamedTuple):
    """Where a question is asked instead, and how."""

    library: str
    words: list[str]


def library_that_knows(found: Sequence[Diagnostic], words: Sequence[str], evaluator: Evaluator) -> Elsewhere | None:
    """Of the libraries that know the name which a finding says is unknown, the one that knows most of these words.

    Raises FormulaError for a model that none of them has.
    """
    unread = next((diagnostic.subject for diagnostic in found if diagnostic.code == _UNREAD), "")
    if launch := unread or _command(found, words):
        others = (name for name in shipped_libraries() if starts_program(launch, find_library([name]).holding()))
        library = None if starts_program(launch, evaluator.library) else next(others, None)
        if unread or library is not None:
            return None if library is None else Elsewhere(library, list(words))
    unknown = (
        (diagnostic.code, diagnostic.subject)
        for diagnostic in found
        if diagnostic.code in _UNKNOWN and diagnostic.subject
    )
    code, subject = next(unknown, ("", ""))
    said = [word for word in words if not word.startswith("-")] if code in _BESIDE else []
    several = (said[at : at + length] for length in range(2, _LONGEST + 1) for at in range(len(said) - length + 1))
    beside = [*said, *map("-".join, several)]  # `whisper turbo` is one name
    return _knowing(subject, words, evaluator, beside) if subject else None


def _command(found: Sequence[Diagnostic], words: Sequence[str]) -> str:
    """The words as a command, where the first of them is no option and one says nothing to us."""
    unknown = any(diagnostic.code in _UNKNOWN for diagnostic in found)
    return shlex.join(words) if unknown and words and not words[0].startswith("-") else ""


def refuse_repository_of_another(words: Sequence[str], evaluator: Evaluator) -> None:
    """Raise FormulaError for a repository whose model another library has, before a hub is asked for its files.

    So is a config.json, or a folder with one, of a family that another library reads whole, and ours as text alone.
    """
    for word in (part for each in words for part in each.split()):  # a command in quotes too
        name = word.rpartition("=")[2]
        family = family_at(name)
        unknown = (
            not _names_family(evaluator, family) if family else is_hub_name(name) and not Path(name).parent.is_dir()
        )
        if not unknown or (other := _knowing(name, words, evaluator)) is None:
            continue
        folders = (kind for kind in evaluator.schema.kinds.values() if kind.is_folder)
        if named(name, (record for kind in folders for record in all_records(evaluator.library, kind))) is None:
            help_ = f"It is in the library `{other.library}`: --library {other.library}."
            raise refuse("unknown-record", f"Unknown record `{name}`", help=help_, subject=name)


def _names_family(evaluator: Evaluator, family: str) -> bool:
    """Whether a table of ours bears the name of a family, so that its configs are all text."""
    from formula_eval.records.huggingface.family import families  # noqa: PLC0415 - needs the parser of expressions

    return any(
        family in families(evaluator.library, kind) for kind in evaluator.schema.kinds.values() if kind.is_folder
    )


def _knowing(subject: str, words: Sequence[str], evaluator: Evaluator, beside: Sequence[str] = ()) -> Elsewhere | None:
    """Of the libraries that know the subject, or have a record of a word `beside` it, the one that knows most words."""
    kinds = tuple(evaluator.schema.kinds.values())
    all_others = [_OtherLibrary(name, kinds, evaluator.cache) for name in shipped_libraries()]
    knowing = [other for other in all_others if other.knows(subject) or any(map(other.has_record, beside))]
    said = {*words, *beside}
    others = [other for other in knowing if other.adds_alone or any(map(other.holds, {subject, *said}))]
    if not others:
        if knowing:
            _refuse_unknown_model(words, evaluator, knowing, all_others)
        return None
    best = max(others, key=lambda other: (sum(map(other.knows, said)), -other.width))
    purposes = {f"--{purpose}" for purpose in roles_of(evaluator.library).purposes}
    return Elsewhere(best.name, best.reworded(words, {kind.option for kind in kinds}, purposes))


def _refuse_unknown_model(
    words: Sequence[str],
    evaluator: Evaluator,
    knowing: "Sequence[_OtherLibrary]",
    shipped: "Sequence[_OtherLibrary]",
) -> None:
    """Raise FormulaError where the model of a question is none of ours and none of the libraries that know the rest."""
    kind = evaluator.schema.kinds[roles_of(evaluator.library).model]
    ours = list(all_records(evaluator.library, kind))
    for option, name in pairwise(words):
        if option == kind.option and named(name, ours) is None and not any(other.holds(name) for other in knowing):
            if holder := next((other.name for other in shipped if other.holds(name)), ""):
                message = f"`{name}` is a {kind.name} of the library `{holder}`, which has not all that was asked for"
                listing = f"`formula-eval list inputs --library {holder}` shows what may be said"
                help_ = f"Leave out what is of the library `{knowing[0].name}`: {listing}."
                raise refuse("unknown-record", message, help=help_, subject=name)
            known = [each for other in knowing for each in other.names()]
            best = knowing[0].name
            help_ = nearest(name.lower(), known) or f"`formula-eval list {kind.plural} --library {best}` shows all."
            raise refuse("unknown-record", f"Unknown {kind.name} `{name}`", help=help_, subject=name)


class _OtherLibrary:
    """A library built on ours, as far as its own files tell without resolving them."""

    def __init__(self, name: str, kinds: Iterable[RecordKind], cache: Cache) -> None:
        library = find_library([name]).holding()
        chapters, _ = read_own_chapters(library, cache)
        statements = [(chapter, statement) for chapter in chapters for statement in chapter.declarations]
        records = [statement for _, statement in statements if isinstance(statement, RecordDeclaration)]
        inputs = [(chapter, statement) for chapter, statement in statements if isinstance(statement, InputDeclaration)]
        own = [RecordKind(record.name, record.path, alias=record.alias) for record in records]
        self.name = name
        self._library = library
        self._own = {
            *(chapter.namespace for chapter in chapters),
            *(name for kind in own for name in (kind.word, kind.plural)),
        }
        named_so = (
            name
            for chapter, declaration in inputs
            for name in (declaration.name, qualified(chapter.namespace, declaration.name))
        )
        synonyms = synonyms_in(library.synonyms, FILE)
        self._options = {*named_so, *synonyms.inputs, *synonyms.sizes}
        folder = library.folders[-1]
        self.width = len(library.folders)  # one that is built on others yields to those that know as much
        self._only = Library((folder,))
        self._kinds = [(kind, list(records_in(library, kind, folder))) for kind in (*kinds, *own)]
        asks_of_ours = not any(records for _, records in self._kinds)
        # With no answer of its own either it asks more of our models, so that one of its inputs tells enough.
        self.adds_alone = asks_of_ours and not library.answer
        self._answers_alone = asks_of_ours and bool(library.answer)
        if self._answers_alone:
            self._own |= {
                word
                for _, declaration in statements
                if isinstance(declaration, ChoiceDeclaration)
                for word in declaration.values
            }

    def knows(self, word: str) -> bool:
        """Whether it has an input of this name, a flag that `--no-` denies, or something of its own."""
        name = _option_name(word)
        return name in self._options or name.removeprefix("no_") in self._options or self.holds(word)

    def holds(self, word: str) -> bool:
        """Whether a kind of records, a folder of formulas or a record of it has this name, so that it is meant."""
        if _option_name(word).partition(".")[0] in self._own:
            return True
        name = word.rpartition("=")[2] if word.startswith("-") else word
        return not name.startswith("-") and (self._kind_of(name) or self._kind_reading(name)) is not None

    def _kind_reading(self, name: str) -> RecordKind | None:
        """The kind for which it has a table of the family of a config.json that this is the path of."""
        family = family_at(name)
        if not family:
            return None
        from formula_eval.records.huggingface.family import reads_family  # noqa: PLC0415 - needs the parser of expressions

        kinds = (kind for kind, _ in self._kinds if kind.is_folder)
        return next((kind for kind in kinds if reads_family(self._only, kind, family)), None)

    def has_record(self, name: str) -> bool:
        """Whether a record of it has this name."""
        return self._kind_of(name) is not None

    def names(self) -> list[str]:
        """The names of its records."""
        return [name for _, records in self._kinds for record in records for name in names_of(record)]

    def _kind_of(self, name: str) -> RecordKind | None:
        """The kind of which it has this record, or one of several between commas."""
        names = [each for each in name.split(",") if each]
        return next((kind for kind, records in self._kinds if any(named(each, records) for each in names)), None)

    def reworded(self, words: Sequence[str], options: Container[str], purposes: Iterable[str]) -> list[str]:
        """The words, each record named by the option of its kind, for `--model flux.1-dev` too.

        The purpose of a question, `--training`, is left out where the library answers that question in its own way.
        """
        if self._answers_alone:
            own = (purpose for purpose in purposes if answer_of_its_own(purpose.lstrip("-"), self._library))
            words = [word for word in words if word not in {*purposes} - {*own}]
        reworded = list(words)
        for place, (option, name) in enumerate(pairwise(words)):
            kind = (self._kind_of(name) or self._kind_reading(name)) if option in options else None
            if kind is not None:
                reworded[place] = kind.option
        return reworded


def _option_name(word: str) -> str:
    return word.lstrip("-").partition("=")[0].replace("-", "_").lower()
