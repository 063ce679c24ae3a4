"""Renders diagnostics as plain text with the source underlined, and as plain data for other programs."""

from collections.abc import Callable, Iterator

from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.core.span import Span

_WIDTH = 110
_AROUND = 20
_MOST_LINES = 6


def rendered(diagnostic: Diagnostic, text_of: Callable[[str], str | None]) -> str:
    """What is wrong, where, with the text underlined, and what to do; `text_of` gives a file's text, if it can."""
    lines = [diagnostic.message]
    for file, labels in _by_file(diagnostic.labels).items():
        lines += _excerpt(file, labels, text_of(file))
    if diagnostic.help:
        lines.append(f"help: {diagnostic.help}")
    if count := diagnostic.following:
        lines.append(f"and {count} finding{'s follow' if count > 1 else ' follows'} from it")
    return "\n".join(lines)


def as_json(diagnostic: Diagnostic) -> dict[str, object]:
    """The finding as plain data."""
    places = [
        {
            "file": label.span.file,
            "line": label.span.line,
            "column": label.span.column,
            "end_line": label.span.end_line,
            "end_column": label.span.end_column,
            "text": label.text,
        }
        for label in diagnostic.labels
    ]
    found = {"code": diagnostic.code, "message": diagnostic.message, "help": diagnostic.help, "places": places}
    return found | ({"following": diagnostic.following} if diagnostic.following else {})


def _by_file(labels: tuple[Label, ...]) -> dict[str, list[Label]]:
    files: dict[str, list[Label]] = {}
    for label in labels:
        files.setdefault(label.span.file, []).append(label)
    return files


def _excerpt(file: str, labels: list[Label], text: str | None) -> Iterator[str]:
    """The place, then each line with what is underlined there."""
    first = labels[0].span
    if not first.line:
        yield f" --> {file}" if file else ""
        return
    yield f" --> {first}"
    source = (text or "").split("\n")
    shown = _shown_lines(labels, len(source) if text is not None else 0)
    width = len(str(max(shown, default=0)))
    before = None
    for number in shown:
        if before is not None and number > before + 1:
            yield f"{' ' * width} ..."
        line = source[number - 1].rstrip("\r")
        marks = [mark for label in labels if (mark := _mark(label, number, line)) is not None]
        yield from _underlined(f"{number:>{width}} | ", f"{' ' * width} | ", line, sorted(marks, key=lambda m: m[0]))
        before = number


def _shown_lines(labels: list[Label], most: int) -> list[int]:
    """All lines of short places, and the first and last of long ones."""
    shown: set[int] = set()
    for label in labels:
        span = label.span
        lines = [number for number in range(span.line, span.end_line + 1) if number <= most]
        shown.update(lines if len(lines) <= _MOST_LINES else [*lines[:2], lines[-1]])
    return sorted(shown)


def _mark(label: Label, number: int, line: str) -> tuple[int, int, str] | None:
    """Where a line is underlined for a label, counted from 0, and the words that stand behind its last line."""
    span = label.span
    if not span.line <= number <= span.end_line:
        return None
    indent = len(line) - len(line.lstrip())
    start = span.column - 1 if number == span.line else indent
    end = span.end_column - 1 if number == span.end_line else len(line)
    if number == span.end_line and number > span.line and end <= indent:
        return None
    return start, max(end, start + 1), label.text if _is_last(span, number) else ""


def _is_last(span: Span, number: int) -> bool:
    return number == span.end_line or (number + 1 == span.end_line and span.end_column == 1)


def _underlined(head: str, margin: str, line: str, marks: list[tuple[int, int, str]]) -> Iterator[str]:
    """A line, then its carets; the last mark has its words beside it, the others theirs beneath."""
    line, marks = _trimmed(line, marks)
    yield f"{head}{line}".rstrip()
    if not marks:
        return
    carets = [" "] * max(end for _, end, _ in marks)
    for number, (start, end, _) in enumerate(marks):
        carets[start:end] = ("^" if number % 2 == 0 or not _touch(marks, number) else "-") * (end - start)
    yield f"{margin}{''.join(carets)} {marks[-1][2]}".rstrip()
    for number in range(len(marks) - 2, -1, -1):
        start, _, words = marks[number]
        if words:
            yield f"{margin}{_bars(marks[:number])}".ljust(len(margin) + start) + words


def _touch(marks: list[tuple[int, int, str]], number: int) -> bool:
    return marks[number - 1][1] >= marks[number][0]


def _bars(marks: list[tuple[int, int, str]]) -> str:
    """A bar beneath each mark whose words are still to come."""
    bars = ""
    for start, _, words in marks:
        if words:
            bars = f"{bars.ljust(start)}|"
    return bars


def _trimmed(line: str, marks: list[tuple[int, int, str]]) -> tuple[str, list[tuple[int, int, str]]]:
    """A long line cut to what the marks need, dots where it was cut, and the marks moved along."""
    if len(line) <= _WIDTH or not marks:
        return (line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..."), marks
    begin = max(0, min(start for start, _, _ in marks) - _AROUND)
    stop = min(len(line), begin + _WIDTH)
    head, tail = "..." if begin else "", "..." if stop < len(line) else ""
    cut = f"{head}{line[begin + len(head) : stop - len(tail)]}{tail}"
    moved = [(_within(start - begin, cut), max(_within(end - begin, cut), 1), words) for start, end, words in marks]
    return cut, [(start, max(end, start + 1), words) for start, end, words in moved]


def _within(place: int, line: str) -> int:
    return min(max(place, 0), len(line))
