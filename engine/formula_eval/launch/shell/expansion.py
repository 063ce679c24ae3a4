"""Expands a word of a script as a shell does, from plain assignments alone; the rest is left open."""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from typing import NamedTuple, TypeAlias

from formula_eval.core.diagnostic import refuse
from formula_eval.launch.shell.lexer import Scanner, Word, WordPart
from formula_eval.records.open_text import OPEN, left_open

_SUBSCRIPT = re.compile(r"([A-Za-z_]\w*)\[[@*]\]")
_ALL = re.compile(r"([@*])")
_DEFAULTED = re.compile(r"(\w+|[@*])(:?[-=?+])(.*)", re.DOTALL)
_SUM = re.compile(r"\s*(\d+|&&|\|\||[<>=!]=|[-+*/%()<>!]|\$?\{?[A-Za-z_]\w*\}?)")
_SIGNS = {"&&": "and", "||": "or", "!": "~"}
_FIELD = re.compile(f"(?:{OPEN}[^{OPEN}]*{OPEN}|[^\\s{OPEN}])+")
_UNSET = re.compile(f"{OPEN}\\$\\{{?(\\w+)\\}}?{OPEN}")
_DEEPEST = 20
LONGEST = 1_000_000  # characters, as many as a file may have that is read

Value: TypeAlias = str | tuple[str, ...]


class Variables(NamedTuple):
    """What plain assignments say, by name: a text, or a list of words."""

    values: Mapping[str, Value]
    depth: int = 0

    def expanded(self, word: Word) -> list[str]:
        """The words that this one stands for: an unquoted variable is split at its blanks, a list is many."""
        fields: list[str] = []
        current: str | None = None
        length = 0
        for part in word.parts:
            value = self._value(part)
            length += sum(map(len, value))
            check_length(length)
            for number, piece in enumerate(_pieces(part, value)):
                if number and current is not None:
                    fields.append(current)
                current = piece if number else (current or "") + piece
        return fields if current is None else [*fields, current]

    def text(self, word: Word) -> str:
        """The word as one text, as in an assignment."""
        found = ""
        for part in word.parts:
            value = self._value(part)
            found += value if isinstance(value, str) else " ".join(value)
            check_length(len(found))
        return found

    def is_unset(self, text: str) -> bool:
        """Whether a text is a variable alone that no assignment sets."""
        found = _UNSET.fullmatch(text)
        return found is not None and found[1] not in self.values

    def _value(self, part: WordPart) -> Value:
        match part.kind:
            case "text":
                return part.text
            case "arithmetic":
                return self.computed(part.text)
            case "variable":
                return self._variable(part.text)
            case "list":
                return ""
        return left_open(part.text)

    def _variable(self, written: str) -> Value:
        listed = _SUBSCRIPT.fullmatch(written) or _ALL.fullmatch(written)
        name = listed[1] if listed else written
        if name in self.values:
            held = self.values[name]
            return held if listed or isinstance(held, str) else (held[0] if held else "")
        defaulted = _DEFAULTED.fullmatch(written)
        if defaulted is None or self.depth >= _DEEPEST:
            return left_open(f"${written}" if name == written else f"${{{written}}}")
        name, sign, other = defaulted.groups()
        held = self.values.get(name, "")
        if sign.endswith("+"):
            return self._inner(other) if held else ""
        if held or sign.endswith("?"):
            return held or left_open(f"${{{name}}}")
        return self._inner(other)

    def _inner(self, text: str) -> str:
        """A default, which may name variables itself."""
        tokens = Scanner(text.replace(" ", "\\ ")).tokens()
        deeper = self._replace(depth=self.depth + 1)
        return "".join(deeper.text(token) if isinstance(token, Word) else token.sign for token in tokens)

    def computed(self, text: str) -> str:
        """Whole-number arithmetic of a shell; left open where a part of it is unknown."""
        tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            found = _SUM.match(text, at)
            if found is None:
                return left_open(f"$(({text}))")
            token = found[1].strip("${}")
            if re.fullmatch(r"[A-Za-z_]\w*", token):
                held = self.values.get(token, "")
                if not isinstance(held, str) or not held.strip().isdecimal():
                    return left_open(f"$(({text}))")
                token = held.strip()
            tokens.append(token)
            at = found.end()
        try:
            plain = [str(int(each)) if each.isdecimal() else _SIGNS.get(each, each) for each in tokens]
            return str(_whole(ast.parse(" ".join(plain), mode="eval").body))
        except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
            return left_open(f"$(({text}))")


def _pieces(part: WordPart, value: Value) -> Sequence[str]:
    """What a part of a word becomes: several pieces for a list, and for a variable that stands in no quotes."""
    if part.kind == "variable" and not part.quoted:
        return split(value if isinstance(value, str) else " ".join(value))
    if isinstance(value, str):
        return [value]
    return [" ".join(value)] if part.text.endswith(("[*]", "*")) else value


def _whole(node: ast.expr) -> int:
    """What whole-number arithmetic gives, comparisons from left to right; raises ValueError for anything else."""
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_whole(inner)
        case ast.UnaryOp(op=ast.Invert(), operand=inner):  # what stands for `!`, which binds as closely
            return int(_whole(inner) == 0)
        case ast.BoolOp(op=joined, values=several):
            holds = [_whole(expr) != 0 for expr in several]
            return int(all(holds) if isinstance(joined, ast.And) else any(holds))
        case ast.Compare(left=first, ops=signs, comparators=others):
            return reduce(
                lambda a, rest: int(_ORDER[type(rest[0])](a, _whole(rest[1]))),
                zip(signs, others, strict=True),
                _whole(first),
            )
        case ast.BinOp(op=sign, left=left, right=right) if type(sign) in _TERMS:
            return _TERMS[type(sign)](_whole(left), _whole(right))
    raise ValueError(node)


def _divided(a: int, b: int) -> int:
    """A quotient towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_ORDER = {ast.Lt: lt, ast.LtE: le, ast.Gt: gt, ast.GtE: ge, ast.Eq: eq, ast.NotEq: ne}
_TERMS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: _divided,
    ast.Mod: lambda a, b: a - _divided(a, b) * b,
}


def check_length(length: int, most: int = LONGEST) -> None:
    """Refuse a text that becomes longer than this by what is filled in."""
    if length > most:
        message = f"What its variables stand for unfolds to more than {most:,} characters"
        help_ = "Look for a variable that is set to itself several times."
        raise refuse("too-long", message, help=help_)


def split(text: str) -> list[str]:
    """A text at its blanks, but for those in what is left open; backslashes at line ends fall away."""
    return [each for each in _FIELD.findall(text.replace("\\\n", " ")) if each != "\\"]


def split_words(text: str, values: Mapping[str, Value]) -> list[str]:
    """The words of a command as a shell splits it, with these variables filled in."""
    known = Variables(values)
    tokens = Scanner(" ".join(text.replace("\\\n", " ").split("\n"))).tokens()
    return [name for token in tokens if isinstance(token, Word) for name in known.expanded(token)]
