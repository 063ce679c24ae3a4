"""Extracts the commands of containers from Kubernetes manifests, compose files and Helm values."""

import re
import shlex
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from formula_eval.launch.shell.expansion import Variables, check_length, split_words
from formula_eval.launch.shell.lexer import Scanner, Word
from formula_eval.launch.shell.simple_commands import SimpleCommand
from formula_eval.records.open_text import OPEN, left_open

_SUBSTITUTED = re.compile(r"\$\(([A-Za-z_]\w*)\)")
_TEMPLATE = re.compile(r"\{\{.*?\}\}")
_ENVIRONMENT = ("env", "environment", "envs")
_CONTAINER = ("command", "args", "image", "cmd", "entrypoint", "commands", "customCommand")
_SCRIPTS = ("run", "script", "run_command")
_REPLICAS = ("replicas", "replicaCount")
_REPOSITORY = re.compile(r"(^|\.)repository$")
_WITHIN = ("serveConfigV2",)  # keys whose text is a document of its own: RayService
_DEEPEST = 40


def commands_in(node: Any, around: Mapping[str, str] = {}, depth: int = 0) -> Iterator[SimpleCommand]:  # noqa: ANN401 - whatever YAML holds
    """The command of every container in a document, wherever it stands; `around` are variables that hold in all."""
    if depth > _DEEPEST:
        return
    if isinstance(node, list):
        for each in node:
            yield from commands_in(each, around, depth + 1)
    elif isinstance(node, Mapping):
        if any(isinstance(node.get(key), str | list) for key in _CONTAINER):
            yield command_of(node, around)
        known = {**around, **environment_of(node)}
        yield from (SimpleCommand(("sh", "-c", node[key]), known) for key in _SCRIPTS if isinstance(node.get(key), str))
        for key, each in node.items():
            if key not in (*_CONTAINER, *_ENVIRONMENT):
                yield from commands_in(each, known, depth + 1)


def nodes_in(node: Any, depth: int = 0) -> Iterator[Any]:  # noqa: ANN401 - as above
    """All that stands in a document: a table before what stands in it."""
    yield node
    if depth <= _DEEPEST:
        for each in node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ():
            yield from nodes_in(each, depth + 1)


def value_at(node: Any, path: str) -> Any:  # noqa: ANN401 - as above
    """What stands at a dotted path; nothing if nothing does."""
    for key in path.split("."):
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def labels_in(document: Any, wanted: Container[str]) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - as above
    """What a document says of these names: labels of nodes, as a selector or an expression has them, and resources."""
    for table in (node for node in nodes_in(document) if isinstance(node, Mapping)):
        key, values = table.get("key"), table.get("values")
        if isinstance(key, str) and key in wanted and isinstance(values, list) and table.get("operator") != "NotIn":
            yield from ((key, str(value)) for value in values)
        yield from (
            (str(name), str(each)) for name, each in table.items() if name in wanted and isinstance(each, str | int)
        )


def replicas_in(document: Any) -> Iterator[tuple[str, int]]:  # noqa: ANN401 - as above
    """How many of the same a document starts, by the key that says so, where they are several."""
    tables = (node for node in nodes_in(document) if isinstance(node, Mapping))
    yield from (
        (key, table[key]) for table in tables for key in _REPLICAS if isinstance(table.get(key), int) and table[key] > 1
    )


def texts_within(documents: Sequence[Any]) -> Iterator[str]:
    """The texts that are documents of their own."""
    tables = (node for document in documents for node in nodes_in(document) if isinstance(node, Mapping))
    yield from (table[key] for table in tables for key in _WITHIN if isinstance(table.get(key), str))


def words_in(document: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    """The keys and the texts of a document."""
    for node in nodes_in(document):
        yield from map(str, node) if isinstance(node, Mapping) else [node] if isinstance(node, str) else ()


def mounted_in(documents: Sequence[Any]) -> dict[str, str]:
    """The files that ConfigMaps hold, which containers see in some folder."""
    maps = (
        document.get("data")
        for document in documents
        if isinstance(document, Mapping) and document.get("kind") == "ConfigMap"
    )
    return {
        str(name): text
        for data in maps
        if isinstance(data, Mapping)
        for name, text in data.items()
        if isinstance(text, str)
    }


def image_of_values(flat: Mapping[str, Any]) -> str:
    """The image that the flat values of a chart name by their `repository` and `tag`; empty where they do not."""
    pairs = (
        (flat[name], flat.get(f"{name.removesuffix('repository')}tag")) for name in flat if _REPOSITORY.search(name)
    )
    return next((f"{repository}:{tag}" for repository, tag in pairs if tag), "")


def command_of(container: Mapping[str, Any], around: Mapping[str, str] = {}) -> SimpleCommand:
    """The command of a container, with its variables, those around it, and its image."""
    environment = {**around, **environment_of(container)}
    words: list[str] = []
    for key in ("entrypoint", "command", "commands", "customCommand", "cmd", "args"):
        said = container.get(key)
        words += words_of(said, environment) if isinstance(said, str | list) else []
    image = container.get("image")
    if isinstance(image, Mapping):
        image = ":".join(str(image[key]) for key in ("repository", "tag") if image.get(key))
    text = _compose_filled(str(image), environment) if isinstance(image, str) else ""
    return SimpleCommand(tuple(words), environment, image=text)


def words_of(said: str | Sequence[Any], environment: Mapping[str, str]) -> list[str]:
    """A command as words: a text is split as a shell does, each item of a list is one."""
    if isinstance(said, str):
        if "\n" in said.strip() and re.search(r"^\s*(export|set|if|cd)\b|&&|;", said, re.MULTILINE):
            return ["sh", "-c", said]
        return split_words(said, environment)
    items = [str(each) for each in said if not isinstance(each, Mapping | list)]
    split = [
        part
        for item in items
        for part in (item.split(None, 1) if item.startswith("--") and "{" not in item.split(None, 1)[0] else [item])
    ]
    return [_substituted(_compose_filled(name, environment), environment) for name in split]


def _substituted(text: str, environment: Mapping[str, str]) -> str:
    """A text with Kubernetes' `$(NAME)`, left open where the manifest does not say what it is."""
    return _SUBSTITUTED.sub(lambda found: environment.get(found[1], left_open(found[0])), text)


def _compose_filled(text: str, environment: Mapping[str, str]) -> str:
    """A text with the `${NAME:-default}` of a compose file, and a template's gaps left open."""
    text = _TEMPLATE.sub(lambda found: left_open(found[0]), text)
    if "${" not in text or OPEN in text:
        return text
    tokens = Scanner(shlex.quote(text).replace("'", '"') if '"' not in text else text).tokens()
    return " ".join(Variables(environment).text(token) for token in tokens if isinstance(token, Word))


def environment_of(container: Mapping[str, Any]) -> dict[str, str]:
    """The variables of a container, in either of the forms in which they are written."""
    said = next((container[key] for key in _ENVIRONMENT if container.get(key)), None)
    if isinstance(said, Mapping):
        pairs = [(key, value) for key, value in said.items() if not isinstance(value, Mapping | list)]
    elif isinstance(said, list):
        pairs = [(each["name"], each["value"]) for each in said if isinstance(each, Mapping) and "value" in each]
        texts = (text.partition("=") for text in said if isinstance(text, str) and "=" in text)
        pairs += [(name, value) for name, _, value in texts]
    else:
        return {}
    known: dict[str, str] = {}
    length = 0
    for name, value in pairs:
        known[str(name)] = _compose_filled("" if value is None else str(value), known)
        length += len(known[str(name)])
        check_length(length)
    return known
