"""A config to what its reader should be told: sizes that it leaves to its family, keys misspelt, parts not counted."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from formula_eval.records.synonyms import Synonyms, plain_name

_NAME = re.compile(r"[A-Za-z_]\w*")
_ALIKE = 0.85


def left_to_family(
    config: Mapping[str, Any], family: Mapping[str, Any], synonyms: Synonyms, matters: Callable[[str], bool]
) -> Iterator[str]:
    """A sentence for the sizes that a config does not state, and for each of its keys that seems to be misspelt.

    `matters` says whether anything that is read depends on the default of a key.
    """
    read = _names_read(family)
    aliases = family.get("aliases", {})
    stated = {*config, *(newer for older, newer in aliases.items() if older.partition(".")[0] in config)}
    defaults = {key: each for key, each in family.get("defaults", {}).items() if _is_size(each) and key in read}
    meant = dict(
        _misspelt(config, {*read, *aliases} - stated, {*read, *aliases, *family.get("defaults", {})}, synonyms)
    )
    for written, key in meant.items():
        instead = f" {defaults[key]:,}, the default of its family, is used." if key in defaults else ""
        yield f"The config's `{written}` is not a key of its family: did you mean `{key}`?{instead}"
    silent = [key for key in defaults if key not in stated and key not in meant.values() and matters(key)]
    if silent:
        sizes = ", ".join(f"{key} = {defaults[key]:,}" for key in silent)
        default = "the default of its family is" if len(silent) == 1 else "the defaults of its family are"
        yield f"The config does not state {sizes}: {default} used."


def parts_beside(config: Mapping[str, Any], family: Mapping[str, Any]) -> Iterator[str]:
    """A sentence that names the parts beside the text decoder, such as a vision encoder: nothing of them is counted."""
    found = [name for key, name in family.get("parts", {}).items() if config.get(key)]
    if found:
        *first, last = dict.fromkeys(found)
        named = f"{', '.join(first)} and {last}" if first else last
        yield f"The config describes {named} too, not counted here: the figures are of the text decoder alone."


def _names_read(family: Mapping[str, Any]) -> set[str]:
    """Every name in the expressions of a family."""
    return {
        name for part in ("inputs", "derived", "layer_kinds", "refuse", "told") for name in _names(family.get(part, {}))
    }


def _names(part: Any) -> Iterator[str]:  # noqa: ANN401 - as TOML holds it
    if isinstance(part, Mapping):
        for key, value in part.items():
            yield from _names(key)
            yield from _names(value)
    elif isinstance(part, Sequence) and not isinstance(part, str):
        for each in part:
            yield from _names(each)
    elif isinstance(part, str):
        yield from _NAME.findall(part)


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 1


def _misspelt(
    config: Mapping[str, Any], missing: set[str], known: set[str], synonyms: Synonyms
) -> Iterator[tuple[str, str]]:
    """The keys with a number that the family does not read, and the one that each seems to mean."""
    for written, value in config.items():
        if written in known or not isinstance(value, int | float) or isinstance(value, bool):
            continue
        ours = synonyms.inputs.get(plain_name(written))
        same = [key for key in sorted(missing) if ours is not None and synonyms.inputs.get(key) == ours]
        near = get_close_matches(written.lower(), sorted(missing), n=1, cutoff=_ALIKE)
        found = next(iter([*same, *near]), None)
        if found is not None:
            yield written, found
