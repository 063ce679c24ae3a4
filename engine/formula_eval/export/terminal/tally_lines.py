"""Renders why configurations have no answer or are left out: a line for each reason with its count."""

from collections.abc import Callable, Iterator
from textwrap import wrap

from formula_eval.analyse.sweep.counts import Tally
from formula_eval.export.terminal.screen import Screen

_STYLES = {"refused": "bad", "failed": "bad", "warned": "warn", "unmet": "dim"}


def tally_lines(tally: Tally, demand: Callable[[str], str], on: Screen) -> Iterator[str]:
    """A line for each reason; `demand` says what a check demands."""
    said = [
        *(("unmet", count, text) for text, count in tally.unmet.most_common()),
        *(("refused", count, f"{demand(name)} ({name})") for name, count in tally.refused.most_common()),
        *(("failed", count, why) for why, count in tally.failed.most_common()),
        *(("warned", count, f"{demand(name)} ({name})") for name, count in tally.warned.most_common()),
    ]
    width = max((len(f"{count:,}") for _, count, _ in said), default=0)
    for level, count, text in said:
        first, *rest = wrap(text, on.width - width - 13) or [""]
        yield f"  {count:>{width},}  {on.paint(f'{level:7}', _STYLES[level])}  {first}"
        yield from (f"{'':{width + 13}}{line}" for line in rest)
