"""Prints lowered expressions as C source text, in the author's shape, computed as `printing.numpy` computes a lane."""

from collections.abc import Mapping
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.c_like import CLikePrinter

# What fails sets `*failed` and goes on with nan, so that other configurations are computed in the same loop.
PRELUDE = """\
#include <math.h>
#include <string.h>

static inline double pick(long long holds, double a, double b) {
  long long first, second;
  memcpy(&first, &a, sizeof first);
  memcpy(&second, &b, sizeof second);
  const long long taken = (first & -holds) | (second & (holds - 1));
  double found;
  memcpy(&found, &taken, sizeof found);
  return found;
}

static inline double least(double a, double b) { return pick((a <= b) | (a != a), a, b); }

static inline double greatest(double a, double b) { return pick((a >= b) | (a != a), a, b); }

static inline double near(double x) {
  const double share = fabs(x) * 1e-9;
  return share < 1e-3 ? share : 1e-3;
}

static inline double whole_above(double x) { return ceil(x - near(x)); }

static inline double whole_below(double x) { return floor(x + near(x)); }

static inline double nearest(double x) {
  const double whole = trunc(x) + 0.0;
  return fabs(x - whole) >= 0.5 ? whole + (x > 0.0) - (x < 0.0) : whole;
}

static inline double near_part(double a, double b) {
  const double share = fabs(a) * 1e-9, most = fabs(b) * 1e-3, least = share < most ? share : most;
  return least < 0.5 ? least : 0.5;
}

static inline double valid(double x, long long bad, long long *failed) {
  *failed |= bad;
  return pick(bad, NAN, x);
}

static inline double finite_of(double found, int finite, long long *failed) {
  *failed |= (fabs(found) == INFINITY) & (finite != 0);
  return found;
}

static inline double divide(double a, double b, long long *failed) { return a / valid(b, b == 0.0, failed); }

static inline double rest_of(double a, double b) {
  const double part = fmod(a, b), least = near_part(a, b);
  const double rest = part != 0.0 && (part < 0.0) != (b < 0.0) ? part + b : part;
  return (fabs(rest) <= least) | (fabs(b) - fabs(rest) <= least) ? copysign(0.0, b) : rest;
}

static inline double remainder_of(double a, double b, long long *failed) {
  return rest_of(a, valid(b, b == 0.0, failed));
}

static inline double whole_parts(double a, double b) {
  const double rest = fmod(a, b);
  const int opposed = rest != 0.0 && (rest < 0.0) != (b < 0.0);
  const double left = opposed ? fabs(rest) : fabs(b) - fabs(rest);
  const double quotient = (a - rest) / b - opposed + (left <= near_part(a, b)), whole = floor(quotient);
  return quotient == 0.0 ? copysign(0.0, a / b) : quotient - whole > 0.5 ? whole + 1.0 : whole;
}

static inline double floordiv(double a, double b, long long *failed) {
  return whole_parts(a, valid(b, b == 0.0, failed));
}

static inline double least_parts(double a, double b) { return -whole_parts(-a, b); }

static inline double ceildiv(double a, double b, long long *failed) {
  return least_parts(a, valid(b, b == 0.0, failed));
}

static inline double power(double base, double exponent, long long *failed) {
  const int broken = (base < 0.0 && fmod(exponent, 1.0) != 0.0) || (base == 0.0 && exponent < 0.0);
  const double held = valid(base, broken, failed);
  return finite_of(pow(held, exponent), isfinite(held) && isfinite(exponent), failed);
}

static inline double exponential(double x, long long *failed) { return finite_of(exp(x), isfinite(x), failed); }

static inline double exponential_less_1(double x, long long *failed) {
  return finite_of(expm1(x), isfinite(x), failed);
}

static inline double root(double x, long long *failed) { return sqrt(valid(x, x < 0.0, failed)); }

static inline double logarithm(double x, long long *failed) { return log(valid(x, x <= 0.0, failed)); }

static inline double logarithm_of_1_and(double x, long long *failed) { return log1p(valid(x, x <= -1.0, failed)); }

static inline double logarithm2(double x, long long *failed) { return log2(valid(x, x <= 0.0, failed)); }

static inline double largest(int count, const double *values) {
  int most = 0;
  for (int each = 0; each < count; each++) {
    if (values[each] != values[each]) return NAN;
    if (values[each] > values[most]) most = each;
  }
  return most;
}

static double largest_divisor(double n, double at_most, long long *failed) {
  if (n != n || at_most != at_most) return NAN;
  if (n < 1.0 || fmod(n, 1.0) != 0.0 || n > 0x1p40) return valid(n, 1, failed);
  const long long whole = (long long)n, bound = (long long)fmin(n, fmax(at_most, 0.0));
  long long root = (long long)sqrt(n);
  while (root * root > whole) root--;
  if (bound > root)
    for (long long each = (whole + bound - 1) / bound; each <= root; each++)
      if (whole % each == 0) return (double)(whole / each);
  for (long long each = bound < root ? bound : root; each > 0; each--)
    if (whole % each == 0) return (double)each;
  return 0.0;
}
"""
_FALLIBLE = {
    "ceildiv": "ceildiv",
    "floordiv": "floordiv",
    "sqrt": "root",
    "log2": "logarithm2",
    "ln": "logarithm",
    "log1p": "logarithm_of_1_and",
    "exp": "exponential",
    "expm1": "exponential_less_1",
    "largest_divisor": "largest_divisor",
}
_WATCHED = {"/": "divide", "%": "remainder_of", "**": "power"}


