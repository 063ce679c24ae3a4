"""Merges a config with the text decoder within it, and tells what is said twice or stands in the wrong place."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from formula_eval.records.huggingface.unread import known_keys, without_effect
from formula_eval.records.mapping.interpreter import described

_ALIKE = 0.85


def decoder_within(config: Mapping[str, Any], within: str, family: Mapping[str, Any]) -> Mapping[str, Any]:
    """The decoder's config, with what the whole config says of all its parts."""
    return {**config[within], **dict(_of_the_whole(config, within, family))}


def _of_the_whole(config: Mapping[str, Any], within: str, family: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The keys that the whole config states for its decoder; of two flags either one, in the classes that say so."""
    for key, either in family.get("whole", {}).items():
        value, inner = config.get(key), config[within].get(key)
        if value is not None:
            yield key, inner if config["model_type"] in either and inner is True else value


def outside(config: Mapping[str, Any], within: str, family: Mapping[str, Any]) -> Iterator[str]:
    """What is told of keys outside the decoder: what counts of two statements, and keys that mean something within."""
    inner, whole = config[within], family.get("whole", {})
    counted = dict(_of_the_whole(config, within, family))
    expected = sorted({*whole, *family.get("parts", {})} - config.keys())
    read = known_keys(family) - without_effect(family) - family.get("parts", {}).keys()
    for key, value in config.items():
        if key in whole or key not in read:
            near = [] if key in whole or key in inner else get_close_matches(key, expected, n=1, cutoff=_ALIKE)
            if near:
                yield f"The config's `{key}` is not a key that is read outside `{within}`: did you mean `{near[0]}`?"
        if key in whole and key in inner and value is not None and value != inner[key]:
            twice = f"`{key}` is {described(value)} for the whole model and {described(inner[key])} in `{within}`"
            yield f"{twice}: {described(counted[key])} counts."
        elif key in read and key not in whole and value is not None and inner.get(key) != value:
            said = f"{described(inner[key])} there counts" if inner.get(key) is not None else "nothing of it is counted"
            yield f"`{key}` is {described(value)} outside `{within}`: {said}."
