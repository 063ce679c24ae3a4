"""Defines what a picture shows, as plain data: charts with titles, axes and marks, colours as `#` and six digits."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import subjects
from formula_eval.records.givens import Givens, Question, input_named
from formula_eval.records.schema import Schema

NUMBER = Quantified("number")


class Scale(NamedTuple):
    """An axis: its title, how its numbers are written, and whether equal steps multiply."""

    title: str
    quantity: Quantified = NUMBER
    logarithmic: bool = False


class Curve(NamedTuple):
    """Points from left to right, None where there is no value."""

    title: str
    colour: str
    ys: tuple[float | None, ...]


class LineChart(NamedTuple):
    """Lines over the same points; where `words` are given, these stand at the points, which are then 0, 1, ..."""

    title: str
    x: Scale
    y: Scale
    xs: tuple[float, ...]
    lines: tuple[Curve, ...]
    words: tuple[str, ...] = ()


class HeatMap(NamedTuple):
    """A value for each combination of two axes, a row of cells for each point of `y`, None where there is none."""

    title: str
    x: Scale
    y: Scale
    value: Scale
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cells: tuple[tuple[float | None, ...], ...]


class Bar(NamedTuple):
    """One bar: its title, its length, what stands at its end, its colour, and what its colour means."""

    title: str
    value: float
    text: str
    colour: str
    meaning: str = ""


class BarChart(NamedTuple):
    """Horizontal bars from 0, the first on top."""

    title: str
    x: Scale
    bars: tuple[Bar, ...]


class StackedBar(NamedTuple):
    """Parts of one whole, side by side, with a remark and a limit; the texts are those of the sizes."""

    title: str
    remark: str
    parts: tuple[Bar, ...]
    limit: float


class Marker(NamedTuple):
    """A mark at a place, larger for a larger `share` of all."""

    title: str
    x: float
    y: float
    colour: str
    meaning: str
    share: float


class Roofline(NamedTuple):
    """Kernels between the peaks, each a title with its height, and the slope of the bandwidth."""

    title: str
    x: Scale
    y: Scale
    points: tuple[Marker, ...]
    peaks: tuple[tuple[str, float], ...]
    slope: tuple[str, float]


class Histogram(NamedTuple):
    """How often a value lies between two edges, with the values that are marked, each with its text."""

    title: str
    x: Scale
    y: Scale
    edges: tuple[float, ...]
    counts: tuple[float, ...]
    colour: str
    marks: tuple[tuple[float, str], ...]


class Front(NamedTuple):
    """Points of which those on the front are joined and named; no other is as good in both directions."""

    title: str
    x: Scale
    y: Scale
    points: tuple[Marker, ...]
    front: tuple[int, ...]
    colour: str


Chart = LineChart | HeatMap | BarChart | StackedBar | Roofline | Histogram | Front


class Picture(NamedTuple):
    """Rows of charts beneath a title; a row holds one or two."""

    title: str
    subtitle: str
    rows: tuple[tuple[Chart, ...], ...]

    @property
    def charts(self) -> Sequence[Chart]:
        """All of them."""
        return [each for row in self.rows for each in row]


def paired(charts: Sequence[Chart]) -> tuple[tuple[Chart, ...], ...]:
    """Charts in rows of two, a single one in a row of its own."""
    return tuple(tuple(charts[start : start + 2]) for start in range(0, len(charts), 2))


def asked_title(question: Question, schema: Schema, givens: Givens, but: Collection[str] = ()) -> str:
    """`llama2-70b, h100-sxm, tp 8`, without the inputs and records that vary in the picture."""
    kinds = [kind for kind in subjects(schema.kinds) if kind not in but and kind in givens.records]
    others = [kind for kind in question.records if kind not in (*kinds, *but)]
    values = {input_named(said, schema, question.namespace): value for said, value in question.values.items()}
    said = [f"{name.replace('_', ' ')} {value}" for name, value in values.items() if name not in but]
    return ", ".join([*(givens.records.get(kind, question.records.get(kind, "")) for kind in (*kinds, *others)), *said])


def title_of_name(name: str) -> str:
    """The last part of a name in words: `memory bandwidth`."""
    return name.rpartition(".")[2].replace("_", " ")
