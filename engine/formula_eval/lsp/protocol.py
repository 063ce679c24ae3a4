"""Converts our places, findings and offers to those of the language server protocol, and its places back to ours."""

from collections.abc import Callable, Sequence
from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.workspace import PositionCodec

from formula_eval.check.severity import is_lacking
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.span import Span
from formula_eval.lsp.completion import Offer
from formula_eval.lsp.outline import OutlineEntry

SOURCE = "formula-eval"
_SYMBOLS = {
    "choice": types.SymbolKind.Enum,
    "input": types.SymbolKind.Variable,
    "formula": types.SymbolKind.Constant,
    "function": types.SymbolKind.Function,
    "table": types.SymbolKind.Struct,
    "check": types.SymbolKind.Event,
    "unit": types.SymbolKind.Number,
    "column": types.SymbolKind.Field,
    "row": types.SymbolKind.Object,
}
_OFFERS = {
    "keyword": types.CompletionItemKind.Keyword,
    "unit": types.CompletionItemKind.Unit,
    "choice": types.CompletionItemKind.Enum,
    "word": types.CompletionItemKind.EnumMember,
    "record": types.CompletionItemKind.File,
    "source": types.CompletionItemKind.Reference,
    "folder": types.CompletionItemKind.Module,
    "function": types.CompletionItemKind.Function,
    "input": types.CompletionItemKind.Variable,
    "table": types.CompletionItemKind.Struct,
    "column": types.CompletionItemKind.Field,
    "row": types.CompletionItemKind.Field,
}


def path_of(uri: str) -> Path | None:
    """The file of an address; None for what is not a file, such as a text without a name."""
    path = uris.to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path and "\0" not in path else None


def uri_of(path: Path) -> str:
    """The address of a file."""
    return uris.from_fs_path(str(path)) or path.as_uri()


class Places:
    """Converts places of texts; an editor counts from 0 and in units of its own, such as those of UTF-16."""

    def __init__(self, codec: PositionCodec) -> None:
        """By the units that the editor and the server agreed on."""
        self._codec = codec

    def range(self, span: Span, lines: Sequence[str]) -> types.Range:
        """The place of a span within these lines."""
        start = types.Position(max(span.line - 1, 0), max(span.column - 1, 0))
        end = types.Position(max(span.end_line - 1, 0), max(span.end_column - 1, 0))
        return self._codec.range_to_client_units(lines, types.Range(start, end))

    def line_and_column(self, position: types.Position, lines: Sequence[str]) -> tuple[int, int]:
        """The line and column of a place, counted from 1."""
        place = self._codec.position_from_client_units([*lines, ""], position)
        return place.line + 1, place.character + 1

    def symbol(self, entry: OutlineEntry, lines: Sequence[str]) -> types.DocumentSymbol:
        """An entry of a chapter's outline."""
        return types.DocumentSymbol(
            name=entry.name,
            kind=_SYMBOLS.get(entry.kind, types.SymbolKind.Constant),
            detail=entry.about,
            range=self.range(entry.whole, lines),
            selection_range=self.range(entry.span, lines),
            children=[self.symbol(each, lines) for each in entry.inside],
        )


def diagnostic(finding: Diagnostic, file: str, location: Callable[[Span], types.Location | None]) -> types.Diagnostic:
    """A finding as it stands in one file; its other places are told with it, those that have a location."""
    own = next((label for label in finding.labels if label.span.file == file), None)
    place = location(own.span) if own else None
    others = ((label, location(label.span)) for label in finding.labels if label is not own and label.span.line)
    related = [types.DiagnosticRelatedInformation(there, label.text or "here") for label, there in others if there]
    start = types.Position(0, 0)
    return types.Diagnostic(
        range=place.range if place else types.Range(start, start),
        message=f"{finding.message}\n{finding.help}" if finding.help else finding.message,
        severity=types.DiagnosticSeverity.Warning if is_lacking(finding) else types.DiagnosticSeverity.Error,
        code=finding.code,
        source=SOURCE,
        related_information=related or None,
    )


def completion(offer: Offer, number: int) -> types.CompletionItem:
    """An offer of what could be written, and its place among the others."""
    kind = _OFFERS.get(offer.kind, types.CompletionItemKind.Constant)
    return types.CompletionItem(label=offer.word, kind=kind, detail=offer.about or None, sort_text=f"{number:05}")
