"""Chapter to text: the one canonical spelling, which reads back as the same chapter."""

from collections.abc import Iterator

from formula_eval.core import declaration as d
from formula_eval.core import expression as e
from formula_eval.language.expression_text import arm_text
from formula_eval.language.expression_text import expression_text
from formula_eval.language.expression_text import patterns_text
from formula_eval.language.expression_text import precedence
from formula_eval.language.expression_text import text_within

_WIDTH = 110
_STEP = "    "


def chapter_text(chapter: d.Chapter) -> str:
    """The whole chapter, statements in the author's order, one blank line between them."""
    parts = [f'"""{chapter.docstring}"""\n'] if chapter.docstring else []
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
        case d.CheckDeclaration(name=name, level=level, condition=condition):
            yield from _equation(f"check {name} {level}:", condition, "")
    yield from _notes(declaration.notes, _STEP)


def _type(type_: d.TypeText) -> str:
    return " | ".join(type_.alternatives)


def _typed(type_: d.TypeText | None) -> str:
    return f": {_type(type_)}" if type_ else ""


def _input(declared: d.InputDeclaration) -> str:
    text = f"input {declared.name}{_typed(declared.type)}"
    if declared.default is not None:
        text += f" = {expression_text(declared.default)}"
    if declared.supplier:
        text += f" from {declared.supplier}"
    if declared.low is not None and declared.high is not None:
        text += f" in {expression_text(declared.low)} .. {expression_text(declared.high)}"
    if declared.allowed:
        text += f" in {' | '.join(expression_text(each) for each in declared.allowed)}"
    return text + (" optional" if declared.optional else "")


def _equation(head: str, expression: e.Expression, indent: str) -> Iterator[str]:
    if isinstance(expression, e.Match):
        yield f"{indent}{head} match {expression_text(expression.subject)}"
        yield from _arms(expression, indent + _STEP)
    else:
        yield f"{indent}{head} {_laid_out(expression, len(indent) + len(head) + 1, indent + _STEP)}"


def _arms(expression: e.Match, indent: str) -> Iterator[str]:
    widest = max(len(patterns_text(arm)) for arm in expression.arms)
    for arm in expression.arms:
        head = f"{patterns_text(arm):{widest}} ->"
        yield f"{indent}{head} {_laid_out(arm.value, len(indent) + len(head) + 1, indent + _STEP)}"


def _laid_out(expression: e.Expression, column: int, indent: str) -> str:
    """On one line if it fits, else broken at its outermost operators inside parentheses."""
    flat = expression_text(expression)
    if column + len(flat) <= _WIDTH:
        return flat
    broken = _broken(expression, indent)
    return broken if broken == flat or isinstance(expression, e.Call | e.Match) else f"({broken})"


def _broken(expression: e.Expression, indent: str) -> str:
    line = f"\n{indent}"
    match expression:
        case e.Binary(operator="+" | "-" | "*" | "/") | e.Logical():
            return line.join(_operands(expression, indent))
        case e.Conditional(then, condition, otherwise):
            parts = [_nested(then, indent), f"if {_nested(condition, indent)}"]
            rest = otherwise
            while isinstance(rest, e.Conditional):
                parts.append(f"else {_nested(rest.then, indent)}")
                parts.append(f"if {_nested(rest.condition, indent)}")
                rest = rest.otherwise
            return line.join([*parts, f"else {_nested(rest, indent)}"])
        case e.Call(function, arguments):
            inner = f",{line}".join(_laid_out(each, len(indent), indent + _STEP) for each in arguments)
            return f"{function}({inner})"
        case e.Match(subject, arms):
            inner = f",{line}".join(arm_text(arm) for arm in arms)
            return f"(match {expression_text(subject)}:{line}{inner})"
    return expression_text(expression)


def _operands(expression: e.Binary | e.Logical, indent: str) -> list[str]:
    """The operands of a chain of one precedence, each after the first with its operator before it."""
    level = precedence(expression)
    chain: list[str] = []
    rest: e.Expression = expression
    while isinstance(rest, e.Binary | e.Logical) and precedence(rest) == level:
        chain.insert(0, f"{rest.operator} {_nested(rest.right, indent, level + 1)}")
        rest = rest.left
    return [_nested(rest, indent, level), *chain]


def _nested(expression: e.Expression, indent: str, level: int = 1) -> str:
    """A part of a broken expression, in parentheses if it binds less than the level; broken too if it must be."""
    flat = text_within(expression, level)
    if len(indent) + len(flat) + len("else ") <= _WIDTH:
        return flat
    inner = _broken(expression, indent + _STEP)
    return f"({inner})" if precedence(expression) < level else inner


def _table(declared: d.TableDeclaration) -> Iterator[str]:
    source = f" from {declared.supplier} at most {declared.at_most}" if declared.supplier else ""
    yield f"table {declared.name}{source}"
    yield from _notes(declared.notes, _STEP)
    for column in declared.columns:
        head = f"{column.name}{_typed(column.type)}"
        if column.expression is None:
            yield f"{_STEP}{head}"
        else:
            yield from _equation(f"{head} =", column.expression, _STEP)
        yield from _notes(column.notes, _STEP * 2)
    for row in declared.rows:
        yield ""
        yield f"{_STEP}row {row.name}" + (f' "{row.notes.sentence}"' if row.notes.sentence else "")
        for name, expression in row.cells:
            yield from _equation(f"{name} =", expression, _STEP * 2)


def _notes(notes: d.Notes, indent: str) -> Iterator[str]:
    if notes.sentence:
        yield f'{indent}"{notes.sentence}"'
    if notes.symbol:
        yield f'{indent}symbol "{notes.symbol}"'
    for source in notes.sources:
        yield f"{indent}source {source.key}" + (f' "{source.locator}"' if source.locator else "")
    for remark in notes.remarks:
        yield f'{indent}note "{remark}"'
    for example in notes.examples:
        givens = ", ".join(f"{name} = {_given(value)}" for name, value in example.givens)
        yield f"{indent}example {givens}{' ' if givens else ''}-> {expression_text(example.expected)}"


def _given(value: str | e.Expression) -> str:
    return value if isinstance(value, str) else expression_text(value)
