"""A library that was edited resolves to what it would if nobody had seen it before, in whatever way it was edited."""

import random
from collections.abc import Iterator

import pytest

from formula_eval.core import expression as e
from formula_eval.core.declaration import Chapter
from formula_eval.core.graph import FormulaGraph, Node, changed_node
from formula_eval.printing.text import expression_text
from formula_eval.resolve.passes import resolve, resolve_on
from formula_eval.resolve.patch import Before, patched
from formula_eval.resolve.resolved import Resolved
from language.cases import reader, units
from resolve.test_incremental import BASE
from samples import samples

Texts = dict[str, list[str]]  # the statements of each file

OWN: Texts = {
    "mine/formulas/mine/a.formula": [
        "choice sort = plain | rest",
        "input limit = 3 in 1 .. 100",
        "input of: sort = rest",
        "input links = 1 from hardware",
        "twice = 2 * time",
        "again = 3 * (time with span = decode)",
        "small = (decoding with batch = 1)",
        "under = (large with batch = limit, span = decode)",
        "def third(x) = half(x) / 3",
        "situation quick:\n    batch = limit\n    span = decode",
        "chosen = twice if of == rest else small",
    ],
    "mine/formulas/mine/b.formula": [
        "table costs\n  cost\n  row a\n    cost = third(twice)\n  row b\n    cost = again",
        "total = sum(each.cost for each in costs) + under",
        "soon = (total with quick)",
        "sooner = (soon with of = plain, limit = 5)",
        "moved = links * (time with hardware = other)",
        'check enough warn: total > limit\n    "It comes to {total}"',
    ],
}
TERMS = (
    "1", "limit", "batch", "time", "twice", "again", "small", "under", "third(time)", "third(limit)", "large", "links",
    "(time with quick)", "(twice with batch = 7)", "(small with limit = 2)", "(under with span = prefill)",
    "costs.a.cost", "(twice if of == plain else 1)", "parts.head.work", "(again with batch = limit)",
)  # fmt: skip
CHANGED = (
    "extend time + 1 / limit",
    "extend batch + 1",
    "replace large = (time with batch = 9)",
    "extend decoding * 2",
)
FORMULAS = ("twice", "again", "small", "under", "chosen", "total", "soon", "sooner", "moved")


def _chapters(texts: Texts) -> list[Chapter]:
    found = []
    for file, statements in texts.items():
        chapter, findings = reader().chapter('"""A chapter."""\n\n' + "\n\n".join(statements) + "\n", file, "mine")
        assert not findings, (statements, findings)
        found.append(chapter)
    return found


def _edited(texts: Texts, draw: random.Random) -> Texts:
    """The same with one edit, of some sort, somewhere."""
    found = {file: [*statements] for file, statements in texts.items()}
    statements = found[draw.choice(list(found))]
    place = draw.randrange(len(statements))
    text = statements[place]
    term, other = draw.choice(TERMS), draw.choice(TERMS)
    name = text.partition(" = ")[0]
    match draw.choice(("formula", "formula", "formula", "text", "add", "remove", "rename", "move", "value", "change")):
        case "formula" if name in FORMULAS or name.startswith("new"):
            last = draw.choice((other, other, f"x\n    where x = {other}"))
            statements[place] = f"{name} = {term} {draw.choice('+-*')} {last}"
        case "text" if not text.startswith(("check", "table")):
            head = text.partition('\n    "Said')[0]
            statements[place] = f'{head}\n    "Said {draw.randrange(9)} times"'
        case "add":
            statements.insert(place, f"new{draw.randrange(5)} = {term} + {other}")
        case "remove":
            del statements[place]
        case "rename":
            statements[place] = text.replace(name, f"new{draw.randrange(5)}", 1) if name in FORMULAS else text
        case "move":
            statements.insert(0, statements.pop(place))
        case "value":
            statements[place] = text.replace("3", str(draw.randrange(2, 9))).replace("plain | rest", "rest | plain")
        case "change":
            statements.append(draw.choice(CHANGED))
    return found if all(len(each) > 1 for each in found.values()) else texts


