"""Expression to text, as the language spells it: canonical, and read back as the same tree."""

from formula_eval.core import expression as e

_CONDITIONAL, OR, _AND, _NOT, _COMPARE, SUM, _PRODUCT, _NEGATE, _POWER, _ATOM = range(10)
_BINARY = {"+": SUM, "-": SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT, "**": _POWER}


def expression_text(expression: e.Expression) -> str:
    """The expression on one line, with the parentheses it needs and no others."""
    return _text(expression)[0]


def _text(x: e.Expression) -> tuple[str, int]:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
    match x:
        case e.Number(text, unit):
            return number_text(text, unit), _ATOM
        case e.Infinity():
            return "infinity", _ATOM
        case e.FlagValue(value):
            return "true" if value else "false", _ATOM
        case e.Name(path):
            return ".".join(path), _ATOM
        case e.Reference(node, written):
            return written or node, _ATOM
        case e.ChoiceValue(word):
            return word, _ATOM
        case e.Given(node):
            return f"given({node})", _ATOM
        case e.Negate(operand):
            return f"-{_in(operand, _NEGATE)}", _NEGATE
        case e.Binary(operator, left, right):
            level = _BINARY[operator]
            if operator == "**":
                return f"{_in(left, _ATOM)} ** {_in(right, _NEGATE)}", level
            return f"{_in(left, level)} {operator} {_in(right, level + 1)}", level
        case e.Compare(operator, left, right):
            return f"{_in(left, SUM)} {operator} {_in(right, SUM)}", _COMPARE
        case e.Logical(operator, left, right):
            level = OR if operator == "or" else _AND
            return f"{_in(left, level)} {operator} {_in(right, level + 1)}", level
        case e.Not(operand):
            return f"not {_in(operand, _NOT)}", _NOT
        case e.Conditional(then, condition, otherwise):
            parts = f"{_in(then, OR)} if {_in(condition, OR)} else {_in(otherwise, _CONDITIONAL)}"
            return parts, _CONDITIONAL
        case e.Match(subject, arms):
            inner = ", ".join(arm_text(arm) for arm in arms)
            return f"(match {expression_text(subject)}: {inner})", _ATOM
        case e.Call(_, _, written) if written:
            return written, _ATOM
        case e.Call(function, arguments):
            return f"{function}({', '.join(expression_text(each) for each in arguments)})", _ATOM
        case e.Comprehension(function, value, row, table, condition):
            only = f" if {_in(condition, OR)}" if condition else ""
            return f"{function}({expression_text(value)} for {row} in {expression_text(table)}{only})", _ATOM
        case e.With(value, bindings):
            inner = ", ".join(f"{expression_text(b.name)} = {expression_text(b.value)}" for b in bindings)
            return f"({expression_text(value)} with {inner})", _ATOM
        case e.Arm():
            return arm_text(x), _CONDITIONAL
    raise TypeError(type(x).__name__)


def precedence(expression: e.Expression) -> int:
    """How tightly the outermost operator binds; an atom binds most."""
    return _text(expression)[1]


def text_within(expression: e.Expression, level: int) -> str:
    """The expression as an operand where only so tight an operator needs no parentheses."""
    return _in(expression, level)


def number_text(text: str, unit: str) -> str:
    """`2 FLOP`, `(100 GB/s)`, `17`."""
    if not unit:
        return text
    return f"({text} {unit})" if "/" in unit or "*" in unit else f"{text} {unit}"


def patterns_text(arm: e.Arm) -> str:
    """`none | core`."""
    return " | ".join(expression_text(pattern) for pattern in arm.patterns)


def arm_text(arm: e.Arm) -> str:
    """`none | core -> value`."""
    return f"{patterns_text(arm)} -> {expression_text(arm.value)}"


def _in(expression: e.Expression, level: int) -> str:
    text, own = _text(expression)
    return f"({text})" if own < level else text
