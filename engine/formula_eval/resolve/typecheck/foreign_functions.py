"""Says how the language writes what spreadsheets and other languages do by a function."""

from formula_eval.core.builtins import BUILTINS, OVER_ROWS

_MEAN = "A mean is a sum by a count: `(a + b) / 2`, or `sum(row.x for row in table) / sum(1 for row in table)`."
_COUNT = "Rows are counted by `count(row.x > 0 for row in table)`."
_SOME = (
    "`sum(row.x for row in table if row.y > 0)` takes some rows of a table, and `sum(row.x * row.y for ...)` products."
)
_BRANCH = "A condition is written `a if condition else b`."
_WORDS = "Words are told apart by `(match x: one -> 1, other -> 2)`, and ranges by `a if condition else b`."
_JOINED = "Conditions are joined by `a and b`, `a or b`, `not a`."
_LOGARITHM = "`ln(x)` is the natural logarithm and `log2(x)` that of base 2; `ln(x) / ln(10)` is that of base 10."
_WHOLE = "`floor(x)` rounds down, `ceil(x)` up, and `round(x)` a half away from zero; digits: `round(100 * x) / 100`."
_DATES = "`months_later(start, 1)` moves a date by months of the calendar, `start + 30 day` by days."
_CELL = "A cell is `table.row.column`, and `table[word].column` looks up the row of a word."
_ROW = "`smallest(row.x for row in table)` is the row in which `x` is smallest, and `largest` likewise."
_SOUGHT = "A value at which a condition begins to hold is sought by `solve x in 0 .. 1.0: f(x) >= 0 else 0`."
_FOREIGN = {
    **dict.fromkeys(("avg", "average", "mean"), _MEAN),
    **dict.fromkeys(("counta", "countif", "len", "length"), _COUNT),
    **dict.fromkeys(("sumif", "sumifs", "sumproduct", "averageif"), _SOME),
    **dict.fromkeys(("if", "iif", "iferror", "ifelse"), _BRANCH),
    **dict.fromkeys(("ifs", "switch", "choose", "case"), _WORDS),
    **dict.fromkeys(("argmin", "argmax", "minby", "maxby", "min_by", "max_by"), _ROW),
    **dict.fromkeys(("and", "or"), _JOINED),
    **dict.fromkeys(("log", "log10", "lg"), _LOGARITHM),
    **dict.fromkeys(("int", "trunc", "rounddown", "roundup", "ceiling"), _WHOLE),
    **dict.fromkeys(("vlookup", "hlookup", "xlookup", "lookup", "index"), _CELL),
    **dict.fromkeys(("pow", "power"), "A power is written `x ** 2`."),
    **dict.fromkeys(("edate", "eomonth", "dateadd", "date_add", "add_months"), _DATES),
    **dict.fromkeys(
        ("goalseek", "goal_seek", "fsolve", "root", "find_root", "uniroot", "brentq", "irr", "xirr"), _SOUGHT
    ),
    "mod": "A remainder is written `a % b`.",
    "npv": "A present value is `sum(row.paid / (1 + rate) ** row.n for row in table)`.",
}


def foreign_function(name: str) -> str:
    """What to write instead of a function of others, or nothing."""
    word = name.lower()
    if word != name and (word in BUILTINS or word in OVER_ROWS):
        written = BUILTINS[word].written if word in BUILTINS else f"{word}(row.x for row in table)"
        return f"Functions are written in small letters: `{written}`."
    return _FOREIGN.get(word, "")
