"""Evaluates questions against a library: loads its formulas once, and caches compiled programs."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from formula_eval.cache import Cache
from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.core.namespace import is_change_note, is_published
from formula_eval.core.unit import Unit
from formula_eval.evaluate.default_domain import beyond_domain, defaults_with_domain
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.program_store import ProgramStore
from formula_eval.evaluate.refused import refused_by
from formula_eval.evaluate.required_choices import lacking, refusal
from formula_eval.evaluate.result import Result, result_of
from formula_eval.evaluate.selection import selected, the_only
from formula_eval.evaluate.situation import AnswerSituation, situation_of
from formula_eval.file_hash import sha256
from formula_eval.library import Library
from formula_eval.records.givens import ANY_QUESTION, Givens, Question, givens_of
from formula_eval.records.reached import values_reached
from formula_eval.records.schema import CheckSchema, Schema
from formula_eval.records.schema_payload import payload, schema_from
from formula_eval.records.synonyms import FILE, synonyms_in
from formula_eval.records.values import changed_value

if TYPE_CHECKING:
    from formula_eval.core.graph import FormulaGraph
    from formula_eval.resolve.resolved import Resolved

_MOST_CODE = 12_000_000  # bytes of compiled formulas that one evaluator holds: five programs of all that we have

STAMPED = "contents-"  # how the keys of entries begin that hold for the files of this disk alone


class Evaluator:
    """Answers questions from one library; loads the graph itself only when something needs it.

    `shown_in` are the units of display that somebody asked for, in place of the declared ones.
    """

    shown_in: Mapping[str, Unit] = {}

    def __init__(self, library: Library, cache: Cache, announce: Callable[[str], None] | None = None) -> None:
        """Evaluate the formulas of this library, with compiled programs kept in this cache.

        `announce` is told what takes seconds before it is done.
        """
        self.library = library.keeping(cache)
        self.cache = cache
        self._announce = announce
        self._programs: dict[tuple[str, ...], Program] = {}

    def holding(self) -> "Evaluator":
        """The same evaluator, but with records held as they were first read."""
        found = object.__new__(type(self))
        found.__dict__.update(self.__dict__, library=self.library.holding())
        return found

    @cached_property
    def contents(self) -> str:
        """The hash of engine and formulas, from the cache where the disk says that no file has changed."""
        stamp = self.library.stamp()
        key = f"{STAMPED}{stamp}"
        held = self.cache.get_made(key, _hash_of) if stamp else None
        if held is not None:
            return held
        contents = self.library.contents()
        if stamp and stamp == self.library.stamp():
            self.cache.put(key, contents.encode())
        return contents

    @cached_property
    def fingerprint(self) -> str:
        """The hash of all that shapes a program."""
        return self.library.named(self.contents)

    @cached_property
    def resolved(self) -> "Resolved":
        """The graph, what was declared, and everything wrong with the library; from the cache if it is there."""
        from formula_eval.resolve.graph_cache import kept_graph  # noqa: PLC0415 - needed for a graph alone

        held = kept_graph(self.cache, self.fingerprint)
        if held is not None:
            return held
        from formula_eval.resolve.load import load_and_keep  # noqa: PLC0415 - the parser is heavy, the cache makes it rare

        if self._announce is not None:
            self._announce("Reading the formulas, which takes a few seconds until they change again ...")
        resolved = load_and_keep(self.library, self.cache, self.fingerprint)
        if resolved is None:
            raise refuse("library-changed", "The formulas changed while they were read", help="Ask once more.")
        return resolved

    @property
    def graph(self) -> "FormulaGraph":
        """The whole graph; raises FormulaError with everything that is wrong with the library."""
        return self.resolved.whole

    @cached_property
    def schema(self) -> Schema:
        """The schema of the graph, from the cache if it is there."""
        key = _schema_key(self.fingerprint)
        held = self.cache.get_shared(key, schema_from)
        if held is not None:
            return held
        made = self._patched_schema()
        if made is None:
            from formula_eval.records.schema_of_graph import schema_of  # noqa: PLC0415 - needs the graph

            made = _read(payload(schema_of(self.graph, self.library.units, synonyms_in(self.library.synonyms, FILE))))
        self.cache.put(key, made[0])
        return made[1]

    def _patched_schema(self) -> tuple[bytes, Schema] | None:
        """The schema of a graph that is another one's with few nodes made anew; None where that one's is no help."""
        graph, patch_of = self.graph, self.resolved.patch_of
        before = None if patch_of is None else patch_of[1].graph
        if patch_of is None or before is None:
            return None
        from formula_eval.records.schema_patch import Terms, patched_schema  # noqa: PLC0415 - needs the graph

        def make(held: bytes) -> tuple[bytes, Schema] | None:
            terms = Terms(self.library.units, synonyms_in(self.library.synonyms, FILE))
            made = patched_schema(held, before, graph, self.resolved.made_anew, terms)
            return None if made is None else _read(made)

        return self.cache.get_made(_schema_key(patch_of[0]), make)

    @property
    def is_compiled(self) -> bool:
        """Whether the cache holds what the formulas are, as they stand."""
        return self.cache.get(_schema_key(self.library.fingerprint())) is not None

    def program(self, wanted: Sequence[str]) -> Program:
        """The compiled program for these quantities, from the cache if it is there; those used last are held."""
        names = tuple(dict.fromkeys(wanted))
        found = self._programs.pop(names, None)
        if found is None:
            found = self.store.program(names)
            self._forget(_MOST_CODE - found.size)
        self._programs[names] = found
        return found

    def _forget(self, most: int) -> None:
        """Drop the least recently used programs until the rest hold at most this much code."""
        for names, program in reversed(list(self._programs.items())):
            most -= program.size
            if most < 0:
                del self._programs[names]

    @cached_property
    def store(self) -> ProgramStore:
        """The programs in the cache."""
        return ProgramStore(self.cache, self.fingerprint, lambda: self.resolved)

    def key(self, names: tuple[str, ...]) -> str:
        """The cache key of the program of these nodes."""
        return self.store.key(names)

    def select(self, patterns: Sequence[str], question: Question = ANY_QUESTION) -> list[str]:
        """The quantities that names and globs mean in a question; raises FormulaError for one that means none.

        Short names mean what heads the answer in the situation that the question states.
        """

        def meant(name: str) -> str:
            situation = self.situation(question)
            return situation.meant(name) if situation else ""

        return selected(self.schema, lambda: self.graph.functions, patterns, question.namespace, meant)

    def select_one(self, pattern: str, question: Question = ANY_QUESTION) -> str:
        """The one quantity that a name means; raises FormulaError for one that means none, or several."""
        return the_only(self.select([pattern], question), pattern)

    def situation(self, question: Question, values: Mapping[str, Any] | None = None) -> AnswerSituation | None:
        """The situation of a question: what heads its answer; None without one.

        It depends on the `values` of inputs; without any, on those that a scenario file and the records named state.
        """
        if values is None:
            reached = values_reached(question, self.schema, self.library).values()
            values = {name: value for each in reached for name, value in each.items()}
        return situation_of(self.library, self.schema, question, values)

    def givens(self, question: Question) -> Givens:
        """The checked givens of a question, with values stated relative to a default computed."""
        givens = givens_of(question, self.schema, self.library)
        if not givens.changes:
            return givens
        program, values = self.program(sorted(givens.changes)), dict(givens.values)
        # In the order of the program, so that a default that reads another changed input reads it changed.
        for name in (each for each in program.names if each in givens.changes):
            schema, origin = self.schema.inputs[name], givens.origins[name]
            base = program.evaluate(values)[name]
            values[name] = changed_value(base, givens.changes[name], schema, self.schema.units, origin)
        return givens._replace(values=values, changes={})

    def evaluate(self, givens: Givens, wanted: Sequence[str], namespace: str = "", *, named: bool = False) -> Result:
        """The wanted quantities and all checks that speak for them; raises FormulaError.

        Where a user `named` them, only the checks that concern them. What lacks a choice that nobody made is left out.
        """
        lacks = lacking(wanted, givens.values, self.schema)
        if lacks and len(lacks) == len(set(wanted)):
            raise refusal(next(iter(lacks)), givens.values, self.schema)
        checks = self.speaking(wanted, givens, namespace, named=named)
        chosen = [name for name in wanted if name not in lacks]
        try:
            result = result_of(self.checked_program(chosen, checks), givens, self.schema, chosen, checks, lacks)
        except FormulaError as error:
            raise self._refusal(givens, checks) or self._defaults(chosen, checks, givens) or error from None
        if result.refused():
            raise refused_by(result.refused(), givens, self.schema, self.program)
        program = self.checked_program(chosen, checks)
        wrong = tuple(
            beyond_domain(
                defaults_with_domain(program, givens, self.schema), program, result.numbers, givens, self.schema
            )
        )
        if wrong:
            raise FormulaError(*wrong)
        return result

    def speaking(
        self, wanted: Sequence[str], givens: Givens, namespace: str = "", *, named: bool = False
    ) -> list[CheckSchema]:
        """The checks that speak for what is wanted and need no choice that nobody made."""
        checks = self.checks(wanted, namespace, named=named)
        return [check for check in checks if not lacking(check.needs, givens.values, self.schema)]

    def checks(self, wanted: Sequence[str], namespace: str = "", *, named: bool = False) -> list[CheckSchema]:
        """The checks that speak for what is wanted.

        Those of the root, of the folder `checks`, or of the namespace's own, always speak; those of another folder,
        when what is wanted needs its formulas. Of what a user `named`, or of a namespace, only those that concern it.
        """
        formulas = self.schema.formulas
        needed = {folder for name in wanted if name in formulas for folder in formulas[name].folders}
        needed |= {namespace} if is_published(namespace) else {"", namespace, "checks"}
        found = [check for check in self.schema.checks.values() if check.namespace in needed]
        changes = [schema for schema in found if is_change_note(schema.name)]
        others = [
            schema for schema in found if schema not in changes and is_published(schema.name) == is_published(namespace)
        ]
        if is_published(namespace):
            return [*changes, *(schema for schema in others if schema.name.startswith(f"{namespace}."))]
        chosen = self.store.concerning(tuple(wanted)) if others and (named or namespace) else None
        return [*changes, *(schema for schema in others if chosen is None or schema.name in chosen)]

    def checked_program(self, wanted: Sequence[str], checks: Sequence[CheckSchema]) -> Program:
        """The program of these quantities together with checks and what their messages quote."""
        quoted = [part[1:-1] for check in checks for part in check.message if part.startswith("{")]
        return self.program([*wanted, *(check.name for check in checks), *quoted])

    def _defaults(self, chosen: Sequence[str], checks: Sequence[CheckSchema], givens: Givens) -> FormulaError | None:
        """The error that explains a failed configuration, if the default of an unset input is to blame."""
        names = defaults_with_domain(self.checked_program(chosen, checks), givens, self.schema)
        program = self.program(names)
        try:
            numbers = program.evaluate(givens.values)
        except FormulaError:
            return None
        wrong = tuple(beyond_domain(names, program, numbers, givens, self.schema))
        return FormulaError(*wrong) if wrong else None

    def _refusal(self, givens: Givens, checks: Sequence[CheckSchema]) -> FormulaError | None:
        """The refusal of a check for a configuration that failed, if there is one: it tells more than the failure."""
        refusing = [check for check in checks if check.level == "refuse"]
        try:
            result = result_of(self.checked_program((), refusing), givens, self.schema, (), refusing)
        except FormulaError:
            return None
        return refused_by(result.refused(), givens, self.schema, self.program) if result.refused() else None


def _read(kept: bytes) -> tuple[bytes, Schema]:
    """The payload of a schema, and itself."""
    return kept, schema_from(kept)


def _schema_key(fingerprint: str) -> str:
    """The key of a schema."""
    return f"{fingerprint}-schema"


def _hash_of(payload: bytes) -> str:
    """The hash that a payload is; raises ValueError for what is none."""
    found = payload.decode()
    if len(bytes.fromhex(found)) != sha256().digest_size:
        raise ValueError(found)
    return found
