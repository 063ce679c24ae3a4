"""A real client over stdio: a process of `formula-eval lsp`, and an editor that speaks the protocol with it."""

import asyncio
import sys
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).parents[2]
WAIT = 120

INPUTS = '''"""What is given."""

choice pace = slow | fast

input trip_length: dim = 100 in 1 .. 1000
    "Length of the trip"

input trip_pace: pace = slow
    "How fast the trip goes"
'''
TRIP = '''"""What a trip takes."""

legs: dim = 2 * trip_length
    "There and back"
    derived "a trip has two legs"
    example trip_length = 3 -> 6

table stretches
    "Stretches of a trip"
    distance: dim
        "How far"
    share = distance / legs
        "Which part of the trip"

    row city "Within a city"
        distance = legs / 4

    row country "Between cities"
        distance = legs - 5

def doubled(size: dim) -> dim = 2 * size
    "Twice a size"
    derived "a definition"
    example size = 2 -> 4

effort: dim = sum(each.distance for each in stretches) * (match trip_pace: slow -> 1, fast -> 2) + doubled(legs)
    "What the trip costs the traveller"
    derived "a definition"
    example trip_length = 4 -> 21

check long_trip warn: legs < 5000
    "The trip of {legs} is too long."
'''


class Editor:
    """An editor, one call after the other: what it opens, what it asks, and which findings it is shown."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.client = LanguageClient("an editor", "1")
        self.shown: dict[str, list[types.Diagnostic]] = {}
        self.messages: list[str] = []
        self._news = asyncio.Condition()
        self._versions: dict[str, int] = {}

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        async def published(params: types.PublishDiagnosticsParams) -> None:
            async with self._news:
                self.shown[params.uri] = list(params.diagnostics)
                self._news.notify_all()

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def said(params: types.ShowMessageParams) -> None:
            self.messages.append(params.message)

    def run(self, work: Awaitable[Any]) -> Any:
        return self.loop.run_until_complete(asyncio.wait_for(work, WAIT))

    def start(self, folder: Path) -> None:
        self.run(self.client.start_io(sys.executable, "-m", "formula_eval", "lsp"))
        params = types.InitializeParams(types.ClientCapabilities(), root_uri=folder.as_uri())
        self.run(self.client.initialize_async(params))
        self.client.initialized(types.InitializedParams())

    def stop(self) -> int | None:
        self.run(self.client.shutdown_async(None))
        self.client.exit(None)
        self.run(self.client.stop())
        return self.client._server.returncode  # noqa: SLF001 - the client does not tell

    def open(self, path: Path, text: str | None = None) -> list[types.Diagnostic]:
        held = path.read_text() if text is None else text
        self._versions[path.as_uri()] = 1
        item = types.TextDocumentItem(path.as_uri(), "formula", 1, held)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return self.findings(path)

    def change(self, path: Path, text: str) -> list[types.Diagnostic]:
        uri = path.as_uri()
        self._versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(self._versions[uri], uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        return self.findings(path)

    def close(self) -> None:
        """Close all files."""
        for uri in self._versions:
            identifier = types.TextDocumentIdentifier(uri)
            self.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
        self._versions.clear()

    def save(self, path: Path) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.document(path)))

    def findings(self, path: Path) -> list[types.Diagnostic]:
        """The findings of a file that are shown next."""

        async def shown() -> list[types.Diagnostic]:
            async with self._news:
                self.shown.pop(path.as_uri(), None)
                await self._news.wait_for(lambda: path.as_uri() in self.shown)
                return self.shown[path.as_uri()]

        return self.run(shown())

    def document(self, path: Path) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(path.as_uri())

    def ask(self, kind: str, path: Path, place: str, **more: Any) -> Any:
        """A request about the place of `|` in a line that holds the rest of this text."""
        before, _, after = place.partition("|")
        text = self.texts(path)
        at = text.index(before + after) + len(before)
        line = text.count("\n", 0, at)
        position = types.Position(line, at - text.rfind("\n", 0, at) - 1)
        parts = kind.title().replace("_", "")
        name = "Reference" if kind == "references" else parts
        params = getattr(types, f"{name}Params")(text_document=self.document(path), position=position, **more)
        return self.run(getattr(self.client, f"text_document_{kind}_async")(params))

    def texts(self, path: Path) -> str:
        return self.edited.get(path, path.read_text())

    edited: dict[Path, str] = {}  # noqa: RUF012 - emptied by the fixture


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "trips"
    (folder / "formulas" / "trip").mkdir(parents=True)
    (folder / "library.toml").write_text('title = "Trips"\nuses = []\n')
    (folder / "formulas" / "inputs.formula").write_text(INPUTS)
    (folder / "formulas" / "trip" / "trip.formula").write_text(TRIP)
    (folder / "formulas" / "trip" / "fuel.formula").write_text(
        '"""Fuel."""\n\nfuel: dim = 3 * legs + trip.stretches.city.share\n    "Fuel of the trip"\n'
        '    derived "a definition"\n    example trip_length = 2 -> 12.25\n'
    )
    return folder


@pytest.fixture(scope="session")
def started() -> Iterator[Editor]:
    """One server for all tests: to start one takes seconds where others work too."""
    loop = asyncio.new_event_loop()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT / "engine"))
        editor = Editor(loop)
        try:
            editor.start(ROOT)
            yield editor
            assert editor.stop() == 0
        finally:
            loop.close()


@pytest.fixture
def editor(started: Editor) -> Iterator[Editor]:
    started.edited = {}
    started.messages.clear()
    yield started
    started.close()
