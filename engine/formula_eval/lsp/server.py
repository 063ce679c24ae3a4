"""Serves an editor: one thread reads formulas beside the messages, and findings are sent when typing pauses."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO, Protocol, TypeVar, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from formula_eval.core.diagnostic import Diagnostic, FormulaError
from formula_eval.core.span import Span
from formula_eval.lsp.library_check import WholeCheck
from formula_eval.lsp.protocol import Places, diagnostic, path_of, uri_of
from formula_eval.lsp.session import Session
from formula_eval.lsp.snapshot import root_of
from formula_eval.lsp.transport import AnsweringProtocol, MessageReader
from formula_eval.version import __version__

T = TypeVar("T")
PAUSE = 0.15  # seconds without a key press before a file is looked at
_REQUEST_FAILED = -32803  # what the protocol calls a refusal that the user should read


class Positioned(Protocol):
    """A request about a place of a file."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier:
        """The file."""

    @property
    def position(self) -> types.Position:
        """The place."""


class Server(LanguageServer):
    """One editor's server: all that reads formulas runs in one thread, so that messages are always taken.

    Formatting, which reads one text alone, has a thread of its own: it never waits until something is checked.
    """

    def __init__(self) -> None:
        """Nothing is open yet."""
        super().__init__("formula-eval", __version__, protocol_cls=AnsweringProtocol)
        self.session = Session()
        self.whole = WholeCheck()
        self._reading = ThreadPoolExecutor(max_workers=1, thread_name_prefix="formulas")
        self._formatting = ThreadPoolExecutor(max_workers=1, thread_name_prefix="formatting")
        self._changes: dict[Path, int] = {}
        self._elsewhere: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def serve(self, messages: MessageReader, out: BinaryIO) -> None:
        """Answer until there are no more messages; say why, where a stream cannot be read on."""
        self.start_io(cast("BinaryIO", messages), out)
        if messages.wrong:
            cast("AnsweringProtocol", self.protocol).refuse_stream(messages.wrong)

    async def read(self, question: Callable[[], T]) -> T:
        """The answer of the reading thread; raises what an editor shows where it is refused."""
        return await _unless_refused(self._reading, question)

    async def formatted(self, path: Path) -> str:
        """The text of a file in its one form; raises as `read` does."""
        return await _unless_refused(self._formatting, lambda: self.session.formatted(path))

    async def ask(self, question: Callable[[], T]) -> T | None:
        """The answer of the reading thread; nothing where the library cannot be read."""
        try:
            return await self.read(question)
        except JsonRpcException:
            return None

    def report_server_error(self, error: Exception, source: object) -> None:
        """Say in the editor's log what went wrong with a message; never break off."""
        del source
        if not isinstance(error, JsonRpcException):
            self.window_log_message(types.LogMessageParams(types.MessageType.Error, f"{type(error).__name__}: {error}"))

    # -- texts and places

    @property
    def places(self) -> Places:
        """The conversion of places."""
        return Places(self.workspace.position_codec)

    def lines(self, path: Path) -> Sequence[str]:
        """The lines of an open file, or of one on the disk."""
        text = self.session.texts.get(path)
        if text is None:
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                text = ""
        return text.split("\n")

    def place(self, params: Positioned) -> tuple[Path, int, int] | None:
        """The file, line and column that a request is about."""
        path = path_of(params.text_document.uri)
        if path is None or path not in self.session.texts:
            return None
        return path, *self.places.line_and_column(params.position, self.lines(path))

    def range(self, span: Span, path: Path) -> types.Range:
        """A place within a file."""
        return self.places.range(span, self.lines(path))

    def location(self, span: Span, beside: Path) -> types.Location | None:
        """A place in the library of a file; None for one that it does not have."""
        path = self.session.snapshot(beside).paths.get(span.file)
        return None if path is None else types.Location(uri_of(path), self.range(span, path))

    # -- findings

    def changed(self, path: Path, text: str) -> None:
        """An open file has a new text: look at it when its author pauses."""
        self.session.change(path, text)
        self._changes[path] = self._changes.get(path, 0) + 1
        self.start(self._look_later(path, self._changes[path]))

    def start(self, work: "asyncio._CoroutineLike[None]") -> None:
        """Let something run beside the messages."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_later(self, path: Path, change: int) -> None:
        await asyncio.sleep(PAUSE)
        if self._changes.get(path) != change:
            return
        findings = await self.ask(lambda: self._findings(path))
        if findings is not None and self._changes.get(path) == change:
            self.publish(path, findings)

    def _findings(self, path: Path) -> list[types.Diagnostic]:
        try:
            found = self.session.findings(path)
        except FormulaError as error:
            found = list(error.diagnostics)
        return self.converted(path, found)

    def converted(self, path: Path, findings: Sequence[Diagnostic]) -> list[types.Diagnostic]:
        """Findings as the protocol has them, in the file of `path`."""
        shown = self.session.snapshot(path).shown(path)
        return [diagnostic(each, shown, lambda span: self.location(span, path)) for each in findings]

    def publish(self, path: Path, findings: Sequence[types.Diagnostic]) -> None:
        """Show these findings in a file, in place of those shown before."""
        params = types.PublishDiagnosticsParams(uri_of(path), findings)
        self.text_document_publish_diagnostics(params)

    def saved(self, path: Path) -> None:
        """A file was saved: look at its whole library, and show what is wrong in all its files."""
        self.session.forget()
        root = root_of(path)
        if root is not None:
            self.start(self._look_at_all(root, path, dict(self._changes)))

    async def _look_at_all(self, root: Path, path: Path, changes: dict[Path, int]) -> None:
        findings = await self.whole.findings(root)
        if findings is None or changes != self._changes:
            return
        by_path = await self.ask(lambda: self._by_path(path, findings))
        if by_path is None:
            return
        shown = {uri_of(each) for each in by_path}
        for uri in self._elsewhere - shown:
            gone = path_of(uri)
            if gone is not None:
                self.publish(gone, [])
        for each, found in by_path.items():
            self.publish(each, found)
        self._elsewhere = shown

    def _by_path(self, path: Path, findings: Sequence[Diagnostic]) -> dict[Path, list[types.Diagnostic]]:
        root = root_of(path)
        inside: dict[Path, list[Diagnostic]] = {text: [] for text in self.session.texts if root_of(text) == root}
        for finding in findings:
            file = finding.labels[0].span.file if finding.labels else ""
            if (other := self.session.snapshot(path).paths.get(file)) is not None:
                inside.setdefault(other, []).append(finding)
        return {each: self.converted(each, found) for each, found in inside.items()}

    def closed(self, path: Path) -> None:
        """A file is no longer open: its saved text counts."""
        self.session.change(path, None)
        self._changes.pop(path, None)
        self.publish(path, [])


async def _unless_refused(thread: Executor, question: Callable[[], T]) -> T:
    """The answer of a thread; a refusal as an editor shows it, with what is wrong and what to do."""
    try:
        return await asyncio.get_running_loop().run_in_executor(thread, question)
    except FormulaError as error:
        finding = error.diagnostics[0]
        raise JsonRpcException(f"{finding.message}. {finding.help}".removesuffix(". "), _REQUEST_FAILED) from None
