"""Keeps the programs of a graph in the cache: as bytecode of this Python, or as source, which a package can ship.

Programs share their pieces, each of which is kept by itself: what is asked first costs the pieces that no other program
has. A graph with few nodes changed, or with some behind the others, takes all other pieces from the one beneath.
"""

import marshal
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from types import CodeType
from typing import TYPE_CHECKING, NamedTuple

from formula_eval.cache import Cache, of_kind
from formula_eval.evaluate.program import PIECES_KEPT, Later, Program, Rows, compiled, compiled_once, loaded
from formula_eval.file_hash import text_hash

if TYPE_CHECKING:
    from formula_eval.core.graph import FormulaGraph, Node
    from formula_eval.evaluate.graph_outline import GraphOutline
    from formula_eval.evaluate.scalar_source import PieceTexts
    from formula_eval.resolve.resolved import Resolved

_Names = tuple[str, ...]


class _Piece(NamedTuple):
    """A piece of a program, and the key of the cache under which it is kept."""

    key: str
    code: CodeType


class _Outlined(NamedTuple):
    """The outline of a graph, and the store of the one `beneath` it, which holds all pieces without a node `anew`."""

    outline: "GraphOutline"
    beneath: "ProgramStore | None" = None
    anew: frozenset[int] = frozenset()


