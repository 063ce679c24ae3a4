"""The brief of a plan: what was asked, the verdict, each alternative's numbers, and what they rest on."""

import pytest

from counted import seen
from formula_eval.ask.plan_layout import read_plan_layout
from formula_eval.cli.command import main
from formula_eval.export.plan.heading import verdict_of
from formula_eval.export.plan.plan_brief import plan_brief
from formula_eval.export.plan.rows import case_titles, cases_told, detail_titles, read_plan_page, rows_of

pytestmark = pytest.mark.slow
TERMS = ["--instance", "p5.48xlarge", "--price-kind", "on_demand,three_years"]
_WIDTH, _LINES = 110, 60  # of a printed page


def _lines(text: str) -> int:
    """Lines of a brief on a printed page."""
    return sum(1 + len(line) // _WIDTH for line in text.splitlines() if line)


def test_it_tells_what_the_plan_does(plan, formulas):
    evaluator = formulas.evaluator
    page = read_plan_page(
        evaluator.library, "serving", evaluator.schema, read_plan_layout(evaluator.library, "serving", evaluator.schema)
    )
    text = plan_brief(plan, evaluator, page, "formula-eval plan again")
    assert text.startswith(
        "# Capacity plan of Llama 3 8B\n\n20 requests/s in the busiest hour, 2,000 tokens a prompt, "
    )
    assert "but for 20% of the requests." in text
    assert f"\n\n{verdict_of(plan, evaluator)}\n\n" in text
    shown = [each for each in plan.alternatives if each.question]
    details = detail_titles(plan)
    told = [each for each in rows_of(plan, shown, evaluator) if each.title not in {*case_titles(plan), *details}]
    assert "first token, p50" in details
    assert not any(f"| {title} |" in text for title in details)
    alike = text.partition("## The same for all\n\n")[2].partition("\n")[0].split("; ")
    for row in seen(each for each in (*told, *cases_told(plan, shown, evaluator)) if not each.is_empty):
        assert (f"{row.title}: {row.texts[0]}" in alike) != (f"| {row.title} | {' | '.join(row.texts)} |" in text)
        assert f"{row.title}: {row.texts[0]}" not in alike or len(set(row.texts)) == 1
    assert "t4: " in text.partition("## Worth knowing")[2]
    assert "; offer Median of " in text.partition("## Sources")[2]
    assert _lines(text) <= _LINES
    assert "formula-eval plan again" in text


@pytest.mark.parametrize(
    ("asked", "title", "says"),
    [
        (["--job-requests", "1e6", "--deadline", "12h"], "# Batch job of Llama 3 8B", "within 12 hours."),
        (
            ["--training", "--training-tokens", "1e9", "--gpus", "8"],
            "# Training run of Llama 3 8B\n\n1,000,000,000 tokens.",
            "| time |",
        ),
        (["--request-rate", "20 request/s"], "# Capacity plan of Llama 3 8B", ": 1 GPU for 20 requests/s, "),
        (
            [
                *TERMS,
                "--request-rate",
                "900 request/s",
                "--profile",
                "triangle",
                "--hours",
                "12",
                "--peak-to-mean",
                "2",
            ],
            "# Capacity plan of Llama 3 8B",
            " and a commitment for 8 of them, ",
        ),
    ],
)
def test_each_kind_of_plan_has_one(asked, title, says, tmp_path):
    path = tmp_path / "plan.md"
    board = [] if "--instance" in asked else ["--gpu", "h100-sxm"]
    assert main(["plan", "--model", "llama3-8b", *board, "--tp", "1", "--pp", "1", *asked, "-o", str(path)]) == 0
    text = path.read_text()
    assert text.startswith(title)
    assert says in text
    assert _lines(text) <= _LINES


def test_the_cheapest_api_comes_first(tmp_path):
    path = tmp_path / "plan.md"
    asked = ["--model", "llama3.3-70b", "--gpu", "h100-sxm", "--number-format", "fp8", "--tp", "4", "--pp", "1"]
    assert main(["plan", *asked, "--request-rate", "2 request/s", "--api", "all", "-o", str(path)]) == 0
    row = next(line for line in path.read_text().splitlines() if line.startswith("| the same at the API, per month |"))
    prices = [float(cell.split()[0].replace(",", "")) for cell in row.split("|")[2:-1]]
    assert len(prices) > 1
    assert prices == sorted(prices)
