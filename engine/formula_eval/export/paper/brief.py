"""Builds a brief paper: results, assumptions, the equations that matter most for them, and references."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from formula_eval.core.expression import Name, With, children, references
from formula_eval.core.graph import Node
from formula_eval.export.document import Document
from formula_eval.export.paper import paper
from formula_eval.export.paper.drop_zero_terms import without_vanishing
from formula_eval.export.paper.equations import Equation, equations_of
from formula_eval.export.paper.symbols import Symbols
from formula_eval.export.paper.worked_equation import Working
from formula_eval.export.relevance import RelativeInfluence
from formula_eval.export.templates import Ready

_MOST_EQUATIONS = 20
_MOST_INPUTS = 16
_LEAST = 1e-9  # influence beneath which an instance says nothing


def brief_paper(document: Document, style: str) -> paper.Paper:
    """The paper in one style, with the equations of the most influence on the results, from the results down."""
    symbols = Symbols(document.graph, document.names)
    working = Working(document, symbols, style)
    influence = RelativeInfluence(document)
    left = list(_left(document, symbols, working, influence))
    shown = _weightiest([each for each in left if not _is_renaming(each)], influence)
    numbers = {each.key: place for place, each in enumerate(shown, 1)}
    given_by = {node.name: numbers[each.key] for each in shown for node in each.nodes}
    read = {name for each in shown for node in each.nodes for name in _read(document, node)}
    others = _other_names(document, [each for each in left if _is_renaming(each)], read)
    inputs = list(paper.inputs_of(document, symbols, working))
    weights = sorted((each.name for each in inputs), key=lambda name: -influence.of([name]))[:_MOST_INPUTS]
    told = [
        each
        for each in inputs
        if each.name in weights or each.name in read or document.is_stated(each.name, each.origin)
    ]
    derived = tuple(paper.derived_of(document, [each], working, numbers[each.key]) for each in shown)
    return replace(
        paper.framed(document, style, paper.results_of(document, symbols, working, given_by), shown),
        inputs=tuple(told),
        chapters=(paper.PaperChapter("", "", derived),),
        brief=True,
        beside=tuple(_beside(document, read - given_by.keys(), others, symbols, working)),
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
    weights = {each.key: influence.of([node.name for node in each.nodes]) for each in equations}
    order = sorted(equations, key=lambda each: (each.first.name not in influence.headlines, -weights[each.key]))
    kept = {each.key for each in order[:_MOST_EQUATIONS]}
    return [each for each in reversed(equations) if each.key in kept]


def _is_renaming(equation: Equation) -> bool:
    """Whether all that is left is another quantity, perhaps under other inputs."""
    author = equation.first.author
    return isinstance(author, Name) or (isinstance(author, With) and isinstance(author.value, Name))


def _other_names(document: Document, renamings: Sequence[Equation], read: set[str]) -> dict[str, Equation]:
    """The renamings between what is read and what is shown, by name; what they read themselves is added to `read`."""
    found: dict[str, Equation] = {}
    for each in reversed(renamings):
        for node in each.nodes:
            if node.name in read:
                found[node.base] = each
                read.update(_read(document, node))
    return found


def _is_a_number(equation: Equation) -> bool:
    """Whether nothing is left but a number as it stands, which a table can hold."""
    expression = equation.first.expression
    return expression is None or (not any(references(expression)) and not children(expression))


def _read(document: Document, node: Node) -> Iterator[str]:
    """The nodes that an instance reads, with calls of functions replaced by what they read."""
    for name in references(node.expression) if node.expression is not None else ():
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
