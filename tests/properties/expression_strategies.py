"""Random expressions, as an author could have written them."""

from datetime import date
from fractions import Fraction

from hypothesis import strategies as st

from formula_eval.core import expression as e

NAMES = st.sampled_from(["heads", "layers", "kv_bits", "x", "a1", "total_time", "per_token", "n"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(lambda path: e.Name(tuple(path)))
WORDS = st.sampled_from(["prefill", "decode", "none", "full_width", "core"])
UNITS = st.sampled_from(
    ["", "byte", "GiB", "ms", "TFLOP", "layer", "GB/s", "USD/hour", "FLOP/s/GPU", "byte*s", "kg/m**3", "m**2"]
)
SCALES = {
    "GiB": Fraction(2**30),
    "ms": Fraction(1, 1000),
    "TFLOP": Fraction(10**12),
    "GB/s": Fraction(10**9),
    "USD/hour": Fraction(1, 3600),
}
DAYS = st.dates().map(lambda day: e.Number(day.isoformat(), "date", Fraction((day - date(1970, 1, 1)).days * 86400)))


def _number(whole: int, decimals: str, exponent: str, unit: str) -> e.Number:
    text = f"{whole}{decimals}{exponent}"
    return e.Number(text, unit, Fraction(text.replace("_", "")) * SCALES.get(unit, Fraction(1)))


NUMBERS = st.builds(
    _number,
    st.integers(0, 10**12),
    st.sampled_from(["", ".5", ".125", "_000"]),
    st.sampled_from(["", "e3", "e-6", "E+2"]),
    UNITS,
)
PLAIN_NUMBERS = st.builds(_number, st.integers(0, 1000), st.just(""), st.just(""), st.just(""))
ATOMS = st.one_of(NUMBERS, DAYS, PATHS, st.just(e.Infinity()), st.builds(e.FlagValue, st.booleans()))


def _patterns() -> st.SearchStrategy[tuple[e.Expression, ...]]:
    pattern = st.one_of(WORDS.map(lambda word: e.Name((word,))), PLAIN_NUMBERS, st.builds(e.FlagValue, st.booleans()))
    return st.lists(pattern, min_size=1, max_size=3).map(tuple)


OVER_ROWS = st.sampled_from(["sum", "max", "largest", "smallest", "count", "first", "last"])


def _larger(inner: st.SearchStrategy[e.Expression]) -> st.SearchStrategy[e.Expression]:
    arms = st.lists(st.builds(e.Arm, _patterns(), inner), min_size=1, max_size=3).map(tuple)
    binding = st.builds(e.Binding, PATHS, inner) | st.builds(e.Situation, PATHS)
    bindings = st.lists(binding, min_size=1, max_size=3).map(tuple)
    functions = st.sampled_from(["min", "sqrt", "given", "collectives.ring", "f"])
    return st.one_of(
        st.builds(e.Negate, inner),
        st.builds(e.Not, inner),
        st.builds(e.Binary, st.sampled_from(["+", "-", "*", "/", "%", "**"]), inner, inner),
        st.builds(e.Compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), inner, inner),
        st.builds(e.Logical, st.sampled_from(["and", "or"]), inner, inner),
        st.builds(e.Conditional, inner, inner, inner),
        st.builds(e.Match, inner, arms),
        st.builds(e.Call, functions, st.lists(inner, max_size=4).map(tuple)),
        st.builds(e.Comprehension, OVER_ROWS, inner, NAMES, PATHS, st.none() | inner),
        st.builds(e.Lookup, PATHS, inner, NAMES),
        st.builds(e.Recurrence, inner, inner),
        st.builds(e.With, inner, bindings),
        st.builds(
            e.Solve,
            NAMES,
            inner,
            inner,
            inner,
            st.none() | inner,
            st.booleans(),
            st.integers(0, 5000),
            st.none() | NUMBERS,
        ),
    )


EXPRESSIONS = st.recursive(ATOMS, _larger, max_leaves=25)