def _edits(seed: int) -> Iterator[Texts]:
    draw = random.Random(seed)
    texts = OWN
    for _ in range(6):
        texts = _edited(texts, draw)
        yield texts


@pytest.fixture(scope="module")
def base() -> Resolved:
    chapter, _ = reader().chapter(BASE, "formulas/base.formula", "")
    return resolve([chapter], units())


def _anew(base: Resolved, chapters: list[Chapter]) -> Resolved:
    chapter, _ = reader().chapter(BASE, "formulas/base.formula", "")
    return resolve_on(base, chapters, units()) or resolve([chapter, *chapters], units())


def test_an_edited_library_is_what_it_would_be_at_first_sight(base: Resolved) -> None:
    seen = patches = 0
    for seed in range(samples(30)):
        before, texts = _anew(base, _chapters(OWN)), OWN
        assert before.graph is not None, before.findings
        for edited in _edits(seed):
            files = {file for file in edited if edited[file] != texts[file]}
            chapters = _chapters(edited)
            whole = _anew(base, chapters)
            found = patched(Before(before, "key", files), base, chapters, units())
            if whole.graph is None:
                assert found is None
                continue
            seen += 1
            if found is not None:
                patches += 1
                _assert_is_same(found, whole, seed)
            before, texts = found or whole, edited
    assert patches > seen / 3
    assert seen > samples(30)


def _assert_is_same(found: Resolved, whole: Resolved, seed: int) -> None:
    one, other = found.graph, whole.graph
    assert one is not None
    assert other is not None
    ours, theirs = Spelled(found), Spelled(whole)
    nodes, expected = ours.nodes(one), theirs.nodes(other)
    assert nodes.keys() == expected.keys(), seed
    for name, node in expected.items():
        assert nodes[name] == node, (seed, name)
        assert nodes[name].declaration.span == node.declaration.span, (seed, name)
        assert node.author is None or nodes[name].author.span == node.author.span, (seed, name)
    assert ours.parents(one) == theirs.parents(other), seed
    places = {name: place for place, name in enumerate(one.nodes)}
    assert all(places[read] < places[name] for name, each in one.parents.items() for read in each), seed
    assert set(one.checks) == set(other.checks), seed
    assert (one.tables, one.kinds, one.functions) == (other.tables, other.kinds, other.functions), seed
    assert found.scope.symbols == whole.scope.symbols, seed
    assert set(found.inputs) == set(whole.inputs), seed
    assert found.written == whole.written, seed
    assert found.reads == whole.reads, seed


class Spelled:
    """Names of copies by what they replace: of two ways to say equal values, the first one names the copy."""

    def __init__(self, resolved: Resolved) -> None:
        names = resolved.names.read()
        self._of = {name: original for (original, _), name in names.known.items()}
        self._under = names.under
        self._known: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        if name not in self._under:
            return name
        if name not in self._known:
            replaced = sorted(
                (key, expression_text(self._about(each.value))) for key, each in self._under[name].items()
            )
            self._known[name] = f"{self._of[name]}@{replaced}"
        return self._known[name]

    def _about(self, x: e.Expression) -> e.Expression:
        if isinstance(x, e.Reference):
            return e.Reference(self(x.node))
        return e.rebuild(x, self._about)

    def nodes(self, graph: FormulaGraph) -> dict[str, Node]:
        return {self(name): self._node(node) for name, node in graph.nodes.items()}

    def _node(self, node: Node) -> Node:
        expression, guard = (None if each is None else self._about(each) for each in (node.expression, node.guard))
        return changed_node(node, name=self(node.name), binding="", expression=expression, guard=guard)

    def parents(self, graph: FormulaGraph) -> dict[str, tuple[str, ...]]:
        return {self(name): tuple(map(self, each)) for name, each in graph.parents.items()}
