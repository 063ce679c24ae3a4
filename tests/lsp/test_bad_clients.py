"""What no editor should send, and what the server makes of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from lsp.conftest import TRIP, Editor
from lsp.pipe import Pipe, request, served


def test_a_huge_file_is_refused_and_the_server_lives(editor: Editor, library: Path) -> None:
    path = library / "formulas/trip/huge.formula"
    found = editor.open(path, "x: dim = 2\n" * 100_000)
    assert [each.code for each in found] == ["file-too-large"]
    editor.edited[path] = "x: dim = 2\n"
    path.write_text("")
    assert editor.ask("hover", path, "|x: dim") is None
    assert "declared-twice" in [each.code for each in editor.change(path, TRIP)]


@pytest.mark.slow  # reads our own formulas with one more chapter
def test_a_file_outside_any_library_is_a_chapter_of_the_root(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "alone.formula"
    notes = '    "Half"\n    derived "a"\n    example layers = 8 -> 3\n'
    path.write_text(f'"""Alone."""\n\nhalf: layer = layers / 2\n{notes}')
    assert [each.message.partition("\n")[0] for each in editor.open(path)] == ["The example of `half` gives 4, not 3"]
    assert "ayers" in editor.ask("hover", path, "lay|ers / 2").contents.value


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "(((((", '"""', '"""\n', "x", "table", "table t\n", "    row", "\x00", "é: dim", "x: = = ->", "\tx"],
)
def test_broken_text_has_findings_and_answers(editor: Editor, library: Path, text: str) -> None:
    path = library / "formulas/trip/broken.formula"
    path.write_text(text)
    editor.open(path)
    position = types.Position(0, 1)
    document = editor.document(path)
    editor.run(editor.client.text_document_hover_async(types.HoverParams(document, position)))
    editor.run(editor.client.text_document_completion_async(types.CompletionParams(document, position)))
    editor.run(editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(document)))
    far = types.HoverParams(document, types.Position(99, 99))
    editor.run(editor.client.text_document_hover_async(far))


def test_a_text_without_a_file_is_left_alone(editor: Editor, library: Path) -> None:
    item = types.TextDocumentItem("untitled:Untitled-1", "formula", 1, "x = 2")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    params = types.HoverParams(types.TextDocumentIdentifier("untitled:Untitled-1"), types.Position(0, 0))
    assert editor.run(editor.client.text_document_hover_async(params)) is None
    assert editor.open(library / "formulas/trip/trip.formula") == []


@pytest.fixture(scope="module")
def pipe() -> Iterator[Pipe]:
    """One server for all broken messages: the answer to a sound one after each shows that it lives."""
    with served() as one:
        yield one


HOVER = {"textDocument": {"uri": "untitled:nothing"}, "position": {"line": 0, "character": 0}}


@pytest.mark.parametrize(
    "params",
    [
        {"textDocument": {"uri": "untitled:nothing"}},
        HOVER | {"position": {"line": -1, "character": -1}},
        HOVER | {"position": {"line": 2**31 + 1, "character": 0}},
        HOVER | {"position": None},
        None,
        [],
        7,
    ],
)
def test_a_request_of_another_shape_is_answered(pipe: Pipe, params: object) -> None:
    answer = pipe.ask("textDocument/hover", params)
    assert answer["error"]["code"] == -32602  # type: ignore[index]
    assert "`textDocument/hover`" in answer["error"]["message"]  # type: ignore[index]
    assert pipe.ask("textDocument/hover", HOVER)["result"] is None


def test_half_a_character_is_read_as_a_mark(pipe: Pipe, library: Path) -> None:
    uri = (library / "formulas/trip/half.formula").as_uri()
    item = {"uri": uri, "languageId": "formula", "version": 1, "text": '"""\ud800."""\n\nx: dim = 2 * trip_length\n'}
    pipe.send(request(0, "textDocument/didOpen", {"textDocument": item}).replace(b'"id": 0, ', b""))
    place = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 14}}
    assert "Length of the trip" in str(pipe.ask("textDocument/hover", place)["result"])
    assert "items" in pipe.ask("textDocument/completion", place)["result"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "header", [b"Content-Length: 1000000000000\r\n\r\n", b"Content-Length: x\r\n\r\n", b"x" * 20_000]
)
def test_a_stream_whose_messages_cannot_be_told_apart_ends_with_a_reason(header: bytes) -> None:
    with served() as pipe:
        out, err = pipe.process.communicate(header, timeout=60)
        assert pipe.process.returncode == 0
    assert b"-32700" in out
    assert b"Content-Length" in out or b"the most is 67,108,864" in out
    assert err == b""


def test_a_file_with_a_name_that_no_disk_has_is_left_alone() -> None:
    item = {"uri": "file:///%00.formula", "languageId": "formula", "version": 1, "text": "x = 2\n"}
    with served() as pipe:
        pipe.send(request(0, "textDocument/didOpen", {"textDocument": item}).replace(b'"id": 0, ', b""))
        place = {"textDocument": {"uri": item["uri"]}, "position": {"line": 0, "character": 0}}
        assert pipe.ask("textDocument/hover", place)["result"] is None
        _, err = pipe.process.communicate(timeout=60)
    assert err == b""


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc": "2.0", "id": 2, "meth',
        b"not json at all",
        b"[]",
        b"{}",
        b"\xff\xfe",
        request(700, "textDocument/hover", {"nothing": 1}),
        request(701, "textDocument/hover", None),
        request(702, "no/such", {}),
    ],
)
def test_a_message_that_is_none_is_passed_over(pipe: Pipe, body: bytes) -> None:
    pipe.send(body)
    hover = {"textDocument": {"uri": "untitled:nothing"}, "position": {"line": 0, "character": 0}}
    assert pipe.ask("textDocument/hover", hover)["result"] is None


def test_half_a_message_and_then_nothing_ends_the_server_quietly() -> None:
    with served() as pipe:
        pipe.send(b'{"jsonrpc": "2.0", "id": 703, "meth', 500)
        _, err = pipe.process.communicate(timeout=60)
    assert b"Traceback" not in err
