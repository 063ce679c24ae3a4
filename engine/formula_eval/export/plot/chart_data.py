"""Defines what a picture shows, as plain data: charts with titles, axes and marks, colours as `#` and six digits."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import subjects
from formula_eval.records.givens import Givens, Question
from formula_eval.records.input_names import input_named
from formula_eval.records.schema import Schema

NUMBER = Quantified("number")
STYLES = 4  # of lines of one colour


class Scale(NamedTuple):
    """An axis: its title, how its numbers are written, and whether equal steps multiply."""

    title: str
    quantity: Quantified = NUMBER
    logarithmic: bool = False


class Curve(NamedTuple):
    """Points from left to right, None where there is no value; lines of one colour differ by `style`: 0, 1, ..."""

    title: str
    colour: str
    ys: tuple[float | None, ...]
    style: int = 0


class LineChart(NamedTuple):
    """Lines over the same points; where `words` are given, these stand at the points, which are then 0, 1, ..."""

    title: str  # heading, usually the quantity of `y`
    x: Scale  # axis of what varies
    y: Scale  # axis of the values
    xs: tuple[float, ...]  # where the points stand, from left to right
    lines: tuple[Curve, ...]  # each has a value for every point
    words: tuple[str, ...] = ()
    limits: tuple[tuple[str, float], ...] = ()  # heights that lines had better stay beneath, each with its text


class HeatMap(NamedTuple):
    """A value for each combination of two axes, a row of cells for each point of `y`, None where there is none."""

    title: str  # heading, usually the quantity of the cells
    x: Scale  # axis from left to right
    y: Scale
    value: Scale
    xs: tuple[float, ...]  # a column of cells for each
    ys: tuple[float, ...]  # a row of cells for each
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

    title: str  # stands beside it where there is room
    x: float  # place on the horizontal axis
    y: float  # place on the vertical axis
    colour: str  # `#` and six digits
    meaning: str  # of the colour, for the legend
    share: float


class Roofline(NamedTuple):
    """Kernels between the peaks, each a title with its height, and the slope of the bandwidth."""

    title: str
    x: Scale  # axis of work for each byte moved
    y: Scale  # axis of work per second
    points: tuple[Marker, ...]  # kernels, each with its share of the time
    peaks: tuple[tuple[str, float], ...]
    slope: tuple[str, float]


class Histogram(NamedTuple):
    """How often a value lies between two edges, with the values that are marked, each with its text."""

    title: str  # heading above the bars
    x: Scale  # axis of the value
    y: Scale  # axis of how often it occurs
    edges: tuple[float, ...]
    counts: tuple[float, ...]  # heights of the bars, one fewer than edges
    colour: str  # of the bars, `#` and six digits
    marks: tuple[tuple[float, str], ...]  # drawn as dotted lines, such as the median


class Front(NamedTuple):
    """Points of which those on the front are joined and named; no other is as good in both directions."""

    title: str  # heading above the points
    x: Scale  # axis of the first quantity
    y: Scale  # axis of the second quantity
    points: tuple[Marker, ...]  # all, on the front or not
    front: tuple[int, ...]
    colour: str  # of the line, `#` and six digits


Chart = LineChart | HeatMap | BarChart | StackedBar | Roofline | Histogram | Front


class Picture(NamedTuple):
    """Rows of charts beneath a title; a row holds one or two."""

    title: str
    subtitle: str
    rows: tuple[tuple[Chart, ...], ...]

    @property
    def charts(self) -> Sequence[Chart]:
        """All of them."""
        return [front for row in self.rows for front in row]


def paired(charts: Sequence[Chart]) -> tuple[tuple[Chart, ...], ...]:
    """Charts in rows of two, a single one in a row of its own."""
    return tuple(tuple(charts[start : start + 2]) for start in range(0, len(charts), 2))


def asked_title(question: Question, schema: Schema, givens: Givens, but: Collection[str] = ()) -> str:
    """`Llama 2 70B, NVIDIA H100 SXM5 80GB, tp 8`, without the inputs and records that vary in the picture."""
    kinds = [kind for kind in subjects(schema.kinds) if kind not in but and kind in givens.records]
    others = [kind for kind in question.records if kind not in (*kinds, *but)]
    values = {input_named(said, schema, question.namespace): value for said, value in question.values.items()}
    said = [f"{name.replace('_', ' ')} {value}" for name, value in values.items() if name not in but]
    return ", ".join([*(_called(kind, question, givens) for kind in (*kinds, *others)), *said])


def _called(kind: str, question: Question, givens: Givens) -> str:
    """The name of the record of a kind."""
    file = givens.files.get(kind)
    return file.called if file else str(question.records.get(kind, ""))
