"""Renders the blocks of an answer as HTML for a notebook: the sections of a terminal, in the colours of its theme."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from formula_eval.export.terminal import blocks

_ROOM = "padding:.1em 1em .1em 0"
_LEFT = f"text-align:left;{_ROOM}"
_RIGHT = f"text-align:right;white-space:nowrap;{_ROOM}"
_DIM = "opacity:.65"


def blocks_html(answer: Iterable[blocks.Block]) -> str:
    """All blocks, each beneath its title."""
    return f"<div>{''.join(part for block in answer for part in _parts(block))}</div>"


def table_html(columns: Sequence[str], rows: Iterable[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """A table of texts; columns named by their number stand to the right."""
    head = "".join(_cell("th", each, number in right) for number, each in enumerate(columns))
    body = "".join(
        f"<tr>{''.join(_cell('td', each, number in right) for number, each in enumerate(row))}</tr>" for row in rows
    )
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if any(columns) else ''}<tbody>{body}</tbody></table>"


def _cell(tag: str, text: str, right: bool) -> str:  # noqa: FBT001 - where it stands
    return f'<{tag} style="{_RIGHT if right else _LEFT}">{escape(text)}</{tag}>'


def _parts(block: blocks.Block) -> Iterator[str]:
    yield f"<h4>{escape(block.title)}</h4>"
    match block:
        case blocks.Pairs(pairs=pairs, left=left):
            yield _pairs(pairs, left=left)
        case blocks.CapacityBar():
            yield f"<p>{escape(block.verdict)}</p>" if block.verdict else ""
            whole = sum(each.size for each in block.parts)
            yield _shares((each.title, each.text, each.size / whole if whole else 0.0, "") for each in block.parts)
            yield _pairs(block.pairs) if block.pairs else ""
        case blocks.Breakdown():
            yield from _breakdown(block)
        case blocks.TextTable(columns=columns, rows=rows):
            yield table_html(("", *columns), rows, frozenset(range(1, len(columns) + 1)))
        case blocks.Messages(messages=messages):
            yield table_html(("", ""), messages)
        case blocks.Hint(text=text):
            yield f"<p>{escape(text)}</p>"


def _pairs(pairs: Sequence[blocks.Pair], *, left: bool = False) -> str:
    rows = ((each.title, each.text, each.remark or ("default" if each.default else "")) for each in pairs)
    return table_html(("", "", ""), rows, frozenset() if left else frozenset({1, 2}))


def _breakdown(block: blocks.Breakdown) -> Iterator[str]:
    for number, (group, unit) in enumerate(zip(block.groups, block.units, strict=True)):
        yield f"<h5>{escape(group)}, {escape(block.totals[number])} {escape(unit)}</h5>"
        cells = ((title, row[number]) for title, row in block.rows)
        yield _shares((title, cell.text, cell.share, cell.bound) for title, cell in cells if cell.text)


def _shares(rows: Iterable[tuple[str, str, float, str]]) -> str:
    """Rows of a title, a size, a bar as long as its share, and a word."""
    lines = "".join(
        f"<tr>{_cell('td', title, right=False)}{_cell('td', text, right=True)}"
        f"{_cell('td', f'{100 * share:.1f}%', right=True)}"
        f'<td style="{_LEFT};min-width:12em"><div style="background:currentColor;opacity:.45;height:.7em;'
        f'width:{100 * min(max(share, 0.0), 1.0):.2f}%"></div></td>'
        f'<td style="{_LEFT};{_DIM}">{escape(word)}</td></tr>'
        for title, text, share, word in rows
    )
    return f"<table><tbody>{lines}</tbody></table>"
