"""A library of two chapters on top of a base, and what somebody may do to it: edits of all sorts, drawn at random."""

import random

from resolve.test_incremental import BASE

__all__ = ["BASE", "LISTED", "OWN", "Texts", "edited"]

Texts = dict[str, list[str]]  # the statements of each file
LISTED = """table listed
  kind: sort
  amount
  row a
    kind = plain
    amount = limit
  row b
    kind = rest
    amount = 3"""
YEARS = """table years for year in 1 .. 3
  early: flag = year < 3
    "Whether it is an early year"
  grown = third(year) * limit
    "What grows"
  kept = grown + (previous.kept else 0)"""
COLUMNS = ("third(year) + limit", "2 * year", "year + (previous.grown else 1)", "costs.a.cost * year")

OWN: Texts = {
    "mine/formulas/mine/a.formula": [
        "choice sort = plain | rest",
        "input limit = 3 in 1 .. 100",
        "input of: sort = rest",
        "input links = 1 from hardware",
        "twice = 2 * time",
        "again = 3 * (time with span = decode)",
        "small = (decoding with batch = 1)",
        "under = (large with batch = limit, span = decode)",
        "def third(x) = half(x) / 3",
        "situation quick:\n    batch = limit\n    span = decode",
        "table taken for item in listed\n  kind: sort = item.kind\n  amount = 2 * item.amount",
        "plainly = sum(each.amount for each in taken if each.kind == plain)",
        "chosen = twice if of == rest else small",
    ],
    "mine/formulas/mine/b.formula": [
        "table costs\n  cost\n  row a\n    cost = third(twice)\n  row b\n    cost = again",
        LISTED,
        "total = sum(each.cost for each in costs) + under",
        "soon = (total with quick)",
        "sooner = (soon with of = plain, limit = 5)",
        "moved = links * (time with hardware = other)",
        "named = (moved with hardware = h-100)",
        "table steps for step in 1 .. limit at most 4\n  gain = step * limit",
        "table climbed for one in steps\n  height = one.gain + (previous.height else 0)",
        "stepped = sum(each.height for each in climbed)",
        YEARS,
        "yearly = sum(each.kept for each in years if each.early) + sum(each.all for each in later)",
        "table later for one in years\n  all = one.grown + third(one.kept)",
        "part tall = inner with height = 5",
        "tallest = tall.area + inner.area",
        'check enough warn: total > limit\n    "It comes to {total}"',
    ],
}
CHANGES = "mine/formulas/mine/changes.formula"
OWN[CHANGES] = ["spare = limit", "spared = spare"]
OWN["mine/formulas/mine/inner/c.formula"] = [
    "input height = 2",
    "area = height * limit\n    interval area / 2 .. 2 * area",
    "wide = area + height",
]
TERMS = (
    "1", "limit", "batch", "time", "twice", "again", "small", "under", "third(time)", "third(limit)", "large", "links",
    "(time with quick)", "(twice with batch = 7)", "(small with limit = 2)", "(under with span = prefill)",
    "costs.a.cost", "tall.area", "tall.wide", "inner.area", "inner.area_high", "(again with batch = limit)",
    "named", "stepped", "climbed.2.height", "(links with hardware = h-200)",
    "(twice if of == plain else 1)", "parts.head.work", "(solve n in 1 .. 9: third(n) * limit >= 2 else 0)",
    "(solve largest n in 0 .. 1.0 within 0.1: (small with limit = n + 1) >= 1 else 0)",
)  # fmt: skip
CHANGED = (
    "extend time + 1 / limit",
    "extend batch + 1",
    "replace large = (time with batch = 9)",
    "extend decoding * 2",
)
FORMULAS = (
    "twice",
    "again",
    "small",
    "under",
    "chosen",
    "total",
    "soon",
    "sooner",
    "moved",
    "tallest",
    "area",
    "wide",
    "named",
    "stepped",
)


def edited(texts: Texts, draw: random.Random) -> Texts:
    """The same with one edit, of some sort, somewhere."""
    while (found := _drawn(texts, draw)) == texts or not all(len(each) > 1 for each in found.values()):
        pass
    return found


def _drawn(texts: Texts, draw: random.Random) -> Texts:
    found = {file: [*statements] for file, statements in texts.items()}
    statements = found[draw.choice(list(found))]
    place = draw.randrange(len(statements))
    text = statements[place]
    term, other = draw.choice(TERMS), draw.choice(TERMS)
    name = text.partition(" = ")[0]
    match draw.choice(
        (*["formula"] * 6, "text", "text", "add", "add", "remove", "rename", "move", "value", "change", *["column"] * 3)
    ):
        case "formula" if name in FORMULAS or name.startswith("new"):
            last = draw.choice((other, other, f"x\n    where x = {other}"))
            statements[place] = f"{name} = {term} {draw.choice('+-*')} {last}"
        case "text" if not text.startswith(("check", "table")):
            head = text.partition('\n    "Said')[0]
            statements[place] = f'{head}\n    "Said {draw.randrange(9)} times"'
        case "column":
            _edit_column(found["mine/formulas/mine/b.formula"], draw)
        case "add":
            statements.insert(place, f"new{draw.randrange(5)} = {term} + {other}")
        case "remove":
            del statements[place]
        case "rename":
            statements[place] = text.replace(name, f"new{draw.randrange(5)}", 1) if name in FORMULAS else text
        case "move":
            statements.insert(0, statements.pop(place))
        case "value":
            statements[place] = text.replace("3", str(draw.randrange(2, 9))).replace("plain | rest", "rest | plain")
        case "change":
            found[CHANGES].append(draw.choice(CHANGED))
    return found


def _edit_column(statements: list[str], draw: random.Random) -> None:
    """Let a column of the sequence say something else, if it is still there."""
    flag = draw.choice(("true", "false", "year < 2"))
    edits = ("grown = ", draw.choice(COLUMNS)), ("early: flag = ", flag), ('"Whether', f' {draw.randrange(9)}"')
    head, to = draw.choice(edits)
    for place, text in enumerate(statements):
        if text.startswith("table years"):
            before, _, rest = text.partition(head)
            statements[place] = f"{before}{head}{to}\n{rest.partition(chr(10))[2]}"
