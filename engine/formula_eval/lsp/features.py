"""Answers the messages of the language server protocol by a session; `serve` runs until its editor leaves."""

import logging
import os
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

from lsprotocol import types

from formula_eval.core.span import Span
from formula_eval.lsp.protocol import completion, path_of, uri_of
from formula_eval.lsp.rename import Edit
from formula_eval.lsp.server import Server
from formula_eval.lsp.transport import MessageReader

_TRIGGERS = [".", " ", "="]


def register(server: Server) -> None:
    """Say what is done for each message."""
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(did_save)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(did_close)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_files)
    server.feature(types.TEXT_DOCUMENT_HOVER)(hover)
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(definition)
    server.feature(types.TEXT_DOCUMENT_REFERENCES)(references)
    server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(prepare_rename)
    server.feature(types.TEXT_DOCUMENT_RENAME)(rename)
    server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))(complete)
    server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbols)
    server.feature(types.TEXT_DOCUMENT_FORMATTING)(formatting)


def serve() -> None:
    """Serve one editor over standard input and output; what else is printed does not reach it."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = Server()
    register(server)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out, redirect_stdout(sys.stderr):
        try:
            server.serve(MessageReader(sys.stdin.buffer), out)
        finally:
            server.whole.stop()


# -- texts


def did_change(server: Server, params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams) -> None:
    """A file was opened, or an open one has a new text."""
    uri = params.text_document.uri
    if (path := path_of(uri)) is not None:
        server.changed(path, server.workspace.get_text_document(uri).source)


def did_save(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """A file was saved."""
    if (path := path_of(params.text_document.uri)) is not None:
        server.saved(path)


def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """A file was closed."""
    if (path := path_of(params.text_document.uri)) is not None:
        server.closed(path)


def did_change_files(server: Server, _params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed on the disk."""
    for path, text in list(server.session.texts.items()):
        server.changed(path, text)


# -- questions


async def hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    """What is known of a word."""
    place = server.place(params)
    found = None if place is None else await server.ask(lambda: server.session.hover(*place))
    if place is None or found is None:
        return None
    text, span = found
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), server.range(span, place[0]))


async def definition(server: Server, params: types.DefinitionParams) -> types.Location | None:
    """Where a name is declared."""
    place = server.place(params)
    word = None if place is None else await server.ask(lambda: server.session.word(*place))
    if place is None or word is None or not word[0].span.line:
        return None
    return await server.ask(lambda: server.location(word[0].span, place[0]))


async def references(server: Server, params: types.ReferenceParams) -> list[types.Location]:
    """Every place where a name is written."""
    place = server.place(params)
    if place is None:
        return []

    def locations() -> list[types.Location]:
        found = (server.location(span, place[0]) for span in server.session.places(*place))
        return [location for location in found if location is not None]

    return await server.ask(locations) or []


async def prepare_rename(server: Server, params: types.PrepareRenameParams) -> types.Range | None:
    """The name that would be changed, or why it cannot be."""
    place = server.place(params)
    if place is None:
        return None
    _, span = await server.read(lambda: server.session.renamable(*place))
    return server.range(span, place[0])


async def rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edits that give something a new name, or why it cannot bear that name."""
    place = server.place(params)
    if place is None:
        return None
    renaming = await server.read(lambda: server.session.rename(*place, params.new_name))
    if renaming.others:
        text = f"The old name also stands in {', '.join(renaming.others)}; change it there by hand."
        server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))
    return types.WorkspaceEdit(
        changes={uri_of(path): _text_edits(server, path, edits) for path, edits in renaming.edits.items()}
    )


def _text_edits(server: Server, path: Path, edits: Sequence[Edit]) -> list[types.TextEdit]:
    lines = server.lines(path)
    return [types.TextEdit(server.places.range(edit.span, lines), edit.text) for edit in edits]


async def complete(server: Server, params: types.CompletionParams) -> types.CompletionList:
    """What could be written here."""
    place = server.place(params)
    offers = None if place is None else await server.ask(lambda: server.session.offers(*place))
    items = [completion(offer, number) for number, offer in enumerate(offers or [])]
    return types.CompletionList(is_incomplete=True, items=items)  # filtered, so ask again as the word changes


async def document_symbols(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    """What a file declares."""
    path = path_of(params.text_document.uri)
    if path is None:
        return []
    entries = await server.ask(lambda: list(server.session.outline(path)))
    return [server.places.symbol(entry, server.lines(path)) for entry in entries or []]


async def formatting(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
    """The edit that puts a file into its one form."""
    path = path_of(params.text_document.uri)
    if path is None or path not in server.session.texts:
        return []
    text = await server.formatted(path)
    lines = server.lines(path)
    if text == "\n".join(lines):
        return []
    everything = Span(str(path), 1, 1, len(lines), len(lines[-1]) + 1)
    return [types.TextEdit(server.range(everything, path), text)]
