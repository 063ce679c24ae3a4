"""libraries/embedding: a corpus, its index and its searches, against Faiss, hnswlib and draws of lengths."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from counted import seen
from examples.conftest import Asked
from formula_eval import Formulas
from libraries import checked

pytestmark = pytest.mark.slow

LIBRARY = Path(__file__).resolve().parents[2] / "libraries" / "embedding"
COUNTED = tomllib.loads((LIBRARY / "counted.toml").read_text(encoding="utf-8"))
EMBEDDER = {"model": "bge-m3", "hardware": "h100-sxm"}


def test_it_is_sound() -> None:
    assert checked(LIBRARY).findings == ()


def asked_of(library: Formulas, *names: str, **given: object) -> Mapping[str, float]:
    inputs = {name if "." in name or name in EMBEDDER else f"embedding.{name}": value for name, value in given.items()}
    named = [f"embedding.{name}" for name in names]
    found = library.evaluate(only=named, **{**EMBEDDER, **inputs}).numbers
    return {name: found[f"embedding.{name}"] for name in names}


@pytest.mark.parametrize("graph", COUNTED["graphs"], ids=lambda graph: f"{graph['dimensions']}x{graph['links']}")
def test_a_graph_takes_what_its_files_do(library: Formulas, graph: Mapping[str, float]) -> None:
    given = {"index": "hnsw", "documents": graph["vectors"], "dimensions": graph["dimensions"], "links": graph["links"]}
    of_one = asked_of(library, "index_bytes", **given)["index_bytes"] / graph["vectors"]
    assert of_one == pytest.approx(graph["hnswlib_bytes_per_vector"], rel=5e-4)
    assert of_one == pytest.approx(graph["faiss_bytes_per_vector"], rel=0.015)


@pytest.mark.parametrize("index", COUNTED["lists"], ids=lambda index: f"{index['index']}-{index['dimensions']}")
def test_lists_take_what_their_files_do(library: Formulas, index: Mapping[str, float]) -> None:
    given = {name: value for name, value in index.items() if name not in {"vectors", "faiss_bytes"}}
    found = asked_of(library, "index_bytes", documents=index["vectors"], **given)["index_bytes"]
    assert found < index["faiss_bytes"] < found + 9000


def test_a_wider_search_of_a_graph_compares_more(library: Formulas) -> None:
    for search in seen(COUNTED["searches"]):
        given = {"index": "hnsw", "documents": 20000, "dimensions": 128, "links": 32}
        found = asked_of(library, "compared", search_width=search["search_width"], **given)["compared"]
        assert found / 2.1 < search["compared"] < 2.1 * found


def test_filling_is_that_of_drawn_lengths(library: Formulas) -> None:
    draws = np.random.default_rng(3)
    mean, longest, batch = 300, 1000, 32
    power = longest * draws.random((20000, batch)) ** (1 / (mean / (longest - mean)))
    given = {"document_length": mean, "longest_document": longest, "corpus_batch": batch, "batching": "padded"}
    found = asked_of(library, "filled_tokens", "squared_variation", **given)
    assert found["filled_tokens"] == pytest.approx(power.max(axis=1).mean(), rel=0.005)
    assert found["squared_variation"] == pytest.approx(power.var() / power.mean() ** 2, rel=0.02)
    scale = 0.5 * mean * 6**0.5 / np.pi
    gumbel = draws.gumbel(mean - np.euler_gamma * scale, scale, (20000, batch))
    given = {"document_length": mean, "length_variation": 0.5, "corpus_batch": batch, "batching": "padded"}
    found = asked_of(library, "filled_tokens", **given)
    assert found["filled_tokens"] == pytest.approx(gumbel.max(axis=1).mean(), rel=0.005)


def test_packed_batches_pay_for_no_filling(library: Formulas) -> None:
    alike = asked_of(library, "corpus_time", document_length=300)["corpus_time"]
    spread, filled = (
        asked_of(library, "corpus_time", document_length=300, length_variation=0.5, batching=batching)["corpus_time"]
        for batching in ("packed", "padded")
    )
    assert alike < spread < 1.05 * alike
    assert filled > 1.5 * alike


def test_a_corpus_is_its_batches(library: Formulas, formulas: Formulas) -> None:
    found = asked_of(library, "corpus_time", documents=6400, corpus_batch=64, document_length=512)
    one = formulas.evaluate(only="inference.ttft", batch=64, prompt=512, **EMBEDDER).numbers["inference.ttft"]
    assert found["corpus_time"] == pytest.approx(100 * one)


def test_a_rerank_is_a_batch_of_pairs(library: Formulas, formulas: Formulas) -> None:
    given = {"candidates": 100, "reranker": "bge-reranker-v2-m3", "document_length": 256, "query_tokens": 32}
    found = asked_of(library, "rerank_time", **given)["rerank_time"]
    asked = {"model": "bge-reranker-v2-m3", "hardware": "h100-sxm", "batch": 100, "prompt": 288}
    assert found == formulas.evaluate(only="inference.ttft", **asked).numbers["inference.ttft"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--document-length 900 --longest-document 500", "--longest-document"),
        ("--dimensions 2048", "--dimensions 1,024"),
        ("--document-length 9000", "--document-length 8,192"),
        ("--index ivf_pq --code-pieces 7", "--code-pieces 4"),
        ("--documents 100 --index ivf_flat --probes 500", "--probes 40"),
        ("--documents 10 --index ivf_flat --lists 50 --probes 5", "--lists 13"),
        ("--documents 0", "outside 1 to"),
        ("--batch 0", "outside 1 to"),
        ("--candidates 10 --reranker bge-reranker-base --document-length 500", "reads 512"),
    ],
)
def test_what_cannot_be_is_refused(given: str, said: str, refused: Callable[[str], str]) -> None:
    assert said in refused(f"--model bge-m3 {given}")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--model llama3-8b --documents 10", "--output-head none"),
        ("--model bge-m3 --candidates 10", "bge-reranker-v2-m3 reads query and document together"),
        ("--model bge-m3 --longest-document 10000", "longer documents are cut"),
    ],
)
def test_what_is_not_meant_is_told(given: str, said: str, asked: Callable[[str], tuple[int, str, str]]) -> None:
    code, out, _ = asked(given)
    assert code == 0
    assert said in " ".join(out.split()).replace("- ", "-")


def test_a_plan_with_a_deadline_counts_the_documents(asked: Asked) -> None:
    code, out, err = asked("plan --model bge-m3 --gpu l4 --deadline 24h --documents 50M --seconds 20")
    assert (code, err) == (0, "")
    assert "50,000,000 requests are answered in" in " ".join(out.split())
