"""Builds the grid of a question with several values: its dimensions, its size, and blocks of its configurations."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from formula_eval.core.diagnostic import refuse
from formula_eval.records.axis import Axis, axis_of, parts_of
from formula_eval.records.givens import Question
from formula_eval.records.input_names import input_named, spoken
from formula_eval.records.schema import InputSchema, Schema
from formula_eval.records.values import InBaseUnits, Number, relative_change

Places = NDArray[np.int64]


class WordAxis(NamedTuple):
    """An axis whose values are resolved one by one: ids of records, or changes such as `+10%`."""

    name: str
    words: tuple[str, ...]
    is_record: bool

    @property
    def length(self) -> int:
        """How many there are."""
        return len(self.words)


class GridDimension(NamedTuple):
    """One direction of a grid: an axis, or several that vary together."""

    axes: tuple[WordAxis | Axis, ...]
    size: int

    @property
    def has_words(self) -> bool:
        """Whether some of its axes are resolved word by word."""
        return any(isinstance(axis, WordAxis) for axis in self.axes)


class GridBlock(NamedTuple):
    """Some configurations: for each dimension the indices along it, as arrays that broadcast together.

    `first` is the place in the whole grid of the first of them; they follow each other unless `places` says which.
    """

    first: int
    size: int
    along: tuple[Places, ...]
    places: Places | None = None

    def all_places(self) -> Places:
        """The place in the whole grid of each configuration."""
        return np.arange(self.first, self.first + self.size) if self.places is None else self.places


class Grid(NamedTuple):
    """All configurations, in order: those of the last dimension follow each other.

    `question` is what holds for all of them.
    """

    question: Question
    dimensions: tuple[GridDimension, ...]

    @property
    def size(self) -> int:
        """How many configurations there are."""
        return math.prod(dimension.size for dimension in self.dimensions)

    @property
    def axes(self) -> list[WordAxis | Axis]:
        """All axes, in order."""
        return [axis for dimension in self.dimensions for axis in dimension.axes]

    @property
    def whole(self) -> GridBlock:
        """All of it as one block."""
        count = len(self.dimensions)
        along = (_along(0, dimension.size, axis, count) for axis, dimension in enumerate(self.dimensions))
        return GridBlock(0, self.size, tuple(along))

    def held(self, names: Collection[str], schema: Schema) -> "Grid":
        """The grid with these axes, each a dimension of its own, held at their first value."""
        moving = tuple(dimension for dimension in self.dimensions if dimension.axes[0].name not in names)
        still = {axis.name: 0 for dimension in self.dimensions if dimension not in moving for axis in dimension.axes}
        return Grid(self.question_at(still, schema), moving)

    def question_at(self, chosen: Mapping[str, int], schema: Schema) -> Question:
        """The question at these places along some axes; all axes give that of one configuration."""
        records, values = dict(self.question.records), dict(self.question.values)
        for axis in self.axes:
            place = chosen.get(axis.name)
            if place is None:
                continue
            if isinstance(axis, Axis):
                values[axis.name] = as_said(axis[place], schema.inputs[axis.name])
            elif axis.is_record:
                records[axis.name] = axis.words[place]
            else:
                values[axis.name] = axis.words[place]
        return self.question._replace(records=records, values=values)

    def blocks(self, most: int, start: int = 0) -> Iterator[GridBlock]:
        """Yields blocks of at most `most` consecutive configurations, from an index where a block begins.

        Each is a box of the grid, so that what depends on few dimensions is computed once for all others.
        """
        sizes = [dimension.size for dimension in self.dimensions]
        cut, inner = len(sizes), 1
        while cut and inner * sizes[cut - 1] <= most:
            cut -= 1
            inner *= sizes[cut]
        if not cut:
            if start < self.size:
                yield self.whole
            return
        whole = self.whole.along[cut:]
        step, length = max(1, most // inner), sizes[cut - 1]
        for outer in range(start // (inner * length), math.prod(sizes[: cut - 1])):
            fixed = [_along(int(p), 1, axis, len(sizes)) for axis, p in enumerate(unravelled(outer, sizes[: cut - 1]))]
            for low in range(0, length, step):
                first = (outer * length + low) * inner
                if first >= start:
                    count = min(step, length - low)
                    yield GridBlock(first, count * inner, (*fixed, _along(low, count, cut - 1, len(sizes)), *whole))

    def sampled(self, count: int, seed: int) -> list[int]:
        """The indices of `count` distinct configurations drawn at random, in order; all if there are no more."""
        if count >= self.size:
            return list(range(self.size))
        draw = np.random.default_rng(seed)
        if self.size <= np.iinfo(np.int64).max:
            found: set[int] = set()
            while len(found) < count:
                found.update(draw.integers(self.size, size=count - len(found)).tolist())
            return sorted(found)
        help_ = "Sample fewer values of each option."
        raise refuse("too-many", f"{self.size:.3g} configurations are too many to draw from", help=help_)

    def at(self, places: Places) -> GridBlock:
        """The configurations at these places, one lane each."""
        along: list[Places] = []
        rest = places.astype(np.uint32) if self.size <= np.iinfo(np.uint32).max else places
        for dimension in reversed(self.dimensions):
            outer = rest // dimension.size
            along.append((rest - outer * dimension.size).astype(np.int64))
            rest = outer
        return GridBlock(int(places[0]), len(places), tuple(reversed(along)), places)


def _along(start: int, count: int, axis: int, dimensions: int) -> Places:
    return np.arange(start, start + count).reshape([-1 if number == axis else 1 for number in range(dimensions)])


def unravelled(place: int, sizes: Sequence[int]) -> list[int]:
    """The place along each dimension of one in the whole grid."""
    found = []
    for size in reversed(sizes):
        place, rest = divmod(place, size)
        found.append(rest)
    return found[::-1]


def as_said(value: Number, schema: InputSchema) -> Any:  # noqa: ANN401 - whatever an input takes
    """A point of an axis as a caller would give it."""
    match schema.quantity.kind:
        case "flag":
            return bool(value)
        case "choice":
            return schema.quantity.words[int(value)]
    return InBaseUnits(float(value))


def grid_of(question: Question, schema: Schema, *, zipped: bool = False) -> Grid:
    """The grid of a question; `zipped` takes the first values of all axes together, then the second ones.

    Records vary slowest, then inputs in the order in which they were said; sides of one size go together. Raises
    FormulaError for values that an input may not have, and for axes of different lengths that are zipped.
    """
    records, values = dict(question.records), dict(question.values)
    axes: list[WordAxis | Axis] = []
    for name, said in question.records.items():
        ids = _words(said, repeats=zipped)
        if "" in ids or not ids:
            option = spoken(name, question.origin, schema.kinds)
            raise refuse("bad-value", f"{option}: `{said}` lacks a value", help="A comma stands between two values.")
        records[name] = ids[0]
        axes += [WordAxis(name, ids, is_record=True)] if len(ids) > 1 else []
    for said_as, said in question.values.items():
        name = input_named(said_as, schema, question.namespace)
        axis = _axis(name, said, schema, spoken(said_as, question.origin), repeats=zipped)
        if axis is not None:
            del values[said_as]
            axes.append(axis)
    words_first = sorted(axes, key=lambda each: not isinstance(each, WordAxis))
    base = question._replace(records=records, values=values)
    return Grid(base, _zipped(words_first) if zipped else _crossed(words_first, schema))


def _words(said: Any, *, repeats: bool) -> tuple[str, ...]:  # noqa: ANN401 - as was said
    words = [str(part) for part in parts_of(said)]
    return tuple(words if repeats else dict.fromkeys(words))


def _axis(
    name: str,
    said: Any,  # noqa: ANN401 - as was said
    schema: Schema,
    origin: str,
    *,
    repeats: bool,
) -> WordAxis | Axis | None:
    """The axis of an input; None where it has one value."""
    parts = parts_of(said)
    if len(parts) == 1 and not (isinstance(parts[0], str) and ".." in parts[0]):
        return None
    if any(relative_change(part, schema.inputs[name]) is not None for part in parts):
        return WordAxis(name, _words(said, repeats=repeats), is_record=False)
    return axis_of(said, schema.inputs[name], schema.units, origin, repeats=repeats)


def _crossed(axes: Sequence[WordAxis | Axis], schema: Schema) -> tuple[GridDimension, ...]:
    """A dimension for each axis; sides of one size, such as width and height, with as many values share theirs."""
    sizes = {side: sides for sides in schema.synonyms.sizes.values() for side in sides}
    groups: dict[tuple[object, int], list[WordAxis | Axis]] = {}
    for axis in axes:
        groups.setdefault((sizes.get(axis.name, axis.name), axis.length), []).append(axis)
    return tuple(GridDimension(tuple(group), length) for (_, length), group in groups.items())


def _zipped(axes: Sequence[WordAxis | Axis]) -> tuple[GridDimension, ...]:
    lengths = {axis.name: axis.length for axis in axes}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {length:,}" for name, length in lengths.items())
        message = "`--zip` takes values of all options in step, and they differ in number"
        raise refuse("bad-value", message, help=f"{told}.")
    return (GridDimension(tuple(axes), axes[0].length),) if axes else ()
