"""Sorts nodes into the order of evaluation; a cycle is a finding with its whole chain."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.resolve.scope import Scope

if TYPE_CHECKING:
    from formula_eval.core.span import Span

_MOST_STEPS = 20


def reads(node: Node) -> tuple[str, ...]:
    """The nodes that a node reads, each once, in the author's order."""
    found: dict[str, None] = {}
    for part in (node.expression, node.guard):
        if part is not None:
            found.update(dict.fromkeys(e.references(part)))
    return tuple(found)


def ordered(parents: Mapping[str, Iterable[str]], scope: Scope, nodes: Mapping[str, Node]) -> list[str] | None:
    """The names, each after those that it reads; None if there are cycles, which are then among the findings."""
    done: dict[str, None] = {}
    in_cycles: set[str] = set()
    found: set[frozenset[Span]] = set()
    for start in parents:
        if start in done:
            continue
        path: dict[str, None] = {start: None}
        stack = [(start, iter(parents[start]))]
        while stack:
            name, rest = stack[-1]
            following = next((each for each in rest if each not in done and each in parents), None)
            if following is None:
                stack.pop()
                path.pop(name, None)
                done[name] = None
            elif following in path:
                chain = list(path)[list(path).index(following) :]
                places = frozenset(nodes[each].declaration.span for each in chain)
                if in_cycles.isdisjoint(chain) and places not in found:
                    _find_cycle(chain, scope, nodes)
                found.add(places)
                in_cycles.update(chain)
            else:
                path[following] = None
                stack.append((following, iter(parents[following])))
    return None if in_cycles else list(done)


def _find_cycle(chain: list[str], scope: Scope, nodes: Mapping[str, Node]) -> None:
    steps = list(zip(chain, [*chain[1:], chain[0]], strict=True))
    if len(steps) > _MOST_STEPS:
        steps = [*steps[: _MOST_STEPS // 2], *steps[-_MOST_STEPS // 2 :]]
    names = [f"`{name}`" for name, _ in steps] + [f"`{chain[0]}`"]
    if len(chain) > _MOST_STEPS:
        names.insert(_MOST_STEPS // 2, f"({len(chain) - _MOST_STEPS} more)")
    labels = [(nodes[name].declaration.span, f"`{name}` reads `{following}`") for name, following in steps]
    what = "A formula reads itself" if len(chain) == 1 else "These formulas read each other"
    scope.find("cycle", f"{what}: {' -> '.join(names)}", *labels, help="One of them must not need the other.")
