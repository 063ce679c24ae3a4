"""Fills in the `macros:` of a configuration, as llama-swap has them, wherever `${name}` stands beneath them."""

import re
from collections.abc import Mapping
from typing import Any

from formula_eval.core.diagnostic import refuse

_KEY = "macros"
_NAMED = re.compile(r"\$\{([\w-]+)\}")
_LONGEST = 100_000
_DEEPEST = 40


def with_macros(document: Any) -> Any:  # noqa: ANN401 - whatever YAML holds, here and below
    """A document with the macros that it defines, each of which may name those before it; raises FormulaError."""
    return _filled(document, {}, 0) if isinstance(document, Mapping) and _KEY in document else document


def _filled(node: Any, around: Mapping[str, str], depth: int) -> Any:  # noqa: ANN401
    if depth > _DEEPEST:
        return node
    if isinstance(node, str):
        return _named(node, around)
    if isinstance(node, list):
        return [_filled(each, around, depth + 1) for each in node]
    if not isinstance(node, Mapping):
        return node
    known = dict(around)
    own = node.get(_KEY)
    for name, value in own.items() if isinstance(own, Mapping) else ():
        known[str(name)] = _named(str(value).strip(), known)
    return {key: _filled(each, known, depth + 1) for key, each in node.items() if key != _KEY}


def _named(text: str, known: Mapping[str, str]) -> str:
    """A text with the macros that it names; other names are a shell's."""
    if sum(len(known.get(name, "")) for name in _NAMED.findall(text)) > _LONGEST:
        raise refuse("too-long", f"Macros become longer than {_LONGEST:,} characters", help="Write them out.")
    return _NAMED.sub(lambda found: known.get(found[1], found[0]), text)
