"""Pictures: no label hides another or leaves the picture, and the same picture is the same file."""

import itertools
import math
import re

import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from counted import seen
from formula_eval.analyse.influences import asked_sensitivity
from formula_eval.analyse.sobol_indices import uncertainty
from formula_eval.analyse.sweep.sweep_batches import Sweep, SweepQuantities
from formula_eval.analyse.sweep.sweep_frame import whole_sweep
from formula_eval.cli import main
from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.situation import titles
from formula_eval.export.plot import chart_data
from formula_eval.export.plot.answer_picture import answer_picture
from formula_eval.export.plot.draw.chart_kinds import draw_lines
from formula_eval.export.plot.draw.figure import figure_of
from formula_eval.export.plot.draw.picture_file import write_picture
from formula_eval.export.plot.question_pictures import front_picture, sensitivity_picture, uncertainty_picture
from formula_eval.export.plot.style import look_of
from formula_eval.export.plot.sweep_picture import sweep_picture
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

TIMES = ("inference.ttft", "inference.tpot")


@pytest.fixture(scope="module")
def evaluator(formulas):
    return formulas.evaluator


def swept(evaluator, values, hardware="h100-sxm", *, memory=False, **asked):
    question = Question({"model": "llama2-70b", "hardware": hardware}, values)
    names = (*TIMES, "memory.total_bytes") if memory else TIMES
    sweep = Sweep(evaluator, question, SweepQuantities(names, **asked))
    return sweep_picture(whole_sweep(sweep), titles(evaluator.library))


@pytest.fixture(scope="module")
def pictures(evaluator):
    question = Question({"model": "llama2-70b"}, {"tp": "8", "batch": "16"})
    training = Question({"model": "llama2-7b"}, {"gpus": "64", "global_batch": "512"}, purpose="training")
    uncertain = Question({"model": "llama2-7b"}, {"memory_bandwidth": "2 to 3.35 TB/s", "batch": "1,8,16"})
    cloud = [(f"tp {n}", float(n), 100.0 / n) for n in (1, 2, 4, 8, 16)] + [("worse", 8.0, 90.0)]
    scale = chart_data.Scale("tokens/s", logarithmic=True)
    return {
        "answer": answer_picture(evaluator, question),
        "experts": answer_picture(evaluator, Question({"model": "deepseek-v3", "format": "fp8"}, {"tp": "8"})),
        "training": answer_picture(evaluator, training),
        "lines": swept(evaluator, {"tp": "2,4,8", "batch": "1..512*2"}),
        "steps": swept(evaluator, {"prompt": "100..4000:20"}),
        "heat": swept(evaluator, {"prompt": "128..8192*2", "batch": "1..256*2"}),
        "records": swept(evaluator, {"tp": "4,8"}, "h100-sxm,h200-sxm,b200-sxm,a100-sxm-80gb,l40s"),
        "tornado": sensitivity_picture(asked_sensitivity(evaluator, question, "tpot"), evaluator.library, 15),
        "spread": uncertainty_picture(uncertainty(evaluator, uncertain, "inference.tpot", 256), evaluator.library),
        "boards": swept(evaluator, {"tp": "4,8", "batch": "1..256*2"}, "h100-sxm,h200-sxm", memory=True),
        "front": front_picture(evaluator.library, "llama2-70b", scale, scale, cloud, [0, 1, 2, 3, 4]),
    }


NAMES = ("answer", "experts", "training", "lines", "steps", "heat", "records", "boards", "tornado", "spread", "front")


