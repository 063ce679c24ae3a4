"""Remembers which examples of a library hold, so that after an edit only those are computed that it reaches."""

from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from functools import cached_property
from operator import attrgetter

from formula_eval.cache import Cache
from formula_eval.check.example_cases import Case
from formula_eval.core import declaration as d, expression as e
from formula_eval.core.graph import meaning_of
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.file_hash import text_hash
from formula_eval.kept_results import stamp_of_records
from formula_eval.resolve.resolved import Resolved

_MOST = 4  # times as many keys as there are examples
# What of a function its calls depend on.
_MEANING_OF_CALLS = attrgetter("namespace", "declaration.parameters", "body", "type", "unit")


class KeptOutcomes:
    """The examples that held when a library was last checked, each with what it depends on.

    What an edit made anew is compared with the graph before: an example depends on those of its nodes that are others.
    """

    def __init__(self, cache: Cache, key: str, resolved: Resolved) -> None:
        """Keep them in this cache, under a key of all that no patch of the graph changes."""
        self._cache, self._key, self._resolved = cache, key, resolved

    @cached_property
    def holding(self) -> frozenset[str]:
        """The keys of the examples that held."""
        held: frozenset[str] | None = self._cache.get_object(self._key, frozenset)
        return held or frozenset()

    def keep(self, holding: AbstractSet[str]) -> None:
        """Remember these, and those from before as long as they are few, so that an edit can be taken back."""
        if not self.holding >= holding:
            before = self.holding if len(self.holding) < _MOST * len(holding) else ()
            self._cache.put_object(self._key, frozenset((*before, *holding)))

    def keys(self, cases: Sequence[Case]) -> Iterator[str]:
        """Yields the key of each case: what its example says, and what it depends on."""
        calls = _Calls(self._resolved, self._nodes)
        for case in cases:
            depends = calls.named(case.name) if case.call is not None else self._nodes.get(case.node, "")
            said = case.node, case.namespace, case.givens, case.call, case.example.expected, depends
            yield text_hash(repr(said))

    @cached_property
    def _nodes(self) -> Mapping[str, str]:
        """What is new of each node and of all that it needs, as a hash; nothing of those that are as they were."""
        found: dict[str, str] = {}
        changed = {name: meaning_of(node) for name, node in self._resolved.means_anew.items()}
        for name, read in self._resolved.whole.parents.items() if changed else ():
            below = () if found.keys().isdisjoint(read) else [found[each] for each in read if each in found]
            if below or name in changed:
                found[name] = text_hash(repr((changed.get(name), below)))
        return found


class _Calls:
    """What functions depend on that is new."""

    def __init__(self, resolved: Resolved, nodes: Mapping[str, str]) -> None:
        self._functions, self._nodes = resolved.functions, nodes
        self._before = resolved.functions if resolved.patch_of is None else resolved.patch_of[1].functions
        self._known: dict[str, str] = {}

    def named(self, name: str) -> str:
        """What is new of a function and of all that it reads, as a hash; nothing if all is as it was."""
        if name not in self._known:
            function = self._functions[name]
            below = [self._nodes[reference] for reference in e.references(function.body) if reference in self._nodes]
            called = (node.function for node in e.walk(function.body) if isinstance(node, e.Call))
            below += filter(None, (self.named(each) for each in called if each in self._functions))
            before = self._before.get(name)
            meaning = _MEANING_OF_CALLS(function)
            own = None if before is not None and _MEANING_OF_CALLS(before) == meaning else meaning
            self._known[name] = text_hash(repr((own, below))) if below or own is not None else ""
        return self._known[name]


def kept_outcomes(evaluator: Evaluator) -> KeptOutcomes | None:
    """The examples of a library that are known to hold; None where a file is so new that it may change unseen."""
    stamp = stamp_of_records(evaluator.library)
    if not stamp:
        return None
    resolved = evaluator.resolved
    root = evaluator.fingerprint if resolved.patch_of is None else resolved.patch_of[0]
    said = [input_schema._replace(sentence="", place="") for input_schema in evaluator.schema.inputs.values()]
    declared = (symbol.declaration for symbol in resolved.scope.symbols.values())
    situations = [
        (declaration.name, declaration.bindings)
        for declaration in declared
        if isinstance(declaration, d.SituationDeclaration)
    ]
    shape = root, stamp, said, list(evaluator.schema.kinds.values()), situations
    return KeptOutcomes(evaluator.cache, f"examples-{text_hash(repr(shape))}", resolved)
