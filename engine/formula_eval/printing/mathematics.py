"""Prints expressions, as their author wrote them or lowered, as mathematics: what LaTeX and MathML share."""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import ClassVar, NamedTuple, Self

from formula_eval.core import expression as e
from formula_eval.core.builtins import LOWERED
from formula_eval.core.date import DATE
from formula_eval.core.declaration import PREVIOUS
from formula_eval.printing import printer as p

_FROM_HERE_GROUPED = 4  # 4096, but 65,536


class Forms(NamedTuple):
    """What a notation of mathematics writes in shapes of its own, with a `%s` for each part."""

    digits: str  # a number without a power
    thousands: str  # between groups of three digits
    ten: str  # a power of ten
    minus: str  # ahead of its exponent
    part: str  # an expression as one part of a form
    below: str  # a symbol with an index
    fraction: str  # one part above the other
    power: str  # an exponent, raised
    root: str  # a square root
    braced: str  # the cases of a distinction behind a brace
    case: str  # a value, and when it is taken
    between_cases: str  # from one case to the next
    when: str  # ahead of the condition of a case
    otherwise: str  # the condition of the last case
    first_row: str  # the condition under which a sequence begins
    some_row: str  # the condition that a row is found
    members: str  # a set
    summation: str  # the large sign of a sum over rows
    over: str  # a large sign, what it goes over beneath it, and what it is of
    only: str  # what it goes over, and a condition
    beside: str  # a bar with replaced inputs beside it


def _in_fences(function: str) -> Callable[..., p.Printed]:
    """Builds the method that puts what a builtin is of between its fences; of two arguments, their fraction."""

    def call(self: "MathPrinter", x: e.Expression, divisor: e.Expression | None = None) -> p.Printed:
        left, right = self.fences[function]
        inside = x if divisor is None else e.Binary("/", x, divisor)
        return self.fenced(left, self.text(inside), right), p.ATOM

    return call


