"""Parses JSON and YAML into plain data; a key that stands twice is refused, as TOML refuses it."""

import json
from collections.abc import Sequence
from typing import Any

from formula_eval.core.diagnostic import refuse
from formula_eval.core.missing_extra import missing_extra

_MOST_NODES = 200_000


def json_in(text: str, shown: str) -> Any:  # noqa: ANN401 - whatever it holds
    """What a JSON text says; raises FormulaError."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise refuse("bad-json", f"`{shown}` is not valid JSON: {error}") from error


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; raises ValueError for a key that stands twice with different values."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            message = f"`{key}` stands twice in one object, with different values"
            raise ValueError(message)
        found[key] = value
    return found


def yaml_documents(text: str, shown: str, otherwise: str = "") -> list[Any]:
    """The documents of a YAML text; raises FormulaError, also for a key that stands twice.

    `otherwise` says how to do without what reads YAML, an optional extra.
    """
    try:
        import yaml  # noqa: PLC0415 - seldom needed
    except ImportError:
        raise missing_extra(f"Reading `{shown}`", "yaml", "yaml", otherwise) from None

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
    known[id(node)] = 1 + sum(_size(part, known) for part in parts)
    return known[id(node)]