class ProgramStore:
    """The programs of what has one fingerprint."""

    def __init__(
        self,
        cache: Cache,
        fingerprint: str,
        resolved: "Callable[[], Resolved]",
        under: "Callable[[], ProgramStore] | None" = None,
    ) -> None:
        """Keep them in this cache; `resolved` is asked for where it lacks one.

        `under` is the store of a graph to which this one adds nodes that have names of their own.
        """
        self.cache, self.fingerprint, self.resolved = cache, fingerprint, resolved
        self._added_to = under
        self._inputs: dict[_Names, frozenset[str]] = {}

    def key(self, names: _Names) -> str:
        """The cache key of the program of these nodes."""
        return text_hash("\0".join((self.fingerprint, *names)))

    def program(self, names: _Names) -> Program:
        """The program of these nodes."""
        later = Later(self._reads, partial(self._vector_code, names), partial(self._text_of, "rows", names))
        return Program(self.kept_codes(names) or self.codes(names), later)

    def kept_codes(self, names: _Names) -> list[CodeType] | None:
        """The code of its module and of its pieces; None if they are not all kept."""
        return self.cache.get_made(self.code_key(names), self._codes_of)

    def code_key(self, names: _Names) -> str:
        """The same of its bytecode for this Python."""
        return f"{self.key(names)}-{sys.implementation.cache_tag}"

    def _codes_of(self, payload: bytes) -> list[CodeType]:
        """The code that an entry names; raises if a piece is no longer kept."""
        module, keys = marshal.loads(payload)  # noqa: S302 - a cache entry of the user's own
        return [of_kind(module, CodeType), *(_kept_piece(self.cache, key) for key in keys)]

    def codes(self, names: _Names) -> list[CodeType]:
        """The same, made anew and kept."""
        if self._added_to is not None and self._is_beneath(names):
            return self._added_to().codes(names)
        if self._alike is not None:
            found = self._alike.kept_codes(names) or self._alike.codes(names)
            self.cache.put(self.code_key(names), self.cache.get(self._alike.code_key(names)) or b"")
            return found
        from formula_eval.evaluate.scalar_source import module_text, pieces_of  # noqa: PLC0415 - imports the printer

        needed = self.outline.needed(names)
        module = compiled(module_text(self.outline, names, needed))
        pieces = [self.piece(tuple(piece)) for piece in pieces_of(self.outline, self.outline.computed(needed))]
        self.cache.put(self.code_key(names), marshal.dumps((module, [piece.key for piece in pieces])))
        return [module, *(piece.code for piece in pieces)]

    def _is_beneath(self, names: Sequence[str]) -> bool:
        """Whether the graph to which this one adds nodes has all of these, so that this one need not be made."""
        return self._added_to is not None and all(name in self._added_to().outline.places for name in names)

    @cached_property
    def piece(self) -> Callable[[tuple[int, ...]], _Piece]:
        """What gives the piece of the nodes at some places, the ones used last without looking for them."""
        return lru_cache(PIECES_KEPT)(self._piece)

    def _piece(self, places: tuple[int, ...]) -> _Piece:
        """The piece of the nodes at these places.

        Graphs of one fingerprint may have their nodes in another order, patched or resolved anew: what is read from
        where tells their pieces apart.
        """
        _, beneath, anew = self._outlined
        if beneath is not None and anew.isdisjoint(places):
            return beneath.piece(places)
        key = self._piece_key(places)
        with suppress(LookupError):
            return _Piece(key, _kept_piece(self.cache, key))
        code = compiled_once(self.piece_text(places))
        self.cache.put(f"{key}-{sys.implementation.cache_tag}", marshal.dumps(code))
        return _Piece(key, code)

    def piece_text(self, places: tuple[int, ...]) -> str:
        """The text of a piece; of nodes that mean what they do in the graph beneath, the statements are those there."""
        from formula_eval.evaluate.scalar_source import statements_of  # noqa: PLC0415 - imports the printer

        _, beneath, anew = self._outlined

        def make() -> str:
            is_beneath = beneath is not None and places[-1] < len(beneath.outline.names)
            known = beneath.piece_text(places) if beneath is not None and is_beneath else ""
            return self._texts.text(places, statements_of(known, places, anew))

        return self._kept_text(f"{self._piece_key(places)}-text", make)

    @cached_property
    def _piece_key(self) -> Callable[[tuple[int, ...]], str]:
        """What gives the key of such a piece, likewise."""
        return lru_cache(PIECES_KEPT)(self._key_of_piece)

    def _key_of_piece(self, places: tuple[int, ...]) -> str:
        outline = self.outline
        named = "\0".join(f"{place} {outline.names[place]} {outline.read_by(place)}" for place in places)
        return f"{self.fingerprint}-piece-{text_hash(named)}"

    @cached_property
    def _texts(self) -> "PieceTexts":
        from formula_eval.evaluate.scalar_source import PieceTexts  # noqa: PLC0415 - imports the printer

        return PieceTexts(self.graph, self.outline)

    @property
    def outline(self) -> "GraphOutline":
        """The outline of the graph."""
        return self._outlined.outline

    @cached_property
    def _outlined(self) -> _Outlined:
        from formula_eval.evaluate.graph_outline import GraphOutline  # noqa: PLC0415 - seldom needed

        key = f"{self.fingerprint}-outline"
        held = None if self._added_to else self.cache.get_shared(key, GraphOutline.from_payload)
        found = self._on_another() if held is None else _Outlined(held)
        if found is not None:
            return found
        whole = GraphOutline.of(self.graph)
        if self._added_to is None:
            self.cache.put(key, whole.payload())
        return _Outlined(whole)

    def _on_another(self) -> _Outlined | None:
        """The outline of a graph that holds the nodes of another one, few of them as others; None if it holds none."""
        from formula_eval.evaluate.graph_outline import read_as_before  # noqa: PLC0415 - seldom needed

        beneath = self._added_to() if self._added_to else self._before()
        changed = {} if self._added_to else self._means_anew
        if beneath is None or not read_as_before(self.graph, beneath.graph, changed):
            return None
        outline = beneath.outline.extended(self.graph, changed)
        if outline is None:
            return None
        more = range(len(beneath.outline.names), len(outline.names))
        places = (outline.places[name] for name in changed if name in outline.places)
        return _Outlined(outline, beneath, frozenset((*more, *places)))

    def _before(self) -> "ProgramStore | None":
        """The store of the graph of which this one is a patch."""
        patch_of = self.resolved().patch_of
        return None if patch_of is None else ProgramStore(self.cache, patch_of[0], lambda: patch_of[1])

    @cached_property
    def _means_anew(self) -> "Mapping[str, Node]":
        """The nodes of a patched graph that mean something else than in the one that it is a patch of."""
        return self.resolved().means_anew

    @cached_property
    def _alike(self) -> "ProgramStore | None":
        """The store of the graph of which this one is a patch, if all nodes mean what they did there."""
        before = None if self._added_to else self._before()
        if before is None or self._means_anew or [*before.graph.nodes] != [*self.graph.nodes]:
            return None
        return before

    def inputs(self, wanted: _Names) -> Collection[str]:
        """The names of the inputs that these quantities read, of records too."""
        if wanted not in self._inputs:
            store = self._added_to() if self._added_to is not None and self._is_beneath(wanted) else self
            names, kinds = store.outline.names, store.outline.kinds
            self._inputs[wanted] = frozenset(names[place] for place in store.outline.needed(wanted) if place in kinds)
        return self._inputs[wanted]

    def concerning(self, wanted: _Names) -> Collection[str]:
        """The names of the checks that concern these quantities."""
        import json  # noqa: PLC0415 - the everyday command reads none

        key = f"{self.key(wanted)}-checks"
        held = self.cache.get_made(key, lambda payload: frozenset[str](of_kind(json.loads(payload), list)))
        if held is not None:
            return held
        before = self._before()
        if before is not None and _reads_alike(self.graph, before.graph):
            found = sorted(before.concerning(wanted))
        else:
            from formula_eval.evaluate.relevant_checks import concerning  # noqa: PLC0415 - needs the graph

            found = concerning(self.graph, wanted)
        self.cache.put(key, json.dumps(found).encode())
        return frozenset(found)

    @property
    def graph(self) -> "FormulaGraph":
        """The whole graph; raises FormulaError with what is wrong with it."""
        return self.resolved().whole

    def _reads(self, names: Sequence[str]) -> Rows:
        """What the nodes of a program read of each other."""
        if self._alike is not None:
            return self._alike._reads(names)  # noqa: SLF001 - of the same class
        from formula_eval.evaluate.graph_outline import Reads  # noqa: PLC0415 - wanted where a value is absent

        key = f"{self.key(tuple(names))}-reads"
        held = self.cache.get_made(key, lambda payload: of_kind(marshal.loads(payload), list))  # noqa: S302 - as above
        if held is None:
            reads = Reads((self._added_to() if self._added_to and self._is_beneath(names) else self).outline, names)
            if self._added_to is None and self._outlined.beneath is None:
                return reads  # of an outline that is kept itself
            held = [reads[turn] for turn in range(len(names))]
            self.cache.put(key, marshal.dumps(held))
        return held

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
        from formula_eval.evaluate import codegen  # noqa: PLC0415 - imports the printer

        make = {"vector": codegen.vector_source, "rows": codegen.rows_text}[kind]
        return self._kept_text(f"{self.key(names)}-{kind}", lambda: make(self.graph, names))

    def _kept_text(self, key: str, make: Callable[[], str]) -> str:
        """The text under a key of the cache, made if it is not there."""
        import json  # noqa: PLC0415 - the everyday command reads none

        held: str | None = self.cache.get_made(key, lambda payload: of_kind(json.loads(payload), str))
        if held is None:
            held = make()
            self.cache.put(key, json.dumps(held).encode())
        return held


@lru_cache(PIECES_KEPT)
def _kept_piece(cache: Cache, key: str) -> CodeType:
    """The code of a piece; raises LookupError for one that is not kept."""
    held = cache.get_made(f"{key}-{sys.implementation.cache_tag}", loaded)
    if held is None:
        raise LookupError(key)
    return held


def _reads_alike(one: "FormulaGraph", other: "FormulaGraph") -> bool:
    """Whether nodes and checks of both graphs read the same, wherever they stand."""
    return one.parents == other.parents and one.checks == other.checks
