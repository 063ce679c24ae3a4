"""The reference says everything that the library holds, links only to what there is, and the site builds from it."""

import json
import re
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from counted import seen
from formula_eval import Formulas, load
from formula_eval.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library
from formula_eval.resolve.load import read_chapters
from reference_pages.dependency_graph import dependency_graph
from reference_pages.entries import CrossReference
from reference_pages.pages import reference_pages, write_reference

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def evaluator(formulas: Formulas) -> Evaluator:
    return formulas.evaluator


@pytest.fixture(scope="module")
def pages(evaluator: Evaluator) -> dict[str, str]:
    return dict(reference_pages(evaluator))


@pytest.fixture(scope="module")
def reference(kept: Path) -> CrossReference:
    return CrossReference(read_chapters(find_library(), Cache(kept))[0])


def test_every_declaration_has_its_place_and_every_link_leads_to_one(
    pages: dict[str, str], reference: CrossReference
) -> None:
    text = "\n".join(pages.values())
    places = re.findall(r"^```\{entry\} (.+)$", text, re.MULTILINE)
    assert len(places) == len(set(places))
    assert set(reference.entries) <= set(places)
    assert set(re.findall(r"\{quantity\}`([^`]+)`", text)) <= set(places)


def test_every_equation_is_sound_mathml(pages: dict[str, str], reference: CrossReference) -> None:
    equations = re.findall(r"<math.*?</math>", "\n".join(pages.values()))
    formulas = [each for each in reference.entries.values() if each.kind in ("formula", "function", "check")]
    assert len(equations) > len(formulas)
    for each in set(equations):
        ET.fromstring(each)


def test_reading_goes_both_ways(reference: CrossReference) -> None:
    for name, names in reference.reads.items():
        for each in names:
            assert name in reference.read_by[each]
    assert any(name in reference.reads["memory.total_bytes"] for name in reference.entries)


def test_a_name_means_what_it_means_to_the_engine(reference: CrossReference, evaluator: Evaluator) -> None:
    graph = evaluator.graph
    for name, entry in seen(reference.entries.items()):
        if entry.kind == "formula" and name in graph.nodes:
            # What another chapter adds (`x.plus_folder`) is told there.
            parents = {each for each in graph.parents[name] if graph.nodes[each].kind in ("formula", "input")}
            written = {re.sub(r"\.\d+\.", ".", each) for each in parents if not re.search(r"@|\.filled$|\.plus_", each)}
            owned = {reference.owners[each].name if each in reference.owners else each for each in written}
            missing = owned - set(reference.reads[name]) - {name}
            # Under `with model = draft_model`, an input that a model's record gives is the draft's.
            records = "|".join(name for name, each in evaluator.schema.inputs.items() if each.quantity.kind == "record")
            assert {re.sub(rf"^({records})\.", "", each) for each in missing} <= set(reference.reads[name]), name


def test_what_a_circle_would_close_is_left_out_of_a_graph() -> None:
    picture = dependency_graph("x", {"a": "#a", "b": "#b", "alone": "#c"}, {"a": ["b"], "b": ["a"]})
    assert picture.count("<path") == 1
    assert "alone" not in picture
    ET.fromstring(picture)
    assert not dependency_graph("x", {"a": "#a"}, {"a": []})


def test_words_of_a_user_are_only_read(tmp_path: Path) -> None:
    chapter = tmp_path / "formulas" / "mine" / "odd.formula"
    chapter.parent.mkdir(parents=True)
    said = "<script>alert(1)</script> {include}`/etc/passwd` [x](javascript:alert) $x$ | `<b>` \u202e {{ 7 * 7 }}"
    chapter.write_text(f'"""{said}"""\n\nodd = 1\n    "{said}"\n    symbol "\\\\input{{x}}"\n    note "{said}"\n')
    text = dict(reference_pages(load(tmp_path).evaluator))["mine/odd"]
    assert "<script" not in text
    assert "{include}`" not in text
    assert not re.search(r"(?<!\\)\](?=\(javascript)", text)
    assert "\u202e" not in text
    assert "{{" not in text
    assert "input" not in "".join(re.findall(r"<math.*?</math>", text))


def test_pages_that_are_gone_are_removed_and_others_left_alone(tmp_path: Path, evaluator: Evaluator) -> None:
    (tmp_path / "gone.md").write_text("x")
    write_reference(evaluator, tmp_path)
    assert not (tmp_path / "gone.md").exists()
    times = {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*.md")}
    write_reference(evaluator, tmp_path)
    assert times == {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*.md")}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it, without the pages to try; a link that leads nowhere is an error."""
    pytest.importorskip("furo")
    pytest.importorskip("myst_parser")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", str(folder / "trees")]
    places = ["-t", "text_alone", "docs", str(folder / "site")]
    done = subprocess.run([*command, *places], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 0)
    return folder / "site"


def test_the_search_finds_every_quantity(site: Path, reference: CrossReference) -> None:
    text = (site / "searchindex.js").read_text().removeprefix("Search.setIndex(").removesuffix(")")
    index = json.loads(text)
    found = {
        f"{prefix}.{entry[-1]}" if prefix else entry[-1]
        for prefix, entries in index["objects"].items()
        for entry in entries
    }
    assert set(reference.entries) <= found


def test_every_table_became_one(site: Path, pages: dict[str, str]) -> None:
    for name, text in seen(pages.items()):
        tables = len(re.findall(r"^\|(?: ?-+:? ?\|)+$", text, re.MULTILINE)) + text.count("{list-table}")
        assert (site / "reference" / f"{name}.html").read_text().count("<table") == tables, name


def test_the_site_needs_no_network(site: Path) -> None:
    for page in seen(site.rglob("*.html")):
        fetched = re.findall(
            r'<(?:script|img|iframe)[^>]* src="(https?:[^"]+)"|<link[^>]* href="(https?:[^"]+)"', page.read_text()
        )
        assert not fetched, page


def test_every_address_within_the_site_leads_somewhere(site: Path) -> None:
    ids: dict[Path, set[str]] = {}
    texts = {page: page.read_text() for page in site.rglob("*.html")}
    for page, text in texts.items():
        ids[page] = set(re.findall(r'\bid="([^"]+)"', text))
    for page, text in seen(texts.items()):
        article = text[text.find("<article") : text.find("</article")]
        for address in re.findall(r'href="([^"]+)"', article):
            target, _, anchor = address.partition("#")
            if "://" in target or target.startswith(("mailto:", "live/")):
                continue
            there = (page.parent / target).resolve() if target else page
            assert there.exists(), (page, address)
            assert not anchor or there not in ids or anchor in ids[there], (page, address)


def test_the_pages_to_try_are_those_of_the_site() -> None:
    shown = set(re.findall(r'(?:src|href)="live/(\w+\.html)"', (ROOT / "docs" / "try.md").read_text(encoding="utf-8")))
    layout = tomllib.loads((ROOT / "reports" / "site.toml").read_text(encoding="utf-8"))
    assert {each["file"] for each in layout["page"]} == shown
