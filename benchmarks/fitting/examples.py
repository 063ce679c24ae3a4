"""Examples whose figure moved with a fitted default to the same examples with the figure that is computed now."""

import re
from decimal import Decimal
from pathlib import Path

from formula_eval.check.library import soundness

_MOVED = re.compile(r"The example of `([^`]+)` gives (.+?), not (.+)")
_FIGURE = re.compile(r"\(?(-?[\d.,]+(?:e[-+]?\d+)?)\s*(.*?)\)?$")
_PLAIN_BELOW = 1e7


def move_examples() -> list[str]:
    """Rewrite those that a fit moved, in as many digits as before, and say which; other units are told and left."""
    told = []
    for finding in soundness().findings:
        moved = _MOVED.match(finding.message)
        if moved is None or not finding.labels:
            continue
        span = finding.labels[0].span
        path = Path(span.file)
        lines = path.read_text(encoding="utf-8").split("\n")
        head, _, figure = lines[span.line - 1].rpartition(" -> ")
        stated, found = _FIGURE.match(figure), _FIGURE.match(moved[2])
        if stated is None or found is None or stated[2] != found[2]:
            told.append(f"{span.file}:{span.line}: {figure} is now {moved[2]}: correct it by hand")
            continue
        after = in_digits(float(found[1].replace(",", "")), stated[1])
        lines[span.line - 1] = f"{head} -> {figure.replace(stated[1], after)}"
        path.write_text("\n".join(lines), encoding="utf-8")
        told.append(f"{moved[1]}: {stated[1]} -> {after} {stated[2]}")
    return told


def in_digits(value: float, like: str) -> str:
    """A figure in as many digits as another one has."""
    digits = len(re.sub(r"\D", "", like.partition("e")[0]).lstrip("0"))
    text = f"{value:.{digits}g}"
    if "e" in text and abs(value) < _PLAIN_BELOW:
        return format(Decimal(text), "f")
    return text.replace("e+0", "e").replace("e+", "e")
