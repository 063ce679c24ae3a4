"""The Markdown derivation: GitHub, a notebook and KaTeX read its maths alike, and no text of a user does anything."""

import re
from itertools import groupby
from pathlib import Path

import pytest

from counted import seen
from export.papers import document, hostile_document, usual
from formula_eval import load
from formula_eval.cli import main
from formula_eval.export.document import document_of
from formula_eval.export.escaping import latex_address, markdown_code, markdown_text
from formula_eval.export.paper.markdown import markdown_address, markdown_maths, markdown_paper
from formula_eval.records.givens import Question

pytestmark = pytest.mark.slow

# What KaTeX and MathJax both know, of what we print.
KNOWN = set(
    r"""
    \begin \end \left \right \frac \sqrt \mathrm \text \operatorname \cr \thinspace \thickspace \medspace
    \negthinspace \quad \qquad \phantom \lbrace \rbrace \vert \ast \lt \gt \le \ge \ne \in \approx \iff \leftarrow
    \times \cdot \cdots \bmod \land \lor \lnot \wedge \sim \backslash \min \max \ln \log \exp \sum \substack
    \infty \parallel \varepsilon \lceil \rceil \lfloor \rfloor \relax \tag \bar \hat \overline \ell
    \alpha \beta \gamma \delta \epsilon \zeta \eta
    \theta \iota \kappa \lambda \mu \nu \xi \pi \rho \sigma \tau \upsilon \phi \chi \psi \omega
    \Gamma \Delta \Theta \Lambda \Xi \Pi \Sigma \Upsilon \Phi \Psi \Omega
    """.split()  # noqa: SIM905 - a list would be as many lines
)


def maths_of(text: str) -> list[str]:
    return re.findall(r"\$\$(.*?)\$\$", text, re.DOTALL) + re.findall(r"(?<!\$)\$([^$\n]+)\$(?!\$)", text)


@pytest.fixture(scope="module", params=["llama2-70b", "deepseek-v3"])
def text(request: pytest.FixtureRequest) -> str:
    return markdown_paper(document(request.param, *usual(), "inference.*", "training.*", named=False, tp=2))


def test_markdown_leaves_the_maths_alone(text: str) -> None:
    for each in seen(maths_of(text), at_least=50):
        assert not re.search(r"\\[!-/:-@\[-`{-~]", each), each
        assert not re.search(r"[^A-Za-z0-9\s]_", each), each
        assert not re.search(r"(?<!operatorname)\*|[<>|`~]", each), each
        assert not re.search(r"^\s*([-+#=>]|\d+\.)", each, re.MULTILINE), each


def test_katex_knows_the_maths(text: str) -> None:
    assert {word for each in maths_of(text) for word in re.findall(r"\\[A-Za-z]+", each)} <= KNOWN
    for each in seen(maths_of(text), at_least=50):
        assert each.count("{") == each.count("}")
        assert len(re.findall(r"\\left\b", each)) == len(re.findall(r"\\right\b", each))
        assert not re.search(r"[^\x20-\x7e\n]", each), each


def test_a_parser_of_markdown_changes_nothing_in_the_maths(text: str) -> None:
    parser = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for each in seen(maths_of(text), at_least=50):
        (inline,) = (token for token in parser.parse(f"$${each}$$") if token.type == "inline")
        assert all(child.type in ("text", "softbreak") for child in inline.children), each
        assert inline.content.replace("\n", "") == f"$${each}$$".replace("\n", ""), each


def test_rows_of_a_table_have_as_many_cells_as_its_head(text: str) -> None:
    blocks = groupby(text.split("\n"), key=lambda line: line.startswith("|"))
    tables = [list(lines) for is_table, lines in blocks if is_table]
    for lines in seen(tables, at_least=3):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1


