"""Evaluates a list as Python repeats it, `([0]*3+[1]*58)`, to its items; nothing is run."""

import ast

from formula_eval.core.diagnostic import refuse
from formula_eval.launch.python_script.code import parsed

_MOST = 10_000


def repeated(text: str, written: str) -> list[int]:
    """The items of such a list; of a number n, one 1 in n; raises FormulaError for anything else."""
    try:
        found = _value(parsed(text.strip(), "eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = None
    if isinstance(found, int) and 0 < found <= _MOST:
        return [0] * (found - 1) + [1]
    if not isinstance(found, list) or not found:
        help_ = "Write a list of 0 and 1, such as `[0]*3+[1]*58`, or a whole number."
        raise refuse("bad-value", f"`{written}` is `{text}`, which is no such list", help=help_)
    return found


def _value(node: ast.expr) -> list[int] | int:
    """What a sum or product of lists and whole numbers is; raises ValueError for anything else."""
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return number
        case ast.List(elts=items):
            return [each for item in items if isinstance(each := _value(item), int)]
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            first, second = _value(left), _value(right)
            if isinstance(first, list) and isinstance(second, list):
                return _short([*first, *second])
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            first, second = _value(left), _value(right)
            held, times = (first, second) if isinstance(first, list) else (second, first)
            if isinstance(held, list) and isinstance(times, int):
                return _short(held * min(times, _MOST + 1))
    raise ValueError


def _short(items: list[int]) -> list[int]:
    if len(items) > _MOST:
        raise ValueError
    return items
