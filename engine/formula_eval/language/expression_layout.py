"""Lays out expressions on lines: on one if it fits, else in parentheses, split at the author's operators."""

from formula_eval.core import expression as e
from formula_eval.printing.printer import OR, SUM
from formula_eval.printing.text import TEXT, expression_text

WIDTH = 120
STEP = "    "


def laid_out(expression: e.Expression, column: int, indent: str, level: int = 0) -> str:
    """On one line if it fits after the column or is a single name, else inside parentheses on lines of their own."""
    flat = TEXT.within(expression, level)
    if column + len(flat) <= WIDTH or isinstance(expression, e.Name):
        return flat
    opening, inner, closing = _bracketed(expression, indent + STEP)
    return "".join([opening, *(f"\n{indent}{STEP}{line}" for line in inner), f"\n{indent}{closing}"])


def _bracketed(expression: e.Expression, indent: str) -> tuple[str, list[str], str]:
    """What opens an expression that does not fit on a line, its lines, and what closes it."""
    match expression:
        case e.Call(function, arguments) if arguments:
            return f"{function}(", [f"{laid_out(argument, len(indent) + 1, indent)}," for argument in arguments], ")"
        case e.Match(subject, arms):
            lines = [_arm(arm, indent) for arm in arms]
            return f"(match {expression_text(subject)}:", lines, ")"
        case e.Comprehension(function, value, row, table, condition):
            only = [f"if {laid_out(condition, len(indent) + 3, indent, 1)}"] if condition else []
            head = laid_out(value, len(indent), indent)
            return f"{function}(", [head, f"for {row} in {expression_text(table)}", *only], ")"
        case e.With(value, bindings):
            last = len(bindings) - 1
            lines = [
                f"{TEXT.binding(binding)}{',' if number < last else ''}" for number, binding in enumerate(bindings)
            ]
            return "(", [laid_out(value, len(indent), indent), f"with {lines[0]}", *lines[1:]], ")"
    return "(", _broken(expression, indent), ")"


def _arm(arm: e.Arm, indent: str) -> str:
    head = f"{TEXT.patterns(arm)} ->"
    return f"{head} {laid_out(arm.value, len(indent) + len(head) + 2, indent)},"


def _broken(expression: e.Expression, indent: str) -> list[str]:
    """The lines of an expression inside parentheses: one if it fits, else split at its outermost operators."""
    flat = expression_text(expression)
    if len(indent) + len(flat) <= WIDTH:
        return [flat]
    match expression:
        case e.Binary(operator="+" | "-" | "*" | "/" | "%") | e.Logical():
            return _operands(expression, indent)
        case e.Conditional(then, condition, otherwise):
            lines = [*_branch("", then, condition, indent)]
            while isinstance(otherwise, e.Conditional):
                lines += _branch("else ", otherwise.then, otherwise.condition, indent)
                otherwise = otherwise.otherwise
            return [*lines, f"else {laid_out(otherwise, len(indent) + 5, indent)}"]
        case e.Recurrence() | e.Solve():
            return _with_other(expression, indent)
        case e.Compare(operator, left, right):
            head = laid_out(left, len(indent), indent, SUM)
            return [head, f"{operator} {laid_out(right, len(indent) + 3, indent, SUM)}"]
    opening, inner, closing = _bracketed(expression, indent + STEP) if _has_brackets(expression) else ("", [flat], "")
    return [opening, *(f"{STEP}{line}" for line in inner), closing] if opening else inner


def _with_other(expression: e.Recurrence | e.Solve, indent: str) -> list[str]:
    """A value, and in a line of its own what stands behind its `else`."""
    other = expression.first if isinstance(expression, e.Recurrence) else expression.otherwise
    if isinstance(expression, e.Recurrence):
        lines = [laid_out(expression.value, len(indent), indent, OR)]
    elif TEXT.printed(expression.condition)[1] >= OR:
        lines = [TEXT.solve_head(expression), *_broken(expression.condition, indent)]
    else:
        lines = [TEXT.solve_head(expression), laid_out(expression.condition, len(indent), indent, OR)]
    return lines if other is None else [*lines, f"else {laid_out(other, len(indent) + 5, indent)}"]


def _has_brackets(expression: e.Expression) -> bool:
    return isinstance(expression, e.Match | e.Comprehension | e.With) or (
        isinstance(expression, e.Call) and bool(expression.arguments)
    )


def _branch(word: str, then: e.Expression, condition: e.Expression, indent: str) -> list[str]:
    flat = f"{word}{TEXT.within(then, OR)} if {TEXT.within(condition, OR)}"
    if len(indent) + len(flat) <= WIDTH:
        return [flat]
    head = f"{word}{laid_out(then, len(indent) + len(word), indent, OR)}"
    return [head, f"if {laid_out(condition, len(indent) + 3, indent, OR)}"]


def _operands(expression: e.Binary | e.Logical, indent: str) -> list[str]:
    """The operands of a chain of one precedence, each after the first with its operator before it."""
    _, level = TEXT.printed(expression)
    chain: list[str] = []
    rest: e.Expression = expression
    while isinstance(rest, e.Binary | e.Logical) and TEXT.printed(rest)[1] == level:
        operator = f"{rest.operator} "
        chain.insert(0, operator + laid_out(rest.right, len(indent) + len(operator), indent, level + 1))
        rest = rest.left
    return [laid_out(rest, len(indent), indent, level), *chain]
