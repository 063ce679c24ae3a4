"""Prints the formula of each node once in a notation, and puts the names of a program into the text that is kept."""

from formula_eval.core import expression as e
from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.printing.code import CodePrinter
from formula_eval.printing.printer import Names

_MARK, _FLAG = "\0", "?"  # around a name; before one that decides


class NodeTexts:
    """The texts of the nodes of a graph in a notation; `local` spells what is read, `condition` a flag that decides."""

    def __init__(
        self, graph: FormulaGraph, notation: str, printer: type[CodePrinter], local: Names, condition: Names
    ) -> None:
        """Print in this notation, whose texts are kept under its name."""
        self._kept = graph.printed.texts.setdefault(notation, {})
        self._local, self._condition = local, condition
        self._printer = printer(lambda name: f"{_MARK}{name}{_MARK}", lambda name: f"{_MARK}{_FLAG}{name}{_MARK}")

    def text(self, node: Node, x: e.Expression) -> str:
        """The text of what a node computes."""
        kept, parts = self._kept.get(node.name, (None, ()))
        if kept is None or kept.expression is not node.expression or kept.guard is not node.guard:
            parts = tuple(self._printer.text(x).split(_MARK))
            self._kept[node.name] = node, parts
        spelled = list(parts)
        for place in range(1, len(parts), 2):
            name = parts[place]
            spelled[place] = self._condition(name[1:]) if name.startswith(_FLAG) else self._local(name)
        return "".join(spelled)