@pytest.mark.parametrize("name", NAMES)
def test_no_label_hides_another_or_is_cut(pictures, evaluator, name, monkeypatch):
    drawn = []
    draw = Text.draw

    def recorded(self, renderer):
        if self.get_visible() and self.get_text().strip():
            drawn.append((self.get_text(), self.get_window_extent(renderer)))
        draw(self, renderer)

    figure = figure_of(pictures[name], look_of(evaluator.library, "light"))
    monkeypatch.setattr(Text, "draw", recorded)
    figure.canvas.draw()
    width, height = figure.canvas.get_width_height()
    assert len(drawn) > 3
    for text, box in drawn:
        assert -1 <= box.x0 < box.x1 <= width + 1, text
        assert -1 <= box.y0 < box.y1 <= height + 1, text
    for (one, box), (other, second) in itertools.combinations(drawn, 2):
        assert not box.padded(-0.5).overlaps(second), (one, other)


@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_the_same_picture_is_the_same_file(pictures, evaluator, tmp_path, ending):
    for name in ("one", "two"):
        write_picture(pictures["steps"], evaluator.library, tmp_path / f"{name}.{ending}")
    first = (tmp_path / f"one.{ending}").read_bytes()
    assert first == (tmp_path / f"two.{ending}").read_bytes()
    assert not re.search(rb"20\d\d-\d\d-\d\dT", first)


