"""Answers to pictures: for each model the parts of what was asked, one bar an answer."""

from collections.abc import Iterator
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple

from answers import Answers
from answers import Row

from formula_eval import FormulaError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLE = {
    "axes.axisbelow": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 9,
    "hatch.linewidth": 0.4,
    "svg.hashsalt": "llama",
}
LINE = 0.24  # inches that a bar takes


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
            figure = Figure(figsize=(8.5, 1.5 + LINE * found[-1].place), layout="constrained")
            axes = figure.add_subplot(title=picture["title"], xlabel=picture["axis"])
            _put_bars(axes, found, study["legends"][picture["legend"]])
            _put_marks(axes, picture, answers, study["models"])
            figure.legend(loc="outside lower center", ncols=5, frameon=False)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


def bars(models: list[Row], picture: Mapping[str, Any], answers: Answers) -> Iterator[Bar]:
    """The bars of all models in the unit of the axis, with a free line between two models."""
    for number, row in enumerate(models):
        unit = row[picture["against"]] / 100 if "against" in picture else picture["per"]
        for place, bar in enumerate(picture["bars"], start=number * (len(picture["bars"]) + 1)):
            try:
                parts = answers.parts(bar["answer"], row, bar["table"], bar["cell"])
            except FormulaError:
                parts = {}
            title = bar["title"] if place % (len(picture["bars"]) + 1) else f"{row['name']}   {bar['title']}"
            yield Bar(place, title, {name: value / unit for name, value in parts.items()})


def _put_bars(axes: "Axes", found: list[Bar], legend: Mapping[str, Any]) -> None:
    """The bars from above, each part where those before it end."""
    ends = [0.0] * len(found)
    for name, look in legend.items():
        widths = [bar.parts.get(name, 0.0) for bar in found]
        axes.barh(
            [bar.place for bar in found],
            widths,
            left=ends,
            height=0.8,
            label=look["title"],
            color=look["colour"],
            hatch=look.get("hatch"),
            edgecolor="black",
            linewidth=0.4,
        )
        ends = [end + width for end, width in zip(ends, widths, strict=True)]
    for bar, end in zip(found, ends, strict=True):
        axes.text(end, bar.place, f" {end:.3g}" if bar.parts else " refused", va="center", fontsize="small")
    axes.set_yticks([bar.place for bar in found], [bar.title for bar in found])
    axes.invert_yaxis()
    axes.tick_params(left=False)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)


def _put_marks(axes: "Axes", picture: Mapping[str, Any], answers: Answers, models: list[Row]) -> None:
    """A line at what was measured, or at what an accelerator holds."""
    place = 100.0
    if "limit" in picture:
        limit = answers.value(picture["bars"][0]["answer"], models[0], picture["limit"]).value
        place = limit / picture["per"] if isinstance(limit, int | float) else 0.0
    if "limit" in picture or "against" in picture:
        axes.axvline(place, color="black", linestyle="--", linewidth=1, label=picture["mark"])
