"""Collects the examples of chapters as cases, each with the node that computes it: for a function, a call of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from formula_eval.check.example_givens import Situations
from formula_eval.core import declaration as d, expression as e
from formula_eval.core.change import Change
from formula_eval.core.namespace import qualified
from formula_eval.core.notes import Example


@dataclass(frozen=True, slots=True)
class Case:
    """An example of the formula `name` of a `namespace`, and the `node` that computes it under these `givens`.

    `call` is the call of a function whose example it is.
    """

    node: str
    name: str
    namespace: str
    example: Example
    givens: tuple[tuple[str, str | e.Expression], ...]
    call: e.Expression | None = None


def with_calls(
    chapters: Iterable[d.Chapter], situations: Situations, changes: Iterable[Change]
) -> tuple[list[d.Chapter], list[Case]]:
    """All examples, and chapters with a formula for each example of a function: a call with its arguments."""
    more: list[d.Chapter] = []
    cases: list[Case] = []
    called: set[str] = set()
    changed = {each.declaration.span: each for each in changes}
    for chapter in chapters:
        calls: list[d.Declaration] = []
        for declared in chapter.declarations:
            change = changed.get(declared.span)
            name = qualified(chapter.namespace, declared.name) if change is None else change.node
            function = declared if change is None else change.before
            for number, example in enumerate(declared.notes.examples):
                givens = situations.givens(example, chapter.namespace)
                if isinstance(function, d.FunctionDeclaration):
                    call = _call(function, name, dict(givens), example, number)
                    node = qualified(chapter.namespace, call.name)
                    if node in called:
                        continue  # the function itself is declared twice
                    calls.append(call)
                    called.add(node)
                    own = {parameter.name for parameter in function.parameters}
                    rest = tuple(pair for pair in givens if pair[0] not in own)
                    cases.append(Case(node, name, chapter.namespace, example, rest, call.expression))
                else:
                    cases.append(Case(name, name, chapter.namespace, example, givens))
        if calls:
            more.append(replace(chapter, declarations=tuple(calls)))
    return more, cases


def called(cases: Iterable[Case], chapters: Iterable[d.Chapter]) -> list[d.Chapter]:
    """Of the chapters of calls, those with the calls of these cases alone."""
    nodes = {case.node for case in cases}
    found = []
    for chapter in chapters:
        calls = tuple(
            declaration
            for declaration in chapter.declarations
            if qualified(chapter.namespace, declaration.name) in nodes
        )
        if calls:
            found.append(replace(chapter, declarations=calls))
    return found


def _call(
    declared: d.FunctionDeclaration, node: str, given: Mapping[str, str | e.Expression], example: Example, number: int
) -> d.FormulaDeclaration:
    arguments = tuple(_literal(given.get(parameter.name, e.Number("0"))) for parameter in declared.parameters)
    call = e.Call(node, arguments, span=example.span)
    name = f"{declared.name}_example_{number + 1}"
    return d.FormulaDeclaration(name=name, type=declared.type, expression=call, span=example.span)


def _literal(value: str | e.Expression) -> e.Expression:
    return e.Name((value,)) if isinstance(value, str) else value
