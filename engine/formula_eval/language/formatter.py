"""Formats a chapter in its one canonical spelling, which reads back as the same chapter."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.notes import Notes
from formula_eval.core.unit_meaning import UnitMeaning
from formula_eval.language.expression_layout import STEP, WIDTH, laid_out
from formula_eval.printing.printer import AND, OR, PRODUCT, SUM
from formula_eval.printing.text import TEXT, expression_text


def chapter_text(chapter: d.Chapter) -> str:
    """The whole chapter, statements in the author's order, one blank line between them."""
    closing = " " if chapter.docstring.endswith('"') else ""
    parts = [f'"""{chapter.docstring}{closing}"""\n'] if chapter.docstring else []
    uses = "".join(declaration_text(use) for use in chapter.uses)
    parts += [uses] if uses else []
    return "\n".join(parts + [declaration_text(declaration) for declaration in chapter.declarations])


def declaration_text(declaration: d.Declaration) -> str:
    """One statement with its notes, ending in a line feed."""
    return "".join(f"{line}\n" for line in _lines(declaration))


def _lines(declaration: d.Declaration) -> Iterator[str]:
    yield from _HEADS[type(declaration)](declaration)
    if not isinstance(declaration, d.TableDeclaration):
        yield from _notes(declaration.notes, STEP)


def _choice(declared: d.ChoiceDeclaration) -> Iterator[str]:
    yield f"choice {declared.name} = {' | '.join(declared.values)}"


def _formula(declared: d.FormulaDeclaration) -> Iterator[str]:
    return _equation(f"{declared.name}{_typed(declared.type)} =", declared.expression, "")


def _function(declared: d.FunctionDeclaration) -> Iterator[str]:
    inside = ", ".join(f"{parameter.name}{_typed(parameter.type)}" for parameter in declared.parameters)
    result = f" -> {_type(declared.type)}" if declared.type else ""
    return _equation(f"def {declared.name}({inside}){result} =", declared.expression, "")


def _check(declared: d.CheckDeclaration) -> Iterator[str]:
    head = f"check {declared.name} {declared.level}:"
    yield f"{head} {laid_out(declared.condition, len(head) + 1, '')}"


def _unit(declared: d.UnitDeclaration) -> Iterator[str]:
    yield f"unit {declared.name} {_meaning(declared.meaning)}"


def _meaning(unit: UnitMeaning) -> str:
    written = {"checked": "count checked", "multiple": f"= {unit.number} {unit.of}".rstrip()}
    forms = f" with {', '.join(unit.forms)}" if unit.forms else ""
    return f"{written.get(unit.kind, unit.kind)}{forms}"


def _type(type_: e.TypeText) -> str:
    return " | ".join(type_.alternatives)


def _typed(type_: e.TypeText | None) -> str:
    return f": {_type(type_)}" if type_ else ""


def _record(declared: d.RecordDeclaration) -> Iterator[str]:
    default = f" default {declared.default}" if declared.default else ""
    suppliers = f" from {' | '.join(declared.suppliers)}" if declared.suppliers else ""
    alias = f" as {declared.alias}" if declared.alias else ""
    yield f"record {declared.name} in {declared.path}{default}{suppliers}{alias}"


def _input(declared: d.InputDeclaration) -> Iterator[str]:
    yield f"input {_supplied(declared)}" + (" optional" if declared.optional else "")


def _supplied(declared: d.SuppliedDeclaration) -> str:
    head = f"{declared.name}{_typed(declared.type)}"
    tail = f" from {declared.supplier}" if declared.supplier else ""
    if declared.low is not None and declared.high is not None:
        tail += f" in {expression_text(declared.low)} .. {expression_text(declared.high)}"
    if declared.allowed:
        tail += f" in {' | '.join(expression_text(number) for number in declared.allowed)}"
    if declared.default is None:
        return head + tail
    return f"{head} = {laid_out(declared.default, len('input ') + len(head) + 3 + len(tail), '')}{tail}"


