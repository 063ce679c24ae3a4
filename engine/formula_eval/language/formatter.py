"""Chapter to text: the one canonical spelling, which reads back as the same chapter."""

from collections.abc import Iterator

from formula_eval.core import declaration as d, expression as e
from formula_eval.printing.printer import OR, SUM
from formula_eval.printing.text import expression_text, patterns_text, precedence, text_within

_WIDTH = 120
_STEP = "    "


def chapter_text(chapter: d.Chapter) -> str:
    """The whole chapter, statements in the author's order, one blank line between them."""
    closing = " " if chapter.docstring.endswith('"') else ""
    parts = [f'"""{chapter.docstring}{closing}"""\n'] if chapter.docstring else []
    return "\n".join(parts + [declaration_text(each) for each in chapter.declarations])


def declaration_text(declaration: d.Declaration) -> str:
    """One statement with its notes, ending in a line feed."""
    return "".join(f"{line}\n" for line in _lines(declaration))


def _lines(declaration: d.Declaration) -> Iterator[str]:
    match declaration:
        case d.ChoiceDeclaration(name=name, values=values):
            yield f"choice {name} = {' | '.join(values)}"
        case d.InputDeclaration():
            yield _input(declaration)
        case d.FormulaDeclaration(name=name, type=type_, expression=expression):
            yield from _equation(f"{name}{_typed(type_)} =", expression, "")
        case d.FunctionDeclaration(name=name, type=type_, expression=expression):
            inside = ", ".join(f"{each.name}{_typed(each.type)}" for each in declaration.parameters)
            result = f" -> {_type(type_)}" if type_ else ""
            yield from _equation(f"def {name}({inside}){result} =", expression, "")
        case d.TableDeclaration():
            yield from _table(declaration)
            return
        case d.ColumnDeclaration():
            yield from _column(declaration, "")
        case d.CheckDeclaration(name=name, level=level, condition=condition):
            head = f"check {name} {level}:"
            yield f"{head} {_laid_out(condition, len(head) + 1, '')}"
    yield from _notes(declaration.notes, _STEP)


def _type(type_: d.TypeText) -> str:
    return " | ".join(type_.alternatives)


def _typed(type_: d.TypeText | None) -> str:
    return f": {_type(type_)}" if type_ else ""


def _input(declared: d.InputDeclaration) -> str:
    return f"input {_supplied(declared)}" + (" optional" if declared.optional else "")


def _supplied(declared: d.InputDeclaration | d.ColumnDeclaration) -> str:
    head = f"{declared.name}{_typed(declared.type)}"
    tail = f" from {declared.supplier}" if declared.supplier else ""
    if declared.low is not None and declared.high is not None:
        tail += f" in {expression_text(declared.low)} .. {expression_text(declared.high)}"
    if declared.allowed:
        tail += f" in {' | '.join(expression_text(each) for each in declared.allowed)}"
    if declared.default is None:
        return head + tail
    return f"{head} = {_laid_out(declared.default, len('input ') + len(head) + 3 + len(tail), '')}{tail}"


def _equation(head: str, expression: e.Expression, indent: str) -> Iterator[str]:
    if isinstance(expression, e.Match):
        yield f"{indent}{head} match {_laid_out(expression.subject, len(indent) + len(head) + 7, indent)}"
        yield from _arms(expression, indent + _STEP)
    else:
        yield f"{indent}{head} {_laid_out(expression, len(indent) + len(head) + 1, indent)}"


def _arms(expression: e.Match, indent: str) -> Iterator[str]:
    widest = max(len(patterns_text(arm)) for arm in expression.arms)
    for arm in expression.arms:
        head = f"{patterns_text(arm):{widest}} ->"
        yield f"{indent}{head} {_laid_out(arm.value, len(indent) + len(head) + 1, indent)}"


def _laid_out(expression: e.Expression, column: int, indent: str, level: int = 0) -> str:
    """On one line if it fits after the column, else inside parentheses on lines of their own."""
    flat = text_within(expression, level)
    if column + len(flat) <= _WIDTH:
        return flat
    opening, inner, closing = _bracketed(expression, indent + _STEP)
    return "".join([opening, *(f"\n{indent}{_STEP}{line}" for line in inner), f"\n{indent}{closing}"])


def _bracketed(expression: e.Expression, indent: str) -> tuple[str, list[str], str]:
    """What opens an expression that does not fit on a line, its lines, and what closes it."""
    match expression:
        case e.Call(function, arguments) if arguments:
            return f"{function}(", [f"{_laid_out(each, len(indent) + 1, indent)}," for each in arguments], ")"
        case e.Match(subject, arms):
            lines = [_arm(arm, indent) for arm in arms]
            return f"(match {expression_text(subject)}:", lines, ")"
        case e.Comprehension(function, value, row, table, condition):
            only = [f"if {_laid_out(condition, len(indent) + 3, indent, 1)}"] if condition else []
            head = _laid_out(value, len(indent), indent)
            return f"{function}(", [head, f"for {row} in {expression_text(table)}", *only], ")"
        case e.With(value, bindings):
            last = len(bindings) - 1
            lines = [
                f"{expression_text(each.name)} = {expression_text(each.value)}{',' if number < last else ''}"
                for number, each in enumerate(bindings)
            ]
            return "(", [_laid_out(value, len(indent), indent), f"with {lines[0]}", *lines[1:]], ")"
    return "(", _broken(expression, indent), ")"


