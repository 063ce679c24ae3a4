"""Answers to pictures: for each model the parts of what was asked, one bar an answer."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from answers import Answers, Row
from tables import hours

from formula_eval import FormulaError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 9,
    "hatch.linewidth": 0.4,
    "svg.hashsalt": "llama",
}
WIDTH, HEIGHT_OF_ALL, HEIGHT_OF_BAR = 8.5, 1.7, 0.24  # inches
HUNDREDTH = 0.01


class Bar(NamedTuple):
    """One bar: its place from above, what stands beside it, and its parts; none where the answer was a refusal."""

    place: int
    title: str
    parts: Mapping[str, float]


def draw(study: Mapping[str, Any], answers: Answers, folder: Path) -> None:
    """Every picture of the study as SVG; raises ModuleNotFoundError without matplotlib."""
    import matplotlib as mpl  # noqa: PLC0415 - an optional extra
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context(STYLE):
        for name, picture in study["pictures"].items():
            found = list(bars(study["models"], picture, answers))
            figure = Figure((WIDTH, HEIGHT_OF_ALL + HEIGHT_OF_BAR * found[-1].place), layout="constrained")
            axes = figure.add_subplot(title=picture["title"], xlabel=picture["axis"])
            _put_bars(axes, found, study["legends"][picture["legend"]])
            if "mark" in picture:
                place = _marked(study["models"][0], picture, answers)
                axes.axvline(place, color="black", linestyle="--", linewidth=1, label=picture["mark"], zorder=3)
            figure.legend(loc="outside lower center", ncols=4, frameon=False)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


def bars(models: Sequence[Row], picture: Mapping[str, Any], answers: Answers) -> Iterator[Bar]:
    """The bars of all models, in the unit of the axis, with a free line between two models."""
    place = 0
    for row in models:
        unit = picture["per"] if "per" in picture else hours(row) / 100
        for number, bar in enumerate(picture["bars"]):
            try:
                parts = answers.parts(bar["answer"], row, bar["table"], bar["cell"])
            except FormulaError:
                parts = {}
            title = bar["title"] if number else f"{row['name']}   {bar['title']}"
            yield Bar(place, title, {name: value / unit for name, value in parts.items()})
            place += 1
        place += 1


def _put_bars(axes: "Axes", found: Sequence[Bar], legend: Mapping[str, Mapping[str, Any]]) -> None:
    """The bars from above, each part where those before it end, and behind each bar its length."""
    ends = dict.fromkeys((bar.place for bar in found), 0.0)
    for name, look in legend.items():
        widths = {bar.place: width for bar in found if (width := bar.parts.get(name, 0)) > HUNDREDTH}
        if widths:
            starts = [ends[place] for place in widths]
            drawn = axes.barh(list(widths), list(widths.values()), left=starts, label=look["title"], height=0.8)
            for patch in drawn:
                patch.set(facecolor=look["colour"], hatch=look.get("hatch"), edgecolor="black", linewidth=0.4)
        ends |= {place: ends[place] + width for place, width in widths.items()}
    for bar in found:
        text = f"{sum(bar.parts.values()):.3g}" if bar.parts else "refused"
        axes.annotate(
            text, (ends[bar.place], bar.place), (3, 0), textcoords="offset points", va="center", zorder=4
        ).set(bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5}, fontsize="small")
    axes.set_yticks([bar.place for bar in found], [bar.title for bar in found])
    axes.invert_yaxis()
    axes.tick_params(left=False)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)


def _marked(row: Row, picture: Mapping[str, Any], answers: Answers) -> float:
    """Where the line stands: at what was measured, or at a limit."""
    if "limit" not in picture:
        return 100.0
    limit = answers.value(picture["limit"]["answer"], row, picture["limit"]["quantity"]).value
    return float(limit or 0) / float(picture["per"])
