"""Reports what a config's reader should know: sizes left to its family, keys unread, parts not counted."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from formula_eval.records.huggingface.unread import names_read, sentences, unread
from formula_eval.records.synonyms import Synonyms


def left_to_family(
    config: Mapping[str, Any], family: Mapping[str, Any], synonyms: Synonyms, matters: Callable[[str], bool]
) -> Iterator[str]:
    """A sentence for each of its keys that its family lacks, and one for the sizes that a config does not state.

    `matters` says whether anything that is read depends on the default of a key.
    """
    read = names_read(family)
    aliases = family.get("aliases", {})
    stated = {*config, *(newer for older, newer in aliases.items() if older.partition(".")[0] in config)}
    found = unread(config, family, synonyms)
    yield from sentences(found, family.get("defaults", {}))
    defaults = {key: each for key, each in family.get("defaults", {}).items() if _is_size(each) and key in read}
    meant = {aliases.get(key, key) for key in found.meant.values()}
    silent = [key for key in defaults if key not in stated and key not in meant and matters(key)]
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


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 1
