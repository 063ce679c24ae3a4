"""A lowered expression to Python source text that computes it for whole arrays of configurations at once."""

from formula_eval.core import expression as e
from formula_eval.printing import python

OPERATIONS = (
    "absolute",
    "both",
    "ceil",
    "ceildiv",
    "divide",
    "either",
    "exp",
    "floor",
    "floordiv",
    "is_given",
    "largest",
    "largest_divisor",
    "log",
    "log2",
    "maximum",
    "minimum",
    "one_if",
    "opposite",
    "power",
    "remainder",
    "sqrt",
    "where",
)
_SAME = {"min": "minimum", "max": "maximum", "abs": "absolute", "ln": "log"}


def numpy_text(expression: e.Expression, names: python.Names, conditions: python.Names | None = None) -> str:
    """The expression on one line that needs only `OPERATIONS` (`evaluate.vector.Lanes` has them), `inf` and `nan`."""
    return NumpyPrinter(names, conditions).text(expression)


class NumpyPrinter(python.PythonPrinter):
    """Differs from Python where an array could take both branches, or hold a zero that only some lanes mind."""

    def given(self, node: str) -> python.Printed:
        """Whether an input has a value of its own."""
        return f"is_given({node!r})", python.ATOM

    def binary(self, operator: str, left: e.Expression, right: e.Expression) -> python.Printed:
        """Arithmetic; what divides by a number other than 0 needs no watching."""
        if operator == "**":
            return self.function("power", (left, right))
        if operator in {"/", "%"} and not _is_nonzero(right):
            return self.function("divide" if operator == "/" else "remainder", (left, right))
        return super().binary(operator, left, right)

    def logical(self, operator: str, left: e.Expression, right: e.Expression) -> python.Printed:
        """`and`, `or`: errors of the right side do not matter in lanes that the left one decides."""
        name = "either" if operator == "or" else "both"
        return f"{name}({self.condition(left, 0)}, lambda: {self.condition(right, 0)})", python.ATOM

    def negation(self, operand: e.Expression) -> python.Printed:
        """`not`."""
        return f"opposite({self.condition(operand, 0)})", python.ATOM

    def conditional(self, then: e.Expression, condition: e.Expression, otherwise: e.Expression) -> python.Printed:
        """One of two, lane by lane."""
        parts = self.condition(condition, 0), self.text(then), self.text(otherwise)
        return f"where({parts[0]}, lambda: {parts[1]}, lambda: {parts[2]})", python.ATOM

    def match(self, subject: e.Expression, arms: tuple[e.Arm, ...]) -> python.Printed:
        """The arms one within another."""
        tested = self.within(subject, python.SUM)
        text = "nan"
        for arm in reversed(arms):
            text = f"where({self.fits(tested, arm)}, lambda: {self.text(arm.value)}, lambda: {text})"
        return text, python.ATOM

    def fits(self, tested: str, arm: e.Arm) -> str:
        """Whether the subject is one of the patterns of this arm."""
        tests = [f"{tested} == {self.within(pattern, python.SUM)}" for pattern in arm.patterns]
        return tests[0] if len(tests) == 1 else " | ".join(f"({test})" for test in tests)

    def call(self, function: str, arguments: tuple[e.Expression, ...]) -> python.Printed:
        """A builtin."""
        match function, arguments:
            case "clamp", (value, low, high):
                return f"minimum(maximum({self.text(value)}, {self.text(low)}), {self.text(high)})", python.ATOM
            case "one_if", (flag,):
                return f"one_if({self.condition(flag, 0)})", python.ATOM
            case "floordiv", (_, right) if _is_nonzero(right):
                return super().call(function, arguments)
            case "ceildiv", (left, right) if _is_nonzero(right):
                return (
                    f"-(-{self.within(left, python.POWER)} // {self.within(right, python.PRODUCT + 1)})",
                    python.NEGATE,
                )
            case "sum", _:
                return super().call(function, arguments)
        return self.function(_SAME.get(function, function), arguments)


def _is_nonzero(divisor: e.Expression) -> bool:
    return isinstance(divisor, e.Number) and divisor.value != 0
