"""Generates the C function that computes residual formulas for some configurations of a grid.

Over a box of the grid there is a loop for each dimension, and a formula stands in that of the innermost one on which
it depends. Other configurations come a few at a time: what they read of the tables is put side by side first. Either
way the innermost loop has neither jumps nor scattered reads, so that a compiler makes vectors of it.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from formula_eval.evaluate.codegen import deciding
from formula_eval.evaluate.partial_evaluation.lane_formulas import LaneFormulas
from formula_eval.printing.c import PRELUDE, c_text

_BOX = """\
int lanes(const long long *first, const long long *count, const double *const *tables, void *const *found,
          unsigned char *restrict fails) {"""
_LIST = """\
int lanes(const long long *const *along, const long long *count, const double *const *tables, void *const *found,
          unsigned char *restrict fails) {"""
_VECTORS = '_Pragma("omp simd reduction(|:seen)")'
_SHORTEST = 16  # places of an innermost loop; a shorter one is made one with that around it
_AT_ONCE = 128  # configurations of a list whose values of tables stand side by side, within the nearest cache


class CSource(NamedTuple):
    """The text of a function `lanes`, and what it is called with.

    For boxes `loops` are the dimensions of each loop, and `tables` are called with one by one; for lists, with those
    together that depend on the same dimensions. `found` are the values that are written. `may_fail` says whether it
    writes for each configuration whether it failed.
    """

    text: str
    loops: list[list[int]]
    tables: list[list[str]]
    found: list[str]
    may_fail: bool


def box_source(lanes: LaneFormulas) -> CSource:
    """The function for boxes: the first place and their number along each loop, and all combinations of them."""
    loops = [[axis] for axis in lanes.dimensions]
    while len(loops) > 1 and math.prod(lanes.lengths[axis] for axis in loops[-1]) < _SHORTEST:
        loops[-2:] = [loops[-2] + loops[-1]]
    found = [name for name in lanes.formulas if name in lanes.wanted]
    source = CSource("", loops, [[name] for name in lanes.tables], found, _may_fail(lanes))
    return source._replace(text="\n".join((PRELUDE, _BOX, *_box_lines(lanes, source), "return seen != 0;", "}", "")))


def list_source(lanes: LaneFormulas) -> CSource:
    """The function for a list of configurations: the places of each of them along all dimensions."""
    together: dict[tuple[int, ...], list[str]] = {}
    for name in lanes.tables:
        together.setdefault(tuple(lanes.axes(name)), []).append(name)
    found = [*lanes.wanted]
    loops = [[axis] for axis in lanes.dimensions]
    source = CSource("", loops, list(together.values()), found, _may_fail(lanes))
    return source._replace(text="\n".join((PRELUDE, _LIST, *_list_lines(lanes, source), "return seen != 0;", "}", "")))


def depth_of(axes: Iterable[int], loops: Sequence[Sequence[int]]) -> int:
    """The innermost loop over one of these dimensions; -1 for none."""
    own = set(axes)
    return max((depth for depth, each in enumerate(loops) if own.intersection(each)), default=-1)


def _may_fail(lanes: LaneFormulas) -> bool:
    return any(name in lanes.may_fail for name in lanes.formulas)


def _box_lines(lanes: LaneFormulas, source: CSource) -> Iterator[str]:
    loops, written = source.loops, _Statements(lanes, source)
    lengths = [math.prod(lanes.lengths[axis] for axis in each) for each in loops]
    depths = {name: depth_of(lanes.axes(name), loops) for name in (*lanes.tables, *lanes.formulas)}
    for number, (name,) in enumerate(source.tables):
        yield f"const double *restrict const a_{written.names[name]} = tables[{number}];"
    yield from written.arrays()
    yield from (
        f"const long long first{each} = first[{each}], count{each} = count[{each}];" for each in range(len(loops))
    )
    yield "long long seen = 0;"
    last = len(loops) - 1
    for depth in range(-1, len(loops)):
        above = f"at{depth - 1} * count{depth} + " if depth > 0 else ""
        if depth == last:
            yield from _strips(f"count{depth}")
            yield from written.strips(name for name in source.found if depths[name] == depth)
            yield f"const long long start = {above}from;"
            yield from (_VECTORS, "for (long long k = 0; k < some; k++) {")
            yield f"const long long i{depth} = first{depth} + from + k, at{depth} = start + k;"
        elif depth >= 0:
            yield f"for (long long j{depth} = 0; j{depth} < count{depth}; j{depth}++) {{"
            yield f"const long long i{depth} = first{depth} + j{depth}, at{depth} = {above}j{depth};"
        for name in lanes.tables:
            if depths[name] == depth:
                own = [number for number, each in enumerate(loops) if set(each).intersection(lanes.axes(name))]
                yield written.declared(name, f"a_{written.names[name]}[{_place(own, lengths)}]")
        if source.may_fail:
            outer = f"fails{depth}" if depth >= 0 else "0"
            yield f"long long fails{depth + 1} = {outer}, *const failed = &fails{depth + 1};"
        own_names = [name for name in lanes.formulas if depths[name] == depth]
        yield from written.statements(own_names, f"at{depth}" if depth >= 0 else "0", in_strip=depth == last)
    yield from written.strip_written(f"fails{len(loops)}")
    yield "}" * len(loops)


def _list_lines(lanes: LaneFormulas, source: CSource) -> Iterator[str]:
    written = _Statements(lanes, source)
    yield from written.arrays()
    yield "long long seen = 0;"
    yield from _strips("count[0]")
    yield from written.strips(source.found)
    yield "const long long start = from;"
    yield f"long long place[{_AT_ONCE}], differ;"
    for number, names in enumerate(source.tables):
        yield from _gathered(lanes, source, number, [f"t_{written.names[name]}" for name in names])
    yield _VECTORS
    yield "for (long long k = 0; k < some; k++) {"
    yield "const long long at = start + k;"
    for name in lanes.tables:
        yield written.declared(name, f"t_{written.names[name]}[k]")
        yield from written.kept(name, "at", in_strip=True)
    if source.may_fail:
        yield "long long fails_here = 0, *const failed = &fails_here;"
    yield from written.statements(lanes.formulas, "at", in_strip=True)
    yield from written.strip_written("fails_here")
    yield "}"


def _strips(count: str) -> Iterator[str]:
    """The loop over a few configurations at a time of those of an innermost loop."""
    yield f"for (long long from = 0; from < {count}; from += {_AT_ONCE}) {{"
    yield f"const long long some = {count} - from < {_AT_ONCE} ? {count} - from : {_AT_ONCE};"


def _gathered(lanes: LaneFormulas, source: CSource, number: int, targets: Sequence[str]) -> Iterator[str]:
    """The values of tables that stand together, put side by side; often all of them are the same."""
    axes = lanes.axes(source.tables[number][0])
    yield f"double {', '.join(f'{each}[{_AT_ONCE}]' for each in targets)};"
    yield "for (long long k = differ = 0; k < some; k++) {"
    for axis in axes:
        yield f"const long long i{axis} = along[{source.loops.index([axis])}][from + k];"
    yield f"place[k] = {len(targets)} * ({_place(axes, lanes.lengths)});"
    yield "differ |= place[k] ^ place[0];"
    yield "}"
    yield f"const double *const table{number} = tables[{number}];"
    yield "if (differ) for (long long k = 0; k < some; k++) {"
    yield f"const double *const row = table{number} + place[k];"
    yield from (f"{each}[k] = row[{column}];" for column, each in enumerate(targets))
    yield "} else for (long long k = 0; k < some; k++) {"
    yield f"const double *const row = table{number} + place[0];"
    yield from (f"{each}[k] = row[{column}];" for column, each in enumerate(targets))
    yield "}"


def _place(axes: Sequence[int], lengths: Mapping[int, int] | Sequence[int]) -> str:
    """The C index expression of a value in a table over these axes; `i` and an axis's number is the index along it."""
    terms, stride = [], 1
    for axis in reversed(axes):
        terms.append(f"i{axis} * {stride}LL")
        stride *= lengths[axis]
    return " + ".join(terms) or "0"


class _Statements:
    """The formulas as declarations of variables, with `names` for these and for what they read."""

    def __init__(self, lanes: LaneFormulas, source: CSource) -> None:
        self._lanes = lanes
        self._found = source.found
        self._may_fail = source.may_fail
        self._in_strip: list[str] = []
        self.names = {name: f"v{number}" for number, name in enumerate((*lanes.tables, *lanes.formulas))}
        self._conditions = deciding(lanes.absent, self.names.__getitem__, "== 1")

    def arrays(self) -> Iterator[str]:
        """The arrays of the values that are written."""
        for number, name in enumerate(self._found):
            kind = "unsigned char" if self._lanes.is_plain_flag(name) else "double"
            yield f"{kind} *restrict const a_{self.names[name]} = found[{number}];"

    def declared(self, name: str, value: str) -> str:
        """The declaration of a variable for a value that is read."""
        return self._variable(name, value)

    def statements(self, names: Iterable[str], place: str, *, in_strip: bool) -> Iterator[str]:
        """Yields the statements of these formulas, and stores those wanted at this place."""
        for name in names:
            fallible = name in self._lanes.may_fail
            text = c_text(self._lanes.formulas[name], self.names.__getitem__, self._conditions, may_fail=fallible)
            yield self._variable(name, text)
            yield from self.kept(name, place, in_strip=in_strip)

    def kept(self, name: str, place: str, *, in_strip: bool) -> Iterator[str]:
        """A value written at this place if it is wanted; a flag beside the others of its strip, as wide as a number."""
        if name in self._found:
            is_wide = in_strip and self._lanes.is_plain_flag(name)
            array = f"f_{self.names[name]}[k]" if is_wide else f"a_{self.names[name]}[{place}]"
            yield f"{array} = {self.names[name]};"

    def strips(self, names: Iterable[str]) -> Iterator[str]:
        """Declares the arrays for a strip's flags and failures, as wide as numbers so that vectors hold both."""
        self._in_strip = [self.names[name] for name in names if self._lanes.is_plain_flag(name)]
        for each in (*self._in_strip, *(["fails"] if self._may_fail else [])):
            yield f"long long f_{each}[{_AT_ONCE}];"

    def strip_written(self, fails: str) -> Iterator[str]:
        """The end of a strip: its failures are noted, and its flags and these are written."""
        if self._may_fail:
            yield f"f_fails[k] = {fails};"
            yield f"seen |= {fails};"
        yield "}"
        for each in self._in_strip:
            yield f"for (long long k = 0; k < some; k++) a_{each}[start + k] = f_{each}[k];"
        if self._may_fail:
            yield "for (long long k = 0; k < some; k++) fails[start + k] = f_fails[k] != 0;"

    def _variable(self, name: str, value: str) -> str:
        if self._lanes.is_plain_flag(name):
            return f"const long long {self.names[name]} = ({value}) != 0;"
        return f"const double {self.names[name]} = {value};"