def c_text(
    expression: e.Expression, names: p.Names, conditions: p.Names | None = None, *, may_fail: bool = True
) -> str:
    """The expression on one line of C that needs only what `PRELUDE` declares, and a pointer `failed` to a long long.

    `names` spells a node, a double or, for a flag that is never absent, 0 or 1. `conditions` spells a flag where it
    decides, for flags that may be absent (NAN). `given` is a function of the name of an input. What may not fail is
    computed without watching, so that both sides of a choice can be computed and one of them taken.
    """
    return (CPrinter if may_fail else UnwatchedCPrinter)(names, conditions).text(expression)


class CPrinter(CLikePrinter):
    """C of doubles, with functions that say so where they fail."""

    words: ClassVar[Mapping[str, str]] = {"true": "1", "false": "0", "infinity": "INFINITY", "absent": "NAN"}
    watched: ClassVar[Mapping[str, str]] = _WATCHED
    functions: ClassVar[Mapping[str, str]] = {
        "abs": "fabs",
        "ceil": "whole_above",
        "floor": "whole_below",
        "round": "nearest",
    } | _FALLIBLE

    def given(self, x: e.Given) -> p.Printed:
        """Looked up among the inputs that have a value of their own."""
        return f'given("{x.node}")', p.ATOM

    def function(self, name: str, arguments: tuple[e.Expression, ...]) -> p.Printed:
        """A function of its arguments, and of where it says that it failed."""
        texts = [self.text(each) for each in arguments]
        return f"{name}({', '.join([*texts, 'failed'] if name in _TELLING else texts)})", p.ATOM

    def call_min(self, *terms: e.Expression) -> p.Printed:
        """The least, two by two."""
        return self._two_by_two("least", terms)

    def call_max(self, *terms: e.Expression) -> p.Printed:
        """The greatest, two by two."""
        return self._two_by_two("greatest", terms)

    def _two_by_two(self, name: str, terms: tuple[e.Expression, ...]) -> p.Printed:
        first, *others = (self.text(each) for each in terms)
        for each in others:
            first = f"{name}({first}, {each})"
        return (first, p.ATOM) if others else self.printed(terms[0])

    def call_largest(self, *values: e.Expression) -> p.Printed:
        """The place of the largest, the first of equal ones."""
        texts = ", ".join(self.text(each) for each in values)
        return f"largest({len(values)}, (double[]){{{texts}}})", p.ATOM


class UnwatchedCPrinter(CPrinter):
    """C of doubles where nothing fails: plain operators and functions, and of a choice all is computed."""

    signs: ClassVar[Mapping[str, str]] = {**CPrinter.signs, "and": " & ", "or": " | "}
    watched: ClassVar[Mapping[str, str]] = {"%": "rest_of", "**": "pow"}
    functions: ClassVar[Mapping[str, str]] = {
        **CPrinter.functions,
        "ceildiv": "least_parts",
        "floordiv": "whole_parts",
        "sqrt": "sqrt",
        "log2": "log2",
        "ln": "log",
        "log1p": "log1p",
        "exp": "exp",
        "expm1": "expm1",
    }

    def conditional(self, x: e.Conditional) -> p.Printed:
        """One of two numbers."""
        return self._picked(self.condition(x.condition, 0), x.then, self.text(x.otherwise))

    def match(self, x: e.Match) -> p.Printed:
        """The arms one within another."""
        tested, found = self.within(x.subject, p.SUM), self.words["absent"]
        for arm in reversed(x.arms):
            found = self._picked(self.fits(tested, arm), arm.value, found)[0]
        return found, p.ATOM

    def _picked(self, condition: str, then: e.Expression, otherwise: str) -> p.Printed:
        return f"pick({condition}, {self.text(then)}, {otherwise})", p.ATOM


_TELLING = {*_FALLIBLE.values(), *_WATCHED.values()}
