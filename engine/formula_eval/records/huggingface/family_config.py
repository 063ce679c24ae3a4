"""Completes a config as its family understands it: renames older keys and words, fills in what it leaves out."""

from collections.abc import Mapping
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.records.mapping.interpreter import described, held
from formula_eval.records.mapping.reader import ConfigReader
from formula_eval.records.roles import roles_of

_MOST_LAYERS = 10_000


def completed(read: ConfigReader, family: Mapping[str, Any]) -> ConfigReader:
    """The reader of the completed config; raises FormulaError for lists that do not fit and contradictions."""
    names = _renamed(read, family)
    renamed = {newer: held(tuple(name.split(".")), read.config) for newer, name in names.items()}
    config = {**family.get("defaults", {}), **read.config, **renamed}
    written = {newer: read.written[name] for newer, name in names.items() if name in read.written}
    read = read._replace(written={**read.written, **written}, derived=family.get("derived", {}))
    per_layer = {key: words for key, words in family.get("per_layer", {}).items() if config.get(key)}
    for key, words in per_layer.items():
        config[key] = _words(key, words, config[key], family.get("words", {}), read.shown)
    read = read._replace(config=config)
    for key, text in family.get("derived", {}).items():
        if config.get(key) in (None, []):
            config[key] = _derived(read, family, key, text)
    if per_layer:
        _refuse_other_lengths(read, per_layer, layer_count(read, family))
    return read


def counts_layers(read: ConfigReader, family: Mapping[str, Any]) -> bool:
    """Whether a table says how many layers there are; what stands beside a text decoder has none of these."""
    return roles_of(read.library).layers in family["inputs"]


def layer_count(read: ConfigReader, family: Mapping[str, Any]) -> int:
    """How many layers it has; raises FormulaError for what is not a whole number of them."""
    name = roles_of(read.library).layers
    layers = read.value(family["inputs"][name], name)
    if isinstance(layers, bool) or not isinstance(layers, int) or not 1 <= layers <= _MOST_LAYERS:
        said = read.said(family["inputs"][name])
        where = f"`{read.shown}`: {said}" if said else f"`{read.shown}`"
        message = f"{where}: its number of layers is {described(layers)}, but must be a whole number from 1 to 10,000"
        raise refuse("bad-value", message)
    return layers


def _renamed(read: ConfigReader, family: Mapping[str, Any]) -> Mapping[str, str]:
    """The older names that the config uses, by the newer; raises FormulaError where two of one thing differ."""
    config, words = read.config, family.get("words", {})
    said = {
        newer: (newer, config[newer]) for newer in family.get("aliases", {}).values() if config.get(newer) is not None
    }
    found: dict[str, str] = {}
    for older, newer in family.get("aliases", {}).items():
        value = held(tuple(older.split(".")), config)
        if value is None:
            continue
        name, before = said.setdefault(newer, (older, value))
        if _meant(before, words) != _meant(value, words):
            message = (
                f"`{read.shown}` says one thing twice: `{name}` is {described(before)}, `{older}` is {described(value)}"
            )
            raise refuse("said-twice", message, help="Both mean the same to its family: leave out the wrong one.")
        if name != newer:
            found[newer] = name
    return found


def _meant(value: object, words: Mapping[str, Any]) -> object:
    """What a key says, in the newer words; a text is a word for each of its letters."""
    each = list(value) if isinstance(value, str) and all(letter in words for letter in value) else value
    return (
        [words.get(word, word) if isinstance(word, str) else word for word in each] if isinstance(each, list) else each
    )


def _words(key: str, words: list[Any], value: object, newer: Mapping[str, Any], shown: str) -> list[Any]:
    """The words of a key that has one for each layer; a text is a word for each of its letters."""
    if not isinstance(value, list | str):
        raise refuse("bad-value", f"`{shown}`: `{key}` is not a list with a word for each layer")
    found = [newer.get(name, name) if isinstance(name, str) else name for name in value]
    for each in found:
        if each not in words:
            help_ = f"Known are {', '.join(str(word) for word in words)}."
            raise refuse("unsupported-model", f"`{shown}`: `{key}` holds `{each}`, which its family lacks", help=help_)
    return found


def _derived(read: ConfigReader, family: Mapping[str, Any], key: str, text: str) -> Any:  # noqa: ANN401 - a config holds anything
    words = family.get("per_layer", {}).get(key)
    if words is None:
        return read.value(text, key)
    known = tuple(word for word in words if isinstance(word, str))
    return [read.at_layer(layer).value(text, key, known) for layer in range(layer_count(read, family))]


def _refuse_other_lengths(read: ConfigReader, keys: Mapping[str, Any], layers: int) -> None:
    for key in keys:
        found = len(read.config[key])
        if found != layers:
            raise refuse("bad-value", f"`{read.shown}`: `{key}` names {found} layers, but the model has {layers}")