def _added_rows(declared: d.AddedRowsDeclaration) -> Iterator[str]:
    yield f"extend {declared.name}"
    yield from list(_rows(declared.rows))[1:]


def _replacement(declared: d.ReplacementDeclaration) -> Iterator[str]:
    return _equation(f"replace {declared.name} =", declared.expression, "")


def _extension(declared: d.ExtensionDeclaration) -> Iterator[str]:
    head, level = f"extend {declared.name} {declared.operator}", _TERMS[declared.operator]
    only = f" if {TEXT.within(declared.condition, OR)}" if declared.condition is not None else ""
    flat = f"{head} {TEXT.within(declared.term, level)}{only}"
    if len(flat) <= WIDTH:
        yield flat
        return
    if declared.condition is not None and len(only) >= WIDTH:
        only = f" if {laid_out(declared.condition, WIDTH, '', OR)}"
    yield f"{head} {laid_out(declared.term, WIDTH, '', level)}{only}"


def _equation(head: str, expression: e.Expression, indent: str, *, whole_match: bool = True) -> Iterator[str]:
    if isinstance(expression, e.Where):
        yield from _equation(head, expression.value, indent)
        for piece in expression.pieces:
            named = f"where {piece.name}{_typed(piece.type)} ="
            yield from _equation(named, piece.value, indent + STEP, whole_match=False)
    elif isinstance(expression, e.Match) and whole_match:
        yield f"{indent}{head} match {laid_out(expression.subject, len(indent) + len(head) + 7, indent)}"
        yield from _arms(expression, indent + STEP)
    else:
        yield f"{indent}{head} {laid_out(expression, len(indent) + len(head) + 1, indent)}"


def _use(declared: d.UseDeclaration) -> Iterator[str]:
    head = f"use {declared.name}.("
    line = f"{head}{', '.join(declared.names)})"
    yield from [line] if len(line) <= WIDTH else [head, *(f"{STEP}{name}," for name in declared.names), ")"]


def _situation(declared: d.SituationDeclaration) -> Iterator[str]:
    yield from _bound(f"situation {declared.name}:", declared)


def _part(declared: d.PartDeclaration) -> Iterator[str]:
    head = f"part {declared.name} = {expression_text(declared.folder)}"
    yield from _bound(f"{head} with", declared) if declared.bindings else [head]


def _bound(head: str, declared: d.SituationDeclaration) -> Iterator[str]:
    """On one line if it fits, else an input a line."""
    line = f"{head} {', '.join(TEXT.binding(binding) for binding in declared.bindings)}"
    if len(line) <= WIDTH:
        yield line
        return
    yield head
    for binding in declared.bindings:
        if isinstance(binding, e.Binding):
            yield from _equation(f"{expression_text(binding.name)} =", binding.value, STEP, whole_match=False)
        else:
            yield f"{STEP}{TEXT.binding(binding)}"


def _arms(expression: e.Match, indent: str) -> Iterator[str]:
    widest = max(len(TEXT.patterns(arm)) for arm in expression.arms)
    for arm in expression.arms:
        head = f"{TEXT.patterns(arm):{widest}} ->"
        yield f"{indent}{head} {laid_out(arm.value, len(indent) + len(head) + 1, indent)}"


def _table(declared: d.TableDeclaration) -> Iterator[str]:
    least = f" at least {declared.at_least}" if declared.at_least else ""
    source = f" from {declared.supplier}{least} at most {declared.at_most}" if declared.supplier else ""
    like = f" like {expression_text(declared.like)}" if declared.like else ""
    rows = f"{_loops(declared)}{_rows_of(declared.rows_of)}"
    yield f"table {declared.name}{like}{source}{rows}{' open' if declared.open else ''}"
    yield from _notes(declared.notes, STEP)
    for column in declared.columns:
        yield from _column(column, STEP)
        yield from _notes(column.notes, STEP * 2)
    yield from _rows(declared.rows)


