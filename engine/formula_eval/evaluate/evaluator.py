"""Library to answers: loads formulas once, keeps what it compiled, and evaluates questions."""

import json
import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import cached_property, partial
from typing import TYPE_CHECKING

from formula_eval.cache import Cache
from formula_eval.core.diagnostic import Diagnostic, FormulaError, elsewhere, nearest, refuse
from formula_eval.digest import sha256
from formula_eval.evaluate.program import Program
from formula_eval.evaluate.result import CheckResult, Result, result_of
from formula_eval.library import Library
from formula_eval.records.givens import Givens, Question, givens_of
from formula_eval.records.schema import CheckSchema, Schema, schema_from

if TYPE_CHECKING:
    from formula_eval.core.graph import FormulaGraph
    from formula_eval.resolve.passes import Resolved

_ALL = "`formula-eval list formulas` shows all; `*` stands for any part."


class Evaluator:
    """One library, ready to answer; the graph itself is loaded only when something needs it."""

    def __init__(self, library: Library, cache: Cache, announce: Callable[[str], None] | None = None) -> None:
        """Evaluate the formulas of this library, with compiled programs kept in this cache.

        `announce` is told what takes seconds before it is done.
        """
        self.library = library
        self.cache = cache
        self._announce = announce
        self._programs: dict[tuple[str, ...], Program] = {}

    @cached_property
    def fingerprint(self) -> str:
        """The hash of all that shapes a program, from the cache where the disk says that no file has changed."""
        stamp = self.library.stamp()
        key = f"fingerprint-{stamp}"
        held = self.cache.get(key) if stamp else None
        if held is not None:
            return held.decode()
        fingerprint = self.library.fingerprint()
        if stamp and stamp == self.library.stamp():
            self.cache.put(key, fingerprint.encode())
        return fingerprint

    @cached_property
    def resolved(self) -> "Resolved":
        """The graph, what was declared, and everything wrong with the library; from the cache if it is there."""
        key = f"{self.fingerprint}-graph"
        held: Resolved | None = self.cache.get_object(key)
        if held is not None:
            return held
        from formula_eval.resolve.load import load_graph  # noqa: PLC0415 - the parser is heavy, the cache makes it rare

        if self._announce is not None:
            self._announce("Reading the formulas, which takes a few seconds until they change again ...")
        resolved = load_graph(self.library, self.cache)
        if self.library.fingerprint() != self.fingerprint:
            raise refuse("library-changed", "The formulas changed while they were read", help="Ask once more.")
        if resolved.graph is not None:
            self.cache.put_object(key, resolved)
        return resolved

    @property
    def graph(self) -> "FormulaGraph":
        """The whole graph; raises FormulaError with everything that is wrong with the library."""
        if self.resolved.graph is None:
            raise FormulaError(*self.resolved.findings)
        return self.resolved.graph

    @cached_property
    def schema(self) -> Schema:
        """What the graph holds, from the cache if it is there."""
        key = f"{self.fingerprint}-schema"
        held = self.cache.get(key)
        if held is not None:
            return schema_from(json.loads(held))
        from formula_eval.records.schema_of_graph import schema_of  # noqa: PLC0415 - needs the graph

        schema = schema_of(self.graph)
        self.cache.put(key, json.dumps(schema.to_data()).encode())
        return schema

    @property
    def is_compiled(self) -> bool:
        """Whether the cache holds what the formulas are, as they stand."""
        return self.cache.get(f"{self.library.fingerprint()}-schema") is not None

    def program(self, wanted: Sequence[str]) -> Program:
        """The compiled program for these quantities, from the cache if it is there."""
        names = tuple(dict.fromkeys(wanted))
        if names not in self._programs:
            self._programs[names] = self._compiled(names)
        return self._programs[names]

    def _compiled(self, names: tuple[str, ...]) -> Program:
        """The program, from the cache as code of this Python or as source, which a package can be shipped with."""
        vector = partial(self._source, "vector", names)
        key = f"{self._key(names)}-{sys.implementation.cache_tag}"
        held = self.cache.get(key)
        if held is not None:
            return Program.from_payload(held, vector)
        program = Program.from_source(self._source("scalar", names), vector)
        self.cache.put(key, program.payload())
        return program

    def _source(self, kind: str, names: tuple[str, ...]) -> str:
        """The source text of a program, for one configuration or for many."""
        key = f"{self._key(names)}-{kind}"
        held = self.cache.get(key)
        if held is not None:
            return held.decode()
        from formula_eval.evaluate import codegen  # noqa: PLC0415 - needs the graph

        source = (
            codegen.program_source(self.graph, names) if kind == "scalar" else codegen.vector_source(self.graph, names)
        )
        self.cache.put(key, source.encode())
        return source

    def _key(self, names: tuple[str, ...]) -> str:
        return str(sha256("\0".join((self.fingerprint, *names)).encode()).hexdigest())

    def select(self, patterns: Sequence[str], namespace: str = "") -> list[str]:
        """The quantities that the patterns name; raises FormulaError for a pattern that names none."""
        found: dict[str, None] = {}
        for pattern in patterns:
            matches = self._matches(pattern, namespace)
            if not matches:
                raise self._unknown(pattern)
            found.update(dict.fromkeys(matches))
        return list(found)

    def _unknown(self, pattern: str) -> FormulaError:
        if pattern in self.graph.functions:
            help_ = f"Ask for what calls it; `formula-eval show {pattern}` prints its text."
            return refuse("unknown-quantity", f"`{pattern}` is a function, which has no value of its own", help=help_)
        known = [*self.schema.formulas, *self.schema.inputs]
        help_ = elsewhere(pattern, self.schema.formulas) or nearest(pattern, known) or _ALL
        return refuse("unknown-quantity", f"No quantity is named `{pattern}`", help=help_)

    def _matches(self, pattern: str, namespace: str) -> list[str]:
        formulas, inputs = self.schema.formulas, self.schema.inputs
        inside = f"{namespace}.{pattern}" if namespace else pattern
        for exact in (inside, pattern):
            if exact in formulas or exact in inputs:
                return [exact]
        if not any(mark in pattern for mark in "*?["):
            starts = (f"{pattern}.", f"{inside}.")
            return [name for name in formulas if name.startswith(starts) and formulas[name].is_listed]
        copies, published = "@" in pattern, pattern.startswith("published.")
        return [
            name
            for name, each in formulas.items()
            if (fnmatchcase(name, pattern) or fnmatchcase(name, inside))
            and (copies or each.is_listed)
            and (published or _in_namespace(name, namespace))
        ]

    def givens(self, question: Question) -> Givens:
        """The checked givens of a question."""
        return givens_of(question, self.schema, self.library)

    def evaluate(self, givens: Givens, wanted: Sequence[str], namespace: str = "") -> Result:
        """The wanted quantities and all checks that speak for them; raises FormulaError."""
        checks = self.checks(wanted, namespace)
        try:
            result = result_of(self.checked_program(wanted, checks), givens, self.schema, wanted, checks)
        except FormulaError as error:
            raise self._refusal(givens, checks) or error from None
        if result.refused():
            raise _refused(result.refused())
        return result

    def checks(self, wanted: Sequence[str], namespace: str = "") -> list[CheckSchema]:
        """The checks of a namespace that speak for what is wanted.

        Those of the folder `checks`, or of the namespace's own, always speak; those of another folder, when what is
        wanted needs its formulas.
        """
        formulas = self.schema.formulas
        needed = {each for name in wanted if name in formulas for each in formulas[name].folders}
        needed.add(namespace or "checks")
        found = self.schema.checks.values()
        return [each for each in found if _in_namespace(each.name, namespace) and each.namespace in needed]

    def checked_program(self, wanted: Sequence[str], checks: Sequence[CheckSchema]) -> Program:
        """The program of these quantities together with checks and what their messages quote."""
        quoted = [part[1:-1] for each in checks for part in each.message if part.startswith("{")]
        return self.program([*wanted, *(each.name for each in checks), *quoted])

    def _refusal(self, givens: Givens, checks: Sequence[CheckSchema]) -> FormulaError | None:
        """Why a configuration that could not be computed is refused, if a check says so: that says more."""
        refusing = [each for each in checks if each.level == "refuse"]
        try:
            result = result_of(self.checked_program((), refusing), givens, self.schema, (), refusing)
        except FormulaError:
            return None
        return _refused(result.refused()) if result.refused() else None


def _refused(checks: Sequence[CheckResult]) -> FormulaError:
    return FormulaError(*(Diagnostic("refused", each.message) for each in checks))


def _in_namespace(name: str, namespace: str) -> bool:
    return name.startswith(f"{namespace}.") if namespace else not name.startswith("published.")
