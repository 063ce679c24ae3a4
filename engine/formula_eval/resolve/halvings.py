"""Says where a `solve` looks: which values its range has, and how each answer of its condition halves what is left."""

from dataclasses import dataclass
from fractions import Fraction

from formula_eval.core import expression as e
from formula_eval.core.expression import Binary, Compare, Conditional


@dataclass(frozen=True, slots=True)
class Halvings:
    """The values of a range by their places, `2 ** halvings` whole numbers from 0, and in which order they are tried.

    Each that is tried leaves half of the places, in the end one. Places are exact, and each value is computed from its
    place alone, so that every notation tries the same ones.
    """

    solve: e.Solve  # whose ends are references or numbers
    is_whole: bool

    @property
    def _last(self) -> int:
        return (1 << self.solve.halvings) - 1

    @property
    def first(self) -> e.Expression:
        """The place that is tried first, in the middle; of two, the one behind which the answer may stand."""
        return _number((self._last + 1) // 2 if self.solve.largest else self._last // 2)

    def value(self, place: e.Expression) -> e.Expression:
        """The value at a place."""
        low, high = self.solve.low, self.solve.high
        if self.is_whole:
            return e.Call("min", (Binary("+", low, place), high))
        share = Binary("/", place, _number(self._last))
        if isinstance(low, e.Number) and low.value == 0:
            return Binary("*", high, share)
        return Binary("+", low, Binary("*", Binary("-", high, low), share))

    def following(self, place: e.Expression, holds: e.Expression, halving: int) -> e.Expression:
        """The place that is tried after this one, or behind the last halving that of the answer."""
        is_last = halving == self.solve.halvings - 1
        step = _number(1 if is_last else 2 ** (self.solve.halvings - 2 - halving))
        less, more = Binary("-", place, step), Binary("+", place, step)
        if self.solve.largest:
            return Conditional(place if is_last else more, holds, less)
        return Conditional(place if is_last else less, holds, more)

    def found(self, place: e.Expression) -> e.Expression:
        """The value at the place of the answer; the upper end is given as it stands."""
        value = self.value(place)
        at_end = Compare("==", place, _number(self._last))
        return value if self.is_whole else Conditional(self.solve.high, at_end, value)

    def answer(self, found: e.Expression, holds: e.Expression) -> e.Expression:
        """The value found where it fulfils the condition, and what is stated for a condition that holds nowhere."""
        low, high, otherwise = self.solve.low, self.solve.high, self.solve.otherwise
        assert otherwise is not None  # noqa: S101 - else the type check has refused it
        if e.references(low) or e.references(high):
            holds = e.Logical("and", Compare("<=", low, high), holds)
        return Conditional(found, holds, otherwise, span=self.solve.span)


def _number(value: int) -> e.Number:
    return e.Number(str(value), "", Fraction(value))
