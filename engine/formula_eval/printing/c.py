"""A lowered expression to C source text: the author's shape, computed as `printing.numpy` computes each lane."""

from collections.abc import Mapping
from typing import ClassVar

from formula_eval.core import expression as e
from formula_eval.printing import printer as p
from formula_eval.printing.c_like import CLikePrinter

# What fails sets `*failed` and goes on with nan, so that other configurations are computed in the same loop.
PRELUDE = """\
#include <math.h>

static inline double least(double a, double b) { return (a <= b) | (a != a) ? a : b; }

static inline double greatest(double a, double b) { return (a >= b) | (a != a) ? a : b; }

static inline double nearest(double x) {
  const double whole = trunc(x) + 0.0;
  return fabs(x - whole) >= 0.5 ? whole + (x > 0.0) - (x < 0.0) : whole;
}

static inline double valid(double x, int bad, int *failed) {
  *failed |= bad;
  return bad ? NAN : x;
}

static inline double finite_of(double found, int finite, int *failed) {
  *failed |= isinf(found) && finite;
  return found;
}

static inline double divide(double a, double b, int *failed) { return a / valid(b, b == 0.0, failed); }

static inline double rest_of(double a, double b) {
  const double rest = fmod(a, b);
  return rest == 0.0 ? copysign(0.0, b) : (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}

static inline double remainder_of(double a, double b, int *failed) { return rest_of(a, valid(b, b == 0.0, failed)); }

static inline double whole_parts(double a, double b) {
  const double rest = fmod(a, b), up = rest != 0.0 && (rest < 0.0) != (b < 0.0) ? 1.0 : 0.0;
  const double quotient = (a - rest) / b - up, whole = floor(quotient);
  return quotient == 0.0 ? copysign(0.0, a / b) : quotient - whole > 0.5 ? whole + 1.0 : whole;
}

static inline double floordiv(double a, double b, int *failed) { return whole_parts(a, valid(b, b == 0.0, failed)); }

static inline double ceildiv(double a, double b, int *failed) { return -whole_parts(-a, valid(b, b == 0.0, failed)); }

static inline double power(double base, double exponent, int *failed) {
  const int broken = (base < 0.0 && fmod(exponent, 1.0) != 0.0) || (base == 0.0 && exponent < 0.0);
  const double held = valid(base, broken, failed);
  return finite_of(pow(held, exponent), isfinite(held) && isfinite(exponent), failed);
}

static inline double exponential(double x, int *failed) { return finite_of(exp(x), isfinite(x), failed); }

static inline double root(double x, int *failed) { return sqrt(valid(x, x < 0.0, failed)); }

static inline double logarithm(double x, int *failed) { return log(valid(x, x <= 0.0, failed)); }

static inline double logarithm2(double x, int *failed) { return log2(valid(x, x <= 0.0, failed)); }

static inline double largest(int count, const double *values) {
  int most = 0;
  for (int each = 0; each < count; each++) {
    if (values[each] != values[each]) return NAN;
    if (values[each] > values[most]) most = each;
  }
  return most;
}

static double largest_divisor(double n, double at_most, int *failed) {
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
    "exp": "exponential",
    "largest_divisor": "largest_divisor",
}
_WATCHED = {"/": "divide", "%": "remainder_of", "**": "power"}


def c_text(expression: e.Expression, names: p.Names, conditions: p.Names | None = None) -> str:
    """The expression on one line of C that needs only what `PRELUDE` declares, and a pointer `failed` to an int.

    `names` spells a node, a double or, for a flag that is never absent, an int. `conditions` spells a flag where it
    decides, for flags that may be absent (NAN). `given` is a function of the name of an input.
    """
    return CPrinter(names, conditions).text(expression)


class CPrinter(CLikePrinter):
    """C of doubles, with functions that say so where they fail."""

    words: ClassVar[Mapping[str, str]] = {"true": "1", "false": "0", "infinity": "INFINITY", "absent": "NAN"}
    watched: ClassVar[Mapping[str, str]] = _WATCHED
    functions: ClassVar[Mapping[str, str]] = {
        "abs": "fabs",
        "ceil": "ceil",
        "floor": "floor",
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


_TELLING = {*_FALLIBLE.values(), *_WATCHED.values()}
