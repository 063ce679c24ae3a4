"""Builds a brief paper: results, assumptions, the equations that matter most for them, and references.

An equation is simplified for one configuration, without branches not taken and terms that are 0. The author's text and
all its instances, in lowered form, are walked side by side, so that only what vanishes in every instance is dropped.
Where lowering changed the shape, as of a sum over a table, the text stays as it is.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.export.document import Document
from formula_eval.export.paper import paper
from formula_eval.export.paper.equations import Equation, equations_of
from formula_eval.export.paper.symbols import Symbols
from formula_eval.export.paper.worked_equation import Working
from formula_eval.export.relevance import RelativeInfluence
from formula_eval.export.templates import Ready

_Trees = tuple[e.Expression, ...]
_Value = Callable[[e.Expression], float]
_MOST_EQUATIONS = 20
_MOST_INPUTS = 16
_LEAST = 1e-9  # influence beneath which an instance says nothing


def brief_paper(document: Document, style: str) -> paper.Paper:
    """The paper in one style, with the equations of the most influence on the results, from the results down."""
    symbols = Symbols(document.graph, document.names)
    working = Working(document, symbols, style)
    influence = RelativeInfluence(document)
    left = list(_left(document, symbols, working, influence))
    shown = _weightiest([equation for equation in left if not _is_renaming(equation)], influence)
    numbers = {equation.key: place for place, equation in enumerate(shown, 1)}
    given_by = {node.name: numbers[equation.key] for equation in shown for node in equation.nodes}
    read = {name for equation in shown for node in equation.nodes for name in _read(document, node)}
    others = _other_names(document, [equation for equation in left if _is_renaming(equation)], read)
    bases = {node.base for equation in shown for node in equation.nodes}
    unshown = {name for name in read if document.graph.nodes[name].base not in bases}
    inputs = list(paper.inputs_of(document, symbols, working))
    weights = sorted((line.name for line in inputs), key=lambda name: -influence.of([name]))[:_MOST_INPUTS]
    told = [
        line
        for line in inputs
        if line.name in weights or line.name in read or document.is_stated(line.name, line.origin)
    ]
    derived = tuple(paper.derived_of(document, [equation], working, numbers[equation.key]) for equation in shown)
    return replace(
        paper.framed(document, style, paper.results_of(document, symbols, working, given_by), shown),
        inputs=tuple(told),
        chapters=(paper.PaperChapter("", "", derived),),
        brief=True,
        beside=tuple(_beside(document, unshown, others, symbols, working)),
        kept=len(inputs) - len(told),
    )


def _left(document: Document, symbols: Symbols, working: Working, influence: RelativeInfluence) -> Iterator[Equation]:
    """The equations with any influence, in order, reduced to what counts here, without those left with a number."""
    for each in equations_of(document, symbols):
        nodes = [node for node in each.nodes if influence.of([node.name]) > _LEAST and working.is_computed(node)]
        equation = without_vanishing(each, nodes, working.value) if nodes and not paper.is_stated(each) else None
        if equation is not None and not _is_a_number(equation):
            yield equation


def _weightiest(equations: Sequence[Equation], influence: RelativeInfluence) -> list[Equation]:
    """The headlines and the other equations of the most influence, each before those that it reads."""
    weights = {equation.key: influence.of([node.name for node in equation.nodes]) for equation in equations}
    order = sorted(
        equations, key=lambda equation: (equation.first.name not in influence.headlines, -weights[equation.key])
    )
    kept = {equation.key for equation in order[:_MOST_EQUATIONS]}
    return [equation for equation in reversed(equations) if equation.key in kept]


def _is_renaming(equation: Equation) -> bool:
    """Whether all that is left is another quantity, perhaps under other inputs."""
    author = equation.first.author
    return isinstance(author, e.Name) or (isinstance(author, e.With) and isinstance(author.value, e.Name))


def _other_names(document: Document, renamings: Sequence[Equation], read: set[str]) -> dict[str, Equation]:
    """The renamings between what is read and what is shown, by name; what they read themselves is added to `read`."""
    found: dict[str, Equation] = {}
    for renaming in reversed(renamings):
        for node in renaming.nodes:
            if node.name in read:
                found[node.base] = renaming
                read.update(_read(document, node))
    return found


def _is_a_number(equation: Equation) -> bool:
    """Whether nothing is left but a number as it stands, which a table can hold."""
    expression = equation.first.expression
    return expression is None or (not any(e.references(expression)) and not e.children(expression))


def _read(document: Document, node: Node) -> Iterator[str]:
    """The nodes that an instance reads, with calls of functions replaced by what they read."""
    for name in e.references(node.expression) if node.expression is not None else ():
        if document.graph.nodes[name].is_part_of_another:
            yield from document.graph.reads(name)
        else:
            yield name


def _beside(
    document: Document,
    names: Collection[str],
    others: Mapping[str, Equation],
    symbols: Symbols,
    working: Working,
) -> Iterator[paper.TableLine]:
    """The formulas of these names, each once with all its values; cells of a table and inputs are told elsewhere."""
    values: dict[str, dict[str, None]] = {}
    for node in (document.graph.nodes[name] for name in document.names if name in names):
        if node.kind == "formula" and node.cell is None and not node.is_replaced_input:
            values.setdefault(node.base, {}).setdefault(working.shown(node))
    for name, texts in reversed(values.items()):
        node = document.graph.nodes[name]
        symbol = working.equated(others[name]) if name in others else symbols.of(name)
        yield paper.TableLine(Ready(symbol), name, node.sentence, ", ".join(texts), node.unit)


def without_vanishing(equation: Equation, nodes: Sequence[Node], value: _Value) -> Equation:
    """The equation with only these of its instances, and of its text what does not vanish in all of them."""
    author, kept = nodes[0].author, [node.expression for node in nodes if node.expression is not None]
    if author is None or len(kept) != len(nodes) or any(node.author != author for node in nodes):
        return Equation(equation.key, equation.name, equation.chapter, list(nodes))
    text, *lowered = _without_zeros((author, *kept), value)
    instances = zip(nodes, lowered, strict=True)
    changed = [replace(node, author=text, expression=x) for node, x in instances]
    return Equation(equation.key, equation.name, equation.chapter, changed)


def _without_zeros(trees: _Trees, value: _Value) -> _Trees:
    """The author's tree, the first, and those of its instances, without what vanishes."""
    if any(type(tree) is not type(trees[0]) for tree in trees):
        return trees
    taken = _taken(trees, value)
    return _without_zeros(taken, value) if taken is not None else _without_units(_rebuilt(trees, value))


