"""Keeps the programs of a graph in the cache: as bytecode of this Python, or as source, which a package can ship."""

import marshal
import sys
from collections.abc import Collection
from functools import partial
from types import CodeType
from typing import TYPE_CHECKING, NamedTuple

from formula_eval.cache import Cache, of_kind
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.program import Program, compiled, loaded, loaded_pieces
from formula_eval.file_hash import sha256

if TYPE_CHECKING:
    from collections.abc import Callable

    from formula_eval.core.graph import FormulaGraph
    from formula_eval.resolve.resolved import Resolved

_Names = tuple[str, ...]


class ProgramStore(NamedTuple):
    """The programs of what has this fingerprint; `resolved` is asked for where the cache lacks one."""

    cache: Cache
    fingerprint: str
    resolved: "Callable[[], Resolved]"

    def key(self, names: _Names) -> str:
        """The cache key of the program of these nodes."""
        return str(sha256("\0".join((self.fingerprint, *names)).encode()).hexdigest())

    def program(self, names: _Names) -> Program:
        """The program of these nodes."""
        later = partial(self._vector_code, names), partial(self._text_of, "rows", names)
        held = self.cache.get_made(self.own_key(names), lambda payload: Program.from_payload(payload, *later))
        if held is not None:
            return held
        texts, known = self._patched_texts(names) or (self._texts(names), {})
        program = Program.from_source(texts, *later, known)
        self.cache.put(self.own_key(names), program.payload())
        return program

    def own_key(self, names: _Names) -> str:
        """The same of its bytecode for this Python."""
        return f"{self.key(names)}-{sys.implementation.cache_tag}"

    def concerning(self, wanted: _Names) -> Collection[str]:
        """The names of the checks that concern these quantities."""
        import json  # noqa: PLC0415 - the everyday command reads none

        key = f"{self.key(wanted)}-checks"
        held = self.cache.get_made(key, lambda payload: frozenset[str](of_kind(json.loads(payload), list)))
        if held is not None:
            return held
        graph, patch_of = self._graph(), self.resolved().patch_of
        before = None if patch_of is None else patch_of[1].graph
        if patch_of is not None and before is not None and _reads_alike(graph, before):
            found = sorted(ProgramStore(self.cache, patch_of[0], lambda: patch_of[1]).concerning(wanted))
        else:
            from formula_eval.evaluate.relevant_checks import concerning  # noqa: PLC0415 - needs the graph

            found = concerning(graph, wanted)
        self.cache.put(key, json.dumps(found).encode())
        return frozenset(found)

    def _graph(self) -> "FormulaGraph":
        resolved = self.resolved()
        if resolved.graph is None:
            raise FormulaError(*resolved.findings)
        return resolved.graph

    def _patched_texts(self, names: _Names) -> tuple[list[str], dict[str, CodeType]] | None:
        """The texts of the program of a graph in which few nodes were made anew, and the code of those that are kept.

        None where the graph is not such a one, or that of the one before is not kept or of no help.
        """
        graph, patch_of = self._graph(), self.resolved().patch_of
        if patch_of is None or patch_of[1].graph is None:
            return None
        store = ProgramStore(self.cache, patch_of[0], lambda: patch_of[1])
        texts = store.kept_texts(names)
        codes = self.cache.get_made(store.own_key(names), loaded_pieces)
        if texts is None or codes is None:
            return None
        from formula_eval.evaluate.scalar_source import patched_texts  # noqa: PLC0415 - needs the graph

        before = Program(codes, lambda: compiled(""), str)
        patched = patched_texts(texts, before.names, patch_of[1].graph, graph, self.resolved().made_anew)
        return None if patched is None else (patched, dict(zip(texts, codes, strict=True)))

    def kept_texts(self, names: _Names) -> list[str] | None:
        """The source text of a program for one configuration, if the cache has it."""
        import json  # noqa: PLC0415 - most programs come as bytecode

        return self.cache.get_made(f"{self.key(names)}-scalar", lambda payload: of_kind(json.loads(payload), list))

    def _texts(self, names: _Names) -> list[str]:
        """The source text of a program for one configuration."""
        held = self.kept_texts(names)
        if held is not None:
            return held
        import json  # noqa: PLC0415 - as above

        from formula_eval.evaluate.scalar_source import program_texts  # noqa: PLC0415 - needs the graph

        texts = program_texts(self._graph(), names)
        self.cache.put(f"{self.key(names)}-scalar", json.dumps(texts).encode())
        return texts

    def _vector_code(self, names: _Names) -> CodeType:
        """The bytecode for many configurations, which takes longer to compile than most evaluations take."""
        key = f"{self.key(names)}-vector-{sys.implementation.cache_tag}"
        held = self.cache.get_made(key, loaded)
        if held is None:
            held = compiled(self._text_of("vector", names))
            self.cache.put(key, marshal.dumps(held))
        return held

    def _text_of(self, kind: str, names: _Names) -> str:
        """The source text of a program for many configurations, or the rows of both."""
        key = f"{self.key(names)}-{kind}"
        import json  # noqa: PLC0415 - as above

        held: str | None = self.cache.get_made(key, lambda payload: of_kind(json.loads(payload), str))
        if held is not None:
            return held
        from formula_eval.evaluate import codegen  # noqa: PLC0415 - needs the graph

        make = {"vector": codegen.vector_source, "rows": codegen.rows_text}[kind]
        source = make(self._graph(), names)
        self.cache.put(key, json.dumps(source).encode())
        return source


def _reads_alike(one: "FormulaGraph", other: "FormulaGraph") -> bool:
    """Whether nodes and checks of both graphs read the same, wherever they stand."""
    return one.parents == other.parents and one.checks == other.checks