def _arm(arm: e.Arm, indent: str) -> str:
    head = f"{patterns_text(arm)} ->"
    return f"{head} {_laid_out(arm.value, len(indent) + len(head) + 2, indent)},"


def _broken(expression: e.Expression, indent: str) -> list[str]:
    """The lines of an expression inside parentheses: one if it fits, else split at its outermost operators."""
    flat = expression_text(expression)
    if len(indent) + len(flat) <= _WIDTH:
        return [flat]
    match expression:
        case e.Binary(operator="+" | "-" | "*" | "/" | "%") | e.Logical():
            return _operands(expression, indent)
        case e.Conditional(then, condition, otherwise):
            lines = [*_branch("", then, condition, indent)]
            while isinstance(otherwise, e.Conditional):
                lines += _branch("else ", otherwise.then, otherwise.condition, indent)
                otherwise = otherwise.otherwise
            return [*lines, f"else {_laid_out(otherwise, len(indent) + 5, indent)}"]
        case e.Compare(operator, left, right):
            head = _laid_out(left, len(indent), indent, SUM)
            return [head, f"{operator} {_laid_out(right, len(indent) + 3, indent, SUM)}"]
    opening, inner, closing = _bracketed(expression, indent + _STEP) if _has_brackets(expression) else ("", [flat], "")
    return [opening, *(f"{_STEP}{line}" for line in inner), closing] if opening else inner


def _has_brackets(expression: e.Expression) -> bool:
    return isinstance(expression, e.Match | e.Comprehension | e.With) or (
        isinstance(expression, e.Call) and bool(expression.arguments)
    )


def _branch(word: str, then: e.Expression, condition: e.Expression, indent: str) -> list[str]:
    flat = f"{word}{text_within(then, OR)} if {text_within(condition, OR)}"
    if len(indent) + len(flat) <= _WIDTH:
        return [flat]
    head = f"{word}{_laid_out(then, len(indent) + len(word), indent, OR)}"
    return [head, f"if {_laid_out(condition, len(indent) + 3, indent, OR)}"]


def _operands(expression: e.Binary | e.Logical, indent: str) -> list[str]:
    """The operands of a chain of one precedence, each after the first with its operator before it."""
    level = precedence(expression)
    chain: list[str] = []
    rest: e.Expression = expression
    while isinstance(rest, e.Binary | e.Logical) and precedence(rest) == level:
        operator = f"{rest.operator} "
        chain.insert(0, operator + _laid_out(rest.right, len(indent) + len(operator), indent, level + 1))
        rest = rest.left
    return [_laid_out(rest, len(indent), indent, level), *chain]


def _table(declared: d.TableDeclaration) -> Iterator[str]:
    least = f" at least {declared.at_least}" if declared.at_least else ""
    source = f" from {declared.supplier}{least} at most {declared.at_most}" if declared.supplier else ""
    yield f"table {declared.name}{source}"
    yield from _notes(declared.notes, _STEP)
    for column in declared.columns:
        yield from _column(column, _STEP)
        yield from _notes(column.notes, _STEP * 2)
    for row in declared.rows:
        yield ""
        yield f"{_STEP}row {row.name}" + (f' "{row.notes.sentence}"' if row.notes.sentence else "")
        for name, expression in row.cells:
            yield from _equation(f"{name} =", expression, _STEP * 2)


def _column(declared: d.ColumnDeclaration, indent: str) -> Iterator[str]:
    if declared.expression is None:
        yield f"{indent}{_supplied(declared)}"
    else:
        yield from _equation(f"{declared.name}{_typed(declared.type)} =", declared.expression, indent)


def _notes(notes: d.Notes, indent: str) -> Iterator[str]:
    if notes.sentence:
        yield f'{indent}"{notes.sentence}"'
    if notes.symbol:
        yield f'{indent}symbol "{notes.symbol}"'
    for source in notes.sources:
        yield f"{indent}source {source.key}" + (f' "{source.locator}"' if source.locator else "")
    if notes.derived:
        yield f'{indent}derived "{notes.derived}"'
    for remark in notes.remarks:
        yield f'{indent}note "{remark}"'
    for example in notes.examples:
        givens = ", ".join(f"{name} = {_given(value)}" for name, value in example.givens)
        yield f"{indent}example {givens}{' ' if givens else ''}-> {_literal(example.expected)}"


def _given(value: str | e.Expression) -> str:
    return value if isinstance(value, str) else _literal(value)


def _literal(value: e.Expression) -> str:
    """`3`, `-3 byte`, `(-3 byte/s)`: a sign belongs to its number."""
    text = expression_text(value)
    return f"(-{text[2:]}" if text.startswith("-(") else text
