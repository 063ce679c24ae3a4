"""Computes the residual formulas that depend on few dimensions once for the whole grid, as tables.

A table is an array with an axis for each dimension of the grid, of length 1 along those that it does not depend on. Of
any configurations it gives its part: a view where they are a box of the grid, else a value for each of them.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property, reduce
from typing import Any

import numpy as np

from formula_eval.core.expression import Expression, references
from formula_eval.evaluate.codegen import absent_among, lane_source
from formula_eval.evaluate.partial_evaluation.hoisting import SmallParts
from formula_eval.evaluate.partial_evaluation.partial_evaluator import Residue, given_of, value_of
from formula_eval.evaluate.program import Program, compiled
from formula_eval.evaluate.vector import Array, Kept, Lanes, Value


class Configurations:
    """Some configurations of a grid: `along` are the places along each dimension, arrays that broadcast.

    `is_box` says that those along each dimension follow each other, and that these are all combinations of them.
    """

    def __init__(self, along: tuple[Array, ...], *, is_box: bool) -> None:
        """The configurations at these places."""
        self.along = along
        self.is_box = is_box
        self._codes: dict[tuple[int, ...], Array] = {}

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of an array with a value for each configuration."""
        return np.broadcast_shapes(*(array.shape for array in self.along))

    @cached_property
    def _slices(self) -> list[slice]:
        return [slice(int(array.flat[0]), int(array.flat[0]) + array.size) for array in self.along]

    def part(self, table: Value) -> Value:
        """The table's values for these configurations."""
        if not isinstance(table, np.ndarray) or not table.ndim:
            return table
        if self.is_box:
            own = zip(self._slices, table.shape, strict=True)
            return table[tuple(cut if length > 1 else slice(None) for cut, length in own)]
        return table.ravel().take(self._code(table.shape)) if table.size > 1 else table.item()

    def _code(self, shape: tuple[int, ...]) -> Array:
        """The flat index of each configuration in a table of this shape."""
        if shape not in self._codes:
            places = [(array, length) for array, length in zip(self.along, shape, strict=True) if length > 1]
            self._codes[shape] = reduce(lambda code, pair: code * pair[1] + pair[0], places[1:], places[0][0])
        return self._codes[shape]


class ResidualLanes:
    """Computes the formulas that depend on too much for a table, for any configurations of a grid."""

    def __init__(self, formulas: Mapping[str, Expression], absent: Collection[str], wanted: Collection[str]) -> None:
        """Print and compile them, each behind those that it reads; `absent` are the flags that may be nan.

        `read` are the tables that they take values from, and `wanted` the formulas whose values are kept.
        """
        read = (reference for x in formulas.values() for reference in references(x))
        self.read = [name for name in dict.fromkeys(read) if name not in formulas]
        self._wanted = wanted
        self._vector = _vector_of(lane_source(formulas, self.read, absent))

    def compute(
        self, which: Configurations, tables: Mapping[str, Value], program: Program
    ) -> tuple[dict[str, Value], Value]:
        """The values that are kept, and the configurations that failed."""
        given = {name: which.part(tables[name]) for name in self.read}
        lanes, kept = Lanes(given, program.largest_divisor), Kept(self._wanted)
        with np.errstate(all="ignore"):
            self._vector(lanes, kept)
        return dict(kept), lanes.failed


class _TableLanes(Lanes):
    """Records failures by the dimensions along which they vary, which are never all of a large grid."""

    def __init__(self, given: Mapping[str, Value], program: Program) -> None:
        super().__init__(given, program.largest_divisor)
        self.failures: dict[tuple[int, ...], Array] = {}

    def _fail(self, bad: Value) -> None:
        bad = np.asarray(bad & self._mask)
        if bad.any():
            self.failures[bad.shape] = self.failures.get(bad.shape, np.False_) | bad


