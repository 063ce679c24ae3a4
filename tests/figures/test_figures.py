"""Bills, energy, files and starts that somebody published, beside ours: docs/accuracy.md has the table.

`UPDATE_DOCS=1 pytest tests/figures` writes the table anew; read the difference, and the text around it.
"""

import os
import re
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "accuracy.md"
FIGURES = tomllib.loads((HERE / "figures.toml").read_text(encoding="utf-8"))["figure"]
TABLE = re.compile(r"(?<=<!-- figures -->\n).*?(?=\n<!-- end -->)", re.DOTALL)
UPDATE = os.environ.get("UPDATE_DOCS") == "1"


def ours(formulas, figure) -> float:
    """What the formulas give, in the unit of the figure."""
    found = formulas.evaluate(only=[figure["quantity"]], **figure["asked"])[figure["quantity"]]
    return found.to(figure["unit"]) if figure["unit"] else float(found)


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure["what"])
def test_it_is_as_near_as_it_was(figure, formulas):
    assert ours(formulas, figure) == pytest.approx(figure["published"], rel=figure["within"])


def test_the_page_tells_them(formulas):
    rows = [_row(each, ours(formulas, each)) for each in FIGURES]
    head = ["| | published | ours | error | of | |", "|---|---:|---:|---:|---|---|"]
    told = PAGE.read_text(encoding="utf-8")
    now = TABLE.sub(lambda _: "\n".join([*head, *rows]), told)
    if UPDATE:
        PAGE.write_text(now, encoding="utf-8")
    assert len(FIGURES) >= 20
    assert PAGE.read_text(encoding="utf-8") == now


def _row(figure, value: float) -> str:
    published, unit = figure["published"], figure["unit"] or "GPU-hours"
    source, _, address = figure["source"].partition(", https://")
    link = f"[{source}](https://{address.partition(',')[0]})" if address else source
    day = figure.get("date") or f"read {figure['read']}"
    cells = [figure["what"], f"{_shown(published)} {unit}", f"{_shown(value)} {unit}", f"{value / published - 1:+.0%}"]
    return f"| {' | '.join([*cells, f'{link}, {day}', figure.get('note', '')])} |"


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
