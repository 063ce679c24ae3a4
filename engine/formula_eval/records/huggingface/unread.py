"""Finds what a family leaves unread of a config, or fills in for it, and says so: keys, sizes, parts not counted."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import enumerated
from formula_eval.records.mapping.interpreter import held
from formula_eval.records.synonyms import Synonyms, plain_name

_TEXT = re.compile(r'"[^"]*"')
_NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
# What a family says without expressions; all else, rows of tables too, is made of them.
_PLAIN = frozenset(
    (
        "model_type",
        "source",
        "also",
        "defaults",
        "decoder",
        "aliases",
        "words",
        "per_layer",
        "without_effect",
        "whole",
        "parts",
    )
)
ALIKE = 0.85  # how near a key that seems misspelt is to the one that is meant


class Unread(NamedTuple):
    """The keys of a config that its family does not have: those that seem to mean one that it has, and the others."""

    meant: Mapping[str, str]
    unknown: Sequence[str]


def unread(config: Mapping[str, Any], family: Mapping[str, Any], synonyms: Synonyms) -> Unread:
    """What a family leaves unread, nested keys as `a.b`, but for what it lacks and the config denies."""
    known = known_keys(family)
    missing = sorted(name for name in _written(family, known) if held(tuple(name.split(".")), config) is None)
    meant: dict[str, str] = {}
    unknown: list[str] = []
    for path, value, told in _others(config, known):
        found = _nearest(path, missing, synonyms)
        if found is not None:
            meant[path] = found
        elif value and told:
            unknown.append(path)
    return Unread(meant, unknown)


def sentences(found: Unread, defaults: Mapping[str, Any]) -> Iterator[str]:
    """What whoever gives such a config is told of these keys."""
    for written, key in found.meant.items():
        default = defaults.get(key)
        instead = "" if default is None else f" {_shown(default)}, the default of its family, is used."
        yield f"The config's `{written}` is not a key of its family: did you mean `{key}`?{instead}"
    if found.unknown:
        told = enumerated([f"`{name}`" for name in found.unknown])
        verb, these = ("are not keys", "them") if len(found.unknown) > 1 else ("is not a key", "it")
        yield f"The config's {told} {verb} of its family: nothing of {these} is counted."


def known_keys(family: Mapping[str, Any]) -> set[str]:
    """Every key that a family has, read or known to be without effect; those within others as `a.b`."""
    said = {key for part in ("aliases", "defaults", "per_layer", "parts") for key in family.get(part, {})}
    return {*said, *family.get("aliases", {}).values(), *names_read(family), *without_effect(family)}


def without_effect(family: Mapping[str, Any]) -> set[str]:
    """The keys that a family knows to change nothing."""
    return {key for keys in family.get("without_effect", {}).values() for key in keys}


def names_read(family: Mapping[str, Any]) -> set[str]:
    """Every name in the expressions of a family."""
    return {
        name for part in family.keys() - _PLAIN for name in _names(family[part], of_keys=part in ("refuse", "told"))
    }


def _names(part: Any, *, of_keys: bool) -> Iterator[str]:  # noqa: ANN401 - as TOML holds it
    """The names of the expressions, which are keys where a condition has a sentence."""
    if isinstance(part, Mapping):
        for key, value in part.items():
            yield from _names(key if of_keys else value, of_keys=of_keys)
    elif isinstance(part, Sequence) and not isinstance(part, str):
        for each in part:
            yield from _names(each, of_keys=of_keys)
    elif isinstance(part, str):
        yield from _NAME.findall(_TEXT.sub("", part))


def _written(family: Mapping[str, Any], known: Collection[str]) -> set[str]:
    """The known keys that a config may write: none that only stands for what the config says elsewhere."""
    made = {newer for older, newer in family.get("aliases", {}).items() if "." in older}
    made |= family.get("derived", {}).keys() - family.get("per_layer", {}).keys()
    whole = {path[: path.index(".")] for path in known if "." in path}
    return {*known, *whole} - made


def _others(config: Mapping[str, Any], known: Collection[str], within: str = "") -> Iterator[tuple[str, Any, bool]]:
    """The keys that are not known, with their value, and whether to tell of one that resembles none."""
    told = f"{within}*" not in known
    for key, value in config.items():
        path = f"{within}{key}"
        if isinstance(value, Mapping) and any(name.startswith(f"{path}.") for name in known):
            yield from _others(value, known, f"{path}.")
        elif path not in known and not (value is None and f"{path}.*" in known):
            yield path, value, told


def _nearest(written: str, missing: Sequence[str], synonyms: Synonyms) -> str | None:
    """The key that a name seems to mean: of our same input, a few letters away, or of the same letters."""
    ours = synonyms.inputs.get(plain_name(written))
    same = [key for key in missing if ours is not None and synonyms.inputs.get(key) == ours]
    outer, _, last = written.rpartition(".")
    beside = {key.rpartition(".")[2]: key for key in missing if key.rpartition(".")[0] == outer}
    near = [beside[close_match] for close_match in get_close_matches(last.lower(), beside, n=1, cutoff=ALIKE)]
    mixed = [key for key in missing if sorted(key) == sorted(written.lower())]
    return next(iter([*same, *near, *mixed]), None)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}" if isinstance(value, int | float) else f'"{value}"' if isinstance(value, str) else str(value)


def left_to_family(
    config: Mapping[str, Any], family: Mapping[str, Any], synonyms: Synonyms, matters: Callable[[str], bool]
) -> Iterator[str]:
    """A sentence for each of its keys that its family lacks, and one for the sizes that a config does not state.

    `matters` says whether anything that is read depends on the default of a key.
    """
    read = names_read(family)
    aliases = family.get("aliases", {})
    stated = {
        *config,
        *(newer for older, newer in aliases.items() if held(tuple(older.split(".")), config) is not None),
    }
    within = {newer: older for older, newer in aliases.items() if older.partition(".")[0] in config and "." in older}
    found = unread(config, family, synonyms)
    yield from sentences(found, family.get("defaults", {}))
    given = family.get("defaults", {}).items()
    defaults = {key: number for key, number in given if key in read and type(number) is int and number > 1}
    meant = {aliases.get(key, key) for key in found.meant.values()}
    silent = [key for key in defaults if key not in stated and key not in meant and matters(key)]
    if silent:
        sizes = ", ".join(f"{within.get(key, key)} = {defaults[key]:,}" for key in silent)
        default = "the default of its family is" if len(silent) == 1 else "the defaults of its family are"
        yield f"The config does not state {sizes}: {default} used."


def parts_beside(config: Mapping[str, Any], family: Mapping[str, Any], *, alone: bool) -> Iterator[str]:
    """A sentence that names the parts of a config of which nothing is counted, such as a vision encoder no alias reads.

    `alone` says whether nothing but the text decoder is.
    """
    counts = {older.partition(".")[0] for older in family.get("aliases", {}) if "." in older}
    found = [name for key, name in family.get("parts", {}).items() if config.get(key) and key not in counts]
    if found:
        named = enumerated(list(dict.fromkeys(found)))
        counted = ": the figures are of the text decoder alone" if alone else ""
        yield f"The config describes {named} too, not counted here{counted}."