class Tables:
    """Holds the values of a grid that take at most `most` combinations, and the `lanes` that take more.

    `failures` are the configurations in which a table failed, an array for each set of dimensions.
    """

    def __init__(self, residue: Residue, given: Mapping[str, Value], program: Program, most: int) -> None:
        """Compute them; `given` are the values of inputs over the whole grid, nan where absent."""
        leaves = _leaves(residue, given)
        absent = absent_among((name, x) for name, x in residue.formulas.items() if name in residue.flags)
        shapes = {name: np.shape(value) for name, value in leaves.items()}
        parts = SmallParts(shapes, most)
        small: dict[str, Expression] = {}
        large: dict[str, Expression] = {}
        for name, x in residue.formulas.items():
            shapes[name] = parts.shape(x)
            if math.prod(shapes[name]) <= most:
                small[name] = x
            elif name in residue.may_fail or name in absent:
                large[name] = x
            else:
                large[name] = parts.without(x)
        sought = set(residue.same.values())
        wanted = [name for name in large if name in sought]
        self.lanes = ResidualLanes(large, absent, wanted)
        read = {reference for x in parts.formulas.values() for reference in references(x)}
        sought.update(read, self.lanes.read)
        lanes, kept = _TableLanes(leaves, program), Kept(sought)
        _compute(small, leaves, absent, lanes, kept)
        self.failures = list(lanes.failures.values())
        self.values = {name: value for name, value in leaves.items() if name in sought} | dict(kept)
        found = Kept(parts.formulas)
        _compute(parts.formulas, self.values, absent, Lanes(self.values, program.largest_divisor), found)
        self.values |= found


def _compute(
    formulas: Mapping[str, Expression], read: Collection[str], absent: Collection[str], lanes: Lanes, kept: Kept
) -> None:
    """Run formulas that read these on the values of `lanes`."""
    used = {reference for x in formulas.values() for reference in references(x)}
    with np.errstate(all="ignore"):
        _vector_of(lane_source(formulas, [name for name in read if name in used], absent))(lanes, kept)


def _vector_of(source: str) -> Any:  # noqa: ANN401 - a generated function
    """The function `vector` of generated source."""
    namespace: dict[str, Any] = {"nan": math.nan, "inf": math.inf}
    exec(compiled(source), namespace)  # noqa: S102 - generated from a tree, never from text
    return namespace["vector"]


def _leaves(residue: Residue, given: Mapping[str, Value]) -> dict[str, Value]:
    """The values of inputs that formulas read, and where they were given."""
    found: dict[str, Value] = {}
    read = residue.read()
    for name, value in given.items():
        flag = name in residue.flags or value_of(name) in residue.flags
        if name in read:
            found[name] = _held(value, flag=flag)
        if value_of(name) in read or given_of(name) in read:
            there = ~np.isnan(value)
            found[value_of(name)] = _held(np.where(there, value, 0.0), flag=flag)
            found[given_of(name)] = there
    return found


def _held(value: Value, *, flag: bool) -> Value:
    return np.asarray(value).astype(bool if flag else float)


class Gathered(Mapping[str, Value]):
    """Maps names to the values of some configurations; looks up tables when they are read."""

    def __init__(self, configurations: Configurations, tables: Mapping[str, Value], computed: dict[str, Value]) -> None:
        """Look up what was not computed."""
        self._configurations = configurations
        self._tables = tables
        self._found = computed

    def __getitem__(self, name: str) -> Value:
        """The values of a name."""
        if name not in self._found:
            self._found[name] = self._configurations.part(self._tables[name])
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        """All names."""
        yield from {**self._tables, **self._found}

    def __len__(self) -> int:
        """How many names there are."""
        return len({**self._tables, **self._found})


class Named(Mapping[str, Value]):
    """Maps names to `known` values, and to those of another mapping under other names, looked up when read."""

    def __init__(self, known: Mapping[str, Value], same: Mapping[str, str], found: Mapping[str, Value]) -> None:
        """Look up in `found` by the name that `same` gives."""
        self._known = known
        self._same = same
        self._found = found

    def __getitem__(self, name: str) -> Value:
        """The values of a name."""
        return self._known[name] if name in self._known else self._found[self._same[name]]

    def __iter__(self) -> Iterator[str]:
        """All names."""
        yield from self._known
        yield from self._same

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._known) + len(self._same)
