"""examples/retrieval: three models one after another, each as our own answer has it with its lengths."""

from pathlib import Path

import pytest

from examples.conftest import Asked
from export.browser import showing
from export.pages import logged, value
from formula_eval import Formulas
from formula_eval.cli import main
from libraries import checked

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "examples" / "retrieval"
QUESTION = {"model": "llama3.1-8b", "hardware": "h100-sxm"}


def test_it_is_sound() -> None:
    assert checked(LIBRARY).findings == ()


@pytest.mark.parametrize(
    ("part", "model", "given"),
    [
        ("embedder", "bge-large-en-v1.5", {"prompt": 32}),
        ("reranker", "bge-reranker-base", {"prompt": 288, "batch": 50}),
        ("generator", "llama3.1-8b", {"prompt": 1512, "generated": 300}),
    ],
)
def test_a_part_is_what_its_model_takes_alone(
    library: Formulas, formulas: Formulas, part: str, model: str, given: dict[str, int]
) -> None:
    found = library.evaluate(only=f"retrieval.{part}.ttft", **QUESTION).numbers[f"retrieval.{part}.ttft"]
    alone = formulas.evaluate(only="inference.ttft", **{**QUESTION, "model": model, **given}).numbers["inference.ttft"]
    assert found == alone


def test_another_model_embeds(library: Formulas) -> None:
    names = ["index_bytes", "embedder.ttft", "model_bytes"]
    small, large = (
        library.evaluate(only=[f"retrieval.{name}" for name in names], embedding_model=model, **QUESTION).numbers
        for model in ("all-minilm-l6-v2", "bge-large-en-v1.5")
    )
    assert large["retrieval.index_bytes"] / small["retrieval.index_bytes"] == 1024 / 384
    assert large["retrieval.model_bytes"] > small["retrieval.model_bytes"]


def test_only_the_answering_model_is_split(library: Formulas) -> None:
    names = ["embedder.ttft", "reranker.ttft", "search_time", "indexing_time", "generator.tpot"]
    one, two = (
        library.evaluate(only=[f"retrieval.{name}" for name in names], tp=tp, **QUESTION).numbers for tp in (1, 2)
    )
    assert [name for name in names if one[f"retrieval.{name}"] != two[f"retrieval.{name}"]] == ["generator.tpot"]


def test_stages_follow_each_other(library: Formulas) -> None:
    found = library.evaluate(only="retrieval.*", **QUESTION).numbers
    stages = [name for name in found if name.startswith("retrieval.stages.") and name.endswith(".time")]
    assert sum(found[name] for name in stages) == pytest.approx(found["retrieval.answer_time"])
    shares = [found[name.replace(".time", ".fraction")] for name in stages]
    assert sum(shares) == pytest.approx(1)
    assert len(shares) == 5


def test_what_does_not_fit_is_told(asked: Asked) -> None:
    code, out, _ = asked("--model llama3.1-70b --gpu h100-sxm")
    assert code == 0
    assert "may be filled. Put the index or a model elsewhere." in " ".join(out.split())


def test_the_page_shows_what_the_command_does(library: Formulas, tmp_path: Path) -> None:
    """Also of the models that nobody named, which the library chooses."""
    page = tmp_path / "retrieval.html"
    assert main(["export", "html", "--library", str(LIBRARY), "--model", "llama3.1-8b", "-o", str(page)]) == 0
    names = ["retrieval.first_token_time", "retrieval.embedder.ttft", "retrieval.index_bytes"]
    found = library.evaluate(only=names, model="llama3.1-8b").numbers
    with showing(page) as browser:
        assert {name: value(browser, name) for name in names} == pytest.approx({name: found[name] for name in names})
        assert not logged(browser)
