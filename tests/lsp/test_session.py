"""What a session keeps between the questions of an editor."""

import asyncio
import threading
from pathlib import Path

import pytest

from formula_eval.core.diagnostic import FormulaError
from formula_eval.lsp.server import Server
from formula_eval.lsp.session import Session
from formula_eval.lsp.tokens import tokens
from formula_eval.resolve import load
from lsp.conftest import TRIP

READERS = load._reader  # noqa: SLF001 - only its cache says how often a grammar was made ready


def test_formatting_reads_with_the_grammar_that_findings_were_read_with(library: Path) -> None:
    path = library / "formulas/trip/trip.formula"
    READERS.cache_clear()
    session = Session()
    session.change(path, TRIP)
    session.findings(path)
    made = READERS.cache_info().misses
    assert session.formatted(path) == TRIP
    assert READERS.cache_info().misses == made


def test_formatting_waits_for_nothing_that_is_read(library: Path) -> None:
    path, free = library / "formulas/trip/trip.formula", threading.Event()
    server = Server()
    server.session.change(path, TRIP)

    async def formatted() -> str:
        reading = asyncio.ensure_future(server.read(lambda: free.wait(60)))
        try:
            return await asyncio.wait_for(server.formatted(path), 30)
        finally:
            assert not reading.done()
            free.set()
            await reading

    assert asyncio.run(formatted()) == TRIP


def test_a_chapter_outside_any_library_is_read_with_the_grammar_of_the_others(tmp_path: Path) -> None:
    path = tmp_path / "beside.formula"
    READERS.cache_clear()
    session = Session()
    session.change(path, TRIP)
    assert session.snapshot(path).by_file[str(path)].declarations
    assert READERS.cache_info().misses == 1


def test_the_outline_names_the_kind_of_each_statement(tmp_path: Path) -> None:
    path = tmp_path / "kinds.formula"
    session = Session()
    session.change(path, "input a = 1\n\nextend b + 1\n\nextend c\n    row d\n\ncheck e warn: a > 0\n")
    assert [each.kind for each in session.outline(path)] == ["input", "extension", "extension", "check"]


def test_only_the_message_of_a_check_names_what_it_shows() -> None:
    texts = ('checkpoint_bytes: byte = 1 byte\n    "A {set}"', 'check sound warning: true\n    "A {set}"')
    assert ["set" in {each.text for each in tokens(text)} for text in texts] == [False, True]


def test_the_unknown_of_a_search_is_known_in_its_statement(library: Path) -> None:
    """Offered and found there alone; the word that begins the search is offered, and shown with how it is written."""
    path = library / "formulas/trip/other.formula"
    line = "others: dim = solve largest reach in 1 .. 9: reach <= legs else 0"
    session = Session()
    session.change(path, f'"""More."""\n\n{line}\n    "Others"\n\nmore = legs\n')
    condition = line.rindex("reach") + 1
    assert "reach" in [each.word for each in session.offers(path, 3, condition)]
    assert "reach" not in [each.word for each in session.offers(path, 6, 8)]
    assert "solve" in [each.word for each in session.offers(path, 6, 8)]
    shown, _ = session.hover(path, 3, line.index("solve") + 2) or ("", None)
    assert "solve n in low .. high: condition else other" in shown
    assert len(session.places(path, 3, condition)) == 2


def test_the_original_is_known_in_a_replacement(library: Path) -> None:
    """Offered where something is replaced alone, shown as what stood there, and renamed by nobody."""
    path = library / "formulas/trip/other.formula"
    session = Session()
    session.change(path, '"""More."""\n\nreplace legs = original + trip_length\n\nothers: dim = legs\n    "Others"\n')
    shown, _ = session.hover(path, 3, 20) or ("", None)
    assert "original: dim = 2 * trip_length" in shown
    assert [each.word for each in session.offers(path, 3, 20)][:1] == ["original"]
    assert "original" not in [each.word for each in session.offers(path, 5, 17)]
    with pytest.raises(FormulaError):
        session.renamable(path, 3, 20)


def test_the_quantity_of_a_part_is_that_of_its_folder(library: Path) -> None:
    """Shown with the value in the part, renamed where it is declared; what a part gives is an input of its folder."""
    path = library / "formulas/part.formula"
    session = Session()
    text = '"""Parts."""\n\npart far = trip with trip_length = 9\n\ntwice: dim = 2 * far.legs\n    "Twice"\n'
    session.change(path, text)
    shown, _ = session.hover(path, 5, 22) or ("", None)
    assert "legs: dim = 2 * trip_length" in shown
    assert "**18" in shown
    assert "legs" in [each.word for each in session.offers(path, 5, 22)]
    places = session.places(path, 5, 22)
    assert {Path(each.file).name: each.line for each in places if each.line == 5} == {"part.formula": 5}
    assert any(Path(each.file).name == "trip.formula" for each in places)
    given, _ = session.hover(path, 3, 25) or ("", None)
    assert "input trip_length" in given