def test_themes_differ_and_a_page_holds_both(pictures, evaluator, tmp_path):
    for theme in ("light", "dark"):
        write_picture(pictures["spread"], evaluator.library, tmp_path / f"{theme}.svg", theme)
        look = look_of(evaluator.library, theme)
        assert look.ground in (tmp_path / f"{theme}.svg").read_text(encoding="utf-8")
    write_picture(pictures["spread"], evaluator.library, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("data:image/svg+xml;base64,") == 2
    assert 'alt="inference.tpot = ' in page


def test_lines_hold_what_the_sweep_computed(pictures, evaluator):
    chart = pictures["lines"].charts[1]
    assert [each.title for each in chart.lines] == ["tp 2", "tp 4", "tp 8"]
    assert chart.xs == tuple(2.0**n for n in range(10))
    question = Question({"model": "llama2-70b", "hardware": "h100-sxm"}, {"tp": "4", "batch": "8"})
    alone = evaluator.evaluate(evaluator.givens(question), ["inference.tpot"])["inference.tpot"]
    assert chart.lines[1].ys[3] == pytest.approx(float(alone), rel=1e-12)


def test_what_lines_had_better_stay_beneath_is_drawn_above_them_and_its_text_hides_no_point(pictures, evaluator):
    chart = next(each for each in pictures["boards"].charts if each.limits)
    highest = max(y for line in chart.lines for y in line.ys)
    beyond = chart._replace(limits=(("above", 1.5 * highest), ("far", 3 * highest), ("within", chart.lines[0].ys[0])))
    axes = Figure().add_subplot()
    texts = draw_lines(beyond, axes, look_of(evaluator.library, "light")).texts
    assert [text.get_text() for text in texts] == ["above", "within"]
    axes.get_figure().draw_without_rendering()
    points = axes.transData.transform([(x, y) for line in chart.lines for x, y in zip(chart.xs, line.ys, strict=True)])
    assert not any(text.get_window_extent().contains(*point) for text in texts for point in points)


def test_lines_of_boards_differ_by_style_those_of_layouts_by_colour_beneath_what_each_board_has(pictures, evaluator):
    memory = next(each for each in pictures["boards"].charts if each.limits)
    looks = {each.title: (each.colour, each.style) for each in memory.lines}
    assert len(set(looks.values())) == len(looks) == 4
    assert looks["h100-sxm, tp 4"][0] == looks["h200-sxm, tp 4"][0] != looks["h100-sxm, tp 8"][0]
    assert looks["h100-sxm, tp 4"][1] == looks["h100-sxm, tp 8"][1] != looks["h200-sxm, tp 4"][1]
    boards = [Question({"model": "llama2-70b", "hardware": each}) for each in ("h100-sxm", "h200-sxm")]
    usable = [evaluator.evaluate(evaluator.givens(each), ["memory.usable_bytes"]) for each in boards]
    assert [value for _, value in memory.limits] == [each.numbers["memory.usable_bytes"] for each in usable]
    assert all(not each.limits for each in pictures["boards"].charts if each is not memory)


@pytest.mark.parametrize("name", ["answer", "experts", "training", "front"])
def test_no_name_stands_upon_a_mark(pictures, evaluator, name):
    titles = {each.title for chart in pictures[name].charts for each in getattr(chart, "points", ())} - {""}
    figure = figure_of(pictures[name], look_of(evaluator.library, "light"))
    figure.draw_without_rendering()
    marked = [(axes, each) for axes in figure.axes for each in axes.collections if len(each.get_offsets()) > 0]
    for axes, each in seen(marked):
        names = [text for text in axes.texts if text.get_text() in titles]
        sizes, places = each.get_sizes(), axes.transData.transform(each.get_offsets())
        for place, (x, y) in enumerate(places):
            half = math.sqrt(sizes[place % len(sizes)]) * figure.dpi / 72 / 2 * math.sqrt(0.5)
            mark = Bbox.from_extents(x - half, y - half, x + half, y + half)
            assert not [text.get_text() for text in names if text.get_window_extent().overlaps(mark)]


def test_what_no_condition_meets_is_a_gap(evaluator):
    chart = swept(evaluator, {"batch": "1..64*2"}, where=("batch != 8",)).charts[0]
    assert [each is None for each in chart.lines[0].ys] == [False, False, False, True, False, False, False]


def test_a_roofline_has_every_operator_beneath_its_roof(pictures):
    (prefill, _) = [each for each in pictures["answer"].charts if isinstance(each, chart_data.Roofline)]
    assert {"qkv projection", "ffn in", "output head"} <= {each.title for each in prefill.points}
    top = max(value for _, value in prefill.peaks)
    assert all(each.y <= min(top, each.x * prefill.slope[1]) * (1 + 1e-9) for each in prefill.points)
    assert sum(each.share for each in prefill.points) == pytest.approx(1)


def test_large_products_of_training_come_near_the_peak(pictures):
    rooflines = [each for each in pictures["training"].charts if isinstance(each, chart_data.Roofline)]
    assert len(rooflines) == 2
    for each in rooflines:
        (_, peak), *_ = each.peaks
        assert all(0.5 * peak < point.y < peak for point in each.points if point.title in ("qkv projection", "ffn in"))


@pytest.mark.parametrize(
    ("values", "more", "says"),
    [
        ({"batch": "1..20", "tp": "1,2,4", "pp": "1,2,4,8"}, {}, "lines do not fit"),
        ({"batch": "1..20"}, {"sampled": 5}, "A sample makes no lines"),
        ({"batch": "4"}, {}, "Nothing varies"),
        ({"batch": "1..4"}, {"where": ("batch > 8",)}, "No configuration has a number"),
    ],
)
def test_what_cannot_be_drawn_is_said(evaluator, values, more, says):
    with pytest.raises(FormulaError, match=says):
        swept(evaluator, values, **more)


def test_python_and_the_command_draw_the_same(formulas, tmp_path, capsys):
    given = {"model": "llama2-7b", "tp": 2}
    formulas.evaluate(**given).plot(tmp_path / "python.svg")
    formulas.sweep(model="llama2-7b", tp=2, batch=[1, 2, 4], only="tpot").plot(tmp_path / "swept.svg", "dark")
    asked = ["--model", "llama2-7b", "--tp", "2"]
    assert main([*asked, "--plot", str(tmp_path / "command.svg")]) == 0
    sweep = ["sweep", *asked, "--batch", "1,2,4", "--only", "tpot", "--theme", "dark"]
    assert main([*sweep, "--plot", str(tmp_path / "command-swept.svg")]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Assumed")
    assert err.endswith("command-swept.svg: written.\n")
    for one, other in (("python", "command"), ("swept", "command-swept")):
        assert (tmp_path / f"{one}.svg").read_bytes() == (tmp_path / f"{other}.svg").read_bytes()
