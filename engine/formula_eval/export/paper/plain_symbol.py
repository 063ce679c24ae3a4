r"""Checks whether the symbol that an author chose may go into LaTeX as it stands.

LaTeX can read and write files, and one symbol that it cannot set spoils a whole paper. So a symbol is a row of letters,
signs and known commands, each with at most one subscript and one superscript; anything else is not used.
"""

import re

_BARE = """
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho sigma tau
upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell hbar infty
partial nabla max min sup inf lceil rceil lfloor rfloor langle rangle prime star ast circ cdot times pm to mid
parallel
""".split()  # noqa: SIM905 - a list would be as many lines
_TAKING = """
mathrm mathit mathbf mathsf mathcal mathbb text bar hat tilde vec dot ddot widehat widetilde overline
underline
""".split()  # noqa: SIM905 - a list would be as many lines
_PARTS = re.compile(r"\\[A-Za-z]+|\\[,;:! ]|[A-Za-z0-9_^{}()\[\]|'*+\-=/.,:<>]| +")
_LONGEST = 120


class _UnfitError(ValueError):
    """Raised for a symbol that may not go into LaTeX."""


def is_plain(symbol: str) -> bool:
    """Whether LaTeX sets this symbol, and does nothing else."""
    parts = _PARTS.findall(symbol)
    if not symbol.strip() or len(symbol) > _LONGEST or "".join(parts) != symbol:
        return False
    try:
        waiting = [part for part in parts if part.strip()]
        _row(waiting)
    except (_UnfitError, IndexError):
        return False
    return not waiting


def _row(waiting: list[str]) -> None:
    """Take parts up to the end of a group."""
    while waiting and waiting[0] != "}":
        _atom(waiting)
        seen = ""
        while waiting and waiting[0] in ("_", "^", "'"):
            mark = waiting.pop(0)
            if mark in seen or (mark == "'" and "^" in seen) or (mark == "^" and "'" in seen):
                raise _UnfitError
            seen += mark if mark != "'" else ""
            if mark == "'":
                seen += "" if waiting and waiting[0] == "'" else "'"
            else:
                _atom(waiting)


def _atom(waiting: list[str]) -> None:
    """Take one letter, sign, command or group."""
    part = waiting.pop(0)
    if part == "{":
        _row(waiting)
        if waiting.pop(0) != "}":
            raise _UnfitError
    elif part in {"_", "^", "'", "}"}:
        raise _UnfitError
    elif part[0] == "\\" and part[1:].isalpha():
        if part[1:] in _TAKING:
            if waiting[0] != "{" and not waiting[0].isalnum():
                raise _UnfitError
            _atom(waiting)
        elif part[1:] not in _BARE:
            raise _UnfitError
