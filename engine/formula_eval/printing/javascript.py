"""A lowered expression to JavaScript source text: the author's shape, computed as `printing.python` computes it."""

import json

from formula_eval.core import expression as e
from formula_eval.printing import python

# What Python refuses, JavaScript would call Infinity or NaN: these refuse as well, so that a page shows no number
# where the engine shows none.
PRELUDE = """\
const inf = Infinity, nan = NaN;

class NoNumber extends Error {}

function refuse(reason) {
  throw new NoNumber(reason);
}

function min(first, ...others) {
  for (const each of others) first = first <= each || first !== first ? first : each;
  return first;
}

function max(first, ...others) {
  for (const each of others) first = first >= each || first !== first ? first : each;
  return first;
}

function ceil(x) {
  return Math.ceil(x) + 0;
}

function floor(x) {
  return Math.floor(x) + 0;
}

function divide(a, b) {
  return b === 0 ? refuse("divides by zero") : a / b;
}

function modulo(a, b) {
  if (b === 0) refuse("divides by zero");
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}

function floordiv(a, b) {
  if (b === 0) refuse("divides by zero");
  const rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && rest < 0 !== b < 0) quotient -= 1;
  if (quotient === 0) return a < 0 !== b < 0 ? -0 : 0;
  const whole = Math.floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

function ceildiv(a, b) {
  return -floordiv(-a, b);
}

function power(base, exponent) {
  if (base === 1) return 1;
  if (base === 0 && exponent < 0) refuse("divides by zero");
  if (base < 0 && exponent % 1 !== 0) refuse("is a broken power of a negative number");
  return finite(base ** exponent, base, exponent);
}

function finite(x, ...read) {
  return Math.abs(x) === inf && read.every(Number.isFinite) ? refuse("is too large a number") : x;
}

function sqrt(x) {
  return x < 0 ? refuse("is the root of a negative number") : Math.sqrt(x);
}

function ln(x) {
  return x <= 0 ? refuse("is a logarithm of no positive number") : Math.log(x);
}

function log2(x) {
  return x <= 0 ? refuse("is a logarithm of no positive number") : Math.log2(x);
}

function exp(x) {
  return finite(Math.exp(x), x);
}

function largest(...values) {
  const most = max(...values);
  return most === most ? values.indexOf(most) : nan;
}

function largest_divisor(n, at_most) {
  if (n !== n || at_most !== at_most) return nan;
  if (n < 1 || n % 1 !== 0 || n > 2 ** 53) refuse("takes a divisor of what is no whole number from 1 to 2**53");
  const bound = Math.floor(Math.min(n, Math.max(at_most, 0)));
  let root = Math.floor(Math.sqrt(n));
  if (root * root > n) root -= 1;
  for (let each = ceildiv(n, bound || 1); bound > root && each <= root; each++) if (n % each === 0) return n / each;
  for (let each = Math.min(bound, root); each > 0; each--) if (n % each === 0) return each;
  return 0;
}
"""
_FUNCTIONS = {"/": "divide", "%": "modulo", "**": "power"}


def javascript_text(expression: e.Expression, names: python.Names, conditions: python.Names | None = None) -> str:
    """The expression on one line of JavaScript that needs only what `PRELUDE` defines, and `given` for `given(input)`.

    `names` spells a node. `conditions` spells a flag where it decides, for flags that may be absent (NaN).
    """
    return JavaScriptPrinter(names, conditions).text(expression)


class JavaScriptPrinter(python.PythonPrinter):
    """Differs from Python in its words, where JavaScript does not refuse, and in how tightly `!` and `-` bind."""

    def printed(self, x: e.Expression) -> python.Printed:
        """The text, and how tightly its outermost operator binds."""
        match x:
            case e.Number(value=value):
                return repr(float(value)).removesuffix(".0"), python.ATOM if value >= 0 else python.NEGATE
            case e.FlagValue(value):
                return "true" if value else "false", python.ATOM
            case e.Negate(operand):
                return f"-{self.within(operand, python.POWER)}", python.NEGATE
            case e.Compare(("==" | "!=") as operator, left, right):
                return f"{self.within(left, python.SUM)} {operator}= {self.within(right, python.SUM)}", python.COMPARE
        return super().printed(x)

    def condition(self, x: e.Expression, level: int) -> str:
        """The text where a flag decides: what is absent does not hold."""
        if isinstance(x, e.Match | e.Conditional):
            return f"(({self.text(x)}) === true)"
        return super().condition(x, level)

    def given(self, node: str) -> python.Printed:
        """Whether an input has a value of its own."""
        return f"({json.dumps(node)} in given)", python.ATOM

    def binary(self, operator: str, left: e.Expression, right: e.Expression) -> python.Printed:
        """Arithmetic; what divides by a number other than 0 needs no watching."""
        if operator == "/" and isinstance(right, e.Number) and right.value:
            level = python.BINARY[operator]
            return f"{self.within(left, level)} / {self.within(right, level + 1)}", level
        if operator in _FUNCTIONS:
            return self.function(_FUNCTIONS[operator], (left, right))
        return super().binary(operator, left, right)

    def logical(self, operator: str, left: e.Expression, right: e.Expression) -> python.Printed:
        """`&&`, `||`: the right side is computed only if the left one leaves it open."""
        level, sign = (python.OR, "||") if operator == "or" else (python.AND, "&&")
        return f"{self.condition(left, level)} {sign} {self.condition(right, level + 1)}", level

    def negation(self, operand: e.Expression) -> python.Printed:
        """`!`, which binds more tightly than any comparison."""
        return f"!{self.condition(operand, python.ATOM)}", python.ATOM

    def conditional(self, then: e.Expression, condition: e.Expression, otherwise: e.Expression) -> python.Printed:
        """One of two, and the other is not computed."""
        parts = (
            self.condition(condition, python.OR),
            self.within(then, python.OR),
            self.within(otherwise, python.CONDITIONAL),
        )
        return f"{parts[0]} ? {parts[1]} : {parts[2]}", python.CONDITIONAL

    def match(self, subject: e.Expression, arms: tuple[e.Arm, ...]) -> python.Printed:
        """The arms one after another; a subject that fits none, because it is absent, gives NaN."""
        tested = self.within(subject, python.SUM)
        cases = [f"{self.fits(tested, arm)} ? {self.within(arm.value, python.OR)}" for arm in arms]
        return " : ".join([*cases, "nan"]), python.CONDITIONAL

    def fits(self, tested: str, arm: e.Arm) -> str:
        """Whether the subject is one of the patterns of this arm."""
        return " || ".join(f"{tested} === {self.within(pattern, python.SUM)}" for pattern in arm.patterns)

    def call(self, function: str, arguments: tuple[e.Expression, ...]) -> python.Printed:
        """A builtin."""
        match function, arguments:
            case "one_if", (flag,):
                return f"{self.condition(flag, python.OR)} ? 1 : 0", python.CONDITIONAL
            case (("sqrt" | "log2" | "exp" | "ln" | "floordiv" | "ceildiv"), _):
                return self.function(function, arguments)
            case "abs", _:
                return self.function("Math.abs", arguments)
            case "sum", ():
                return "0", python.ATOM
        return super().call(function, arguments)