class MathPrinter(p.Printer, shared=True):
    """Fractions, roots and braces; knows which table each row word of a comprehension goes through.

    `signs` spells a few more: `in`, `such` that, `comma`, `beside` another input, `where`, `dot` between two digits,
    `times` before a power of ten, `applied` behind a function. `fences` stand around what `ceil`, `floor`, `round`,
    `abs` and `one_if` are of.
    """

    precedence: ClassVar[Mapping[str, int]] = {**p.PRECEDENCE, "/": p.POWER, "%": p.BIG}  # a fraction as a power
    forms: ClassVar[Forms]
    fences: ClassVar[Mapping[str, tuple[str, str]]]
    begins_with_digit: ClassVar[re.Pattern[str]]  # matches the text of what does

    def __init__(self, symbols: Callable[[str], str], rows: Mapping[str, str] | None = None) -> None:
        """Spell names so; `rows` says of each row word in use which table it goes through."""
        self._symbols = symbols
        self._rows = rows or {}

    @classmethod
    def formula(cls, x: e.Expression, names: p.Names) -> str:
        """Symbols for the names that have one."""
        return cls(names).text(x)

    def inside(self, rows: Mapping[str, str]) -> Self:
        """The printer for what stands within a comprehension."""
        return type(self)(self._symbols, rows)

    @abstractmethod
    def upright(self, text: str) -> str:
        """A word as upright letters."""

    @abstractmethod
    def symbol(self, name: str, otherwise: str = "") -> str:
        """The symbol of a name, else a word or the name itself."""

    def part(self, x: e.Expression) -> str:
        """An expression as one part of a form."""
        return self.forms.part % self.text(x)

    @abstractmethod
    def fenced(self, left: str, inside: str, right: str) -> str:
        """Fences around something."""

    def number(self, x: e.Number) -> p.Printed:
        """Digits in groups of three, a power of ten, a unit."""
        if x.unit == DATE:
            return self.upright(x.text), p.ATOM
        digits, _, power = x.text.replace("_", "").lower().partition("e")
        whole, point, rest = digits.partition(".")
        if len(whole) > _FROM_HERE_GROUPED:
            whole = re.sub(r"(?<=\d)(?=(\d{3})+$)", self.forms.thousands, whole)
        shown, level = self.forms.digits % (whole + point + rest), p.ATOM
        if power:
            ten = self.forms.ten % str(int(power)).replace("-", self.forms.minus)
            shown, level = (ten, p.POWER) if digits == "1" else (f"{shown}{self.signs['times']}{ten}", p.PRODUCT)
        return (f"{shown}{self.unit(x.unit)}", min(level, p.PRODUCT)) if x.unit else (shown, level)

    @abstractmethod
    def unit(self, unit: str) -> str:
        """A unit behind its number."""

    def name(self, x: e.Name) -> p.Printed:
        """A symbol; that of a column has its row below."""
        if x.path[0] == "previous":
            return self.below(x.path[-1], x.path[-1], self.upright("previous")), p.ATOM
        if len(x.path) == 2 and x.path[0] in self._rows:  # noqa: PLR2004 - row and column
            row, column = x.path
            return self.below(f"{self._rows[row]}.{column}", column, self.row_word(row)), p.ATOM
        return self.symbol(".".join(x.path)), p.ATOM

    def choice(self, x: e.ChoiceValue) -> p.Printed:
        """The word."""
        return self.upright(x.word), p.ATOM

    def given(self, x: e.Given) -> p.Printed:
        """A function of a symbol."""
        return self.application(self.upright("given"), self.symbol(x.node)), p.ATOM

    def negate(self, x: e.Negate) -> p.Printed:
        """A sign in front."""
        return f"{self.signs['-x']}{self.within(x.operand, p.PRODUCT)}", p.NEGATE

    def negation(self, x: e.Not) -> p.Printed:
        """A sign in front."""
        return f"{self.signs['not']}{self.within(x.operand, p.ATOM)}", p.NOT

    def binary(self, x: e.Binary) -> p.Printed:
        """Arithmetic: quotients as fractions, products without a sign unless two digits would meet."""
        level = self.precedence[x.operator]
        match x.operator:
            case "*":
                return self.product(x.left, x.right), level
            case "/":
                return self.forms.fraction % (self.part(x.left), self.part(x.right)), level
            case "%":
                left, right = self.within(x.left, p.PRODUCT), self.within(x.right, p.POWER)
                return f"{left}{self.signs['%']}{right}", level
            case "**":
                return self.power(x.left, x.right), level
        return self.infix(x.operator, x.left, x.right)

    def behind(self, x: e.Expression, level: int) -> str:
        """What stands behind a sign: a term with a sign of its own is in parentheses."""
        return self.parenthesised(self.text(x)) if isinstance(x, e.Negate) else self.within(x, level)

    def product(self, left: e.Expression, right: e.Expression) -> str:
        """Factors side by side, with a dot where two digits would meet."""
        first, second = self.within(left, p.PRODUCT), self.within(right, p.POWER)
        return f"{first}{self.signs['dot' if self.begins_with_digit.match(second) else '*']}{second}"

    def power(self, left: e.Expression, right: e.Expression) -> str:
        """An exponent, raised."""
        return self.forms.power % (self.within(left, p.ATOM), self.part(right))

    def conditional(self, x: e.Conditional | e.Match) -> p.Printed:
        """A brace."""
        return self.forms.braced % self.cases(x), p.CONDITIONAL

    match = conditional

    def cases(self, x: e.Conditional | e.Match) -> str:
        """The lines of a distinction; one that stands in the last branch goes on with its lines."""
        match x:
            case e.Match(subject, arms):
                return self.forms.between_cases.join(self.arm(self.within(subject, p.SUM), arm) for arm in arms)
            case e.Conditional(then, condition, e.Conditional() as otherwise):
                last = self.cases(otherwise)
            case e.Conditional(then, condition, otherwise):
                last = self.forms.case % (self.text(otherwise), self.forms.otherwise)
        return self.forms.between_cases.join((self.line(then, condition), last))

    def line(self, value: e.Expression, condition: e.Expression) -> str:
        """One line of a distinction."""
        return self.forms.case % (self.text(value), f"{self.forms.when}{self.text(condition)}")

    def arm(self, subject: str, arm: e.Arm) -> str:
        """One line of a match."""
        first, *others = patterns = [self.pattern(pattern) for pattern in arm.patterns]
        fits = f"{self.signs['in']}{self.members(patterns)}" if others else f"{self.signs['==']}{first}"
        return self.forms.case % (self.text(arm.value), f"{self.forms.when}{subject}{fits}")

    def members(self, listed: Iterable[str]) -> str:
        """A set."""
        return self.forms.members % self.signs["comma"].join(listed)

    def pattern(self, pattern: e.Expression) -> str:
        """A word of a choice is not a quantity, so it has no symbol."""
        return self.upright(".".join(pattern.path)) if isinstance(pattern, e.Name) else self.text(pattern)

    def binding(self, binding: e.Binding | e.Situation) -> str:
        """`input = value` of a `with`, or a situation, which is not a quantity and so has no symbol."""
        if isinstance(binding, e.Situation):
            return self.upright(".".join(binding.name.path))
        return f"{self.text(binding.name)}{self.signs['==']}{self.text(binding.value)}"

    def application(self, name: str, inside: str) -> str:
        """A function of something."""
        return f"{name}{self.signs['applied']}{self.parenthesised(inside)}"

    def function(self, name: str, arguments: tuple[e.Expression, ...]) -> p.Printed:
        """A function of its arguments."""
        return self.application(name, self.signs["comma"].join(self.text(argument) for argument in arguments)), p.ATOM

    def call(self, x: e.Call) -> p.Printed:
        """A builtin in its mathematical form, anything else as a function of its own symbol."""
        if x.function in self.functions or (x.function in LOWERED and LOWERED[x.function].takes(len(x.arguments))):
            return super().call(x)
        return self.function(self.symbol(x.function), x.arguments)

    def call_sum(self, *terms: e.Expression) -> p.Printed:
        """Its terms."""
        return self.total(terms) if terms else (self.application(self.upright("sum"), ""), p.ATOM)

    call_ceil = call_ceildiv = _in_fences("ceil")
    call_floor = call_floordiv = _in_fences("floor")
    call_round = _in_fences("round")  # of which one is of a ceiling and one of a floor
    call_abs = _in_fences("abs")
    call_one_if = _in_fences("one_if")  # the bracket of Iverson

    def call_log1p(self, x: e.Expression) -> p.Printed:
        """What it means; that it keeps more digits is nothing that a reader needs."""
        return self.printed(e.Call("ln", (e.Binary("+", e.Number("1", value=Fraction(1)), x),)))

    def call_expm1(self, x: e.Expression) -> p.Printed:
        """The same."""
        return self.printed(e.Binary("-", e.Call("exp", (x,)), e.Number("1", value=Fraction(1))))

    def call_sqrt(self, x: e.Expression) -> p.Printed:
        """A root."""
        return self.forms.root % self.text(x), p.ATOM

    def comprehension(self, x: e.Comprehension) -> p.Printed:
        """A sum, minimum or maximum over the rows of a table."""
        table = ".".join(x.table.path)
        inner = self.inside({**self._rows, x.row: table})
        below = self.forms.part % f"{self.row_word(x.row)}{self.signs['in']}{self.symbol(table)}"
        if x.condition is not None:
            below = self.forms.only % (below, inner.text(x.condition))
        named = self.functions.get(x.function) or self.upright(x.function)
        sign = self.forms.summation if x.function == "sum" else named
        return self.forms.over % (sign, below, inner.within(x.value, p.PRODUCT)), p.BIG

    def lookup(self, x: e.Lookup) -> p.Printed:
        """The column with the row below."""
        return self.below(f"{'.'.join(x.table.path)}.{x.column}", x.column, self.part(x.row)), p.ATOM

    def recurrence(self, x: e.Recurrence) -> p.Printed:
        """A brace; a row looked for, or of another table, stands ahead of what holds where there is none."""
        sequence = any(isinstance(node, e.Name) and node.path[0] == PREVIOUS for node in e.walk(x.value))
        if isinstance(x.value, e.Comprehension) or not sequence:
            return self._braced((self.text(x.value), self.forms.some_row), (self.text(x.first), self.forms.otherwise))
        return self._braced((self.text(x.first), self.forms.first_row), (self.text(x.value), self.forms.otherwise))

    def _braced(self, *cases: tuple[str, str]) -> p.Printed:
        """Values with their conditions."""
        return self.forms.braced % self.forms.between_cases.join(
            self.forms.case % case for case in cases
        ), p.CONDITIONAL

    def solve(self, x: e.Solve) -> p.Printed:
        """The least or greatest of a set; what holds where it is empty stands in a brace beneath."""
        unknown, below = self.symbol(x.unknown), self.signs["<="]
        ends = f"{self.within(x.low, p.SUM)}{below}{unknown}{below}{self.within(x.high, p.SUM)}"
        members = [f"{unknown}{self.signs['such']}{ends}", self.within(x.condition, p.OR)]
        found = f"{self.functions['max' if x.largest else 'min']}{self.members(members)}"
        if x.otherwise is None:
            return found, p.BIG
        return self._braced((found, self.forms.some_row), (self.text(x.otherwise), self.forms.otherwise))

    def with_inputs(self, x: e.With) -> p.Printed:
        """A bar with the inputs beside it."""
        names = self.signs["beside"].join(self.binding(binding) for binding in x.bindings)
        return self.forms.beside % (self.text(x.value), names), p.ATOM

    def below(self, name: str, otherwise: str, row: str) -> str:
        """The symbol of a name, else a word, with a row below."""
        return self.forms.below % (self.symbol(name, otherwise), row)

    def row_word(self, word: str) -> str:
        """The word that goes through the rows of a table."""
        return self.upright(word)

    def where(self, x: e.Where) -> p.Printed:
        """The pieces behind the expression."""
        pieces = [f"{self.symbol(piece.name)}{self.signs['==']}{self.text(piece.value)}" for piece in x.pieces]
        return f"{self.text(x.value)}{self.signs['where']}{self.signs['comma'].join(pieces)}", p.CONDITIONAL
