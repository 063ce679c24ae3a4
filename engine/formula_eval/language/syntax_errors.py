"""What the parser could not read, said in the words of someone who writes formulas."""

import re

from lark import UnexpectedCharacters
from lark import UnexpectedEOF
from lark import UnexpectedInput
from lark import UnexpectedToken
from lark.indenter import DedentError

from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.diagnostic import Label
from formula_eval.language.refusals import Place
from formula_eval.language.refusals import open_text
from formula_eval.language.refusals import unbalanced

# What each terminal of the grammar is called by a reader; those not listed never stand alone in a message.
_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "UNIT": "a unit",
    "COMPOUND_UNIT": "a unit such as GB/s",
    "TYPE": "a unit or type",
    "STRING": "a text in double quotes",
    "WORD": "a value",
    "LEVEL": "`refuse`, `warn` or `note`",
    "COMPARISON": "a comparison",
    "EQUAL": "`=`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "RPAR": "`)`",
    "LPAR": "`(`",
    "__ANON_0": "`..`",
    "VBAR": "`|`",
    "IF": "`if`",
    "ELSE": "`else`",
    "FROM": "`from`",
    "AT": "`at most`",
    "MOST": "`most`",
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the statement",
    "ROW": "`row`",
}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "PERCENT"}
_OPERAND = {"NAME", "NUMBER", "LPAR"}

# Frequent slips: what the text looks like at the place of the error, and what to write instead.
_SLIPS = (
    (re.compile(r"\^"), "A power is written `**`: `x ** 2`."),
    (re.compile(r"&&|\|\|"), "Write `and`, `or`."),
    (re.compile(r"!(?!=)"), "Write `not x`."),
    (re.compile(r"\?"), "A condition is written `a if condition else b`."),
    (re.compile(r"#"), 'There are no comments; a remark is a note: `note "..."`.'),
    (re.compile(r"//"), "Whole division is `floordiv(a, b)`."),
    (re.compile(r"[=]=="), "Equality is written `==`."),
    (re.compile(r"\+=|-=|\*=|/="), "A formula is written once; there is no assignment in place."),
    (re.compile(r"=>|<-"), "An arrow is written `->`; at least is `>=`."),
    (re.compile(r"'"), "Texts stand in double quotes."),
    (re.compile(r"\["), "A cell of a table is written `table.row.column`."),
    (re.compile(r"lambda\b"), "There are no lambdas; write a `def`."),
    (re.compile(r"[^\x00-\x7f]"), "Names and operators are plain ASCII."),
)


def explain_syntax(error: UnexpectedInput | DedentError, text: str, place: Place) -> Diagnostic:
    """The diagnostic for what the parser met in this statement."""
    sooner = open_text(text, place) or unbalanced(text, place)
    if sooner:
        return sooner
    if isinstance(error, DedentError):
        return _indentation(text, place)
    line, column = _place(error, text)
    found = re.match(r"\w+|->|\.\.|[=!<>]=|\*\*|\S", _line(text, line)[column - 1 :])
    span = place.span(line, column, len(found[0]) if found else 1)
    word = f"`{found[0]}`" if found else "end of the line"
    at_start = not text[: text.find(_line(text, line))].strip() and column == 1
    expected = "a statement" if at_start else _expected(error)
    message = f"Unexpected {word}" + (f"; expected {expected}" if expected else "")
    return Diagnostic("syntax", message, (Label(span),), _slip(error, text, line, column))


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


def _expected(error: UnexpectedInput) -> str:
    if isinstance(error, UnexpectedToken):
        terminals = set(error.accepts or error.expected)
    elif isinstance(error, UnexpectedCharacters):
        terminals = set(error.allowed or ())
    elif isinstance(error, UnexpectedEOF):
        terminals = set(error.expected)
    else:
        return ""
    words = []
    if terminals >= _OPERAND:
        words.append("an expression")
        terminals -= _OPERAND | _OPERATORS | {"TRUE", "FALSE", "INFINITY", "NOT"}
    elif terminals >= _OPERATORS:
        words.append("an operator")
        terminals -= _OPERATORS | {"COMPARISON", "__ANON_2", "AND", "OR", "IF", "UNIT"}
    words += [_WORDS[each] for each in sorted(terminals) if each in _WORDS]
    if not words or len(words) > 5:
        return "" if not words else words[0]
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _slip(error: UnexpectedInput, text: str, line: int, column: int) -> str:
    here = _line(text, line)
    around = here[max(0, column - 2) : column + 2]
    at = here[column - 1 :]
    for pattern, advice in _SLIPS:
        if pattern.match(at) or pattern.search(around):
            return advice
    if at.startswith("="):
        return "Equality is written `==`."
    if re.match(r"[<>=!]=?", at):
        return "Comparisons are not chained: write `a < b and b < c`."
    if re.match(r",\s*\d", at) and re.search(r"\d$", here[: column - 1]):
        return "A decimal point is written `.`."
    if re.match(r"\w", at) and re.search(r"[\w)]\s+$", here[: column - 1]):
        return "A product is written with `*`; a line goes on only inside parentheses."
    if isinstance(error, UnexpectedToken) and error.token.type == "_INDENT":
        return "Notes are a text in quotes, `symbol`, `source`, `note` or `example`."
    return ""


def _indentation(text: str, place: Place) -> Diagnostic:
    """The first line that goes back to a depth at which no line above it stands."""
    depths = [0]
    depth, number = 0, 1
    for number, line in enumerate(text.splitlines(), 1):
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
