"""Evaluates a list as Python repeats it, `([0]*3+[1]*58)`, to its items; nothing is run."""

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.launch.python_script.code import parsed
from formula_eval.launch.python_script.expressions import Values

_MOST = 10_000


def repeated(text: str, written: str) -> list[int]:
    """The items of such a list; of a number n, one 1 in n; raises FormulaError for anything else."""
    try:
        found = Values({}).visit(parsed(text.strip(), "eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError, FormulaError):
        found = None
    if type(found) is int and 0 < found <= _MOST:
        return [0] * (found - 1) + [1]
    if not isinstance(found, list) or not 0 < len(found) <= _MOST or any(type(each) is not int for each in found):
        help_ = "Write a list of 0 and 1, such as `[0]*3+[1]*58`, or a whole number."
        raise refuse("bad-value", f"`{written}` is `{text}`, which is no such list", help=help_)
    return found
