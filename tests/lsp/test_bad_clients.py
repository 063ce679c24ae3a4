"""What no editor should send, and what the server makes of it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from lsp.conftest import ROOT, TRIP, Editor


def test_a_huge_file_is_refused_and_the_server_lives(editor: Editor, library: Path) -> None:
    path = library / "formulas/trip/huge.formula"
    found = editor.open(path, "x: dim = 2\n" * 1_000_000)
    assert [each.code for each in found] == ["file-too-large"]
    editor.edited[path] = "x: dim = 2\n"
    path.write_text("")
    assert editor.ask("hover", path, "|x: dim") is None
    assert "declared-twice" in [each.code for each in editor.change(path, TRIP)]


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


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[bytes]]:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "engine"))
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-m", "formula_eval", "lsp"], stdin=pipe, stdout=pipe, stderr=pipe) as one:
        yield one
        one.kill()


def sent(server: subprocess.Popen[bytes], body: bytes, length: int | None = None) -> None:
    assert server.stdin
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body)
    server.stdin.flush()


def answer(server: subprocess.Popen[bytes], number: int) -> dict[str, object]:
    assert server.stdout
    while True:
        length = 0
        while (line := server.stdout.readline()) not in (b"\r\n", b""):
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
        assert length, "the server has gone"
        message: dict[str, object] = json.loads(server.stdout.read(length))
        if message.get("id") == number:
            return message


def request(number: int, method: str, params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode()


INITIALIZE = request(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})


def test_half_a_message_and_then_nothing_ends_the_server_quietly(server: subprocess.Popen[bytes]) -> None:
    sent(server, INITIALIZE)
    assert "result" in answer(server, 1)
    sent(server, b'{"jsonrpc": "2.0", "id": 2, "meth', 500)
    _, err = server.communicate(timeout=60)
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc": "2.0", "id": 2, "meth',
        b"not json at all",
        b"[]",
        b"{}",
        b"\xff\xfe",
        request(7, "textDocument/hover", {"nothing": 1}),
        request(7, "textDocument/hover", None),
        request(7, "no/such", {}),
    ],
)
def test_a_message_that_is_none_is_passed_over(server: subprocess.Popen[bytes], body: bytes) -> None:
    sent(server, INITIALIZE)
    answer(server, 1)
    sent(server, body)
    sent(server, request(3, "shutdown", None))
    assert answer(server, 3)["result"] is None
