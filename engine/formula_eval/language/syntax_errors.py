"""Explains what the parser could not read, in the words of someone who writes formulas."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lark import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from formula_eval.core.diagnostic import Diagnostic, Label, enumerated
from formula_eval.language.keywords import reserved_words
from formula_eval.language.text_limits import TextPlace, open_text, unbalanced
from formula_eval.text_files import read_toml

_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "PERCENT"}
_OPERAND = {"NAME", "NUMBER", "LPAR"}
_MOST_WORDS = 5

_RENAME = "Choose another name, for example its plural."


class _Slip(NamedTuple):
    """The place of an error: its line, what stands before and behind, and what the parser could have taken."""

    line: str
    before: str
    at: str
    terminals: set[str]


class _Surroundings(NamedTuple):
    """What to write where a slip looks so: patterns around it, and terminals that the parser takes there or lacks."""

    says: str
    line: str = ""
    before: str = ""
    behind: str = ""
    at: str = ""
    takes: Sequence[str] = ()
    lacks: Sequence[str] = ()

    def advice(self, slip: _Slip) -> str:
        """What to write, with parts of what `before` matched for numbers in braces; nothing where it is unfit."""
        found = re.search(self.before, slip.before)
        if found is not None and self.behind:
            on = re.compile(f"{self.before[:-1]}{self.behind}")
            found = on.match(f"{slip.before[found.start() :]}{slip.at}")
        looks_so = re.search(self.line, slip.line) and re.match(self.at, slip.at)
        fits = slip.terminals.issuperset(self.takes) and slip.terminals.isdisjoint(self.lacks)
        return self.says.format("", *found.groups()) if found is not None and looks_so and fits else ""


@cache
def _advice() -> Mapping[str, Any]:
    """What syntax_advice.toml says."""
    path = Path(__file__).with_name("syntax_advice.toml")
    return read_toml(path, path.name)


def explain_syntax(error: UnexpectedInput | DedentError, text: str, place: TextPlace) -> Diagnostic:
    """The diagnostic for what the parser met in this statement."""
    sooner = open_text(text, place) or unbalanced(text, place)
    if sooner:
        return sooner
    if isinstance(error, DedentError):
        return _indentation(text, place)
    line, column = _place(error, text)
    found = re.match(r"\w+|->|\.\.|[=!<>]=|\*\*|\S", _line(text, line)[column - 1 :])
    span = place.span(line, column, len(found[0]) if found else 1)
    if taken := _taken_name(_line(text, line), column):
        message = f"`{taken}` is a word of the language"
        return Diagnostic("syntax", message, (Label(place.span(line, column - len(taken), len(taken))),), _RENAME)
    word = f"`{found[0]}`" if found else "end of the line"
    at_start = not text[: text.find(_line(text, line))].strip() and column == 1
    expected = "a statement" if at_start else _expected(error)
    message = f"Unexpected {word}" + (f"; expected {expected}" if expected else "")
    return Diagnostic("syntax", message, (Label(span),), _help(error, text, line, column))


def _taken_name(line: str, column: int) -> str:
    """The word of the language that stands where a statement or a column has its name."""
    found = re.match(r" *([a-z]+)(?=[:=])", line)
    is_name = found is not None and found.end() == column - 1 and found[1] in reserved_words()
    return found[1] if found is not None and is_name else ""


def _place(error: UnexpectedInput, text: str) -> tuple[int, int]:
    """The line and column of what was met, counted from 1."""
    kind = error.token.type if isinstance(error, UnexpectedToken) else ""
    if kind == "$END" or not isinstance(error.line, int) or error.line < 1:
        line = max(len(text.rstrip().splitlines()), 1)
        return line, len(_line(text, line).rstrip()) + 1
    if kind == "_NL":
        return error.line, len(_line(text, error.line).rstrip()) + 1
    if kind in {"_INDENT", "_DEDENT"}:
        line = min(error.line + (kind == "_INDENT"), max(text.count("\n"), 1))
        here = _line(text, line)
        return line, len(here) - len(here.lstrip()) + 1
    return error.line, error.column


def _line(text: str, line: int) -> str:
    lines = text.splitlines() or [""]
    return lines[min(line, len(lines)) - 1]


def _terminals(error: UnexpectedInput) -> set[str]:
    if isinstance(error, UnexpectedToken):
        return set(error.accepts or error.expected)
    if isinstance(error, UnexpectedCharacters):
        return set(error.allowed or ())
    return set(error.expected) if isinstance(error, UnexpectedEOF) else set()


def _expected(error: UnexpectedInput) -> str:
    terminals = _terminals(error)
    words = []
    terminals -= {"ELSE"} if "IF" in terminals else set()
    if terminals >= _OPERAND:
        words.append("an expression")
        terminals -= _OPERAND | _OPERATORS | {"TRUE", "FALSE", "INFINITY", "NOT"}
    elif terminals >= _OPERATORS:
        words.append("an operator")
        terminals -= _OPERATORS | {"COMPARISON", "__ANON_2", "AND", "OR", "IF", "UNIT", "LPAR"}
    known = _advice()["words"]
    words += [known[terminal] for terminal in sorted(terminals) if terminal in known]
    return enumerated(words if len(words) <= _MOST_WORDS else words[:1], "or")


def _help(error: UnexpectedInput, text: str, line: int, column: int) -> str:
    """What to write instead, as far as the place tells."""
    here = _line(text, line)
    for slip in _advice()["slips"]:
        pattern = re.compile(slip["pattern"])
        if pattern.match(here, column - 1) or pattern.search(here[max(0, column - 3) : column + 2]):
            return str(slip["says"])
    place = _Slip(here, here[: column - 1], here[column - 1 :], _terminals(error))
    advice = (_Surroundings(**surrounding).advice(place) for surrounding in _advice()["surroundings"])
    return next(filter(None, advice), "") or _form(text, line)


def _form(text: str, line: int) -> str:
    words = text.split(maxsplit=1)
    kind = words[0] if words else ""
    above = "\n".join(text.splitlines()[:line])
    has_arms = re.search(r"[=(]\s*match\b", above) and not re.search(r'^ +("|[a-z]+ ")', above, re.MULTILINE)
    part = "formula"
    if kind != "table" and has_arms:
        part = "arms"
    elif kind == "extend" and re.match(r" +row\b", _line(text, line)):
        return str(_advice()["forms"]["table"])
    elif line > 1 and kind not in ("table", "situation", "part"):
        part = "notes"
    elif kind == "table" and " from " in text.partition("\n")[0]:
        part = "table_from_records"
    elif kind == "table" and re.search(r" for \w+(?: in |,)", text.partition("\n")[0]):
        part = "table_with_loop"
    elif kind in _advice()["forms"]:
        return str(_advice()["forms"][kind])
    note = _line(text, line).split(maxsplit=1)[:1]
    of_note = _advice()["notes"].get(note[0]) if part == "notes" and note else None
    return str(of_note or _advice()["parts"][part])


def _indentation(text: str, place: TextPlace) -> Diagnostic:
    """The first line that goes back to a depth at which no line above it stands."""
    depths = [0]
    depth, number = 0, 1
    for number, line in enumerate(text.splitlines(), 1):  # noqa: B007 - where the loop ends is what is asked
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        if depth < depths[-1] and depth not in depths:
            break
        while depth < depths[-1]:
            depths.pop()
        if depth > depths[-1]:
            depths.append(depth)
    message = "This line's indentation matches no line above"
    label = Label(place.span(number, 1, max(depth, 1)))
    return Diagnostic("indentation", message, (label,), "Indent with four spaces for each level.")