def _rows(rows: Iterable[d.RowDeclaration]) -> Iterator[str]:
    """Rows, a blank line before each."""
    for row in rows:
        yield ""
        yield f"{STEP}row {row.name}" + (f' "{row.notes.sentence}"' if row.notes.sentence else "")
        for name, expression in row.cells:
            yield from _equation(f"{name} =", expression, STEP * 2)


def _loops(declared: d.TableDeclaration) -> str:
    source = f" from {declared.file.path}" if declared.file is not None else ""
    return f" for {', '.join(map(_loop, declared.loops))}{source}" if declared.loops else ""


def _loop(loop: d.Loop) -> str:
    values = " | ".join(expression_text(expression) for expression in loop.values)
    if not values:
        return loop.variable
    if loop.high is None:
        return f"{loop.variable} in {values}"
    most = f" at most {loop.at_most}" if loop.at_most else ""
    return f"{loop.variable} in {values} .. {TEXT.within(loop.high, OR)}{most}"


def _rows_of(other: d.RowsOf | None) -> str:
    if other is None:
        return ""
    condition = f" if {TEXT.within(other.condition, OR)}" if other.condition else ""
    return f" for {other.row} in {expression_text(other.table)}{condition}"


def _column(declared: d.ColumnDeclaration, indent: str = "") -> Iterator[str]:
    if declared.expression is None:
        yield f"{indent}{_supplied(declared)}"
    else:
        yield from _equation(f"{declared.name}{_typed(declared.type)} =", declared.expression, indent)


def _notes(notes: Notes, indent: str) -> Iterator[str]:
    if notes.sentence:
        yield f'{indent}"{notes.sentence}"'
    if notes.symbol:
        yield f'{indent}symbol "{notes.symbol}"'
    for source in notes.sources:
        yield f"{indent}source {source.key}" + (f' "{source.locator}"' if source.locator else "")
    if notes.derived:
        yield f'{indent}derived "{notes.derived}"'
    if notes.fitted:
        yield f'{indent}fitted "{notes.fitted}"'
    if notes.interval is not None:
        low, high = (
            laid_out(expression, len(indent) + 10, indent, OR)
            for expression in (notes.interval.low, notes.interval.high)
        )
        yield f"{indent}interval {low} .. {high}"
    for remark in notes.remarks:
        yield f'{indent}note "{remark}"'
    for example in notes.examples:
        givens = ", ".join([*example.situations, *(f"{name} = {_given(value)}" for name, value in example.givens)])
        yield f"{indent}example {givens}{' ' if givens else ''}-> {_result(example.expected)}"


def _given(value: str | e.Expression) -> str:
    return value if isinstance(value, str) else expression_text(value)


def _result(value: e.Expression | None) -> str:
    return "?" if value is None else expression_text(value)


# How tightly what an extension adds binds at least, to stand without parentheses.
_TERMS = {"+": OR, "*": PRODUCT, "and": AND, "or": OR, "at most": SUM, "at least": SUM}
# The lines of each kind of statement; a table lays out its own notes, the others have them beneath.
_HEADS: Mapping[type[d.Declaration], Callable[[Any], Iterator[str]]] = {
    d.ChoiceDeclaration: _choice,
    d.RecordDeclaration: _record,
    d.InputDeclaration: _input,
    d.FormulaDeclaration: _formula,
    d.FunctionDeclaration: _function,
    d.TableDeclaration: _table,
    d.ColumnDeclaration: _column,
    d.SituationDeclaration: _situation,
    d.PartDeclaration: _part,
    d.UseDeclaration: _use,
    d.UnitDeclaration: _unit,
    d.CheckDeclaration: _check,
    d.ExtensionDeclaration: _extension,
    d.AddedRowsDeclaration: _added_rows,
    d.ReplacementDeclaration: _replacement,
}
