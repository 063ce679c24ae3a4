"""Renders the description of a formula as text."""

from collections.abc import Iterator
from textwrap import wrap

from formula_eval.analyse.show import Citation, Description
from formula_eval.export.terminal.screen import Screen

_LONG = 400


def description_text(described: Description, on: Screen) -> str:
    """The formula as written, then everything else under short titles."""
    head = f"{on.paint(described.name, 'title')}  {on.paint(f'{described.kind}, {described.place}', 'dim')}"
    return "\n".join([head, "", described.text, *(f"{line}" for line in _notes(described, on))]) + "\n"


def _notes(described: Description, on: Screen) -> Iterator[str]:
    parts = (
        *((("changed" if not number else ""), change) for number, change in enumerate(described.changes)),
        ("unit", described.unit),
        ("LaTeX", described.latex),
        ("SymPy", _abridged(described.symbolic)),
        *((("source" if not number else ""), _cited(source)) for number, source in enumerate(described.sources)),
        ("reads", ", ".join(described.reads)),
        ("read by", ", ".join(described.read_by)),
    )
    for title, text in parts:
        if text:
            lines = wrap(text, on.width - 10, break_long_words=False, break_on_hyphens=False)
            yield f"{on.paint(f'{title:10}', 'dim')}{lines[0]}"
            yield from (f"{'':10}{line}" for line in lines[1:])


def _abridged(text: str) -> str:
    if len(text) <= _LONG:
        return text
    return f"{text[:_LONG].rpartition(' ')[0]} ... ({len(text):,} characters; --format json has all)"


def _cited(source: Citation) -> str:
    where = f", {source.locator}" if source.locator else ""
    return f"{source.authors}: {source.title} ({source.year}){where}. {source.url}"
