"""Explains what the parser could not read, in the words of someone who writes formulas."""

import re
from collections.abc import Callable
from typing import NamedTuple

from lark import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.language.keywords import reserved_words
from formula_eval.language.text_limits import TextPlace, open_text, unbalanced

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
    "AT": "`at least` or `at most`",
    "LEAST": "`least`",
    "MOST": "`most`",
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the statement",
    "ROW": "`row`",
    "LIKE": "`like`",
    "FOR": "`for`",
    "RSQB": "`]`",
    "OPEN": "`open`",
}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "PERCENT"}
_OPERAND = {"NAME", "NUMBER", "LPAR"}
_MOST_WORDS = 5

# Frequent slips: what the text looks like at the place of the error, and what to write instead.
_SLIPS = (
    (re.compile(r"(?<=\d)'\d{3}"), "Digits are grouped by `_`: `1_000`."),
    (re.compile(r"\^"), "A power is written `**`: `x ** 2`."),
    (re.compile(r"&&|\|\|"), "Write `and`, `or`."),
    (re.compile(r"!(?!=)"), "Write `not x`."),
    (re.compile(r"<>"), "Other than is written `!=`."),
    (re.compile("[\u201c\u201d\u201e]"), 'Texts stand in straight quotes: `"`.'),
    (re.compile(r"\?"), "A condition is written `a if condition else b`."),
    (re.compile(r"#"), 'There are no comments; a remark is a note: `note "..."`.'),
    (re.compile(r"//"), "Whole division is `floordiv(a, b)`."),
    (re.compile(r"[=]=="), "Equality is written `==`."),
    (re.compile(r"\+=|-=|\*=|/=|:="), "A formula is written once, with `=`; there is no assignment in place."),
    (re.compile(r"=>|<-"), "An arrow is written `->`; at least is `>=`."),
    (re.compile(r"'"), "Texts stand in double quotes."),
    (re.compile(r"\["), "A cell of a table is written `table.row.column`, or `table[word].column`."),
    (re.compile(r"\.\d"), "A number begins with a digit: `0.5`."),
    (re.compile(r"(?<=\d)\.(\s|$)"), "A number ends with a digit: `1.0`."),
    (re.compile(r"[^\x00-\x7f]"), "Names and operators are plain ASCII."),
    (
        re.compile(r"where\b"),
        "Pieces stand right beneath a formula, before its notes: `where name: unit = expression`.",
    ),
    (re.compile(r"with\b"), "A `with` stands in parentheses: `(time with batch = 8)`."),
)

# How each kind of statement is written, for those who slipped in no way that we know of.
_FORMS = {
    "choice": "A choice is written `choice name = one | other`.",
    "record": "A kind of records is written `record name in folder/ default id`, or `in file.toml`.",
    "input": "An input is written `input name: unit = default from supplier in low .. high`.",
    "def": "A function is written `def name(parameter: unit) -> unit = expression`.",
    "use": "A chapter reads names of a folder as its own by `use folder.(name, other)`.",
    "situation": "A situation is written `situation name: input = value, other = value`, or one input a line.",
    "part": "A part is written `part name = folder with input = value, situation`, or one of these a line.",
    "check": "A check is written `check name refuse: condition`, its message beneath.",
    "unit": "A unit is written `unit km = 1000 m`, `unit EUR base` or `unit pixel count`.",
    "extend": (
        "An extension is written `extend name + term if condition`, or with `* factor`, `and condition`, "
        "`at most limit`; what is a sum or has an `else` there stands in parentheses; "
        "rows are added by `extend table`, beneath it `row name` with its cells."
    ),
    "replace": (
        "A replacement is written `replace name = expression`: its unit stays, its notes stand beneath, and `original` "
        "is the formula that stood there."
    ),
    "table": "A table has its columns first, `name: unit`, then its rows: `row name`, beneath `column = expression`.",
}
_RECORD_TABLE = (
    "A table from records is written `table name from model at least 1 at most 8`, beneath it its columns: "
    "`name: unit = default from model in low .. high`."
)
_LOOP_TABLE = (
    "A table with a row for each value is written `table name for month in 1 .. 12`, with one for each pair "
    "`table name for across in 1 .. 3, down in 1 .. 4`, with the rows of another one `table name for row in other`, "
    "with the cells of a file `table name for hour in 0 .. 23 from file.csv`; "
    "beneath it stand its columns: `name: unit = expression`."
)
_RENAME = "Choose another name, for example its plural."
_FORMULA = "A formula is written `name: unit = expression`, its notes beneath."
_NOTES = (
    'Notes are a text in quotes, `symbol "x"`, `source key "where"`, `derived "why"`, `fitted "runs"`, '
    '`interval low .. high`, `note "..."` or '
    "`example input = value -> result`."
)
_ARMS = "A `match` has one arm a line, `value -> expression`; on one line it stands in parentheses, with commas."


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
    words += [_WORDS[each] for each in sorted(terminals) if each in _WORDS]
    if not words or len(words) > _MOST_WORDS:
        return "" if not words else words[0]
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


class _Slip(NamedTuple):
    """The place of an error: its line, what stands before and behind, and what the parser could have taken."""

    line: str
    before: str
    at: str
    terminals: set[str]


def _in_order(before: str, line: str, behind: str, rest: str) -> re.Match[str] | None:
    """The match of both patterns where one ends at a place and the other begins there."""
    start = re.search(before, line)
    return None if start is None else re.compile(f"{before[:-1]}{behind}").match(line[start.start() :] + rest)


