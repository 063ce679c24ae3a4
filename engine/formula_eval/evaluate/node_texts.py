"""Prints the formula of each node once in a notation, and puts the names of a program into the text that is kept."""

from collections.abc import Callable

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.printing.printer import Names

_MARK, _FLAG = "\0", "?"  # around a name; before one that decides

Printed = Callable[[e.Expression, Names, Names], str]


class NodeTexts:
    """The texts of the nodes of a graph in a notation; `local` spells what is read, `condition` a flag that decides."""

    def __init__(self, graph: FormulaGraph, notation: str, printed: Printed, local: Names, condition: Names) -> None:
        """Print by `printed`, which is given an expression and how both are spelled."""
        self._kept = graph.printed.texts.setdefault(notation, {})
        self._printed, self._local, self._condition = printed, local, condition

    def text(self, node: Node, x: e.Expression) -> str:
        """The text of what a node computes."""
        kept, parts = self._kept.get(node.name, (None, ()))
        if kept is None or kept.expression is not node.expression or kept.guard is not node.guard:
            marked = self._printed(x, lambda name: f"{_MARK}{name}{_MARK}", lambda name: f"{_MARK}{_FLAG}{name}{_MARK}")
            parts = tuple(marked.split(_MARK))
            self._kept[node.name] = node, parts
        spelled = list(parts)
        for place in range(1, len(parts), 2):
            name = parts[place]
            spelled[place] = self._condition(name[1:]) if name.startswith(_FLAG) else self._local(name)
        return "".join(spelled)
