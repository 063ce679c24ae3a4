"""A library that was edited resolves to what it would if nobody had seen it before, in whatever way it was edited."""

import random
from collections.abc import Iterator

import pytest

from formula_eval.core import expression as e
from formula_eval.core.declaration import Chapter
from formula_eval.core.graph import FormulaGraph, Node, changed_node
from formula_eval.printing.text import expression_text
from formula_eval.records.schema import Schema
from formula_eval.records.schema_of_graph import schema_of
from formula_eval.records.schema_patch import Terms, patched_schema
from formula_eval.records.schema_payload import payload, schema_from
from formula_eval.records.synonyms import Synonyms
from formula_eval.resolve.other_records import literal_name
from formula_eval.resolve.passes import resolve, resolve_on
from formula_eval.resolve.patch import Before, patched
from formula_eval.resolve.resolved import Resolved
from language.cases import reader, units
from resolve.edits import BASE, LISTED, OWN, Texts, edited
from samples import samples


def _chapters(texts: Texts) -> list[Chapter]:
    found = []
    for file, statements in texts.items():
        namespace = ".".join(file.split("/")[2:-1])
        text = '"""A chapter."""\n\n' + "\n\n".join(statements) + "\n"
        chapter, findings = reader().chapter(text, file, namespace)
        assert not findings, (statements, findings)
        found.append(chapter)
    return found


def _edits(seed: int) -> Iterator[Texts]:
    draw = random.Random(seed)
    texts = OWN
    for _ in range(6):
        texts = edited(texts, draw)
        yield texts


@pytest.fixture(scope="module")
def base() -> Resolved:
    chapter, _ = reader().chapter(BASE, "formulas/base.formula", "")
    return resolve([chapter], units())


def _anew(base: Resolved, chapters: list[Chapter]) -> Resolved:
    chapter, _ = reader().chapter(BASE, "formulas/base.formula", "")
    return resolve_on(base, chapters, units()) or resolve([chapter, *chapters], units())


@pytest.mark.slow
def test_an_edited_library_is_what_it_would_be_at_first_sight(base: Resolved) -> None:
    seen = patches = 0
    for seed in range(samples(30)):
        before, texts = _anew(base, _chapters(OWN)), OWN
        assert before.graph is not None, before.findings
        for now in _edits(seed):
            files = {file for file in now if now[file] != texts[file]}
            chapters = _chapters(now)
            whole = _anew(base, chapters)
            found = patched(Before(before, "key", files), base, chapters, units())
            if whole.graph is None:
                assert found is None
                continue
            seen += 1
            if found is not None:
                patches += 1
                _assert_is_same(found, whole, seed)
                _assert_has_the_same_schema(before, found, whole)
            before, texts = found or whole, now
    assert patches > seen / 3
    assert seen > samples(30)


@pytest.mark.parametrize("other", ["kind = rest\n    amount = limit", "kind = plain\n    amount = 4"])
def test_a_word_that_lets_a_row_in_reaches_what_sums_over_it(base: Resolved, other: str) -> None:
    file = "mine/formulas/mine/b.formula"
    before = _anew(base, _chapters(OWN))
    listed = LISTED.replace("kind = plain\n    amount = limit", other)
    chapters = _chapters({**OWN, file: [listed if each == LISTED else each for each in OWN[file]]})
    found = patched(Before(before, "key", {file}), base, chapters, units())
    assert found is not None
    _assert_is_same(found, _anew(base, chapters), 0)


def test_the_schema_of_a_copied_default_is_kept(base: Resolved) -> None:
    file = "mine/formulas/mine/b.formula"
    defaults = ["input high = limit + 1", "height_of = high * limit"]
    before = _anew(base, _chapters({**OWN, file: [*OWN[file], *defaults]}))
    chapters = _chapters({**OWN, file: [*OWN[file], *defaults, "spread = (height_of with limit = high)"]})
    found = patched(Before(before, "key", {file}), base, chapters, units())
    assert found is not None
    assert _assert_has_the_same_schema(before, found, _anew(base, chapters))


@pytest.mark.parametrize("edit", ["soon = 2 * (total with quick)", "soon = (total with quick) + named"])
def test_a_record_that_a_statement_names_stays_where_another_one_of_its_file_is_edited(
    base: Resolved, edit: str
) -> None:
    file = "mine/formulas/mine/b.formula"
    before = _anew(base, _chapters(OWN))
    chapters = _chapters({**OWN, file: [edit if each.startswith("soon =") else each for each in OWN[file]]})
    found = patched(Before(before, "key", {file}), base, chapters, units())
    assert found is not None
    _assert_is_same(found, _anew(base, chapters), 0)


def _assert_has_the_same_schema(before: Resolved, found: Resolved, whole: Resolved) -> bool:
    """Whether the schema before could be patched; what it then holds is what the schema made at first sight holds."""
    assert before.graph is not None
    assert found.graph is not None
    assert whole.graph is not None
    synonyms = Synonyms()
    held = payload(schema_of(before.graph, units(), synonyms))
    made = patched_schema(held, before.graph, found.graph, found.made_anew, Terms(units(), synonyms))
    if made is None:
        return False
    ours, theirs = schema_from(made), schema_from(payload(schema_of(whole.graph, units(), synonyms)))
    assert _spelled(ours) == _spelled(theirs)
    return True


def _spelled(schema: Schema) -> list[str]:
    """All of its formulas, whatever their copies are called."""
    found = (each._replace(name=each.original or name, place="") for name, each in schema.formulas.items())
    return sorted(str(each._replace(folders=tuple(sorted(each.folders)))) for each in found)


def _assert_is_same(found: Resolved, whole: Resolved, seed: int) -> None:
    one, other = found.graph, whole.graph
    assert one is not None
    assert other is not None
    ours, theirs = Spelled(found), Spelled(whole)
    nodes, expected = ours.nodes(one), theirs.nodes(other)
    assert nodes.keys() == expected.keys(), seed
    named = {literal_name(*each) for each in whole.scope.literals}  # by several statements, one of which it stands in
    for name, node in expected.items():
        assert nodes[name] == node, (seed, name)
        assert name in named or nodes[name].declaration.span == node.declaration.span, (seed, name)
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