def _taken(trees: _Trees, value: _Value) -> _Trees | None:
    """The only part that counts, if there is one: the branch taken, the other term beside one that is 0."""
    match trees[0]:
        case e.Conditional():
            return _by_condition(trees, value)
        case e.Match():
            return _by_arm(trees, value)
        case e.Binary("+" | "-") if _is_zero(_parts(trees, "right"), value):
            return _parts(trees, "left")
        case e.Binary("*", e.Call("one_if")) if all(value(part) == 1 for part in _parts(trees, "left")[1:]):
            return _parts(trees, "right")
        case e.Binary("+") if _is_zero(_parts(trees, "left"), value):
            return _parts(trees, "right")
    return None


def _by_condition(trees: _Trees, value: _Value) -> _Trees | None:
    held = {value(part) == 1 for part in _parts(trees, "condition")[1:]}
    return _parts(trees, "then" if True in held else "otherwise") if len(held) == 1 else None


def _by_arm(trees: _Trees, value: _Value) -> _Trees | None:
    """The value of the arm that fits in every instance."""

    def is_one(subject: e.Expression, pattern: e.Expression) -> bool:
        return value(e.Compare("==", subject, pattern)) == 1

    places = {
        next((place for place, arm in enumerate(arms) if any(is_one(subject, each) for each in arm.patterns)), -1)
        for subject, arms in zip(_parts(trees, "subject")[1:], _parts(trees, "arms")[1:], strict=True)
    }
    place = places.pop()
    return tuple(arms[place].value for arms in _parts(trees, "arms")) if place >= 0 and not places else None


def _is_zero(trees: _Trees, value: _Value) -> bool:
    return all(value(tree) == 0 for tree in trees[1:])


def _without_units(trees: _Trees) -> _Trees:
    """A product without a factor that is 1, where a branch left one."""
    if not isinstance(trees[0], e.Binary) or trees[0].operator != "*":
        return trees
    for one, other in (("left", "right"), ("right", "left")):
        if all(isinstance(part, e.Number) and part.text == "1" and not part.unit for part in _parts(trees, one)):
            return _parts(trees, other)
    return trees


def _parts(trees: _Trees, name: str) -> tuple[Any, ...]:
    return tuple(getattr(tree, name) for tree in trees)


def _rebuilt(trees: _Trees, value: _Value) -> _Trees:
    """The trees with what is left of each of their parts."""
    changed: list[dict[str, Any]] = [{} for _ in trees]
    for name in (field.name for field in fields(trees[0])):
        parts = _parts(trees, name)
        left: tuple[Any, ...]
        if all(isinstance(part, e.Expression) for part in parts):
            left = _without_zeros(parts, value)
        elif all(isinstance(part, tuple) for part in parts) and len({len(part) for part in parts}) == 1:
            columns = zip(*parts, strict=True)
            kept = (
                _without_zeros(column, value) if isinstance(column[0], e.Expression) else column for column in columns
            )
            left = tuple(zip(*kept, strict=True))
        else:
            continue
        for into, each in zip(changed, left, strict=False):
            into[name] = each
    return tuple(replace(tree, **into) for tree, into in zip(trees, changed, strict=True))
