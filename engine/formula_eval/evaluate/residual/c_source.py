"""Formulas and the tables that they read to a C function that computes some configurations of a grid.

Over a box of the grid, formulas that depend on the same dimensions have loops over these alone, and read what others
have written. Over any other configurations all are in one loop.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formula_eval.core.expression import references
from formula_eval.evaluate.codegen import deciding
from formula_eval.evaluate.residual.lane_formulas import LaneFormulas
from formula_eval.printing.c import PRELUDE, c_text

_HEAD = """\
void lanes(const long long *count, const long long *const *along, const double *const *tables, void *const *found,
           unsigned char *const *fails) {"""


class CSource(NamedTuple):
    """The text of a function `lanes`, and what it is called with.

    `count` places `along` each of `dimensions`; the `tables`, whole; an array for each of the values `found`, over the
    dimensions that it depends on; and for each of `groups` one over its dimensions, for what fails.
    """

    text: str
    dimensions: list[int]
    tables: list[str]
    found: list[str]
    groups: list[list[int]]


def box_source(lanes: LaneFormulas) -> CSource:
    """The function for boxes: so many places along each dimension, and all combinations of them."""
    return _source(lanes, sorted({tuple(lanes.axes(name)) for name in lanes.formulas}, key=len), is_box=True)


def list_source(lanes: LaneFormulas) -> CSource:
    """The function for a list of configurations: the places of each of them along all dimensions."""
    return _source(lanes, [tuple(lanes.dimensions)], is_box=False)


def _source(lanes: LaneFormulas, groups: Sequence[tuple[int, ...]], *, is_box: bool) -> CSource:
    number = {name: groups.index(tuple(lanes.axes(name))) if is_box else 0 for name in lanes.formulas}
    crossing = {
        each
        for name, x in lanes.formulas.items()
        for each in references(x)
        if number.get(each, number[name]) != number[name]
    }
    found = [name for name in lanes.formulas if name in crossing or name in lanes.wanted]
    shape = CSource("", lanes.dimensions, lanes.tables, found, [list(axes) for axes in groups])
    bodies = (_Group(lanes, shape, place, number, is_box=is_box).lines() for place in range(len(groups)))
    return shape._replace(text="\n".join((PRELUDE, _HEAD, *(line for body in bodies for line in body), "}", "")))


class _Group:
    """The loops of one group: each binds the place along one dimension, or that along all."""

    def __init__(
        self, lanes: LaneFormulas, shape: CSource, place: int, number: dict[str, int], *, is_box: bool
    ) -> None:
        self._lanes = lanes
        self._shape = shape
        self._is_box = is_box
        self._place = place
        axes = shape.groups[place]
        self._loops = [[axis] for axis in axes] if is_box else [axes]
        self._depths = {axis: depth for depth, each in enumerate(self._loops) for axis in each}
        self._formulas = {name: x for name, x in lanes.formulas.items() if number[name] == place}
        self._read = dict.fromkeys(
            each for x in self._formulas.values() for each in references(x) if each not in self._formulas
        )
        self._spelled = {name: f"v{each}" for each, name in enumerate((*self._read, *self._formulas))}
        self._conditions = deciding(lanes.absent, self._spelled, "== 1")

    def lines(self) -> Iterator[str]:
        """The whole group."""
        yield "{"
        yield from map(self._array, self._read)
        yield from (self._array(name) for name in self._formulas if name in self._shape.found)
        yield f"unsigned char *restrict const fail = fails[{self._place}];"
        last = len(self._loops) - 1
        for depth, axes in enumerate(self._loops):
            count = f"count[{self._shape.dimensions.index(axes[0])}]"
            yield f"for (long long j{depth} = 0; j{depth} < {count}; j{depth}++) {{"
            for axis in axes:
                yield f"const long long i{axis} = along[{self._shape.dimensions.index(axis)}][j{depth}];"
            yield from (self._declared(name, self._element(name)) for name in self._read if self._depth(name) == depth)
        yield "int fails_here = 0, *const failed = &fails_here;"
        for name, x in self._formulas.items():
            yield self._declared(name, c_text(x, self._spelled.__getitem__, self._conditions))
            if name in self._shape.found:
                yield f"{self._element(name)} = {self._spelled[name]};"
        yield f"fail[{self._own_place(self._shape.groups[self._place])}] = fails_here != 0;"
        yield "}" * (last + 2)

    def _depth(self, name: str) -> int:
        """The loop in which a value is known."""
        return max((self._depths[axis] for axis in self._lanes.axes(name)), default=0)

    def _is_table(self, name: str) -> bool:
        return name not in self._lanes.formulas

    def _kind(self, name: str) -> str:
        """What an array holds."""
        return "unsigned char" if self._lanes.is_plain_flag(name) and not self._is_table(name) else "double"

    def _array(self, name: str) -> str:
        """The declaration of the array of a value."""
        is_table = self._is_table(name)
        place = f"tables[{self._shape.tables.index(name)}]" if is_table else f"found[{self._shape.found.index(name)}]"
        const = "" if name in self._formulas else "const "
        return f"{const}{self._kind(name)} *restrict const a_{self._spelled[name]} = {place};"

    def _element(self, name: str) -> str:
        """Where its value stands in its array: a table has all places of the grid, another one those of the call."""
        axes = self._lanes.axes(name)
        return (
            f"a_{self._spelled[name]}[{self._place_in_grid(axes) if self._is_table(name) else self._own_place(axes)}]"
        )

    def _place_in_grid(self, axes: list[int]) -> str:
        terms, stride = [], 1
        for axis in reversed(axes):
            terms.append(f"i{axis} * {stride}LL")
            stride *= self._lanes.lengths[axis]
        return " + ".join(terms) or "0"

    def _own_place(self, axes: list[int]) -> str:
        if not self._is_box:
            return "j0"
        found = ""
        for axis in axes:
            own = f"j{self._depths[axis]}"
            found = f"({found}) * count[{self._shape.dimensions.index(axis)}] + {own}" if found else own
        return found

    def _declared(self, name: str, value: str) -> str:
        plain = self._lanes.is_plain_flag(name)
        text = f"{value} != 0" if plain and name in self._read else value
        return f"const {'int' if plain else 'double'} {self._spelled[name]} = {text};"
