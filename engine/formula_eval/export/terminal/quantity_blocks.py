"""Builds blocks where no report lays out the quantities: titles and values, tables, and failed checks."""

from collections.abc import Iterator, Sequence

from formula_eval.core.diagnostic import enumerated
from formula_eval.core.namespace import COPY_MARK, in_words, is_change_note
from formula_eval.core.table import FILLED, LEFT_OUT, elided
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.required_choices import reasons
from formula_eval.evaluate.result import CheckResult, Result
from formula_eval.export.terminal import blocks
from formula_eval.records.origin import Origin, is_option
from formula_eval.records.schema import Schema

_MOST_INPUTS = 40
_MOST_NAMED = 3  # of what a library changed
_ASSUMED = "Assumed"
_WORTH = "Worth knowing"
_LEFT_OUT = "Left out"


def quantity_blocks(result: Result, evaluator: Evaluator, *, every: bool = False) -> list[blocks.Block]:
    """The inputs that were set or assumed, and all wanted quantities, by folder; on request `every` default."""
    schema = evaluator.schema
    lines, tables = split_tables(list(result), schema)
    found: list[blocks.Block] = []
    found += assumed_blocks(result, evaluator, every=every)
    for folder in dict.fromkeys(name.rpartition(".")[0] for name in lines):
        pairs = (blocks.Pair(in_words(name), str(result[name])) for name in lines if name.rpartition(".")[0] == folder)
        found.append(blocks.Pairs(in_words(folder).capitalize() or "Values", tuple(pairs)))
    return [*found, *tables_of(tables, result, schema), *failed_checks(result.checks), *left_out(result)]


def assumed_blocks(result: Result, evaluator: Evaluator, *, every: bool) -> Iterator[blocks.Pairs]:
    """Records in use, inputs that were set, then defaults of the library itself; others are counted, or shown too."""
    given, own, others = _inputs(result, evaluator)
    shown = [*given, *own][: None if every else _MOST_INPUTS]
    left_out = len(given) + len(own) + len(others) - len(shown)
    whose = (
        "more inputs" if len(given) + len(own) > len(shown) else f"default{'s' * (left_out > 1)} of what it builds on"
    )
    more = f"{left_out} {whose}: --all" if left_out and not every else ""
    if pairs := (*_records(result), *shown, *(others if every else ())):
        yield blocks.Pairs(_ASSUMED, pairs, left=True, more=more)


def failed_checks(checks: Sequence[CheckResult], title: str = _WORTH) -> Iterator[blocks.Messages]:
    """The messages of failed checks, warnings before notes."""
    failed = spoken(checks)
    if failed:
        yield blocks.Messages(title, tuple(sorted(failed, key=lambda pair: pair[0] == "note")))


def spoken(checks: Sequence[CheckResult]) -> list[tuple[str, str]]:
    """The level and the words of each check that fails."""
    others = [(check.level, check.message) for check in checks if not check.ok and not is_change_note(check.name)]
    return [*(("note", line) for line in changed_lines(checks)), *others]


def changed_lines(checks: Sequence[CheckResult]) -> Iterator[str]:
    """The changes of each library to what was asked; a single change in its own words."""
    authors: dict[str, list[CheckResult]] = {}
    for check in checks:
        if not check.ok and is_change_note(check.name):
            authors.setdefault(check.change[0] if check.change else check.name, []).append(check)
    for author, changes in authors.items():
        yield changes[0].message if len(changes) == 1 else _summary(author, changes)


def _summary(author: str, changes: Sequence[CheckResult]) -> str:
    """`vision extends params.total, prompt and 3 more and adds rows to ...; show NAME says how`."""
    parts = []
    for verb in dict.fromkeys(change.change[1] for change in changes):
        names = list(dict.fromkeys(change.change[2] for change in changes if change.change[1] == verb))
        parts.append(f"{verb} {_listed(names)}")
    return f"{author} {enumerated(parts)}; `formula-eval show NAME` says how."


def _listed(names: Sequence[str]) -> str:
    shown = names if len(names) <= _MOST_NAMED + 1 else names[:_MOST_NAMED]
    more = [f"{len(names) - len(shown)} more"] if len(names) > len(shown) else []
    return enumerated([*shown, *more])


def left_out(result: Result) -> Iterator[blocks.Messages]:
    """The quantities without a value, since they need a choice that nobody made."""
    if result.lacking:
        yield blocks.Messages(_LEFT_OUT, tuple(("note", reason) for reason in reasons(result.lacking)))


def split_tables(names: Sequence[str], schema: Schema) -> tuple[list[str], dict[str, list[tuple[str, str]]]]:
    """The names that stand alone, and by table the row and column of each of its cells, if they are of several rows."""
    tables: dict[str, list[tuple[str, str]]] = {}
    parts = [_parts(name) for name in names]
    for name, (table, row, column) in zip(names, parts, strict=True):
        if table in schema.tables and name in schema.formulas and schema.formulas[name].kind == "cell":
            tables.setdefault(table, []).append((row, column))
    kept = {table: cells for table, cells in tables.items() if len({row for row, _ in cells}) > 1}
    pairs = zip(names, parts, strict=True)
    return [name for name, (table, *_) in pairs if table not in kept or COPY_MARK in name], kept


def tables_of(tables: dict[str, list[tuple[str, str]]], result: Result, schema: Schema) -> Iterator[blocks.TextTable]:
    """Each table, its rows and columns in the order of their author."""
    for name, cells in tables.items():
        shape, held, there = schema.tables[name], set(cells), {row for row, _ in cells}
        columns = shape.beside_names({column for _, column in cells}, result.numbers)
        rows = [row for row in shape.rows if row in there and result.numbers.get(shape.cell(row, FILLED)) != 0]
        rows = elided(rows, LEFT_OUT) if shape.sequence else rows
        texts = tuple(
            (LEFT_OUT,) * (1 + len(columns))
            if row == LEFT_OUT
            else (
                in_words(row),
                *(str(result[shape.cell(row, column)]) if (row, column) in held else "" for column in columns),
            )
            for row in rows
        )
        if texts:
            yield blocks.TextTable(name, tuple(map(in_words, columns)), texts)


def _parts(name: str) -> tuple[str, str, str]:
    rest, _, column = name.rpartition(".")
    table, _, row = rest.rpartition(".")
    return table, row, column


def _records(result: Result) -> Iterator[blocks.Pair]:
    for kind in result.records:
        default = result.givens.record_origins.get(kind) == Origin.DEFAULT
        yield blocks.Pair(in_words(kind), result.givens.records[kind], "", default)


def _inputs(result: Result, evaluator: Evaluator) -> tuple[list[blocks.Pair], ...]:
    """The inputs that were set, defaults of the library itself, and those of what it builds on.

    Of the inputs that records supply, only those that an option set.
    """
    found: tuple[list[blocks.Pair], ...] = ([], [], [])
    for name, value in result.inputs.items():
        schema = evaluator.schema.inputs[name]
        if (not schema.supplier or is_option(value.origin)) and value.value is not None:
            default = value.origin == Origin.DEFAULT
            group = 0 if not default else 1 if evaluator.library.is_own(schema.place) else 2
            found[group].append(blocks.Pair(in_words(name), str(value), "", default))
    return found
