"""Renders blocks as Markdown: a heading and a table for each."""

from collections.abc import Iterable, Iterator, Sequence

from formula_eval.export.terminal import blocks


def markdown_blocks(answer: Sequence[blocks.Block]) -> str:
    """All blocks, one blank line between them."""
    return "\n".join("".join(_parts(block)) for block in answer)


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """A table; columns named by their number stand to the right."""
    rule = ["---:" if number in right else "---" for number in range(len(columns))]
    lines = [_row(columns), _row(rule), *(_row(row) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


def _row(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _parts(block: blocks.Block) -> Iterator[str]:
    yield f"## {block.title}\n\n"
    match block:
        case blocks.Pairs(pairs=pairs, legend=legend, messages=messages, more=more):
            rows = [(pair.title, pair.text, pair.remark or ("default" if pair.default else "")) for pair in pairs]
            yield markdown_table(("", "value", legend), rows, frozenset({1}))
            yield from (f"\n{text}\n" for text in (more, *(text for _, text in messages)) if text)
        case blocks.CapacityBar():
            sizes = [(part.title, part.text) for part in block.parts] + [
                (pair.title, pair.text) for pair in block.pairs
            ]
            yield markdown_table(("", "size"), sizes, frozenset({1}))
            yield f"\n{block.verdict}\n" if block.verdict else ""
        case blocks.Breakdown():
            yield from _breakdown(block)
        case blocks.TextTable(columns=columns, rows=rows):
            yield markdown_table(("", *columns), rows, frozenset(range(1, len(columns) + 1)))
        case blocks.Messages(messages=messages):
            yield markdown_table(("level", "message"), messages)
        case blocks.Hint(text=text, options=options):
            yield f"{text}\n"
            if options:
                yield "\n".join(f"- `{option}`: {gives}" for option, gives in options) + "\n"
        case blocks.Command(line=line):
            yield f"```\n{line}\n```\n"


def _breakdown(block: blocks.Breakdown) -> Iterator[str]:
    named = (f"{group}, {unit}" for group, unit in zip(block.groups, block.units, strict=True))
    columns = ["", *(title for group in named for title in (group, "share", "bound by"))]
    rows = [
        [
            title,
            *(
                text
                for cell in cells
                for text in (cell.text, f"{100 * cell.share:.1f}%" if cell.text else "", cell.bound)
            ),
        ]
        for title, cells in block.rows
    ]
    totals = [
        [title, *(text for figure in figures for text in (figure, "", ""))]
        for title, figures in (("total", block.totals), *block.after)
    ]
    right = frozenset(number for number in range(1, len(columns)) if number % 3 in (1, 2))
    yield markdown_table(columns, [*rows, *totals], right)