def test_equations_are_numbered_in_order(text: str) -> None:
    numbers = [int(each) for each in re.findall(r"\\tag\{(\d+)\}", text)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 20


@pytest.mark.parametrize("load", [(), ("--concurrency", "32"), ("--request-rate", "2 request/s")], ids=str)
def test_a_whole_paper_is_one_that_people_read(load: tuple[str, ...], tmp_path: Path) -> None:
    target = tmp_path / "paper.md"
    assert main(["export", "markdown", "--model", "llama3.1-70b", "--tp", "8", *load, "-o", str(target)]) == 0
    written = target.read_text(encoding="utf-8")
    assert written.count("\n") < 3_000
    assert "### Block sparse" not in written.partition("## Terms that vanish")[0]
    linked = set(re.findall(r"\(#(equation-\d+)\)", written))
    assert linked <= set(re.findall(r'<a id="(equation-\d+)"></a>', written))
    assert len(linked) > 5


def test_no_table_of_inputs_is_empty() -> None:
    asked = load(Path(__file__).parents[1] / "user_library" / "trip_library").evaluator
    text = markdown_paper(document_of(asked, Question({}), asked.select(["trip.usable"]), named=True))
    assert "inputs keep their defaults" in text
    assert not re.search(r"\|---:\|---\|\n(?!\|)", text)


@pytest.mark.parametrize("address", ["javascript:alert(5)", "data:text/html,x", "file:///etc/passwd", " https://a.b"])
def test_only_addresses_of_pages_are_links(address: str) -> None:
    assert latex_address(address) == markdown_address(address) == ""
    assert latex_address("https://a.b") == markdown_address("https://a.b") == "https://a.b"


def test_hostile_text_is_only_read(tmp_path: Path) -> None:
    text = markdown_paper(hostile_document(tmp_path))
    shown = re.sub(r"```sh\n.*?\n```|(?<!\\)`.*?`|\$\$.*?\$\$", "", text, flags=re.DOTALL)
    assert not re.search(r"<(?!a id=\"(source-[\w-]+|equation-\d+)\"></a>|/a>|https://|/?details>|/?summary>)", shown)
    assert "\u202e" not in text
    assert "@all" not in shown


@pytest.mark.parametrize(
    ("written", "escaped"),
    [
        ("- not a list", r"\- not a list"),
        ("19.27 GB", "19.27 GB"),
        ("1. not a list", r"1\. not a list"),
        ("a_b *c* [d](e) | `f` <g>", r"a\_b \*c\* \[d\](e) \| `f` &lt;g&gt;"),
        ("see https://evil.example", "see https&#58;//evil.example"),
        ("a\nb\u200b", r"a b\[U+200B\]"),
        ("`x` bits", "`x` bits"),
    ],
)
def test_text(written: str, escaped: str) -> None:
    assert markdown_text(written) == escaped


def test_code_and_maths() -> None:
    assert markdown_code("a`b|c") == r"`` a`b\|c ``"
    assert markdown_maths(r"\left\{a\_b,\,c\right\}_{d}") == r"\left\lbrace a\ b,\thinspace c\right\rbrace_{d}"
    assert markdown_maths(r"\bar{c}_g") == r"\bar{c}\relax_g"


SHARES = '''"""What a month costs."""

choice season = summer | winter

input season: season = summer
    "Season"

table costs
    "What a month costs"
    derived "by hand"
    cost
        "Cost"
    share = cost / sum(each.cost for each in costs)
        "Share of all"
    row food "Food"
        cost = 60
    row heat "Heat"
        cost = 20 if season == summer else 60

winter_heat = (costs.heat.cost with season = winter)
    "Cost of heat in winter"
    derived "the table in winter"
    example season = summer -> 60

summer_share = costs.heat.share
    "Share of heat"
    derived "the table"
    example season = summer -> 0.25
'''


def test_a_cell_that_nobody_needs_under_other_inputs_is_left_out(tmp_path: Path) -> None:
    chapter = tmp_path / "own" / "formulas" / "month" / "month.formula"
    chapter.parent.mkdir(parents=True)
    chapter.write_text(SHARES, encoding="utf-8")
    (tmp_path / "own" / "library.toml").write_text('title = "A month"\nuses = []\n', encoding="utf-8")
    target = tmp_path / "month.md"
    assert main(["export", "markdown", "--library", str(tmp_path / "own"), "-o", str(target)]) == 0
    heat = [line for line in target.read_text(encoding="utf-8").splitlines() if line.startswith("| heat |")]
    assert heat == ["| heat | 20 | 0.25 |", "| heat | 60 |"]
