"""Models that this project ran with eager PyTorch on one H200 are as far off as docs/accuracy.md says."""

from pathlib import Path

import pytest

from formula_eval import load
from formula_eval.analyse.validate.comparisons import Selection
from formula_eval.analyse.validate.validation import validate

ROOT = Path(__file__).parents[2]
TOLD = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8").split("## Runs of our own")[1].split("\n## ")[0]

CLASSES = {
    "text": (["time_s", "ttft_s"], ["tpot_s"], ["peak_bytes"]),
    "vision": (["time_s"],),
    "audio": (["time_s"], ["tpot_s"]),
    "diffusion": (["time_s"], ["time_s"]),
}


def told(kind: str) -> list[tuple[int, float]]:
    """Points and mean error of each row about a kind of models, in percent."""
    rows = [each.split("|")[1:-1] for each in TOLD.splitlines() if each.startswith("| ")][1:]
    first = next(place for place, row in enumerate(rows) if f"tests/measured/{kind}" in row[0])
    following = next((place for place, row in enumerate(rows) if place > first and row[0].strip()), len(rows))
    return [(int(points), float(error)) for _, _, points, error in rows[first:following]]


@pytest.mark.parametrize("kind", CLASSES)
def test_errors_are_what_the_page_says(kind: str) -> None:
    formulas = load(*([] if kind == "text" else [kind]))
    rows = [
        each for each in validate(formulas.evaluator, ROOT / "tests" / "measured" / kind, Selection()).rows if each.ran
    ]
    groups = sorted({each.group for each in rows}, reverse=kind == "diffusion")
    found = []
    for place, metrics in enumerate(CLASSES[kind]):
        chosen = [each for each in rows if each.metric in metrics]
        if kind == "diffusion":
            chosen = [each for each in chosen if each.group == groups[place]]
        found.append((len(chosen), round(100 * sum(abs(each.error) for each in chosen) / len(chosen), 1)))
    assert [points for points, _ in found] == [points for points, _ in told(kind)]
    for (_, error), (_, page) in zip(found, told(kind), strict=True):
        assert error == pytest.approx(page, abs=0.11), found
