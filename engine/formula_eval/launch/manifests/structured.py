"""Parses YAML, JSON or TOML into documents, keeps the marks of what a script leaves open, and fills in macros."""

import json
import re
from collections.abc import Mapping
from typing import Any

import tomli

from formula_eval.core.diagnostic import refuse
from formula_eval.core.missing_extra import missing_extra
from formula_eval.records.open_text import OPEN, is_open
from formula_eval.text_files import once

_OPEN_HERE = "\ue000"  # for readers of YAML, which refuse a NUL
_MOST_NODES = 200_000
_MACROS = "macros"
_NAMED = re.compile(r"\$\{([\w-]+)\}")
_LONGEST = 100_000
_DEEPEST = 40


def structured(text: str, ending: str, shown: str) -> list[Any]:
    """The documents of YAML, JSON or TOML."""
    if is_open(text):
        return [_reopened(each) for each in structured(text.replace(OPEN, _OPEN_HERE), ending, shown)]
    kind = "TOML" if ending == ".toml" else "JSON"
    try:
        if ending == ".toml":
            return [tomli.loads(text)]
        if ending == ".json" or text.lstrip()[:1] == "{":
            return [json.loads(text, object_pairs_hook=once)]
    except (ValueError, RecursionError) as error:
        raise refuse(f"bad-{kind.lower()}", f"`{shown}` is not valid {kind}: {error}") from error
    return yaml_documents(text, shown)


def _reopened(value: Any) -> Any:  # noqa: ANN401 - whatever is in a document
    """A document with the mark of what is not known in the place of the one that its reader takes."""
    if isinstance(value, str):
        return value.replace(_OPEN_HERE, OPEN)
    if isinstance(value, Mapping):
        return {_reopened(key): _reopened(each) for key, each in value.items()}
    return [_reopened(each) for each in value] if isinstance(value, list) else value


def yaml_documents(text: str, shown: str) -> list[Any]:
    """The documents of a YAML text; raises FormulaError, also for a key that stands twice."""
    try:
        import yaml  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise missing_extra(f"Reading `{shown}`", "yaml", "yaml") from None

    class Bounded(yaml.SafeLoader):  # type: ignore[misc]
        """Plain values; refuses a key that stands twice, and references that unfold without end."""

        def construct_document(self, node: Any) -> Any:  # noqa: ANN401 - a library without types
            if _size(node, {}) > _MOST_NODES:
                raise yaml.YAMLError(f"its references unfold to more than {_MOST_NODES} values")
            return super().construct_document(node)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - as its parent's
            seen: set[str] = set()
            for key, _ in node.value:
                name = key.value if isinstance(key.value, str) else str(key.value)
                if name in seen and name != "<<":
                    raise yaml.constructor.ConstructorError(None, None, f"`{name}` stands twice", key.start_mark)
                seen.add(name)
            return super().construct_mapping(node, deep)

    try:
        return [each for each in yaml.load_all(text, Loader=Bounded) if each is not None]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        message = f"`{shown}` is not valid YAML: {_problem_of(error)}"
        help_ = "Fill in a template first: `helm template` prints what it becomes." if "{{" in text else ""
        raise refuse("bad-yaml", message, help=help_) from error


def _problem_of(error: Exception) -> str:
    """What is wrong and where, without the lines of a file that may hold what nobody is to see."""
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or " ".join(str(error).split())
    return f"{problem}, line {mark.line + 1}, column {mark.column + 1}" if mark else problem


def _size(node: Any, known: dict[int, int]) -> int:  # noqa: ANN401 - as above
    """How many values a node stands for once its references are unfolded."""
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = 1
    inner = node.value if isinstance(node.value, list) else []
    parts = (part for each in inner for part in (each if isinstance(each, tuple) else (each,)))
    known[id(node)] = 1 + sum(_size(each, known) for each in parts)
    return known[id(node)]


def with_macros(document: Any) -> Any:  # noqa: ANN401 - whatever YAML holds, here and below
    """A document with the macros that it defines, each of which may name those before it; raises FormulaError."""
    return _filled(document, {}, 0) if isinstance(document, Mapping) and _MACROS in document else document


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
    own = node.get(_MACROS)
    for name, value in own.items() if isinstance(own, Mapping) else ():
        known[str(name)] = _named(str(value).strip(), known)
    return {key: _filled(each, known, depth + 1) for key, each in node.items() if key != _MACROS}


def _named(text: str, known: Mapping[str, str]) -> str:
    """A text with the macros that it names; other names are a shell's."""
    if sum(len(known.get(name, "")) for name in _NAMED.findall(text)) > _LONGEST:
        raise refuse("too-long", f"Macros become longer than {_LONGEST:,} characters", help="Write them out.")
    return _NAMED.sub(lambda found: known.get(found[1], found[0]), text)