_SOLVE = (
    "The smallest value at which a condition holds is written `solve n in 1 .. 8: condition else other`, the largest "
    "`solve largest n in ...`; within something larger it stands in parentheses."
)

# Slips that only the surroundings tell, in the order in which they are tried.
# A number in braces is a part of what the first of them matched.
_ADVICE: tuple[tuple[Callable[[_Slip], object], str], ...] = (
    (
        lambda slip: _in_order(r"(\d[\d_.]* [A-Za-z]\w*)$", slip.before, r"((?:(?:\*\*|\*|/)\w+)+)", slip.at),
        "A number with a compound unit stands in parentheses: `({1}{2})`.",
    ),
    (
        lambda slip: re.search(r"(\d[\d_.]*) *% *$", slip.before),
        "Write `{1} percent`; `%` alone is the remainder of a division.",
    ),
    (
        lambda slip: slip.at.startswith("=") and re.match(r"(\w+)([^=]*)=$", slip.before),
        "A formula is written with one `=`: `{1}{2}= expression`.",
    ),
    (
        lambda slip: re.match(r"\d{3}\b", slip.at) and re.search(r"(?<![\w.])(\d{1,3}) $", slip.before),
        "A number has no spaces: `{1}_000` groups its digits.",
    ),
    (
        lambda slip: re.match(r",\d{3}\b", slip.at) and re.search(r"(?<![\w.])(\d{1,3})$", slip.before),
        "Digits are grouped by `_`: `{1}_000`; a decimal point is written `.`.",
    ),
    (
        lambda slip: slip.at.startswith(":") and re.search(r"\b[A-Z]+\d+$", slip.before),
        "A range of cells is a table here: `sum(row.x for row in table)`.",
    ),
    (lambda slip: re.search(r"\blambda\b", slip.line), "There are no lambdas; write a `def`."),
    (
        lambda slip: re.search(r"^[^=]*\w+:[^=]*\w $", slip.before) and slip.at.startswith(("/", "*")),
        "A compound unit is written without spaces: `byte/token`.",
    ),
    (
        lambda slip: slip.at.startswith("=") and re.search(r"\b(with|situation)\b.*=.*\w \w+ $", slip.before),
        "Commas stand between the inputs of a `with` or a situation.",
    ),
    (lambda slip: slip.terminals >= _OPERATORS and slip.at.startswith("="), "Equality is written `==`."),
    (
        lambda slip: re.search(r"[^=(]\s*\bmatch\s+$", slip.before) and re.match(r"\w", slip.at),
        "A `match` that is a part of something stands in parentheses: `2 * (match bits: 16 -> 1, 8 -> 2)`.",
    ),
    (lambda slip: re.search(r"\bsolve\b[^:]*$", slip.before), _SOLVE),
    (
        lambda slip: slip.terminals >= _OPERATORS and re.match(r"\w", slip.at),
        "A product is written with `*`; a line goes on only inside parentheses.",
    ),
    (
        lambda slip: "AND" in slip.terminals and re.match(r"[<>=!]=?", slip.at),
        "Comparisons are not chained: write `a < b and b < c`.",
    ),
    (
        lambda slip: re.match(r",\s*\d", slip.at) and re.search(r"\d$", slip.before),
        "A decimal point is written `.`.",
    ),
    (
        lambda slip: not slip.before.strip() and re.match(r"[-+*/%]|(and|or|if|else)\b", slip.at),
        "A line goes on only inside parentheses.",
    ),
    (
        lambda slip: re.search(r"\w\[[^\]]*\]?$", slip.before.rstrip()),
        "A cell is looked up by `table[word].column`, where the word is the name of a row or a choice between them.",
    ),
    (lambda slip: slip.terminals >= _OPERAND, "Write a number, a name or a call here."),
    (lambda slip: slip.terminals & {"IF", "ELSE"} == {"ELSE"}, "A condition is written `a if condition else b`."),
    (lambda slip: re.search(r"\(.*\bwith\b", slip.line), "A `with` is written `(time with batch = 8, tp = 2)`."),
)


def _help(error: UnexpectedInput, text: str, line: int, column: int) -> str:
    """What to write instead, as far as the place tells."""
    here = _line(text, line)
    for pattern, advice in _SLIPS:
        if pattern.match(here, column - 1) or pattern.search(here[max(0, column - 3) : column + 2]):
            return advice
    slip = _Slip(here, here[: column - 1], here[column - 1 :], _terminals(error))
    for applies, advice in _ADVICE:
        if found := applies(slip):
            return advice.format("", *found.groups()) if isinstance(found, re.Match) else advice
    return _form(text, line)


def _form(text: str, line: int) -> str:
    words = text.split(maxsplit=1)
    kind = words[0] if words else ""
    above = "\n".join(text.splitlines()[:line])
    if (
        kind != "table"
        and re.search(r"[=(]\s*match\b", above)
        and not re.search(r'^ +("|[a-z]+ ")', above, re.MULTILINE)
    ):
        return _ARMS
    if line > 1 and kind not in ("table", "situation", "part"):
        return _NOTES
    if kind == "table" and " from " in text.partition("\n")[0]:
        return _RECORD_TABLE
    if kind == "table" and re.search(r" for \w+(?: in |,)", text.partition("\n")[0]):
        return _LOOP_TABLE
    return _FORMS.get(kind, _FORMULA)


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
