"""An author's expression to a checked one: names bound, words looked up, units verified, all findings kept.

The result still holds calls of `def`s and `with`s; a name of the place itself (a column of the own row, a
parameter, the row of a comprehension) is a reference that begins with a dot, filled in when the place is known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace

from formula_eval.core import declaration as d
from formula_eval.core import expression as e
from formula_eval.core.diagnostic import nearest
from formula_eval.core.type import AnyQuantity
from formula_eval.core.type import Choice
from formula_eval.core.type import Flag
from formula_eval.core.type import Quantity
from formula_eval.core.type import Record
from formula_eval.core.type import Type
from formula_eval.core.unit import PLAIN
from formula_eval.language.expression_text import expression_text
from formula_eval.resolve import operators
from formula_eval.resolve.operators import Typed
from formula_eval.resolve.operators import described
from formula_eval.resolve.scope import Scope
from formula_eval.resolve.scope import Symbol
from formula_eval.resolve.types import type_of

FILLED = "filled"


@dataclass(frozen=True, slots=True)
class Elaborator:
    """Elaborates expressions of one place: a namespace, and what the place itself names."""

    scope: Scope
    namespace: str
    own: Mapping[str, Type] = field(default_factory=dict)
    rows: Mapping[str, Symbol] = field(default_factory=dict)

    def expression(self, x: e.Expression, expected: Type | None = None) -> Typed:  # noqa: C901, PLR0911, PLR0912 - one case for each kind of node
        """The checked expression and its type; words are looked up in the expected choice."""
        match x:
            case e.Number(unit=unit, value=value):
                return x, self._number(unit, value.denominator == 1, zero=value == 0)
            case e.Infinity():
                return x, AnyQuantity()
            case e.FlagValue():
                return x, Flag()
            case e.Name():
                return self._name(x, expected)
            case e.Negate(operand):
                inner = self.expression(operand)
                operators.is_quantity(self.scope, inner)
                return replace(x, operand=inner[0]), inner[1]
            case e.Binary(operator, left, right):
                a, b = self.expression(left), self.expression(right)
                return replace(x, left=a[0], right=b[0]), operators.binary(self.scope, operator, a, b)
            case e.Compare():
                return self._compare(x)
            case e.Logical(_, left, right):
                a, b = self.expression(left), self.expression(right)
                operators.is_flag(self.scope, a)
                operators.is_flag(self.scope, b)
                return replace(x, left=a[0], right=b[0]), Flag()
            case e.Not(operand):
                inner = self.expression(operand)
                operators.is_flag(self.scope, inner)
                return replace(x, operand=inner[0]), Flag()
            case e.Conditional():
                return self._conditional(x, expected)
            case e.Match():
                return self._match(x, expected)
            case e.Call():
                return self._call(x)
            case e.Comprehension():
                return self._comprehension(x)
            case e.With():
                return self._with(x, expected)
        raise TypeError(type(x).__name__)

    def _number(self, unit: str, whole: bool, *, zero: bool) -> Type:
        if not unit:
            return AnyQuantity() if zero else Quantity(whole=whole)
        known = self.scope.units.parse(unit)
        return Quantity(known.dimension, whole=whole and known.dimension == PLAIN)

    # -- names

    def _name(self, x: e.Name, expected: Type | None) -> Typed:
        word = x.path[0] if len(x.path) == 1 else ""
        if isinstance(expected, Choice) and word in expected.values:
            return e.ChoiceValue(word, expected.values.index(word), span=x.span), expected
        if word in self.own:
            return self._reference(x, f".{word}"), self.own[word]
        if len(x.path) == 2 and x.path[0] in self.rows:  # noqa: PLR2004 - row.column
            return self._row_column(x)
        found = self.scope.lookup(x.path, self.namespace)
        if found is None:
            self._unknown(x, expected)
            return e.Number("0", span=x.span), expected or AnyQuantity()
        return self._symbol(x, *found)

    def _reference(self, x: e.Name, node: str) -> e.Expression:
        return e.Reference(node, ".".join(x.path), span=x.span)

    def _unknown(self, x: e.Name, expected: Type | None) -> None:
        name = ".".join(x.path)
        message = f"Unknown name `{name}`"
        if isinstance(expected, Choice):
            self.scope.find(
                "unknown-word",
                f"`{name}` is not a word of {described(expected)}",
                x.span,
                help=f"Its words are {', '.join(f'`{word}`' for word in expected.values)}.",
            )
        elif name in self.scope.units.units:
            help_ = f"`{name}` is a unit; a unit stands right after a number: `1 {name}`."
            self.scope.find("unknown-name", message, x.span, help=help_)
        elif name in self.scope.namespaces:
            self.scope.find("unknown-name", f"`{name}` is a folder, not a quantity", x.span)
        else:
            known = [*self.own, *(f"{row}.{c}" for row, t in self.rows.items() for c in _columns(t))]
            help_ = nearest(name, dict.fromkeys([*known, *self.scope.visible(self.namespace)]))
            last = x.path[-1]
            elsewhere = [each for each in self.scope.symbols if each.endswith(f".{last}")]
            if elsewhere:
                help_ = f"Spell out where it is: {' or '.join(f'`{each}`' for each in elsewhere[:3])}."
            self.scope.find("unknown-name", message, x.span, help=help_)

    def _symbol(self, x: e.Name, symbol: Symbol, rest: tuple[str, ...]) -> Typed:
        name, declared = ".".join(x.path), symbol.declaration
        if isinstance(declared, d.TableDeclaration):
            return self._cell(x, symbol, rest)
        if rest:
            self.scope.find("unknown-name", f"`{symbol.name}` has no parts, so `{name}` is nothing", x.span)
        elif isinstance(declared, d.FunctionDeclaration):
            inside = ", ".join(each.name for each in declared.parameters)
            self.scope.find("function-name", f"`{name}` is a function", x.span, help=f"Call it: `{name}({inside})`.")
        elif isinstance(declared, d.InputDeclaration | d.FormulaDeclaration):
            type_, _ = type_of(declared.type, self._silent(), symbol.namespace)
            return self._reference(x, symbol.name), type_
        elif isinstance(declared, d.CheckDeclaration):
            return self._reference(x, symbol.name), Flag()
        return e.Number("0", span=x.span), AnyQuantity()

    def _silent(self) -> Scope:
        """The scope without its findings: a declared type complains once, where it is declared."""
        return replace(self.scope, findings=[])

    def _cell(self, x: e.Name, symbol: Symbol, rest: tuple[str, ...]) -> Typed:
        table = symbol.declaration
        assert isinstance(table, d.TableDeclaration)  # noqa: S101 - for the type checker
        rows, columns = row_names(table), _columns(symbol)
        if len(rest) != 2:  # noqa: PLR2004 - row.column
            help_ = f"A cell is `{symbol.name}.row.column`; `sum(row.column for row in {symbol.name})` reads them all."
            self.scope.find("table-name", f"`{'.'.join(x.path)}` is a table or a row of one", x.span, help=help_)
        elif rest[0] not in rows:
            help_ = nearest(rest[0], rows)
            self.scope.find("unknown-name", f"`{symbol.name}` has no row `{rest[0]}`", x.span, help=help_)
        elif rest[1] not in columns:
            help_ = nearest(rest[1], columns)
            self.scope.find("unknown-name", f"`{symbol.name}` has no column `{rest[1]}`", x.span, help=help_)
        else:
            return self._reference(x, f"{symbol.name}.{rest[0]}.{rest[1]}"), self._column_type(symbol, rest[1])
        return e.Number("0", span=x.span), AnyQuantity()

    def _row_column(self, x: e.Name) -> Typed:
        row, column = x.path
        symbol = self.rows[row]
        if column not in _columns(symbol):
            help_ = nearest(column, _columns(symbol))
            self.scope.find("unknown-name", f"`{symbol.name}` has no column `{column}`", x.span, help=help_)
            return e.Number("0", span=x.span), AnyQuantity()
        return self._reference(x, f".{row}.{column}"), self._column_type(symbol, column)

    def _column_type(self, symbol: Symbol, column: str) -> Type:
        return type_of(_columns(symbol)[column].type, self._silent(), symbol.namespace)[0]

    # -- branches

    def _compare(self, x: e.Compare) -> Typed:
        a: Typed | None = None
        left_type = self._choice_of(x.left)
        right_type = None if left_type else self._choice_of(x.right)
        if left_type or right_type:
            expected = left_type or right_type
            a, b = self.expression(x.left, expected), self.expression(x.right, expected)
            if a[1] != b[1]:
                message = f"Cannot compare {described(a[1])} and {described(b[1])}"
                labels = (x.left.span, described(a[1])), (x.right.span, described(b[1]))
                self.scope.find("unit-mismatch", message, *labels)
            elif x.operator not in {"==", "!="}:
                self.scope.find("no-order", "The words of a choice have no order", x.span, help="Use `==` or `!=`.")
        else:
            a, b = self.expression(x.left), self.expression(x.right)
            if not (isinstance(a[1], Flag) and isinstance(b[1], Flag) and x.operator in {"==", "!="}) and (
                operators.is_quantity(self.scope, a) & operators.is_quantity(self.scope, b)
            ):
                operators.same_unit(self.scope, "compare", (a, b))
        return replace(x, left=a[0], right=b[0]), Flag()

    def _choice_of(self, x: e.Expression) -> Choice | None:
        """The choice that an expression has, if it has one without being told."""
        quiet = replace(self, scope=self._silent())
        found = quiet.expression(x)[1]
        return found if isinstance(found, Choice) else None

    def _conditional(self, x: e.Conditional, expected: Type | None) -> Typed:
        condition = self.expression(x.condition)
        operators.is_flag(self.scope, condition)
        then, otherwise = self.expression(x.then, expected), self.expression(x.otherwise, expected)
        built = replace(x, then=then[0], condition=condition[0], otherwise=otherwise[0])
        return built, self._one_type("choose between", (then, otherwise))

    def _one_type(self, what: str, parts: tuple[Typed, ...]) -> Type:
        first = parts[0][1]
        if all(isinstance(each[1], Quantity | AnyQuantity) for each in parts):
            return operators.same_unit(self.scope, what, parts)
        for part in parts[1:]:
            if part[1] != first:
                message = f"Cannot {what} {described(first)} and {described(part[1])}"
                labels = (parts[0][0].span, described(first)), (part[0].span, described(part[1]))
                self.scope.find("unit-mismatch", message, *labels)
                break
        return first

    def _match(self, x: e.Match, expected: Type | None) -> Typed:
        subject, subject_type = self.expression(x.subject)
        arms, values = [], []
        seen: dict[object, e.Expression] = {}
        for arm in x.arms:
            patterns = tuple(self._pattern(pattern, subject_type, seen) for pattern in arm.patterns)
            value = self.expression(arm.value, expected)
            values.append(value)
            arms.append(replace(arm, patterns=patterns, value=value[0]))
        self._check_all_named(x, subject, subject_type, seen)
        return replace(x, subject=subject, arms=tuple(arms)), self._one_type("choose between", tuple(values))

    def _pattern(self, pattern: e.Expression, subject: Type, seen: dict[object, e.Expression]) -> e.Expression:
        built = pattern
        key: object
        if isinstance(subject, Choice):
            built, _ = self.expression(pattern, subject)
            key = built.word if isinstance(built, e.ChoiceValue) else None
        elif isinstance(pattern, e.Number | e.FlagValue):
            key = pattern.value
            if isinstance(pattern, e.FlagValue) != isinstance(subject, Flag):
                self.scope.find("bad-pattern", f"This arm does not fit {described(subject)}", pattern.span)
        else:
            self.scope.find("bad-pattern", f"This arm does not fit {described(subject)}", pattern.span)
            key = None
        if key is not None and key in seen:
            text = expression_text(pattern)
            self.scope.find("duplicate-value", f"`{text}` has an arm already", pattern.span, (seen[key].span, "here"))
        seen[key] = pattern
        return built

    def _check_all_named(
        self, x: e.Match, subject: e.Expression, type_: Type, seen: dict[object, e.Expression]
    ) -> None:
        names: list[str]
        if isinstance(type_, Choice):
            names = [word for word in type_.values if word not in seen]
        elif isinstance(type_, Flag):
            names = [word for word in ("true", "false") if (word == "true") not in seen]
        else:
            allowed = self._allowed(subject)
            if allowed is None:
                help_ = "Match on a choice, a flag, or an input declared `in a | b`; or write `if`."
                message = f"`{expression_text(x.subject)}` could be any number, so no `match` names all its values"
                self.scope.find("bad-match", message, x.subject.span, help=help_)
                return
            names = [expression_text(number) for number in allowed if number.value not in seen]
        if names:
            listed = ", ".join(f"`{name}`" for name in names)
            message = f"This `match` misses {listed} of `{expression_text(x.subject)}`"
            self.scope.find("incomplete-match", message, x.subject.span, help=f"Add `{' | '.join(names)} -> ...`.")

    def _allowed(self, subject: e.Expression) -> tuple[e.Number, ...] | None:
        if isinstance(subject, e.Reference) and subject.node in self.scope.symbols:
            declared = self.scope.symbols[subject.node].declaration
            if isinstance(declared, d.InputDeclaration) and declared.allowed:
                return declared.allowed
        return None

    # -- calls and tables

    def _call(self, x: e.Call) -> Typed:
        if x.function == "given":
            return self._given(x)
        if x.function in operators.BUILTINS:
            arguments = [self.expression(argument) for argument in x.arguments]
            low, high = operators.BUILTINS[x.function]
            if not low <= len(arguments) <= high:
                wanted = str(low) if low == high else f"at least {low}"
                message = f"`{x.function}` takes {wanted} argument{'s' * (low > 1)}, not {len(arguments)}"
                self.scope.find("argument-count", message, x.span)
                return e.Number("0", span=x.span), AnyQuantity()
            type_ = operators.call(self.scope, x.function, arguments, x)
            return replace(x, arguments=tuple(argument for argument, _ in arguments)), type_
        return self._function_call(x)

    def _given(self, x: e.Call) -> Typed:
        inner = x.arguments[0] if len(x.arguments) == 1 else None
        found = self.expression(inner)[0] if isinstance(inner, e.Name) else None
        symbol = self.scope.symbols.get(found.node) if isinstance(found, e.Reference) else None
        if symbol is None or not isinstance(symbol.declaration, d.InputDeclaration):
            self.scope.find("argument-count", "`given` takes the name of one input", x.span)
            return e.FlagValue(value=False, span=x.span), Flag()
        return e.Given(symbol.name, span=x.span), Flag()

    def _function_call(self, x: e.Call) -> Typed:
        nothing: Typed = (e.Number("0", span=x.span), AnyQuantity())
        found = self.scope.lookup(tuple(x.function.split(".")), self.namespace)
        if found is None or found[1] or not isinstance(found[0].declaration, d.FunctionDeclaration):
            functions = [n for n, s in self.scope.symbols.items() if isinstance(s.declaration, d.FunctionDeclaration)]
            known = [*operators.BUILTINS, "sum", *functions]
            help_ = nearest(x.function, known)
            if found is not None:
                help_ = "It is no function: a product is written with `*`."
            self.scope.find("unknown-function", f"Unknown function `{x.function}`", x.span, help=help_)
            return nothing
        symbol = found[0]
        declared = symbol.declaration
        assert isinstance(declared, d.FunctionDeclaration)  # noqa: S101 - for the type checker
        if len(x.arguments) != len(declared.parameters):
            inside = ", ".join(each.name for each in declared.parameters)
            message = f"`{x.function}` takes {len(declared.parameters)} arguments ({inside}), not {len(x.arguments)}"
            self.scope.find("argument-count", message, x.span)
            return nothing
        arguments = []
        for argument, parameter in zip(x.arguments, declared.parameters, strict=True):
            wanted, _ = type_of(parameter.type, self._silent(), symbol.namespace)
            typed = self.expression(argument, wanted)
            self.check_fits(typed, wanted, f"`{parameter.name}` of `{x.function}`", parameter)
            arguments.append(typed[0])
        type_, _ = type_of(declared.type, self._silent(), symbol.namespace)
        return e.Call(symbol.name, tuple(arguments), expression_text(x), span=x.span), type_

    def check_fits(self, typed: Typed, wanted: Type, what: str, declared: d.Declaration) -> None:
        """Find what an expression gives that its place does not take."""
        expression, found = typed
        if isinstance(found, AnyQuantity) and isinstance(wanted, Quantity):
            return
        same = (
            found.dimension == wanted.dimension
            if isinstance(found, Quantity) and isinstance(wanted, Quantity)
            else found == wanted or (isinstance(found, Choice) and isinstance(wanted, Choice) and found.values == wanted.values)
        )
        if not same:
            place = getattr(declared, "type", None)
            labels: list[tuple[object, str]] = [(expression.span, described(found))]
            labels.append(((place.span if place else declared.span), described(wanted)))
            help_ = ""
            if isinstance(found, Quantity) and isinstance(wanted, Quantity):
                help_ = f"A further factor of `{wanted.dimension / found.dimension}` is missing."
            message = f"{what} is {described(wanted)}, but this is {described(found)}"
            self.scope.find("unit-mismatch", message, *labels, help=help_)  # type: ignore[arg-type]

    def _comprehension(self, x: e.Comprehension) -> Typed:
        nothing: Typed = (e.Number("0", span=x.span), AnyQuantity())
        if x.function not in operators.OVER_ROWS:
            known = ", ".join(f"`{each}`" for each in operators.OVER_ROWS)
            self.scope.find("unknown-function", f"`{x.function}` does not go over rows", x.span, help=f"{known} do.")
            return nothing
        found = self.scope.lookup(x.table.path, self.namespace)
        if found is None or found[1] or not isinstance(found[0].declaration, d.TableDeclaration):
            tables = [n for n, s in self.scope.symbols.items() if isinstance(s.declaration, d.TableDeclaration)]
            name = ".".join(x.table.path)
            self.scope.find("unknown-name", f"`{name}` is no table", x.table.span, help=nearest(name, tables))
            return nothing
        table = found[0]
        inner = replace(self, rows={**self.rows, x.row: table})
        value = inner.expression(x.value)
        condition = inner.expression(x.condition) if x.condition is not None else None
        if condition is not None:
            operators.is_flag(self.scope, condition)
        operators.is_quantity(self.scope, value)
        built = replace(
            x, value=value[0], condition=condition[0] if condition else None, table=e.Name((table.name,))
        )
        if x.function == "largest":
            declared = table.declaration
            assert isinstance(declared, d.TableDeclaration)  # noqa: S101 - for the type checker
            return built, Choice(row_names(declared))
        return built, value[1]

    # -- with

    def _with(self, x: e.With, expected: Type | None) -> Typed:
        value = self.expression(x.value, expected)
        bindings = []
        for binding in x.bindings:
            bound = self._binding(binding)
            if bound is not None:
                bindings.append(bound)
        return replace(x, value=value[0], bindings=tuple(bindings)), value[1]

    def _binding(self, binding: e.Binding) -> e.Binding | None:
        name = ".".join(binding.name.path)
        found = self.scope.lookup(binding.name.path, self.namespace)
        if found is None and name in ("model", "hardware", "family", "engine", "format"):
            value = self.expression(binding.value)
            self.check_fits(value, Record(name), f"`{name}`", d.Declaration(name=name, span=binding.name.span))
            return replace(binding, value=value[0])
        if found is None or found[1] or not isinstance(found[0].declaration, d.InputDeclaration):
            inputs = [n for n, s in self.scope.symbols.items() if isinstance(s.declaration, d.InputDeclaration)]
            help_ = nearest(name, inputs) or "`with` replaces inputs."
            self.scope.find("unknown-input", f"`{name}` is no input", binding.name.span, help=help_)
            return None
        declared = found[0].declaration
        wanted, _ = type_of(declared.type, self._silent(), found[0].namespace)
        value = self.expression(binding.value, wanted)
        self.check_fits(value, wanted, f"`{name}`", declared)
        return replace(binding, name=e.Name((found[0].name,), span=binding.name.span), value=value[0])


def row_names(table: d.TableDeclaration) -> tuple[str, ...]:
    """The rows of a table: its own, or `1`, `2`, ... for those that a record fills."""
    return tuple(row.name for row in table.rows) or tuple(str(n + 1) for n in range(table.at_most))


def _columns(symbol: Symbol) -> dict[str, d.ColumnDeclaration]:
    table = symbol.declaration
    assert isinstance(table, d.TableDeclaration)  # noqa: S101 - for the type checker
    return {column.name: column for column in table.columns}


