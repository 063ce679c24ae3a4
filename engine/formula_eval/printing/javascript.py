"""Prints lowered expressions as JavaScript, in the author's shape, computed as `printing.python` does."""

import json
from collections.abc import Mapping
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.c_like import CLikePrinter
from formula_eval.printing.code import OWN_NAMES

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

function near(x) {
  return Math.min(Math.abs(x) * 1e-9, 1e-3);
}

function nearPart(a, b) {
  return Math.min(Math.abs(a) * 1e-9, Math.abs(b) * 1e-3, 0.5);
}

function ceil(x) {
  return Math.ceil(x - near(x)) + 0;
}

function floor(x) {
  return Math.floor(x + near(x)) + 0;
}

function round(x) {
  const whole = Math.trunc(x) + 0;
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

function divide(a, b) {
  return b === 0 ? refuse("divides by zero") : a / b;
}

function modulo(a, b) {
  if (b === 0) refuse("divides by zero");
  const part = a % b, least = nearPart(a, b), rest = part !== 0 && part < 0 !== b < 0 ? part + b : part;
  if (Math.abs(rest) <= least || Math.abs(b) - Math.abs(rest) <= least) return b < 0 ? -0 : 0;
  return rest;
}

function floordiv(a, b) {
  if (b === 0) refuse("divides by zero");
  const rest = a % b, opposed = rest !== 0 && rest < 0 !== b < 0;
  let quotient = (a - rest) / b;
  if (opposed) quotient -= 1;
  if ((opposed ? Math.abs(rest) : Math.abs(b) - Math.abs(rest)) <= nearPart(a, b)) quotient += 1;
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

function log1p(x) {
  return x <= -1 ? refuse("is a logarithm of no positive number") : Math.log1p(x);
}

function expm1(x) {
  return finite(Math.expm1(x), x);
}

function largest(...values) {
  const most = max(...values);
  return most === most ? values.indexOf(most) : nan;
}

function largest_divisor(n, at_most) {
  if (n !== n || at_most !== at_most) return nan;
  if (n < 1 || n % 1 !== 0 || n > 2 ** 40) refuse("takes a divisor of what is not a whole number from 1 to 2**40");
  const bound = Math.floor(Math.min(n, Math.max(at_most, 0)));
  let root = Math.floor(Math.sqrt(n));
  if (root * root > n) root -= 1;
  for (let each = ceildiv(n, bound || 1); bound > root && each <= root; each++) if (n % each === 0) return n / each;
  for (let each = Math.min(bound, root); each > 0; each--) if (n % each === 0) return each;
  return 0;
}
"""


def javascript_text(expression: e.Expression, names: p.Names, conditions: p.Names | None = None) -> str:
    """The expression on one line of JavaScript that needs only what `PRELUDE` defines, and `given` for `given(input)`.

    `names` spells a node. `conditions` spells a flag where it decides, for flags that may be absent (NaN).
    """
    return JavaScriptPrinter(names, conditions).text(expression)


class JavaScriptPrinter(CLikePrinter):
    """JavaScript, with functions that refuse where the language itself does not."""

    words: ClassVar[Mapping[str, str]] = {"true": "true", "false": "false", "infinity": "inf", "absent": "nan"}
    watched: ClassVar[Mapping[str, str]] = {"/": "divide", "%": "modulo", "**": "power"}
    signs: ClassVar[Mapping[str, str]] = {**CLikePrinter.signs, "==": " === ", "!=": " !== "}
    functions: ClassVar[Mapping[str, str]] = {**OWN_NAMES, "abs": "Math.abs"}

    def number(self, x: e.Number) -> p.Printed:
        """All digits of the float, and no point behind whole ones."""
        text, level = super().number(x)
        return text.removesuffix(".0"), level

    def given(self, x: e.Given) -> p.Printed:
        """Looked up among the inputs that have a value of their own."""
        return f"({json.dumps(x.node)} in given)", p.ATOM
