"""Parses YAML, JSON, TOML or INI into documents, keeps the marks of what a script leaves open, and fills in macros."""

import re
from collections.abc import Mapping
from configparser import ConfigParser, Error as ConfigParserError
from typing import Any

import tomli

from formula_eval.core.diagnostic import refuse
from formula_eval.json_yaml import json_in, yaml_documents
from formula_eval.records.open_text import OPEN, is_open

_OPEN_HERE = "\ue000"  # for readers of YAML, which refuse a NUL
_EVERY_SECTION = "*"
_MACROS = "macros"
_NAMED = re.compile(r"\$\{([\w-]+)\}")
_LONGEST = 100_000
_DEEPEST = 40


def structured(text: str, ending: str, shown: str) -> list[Any]:
    """The documents of YAML, JSON, TOML or INI."""
    if is_open(text):
        return [_reopened(each) for each in structured(text.replace(OPEN, _OPEN_HERE), ending, shown)]
    if ending == ".toml":
        try:
            return [tomli.loads(text)]
        except (ValueError, RecursionError) as error:
            raise refuse("bad-toml", f"`{shown}` is not valid TOML: {error}") from error
    if ending == ".ini":
        return _sections(text, shown)
    is_json = ending == ".json" or text.lstrip()[:1] == "{"
    return [json_in(text, shown)] if is_json else yaml_documents(text, shown)


def _sections(text: str, shown: str) -> list[Any]:
    """What each section of an INI file sets, with what `[*]` sets for all of them."""
    parser = ConfigParser(interpolation=None, delimiters=("=",), default_section=_EVERY_SECTION)
    try:
        parser.read_string(f"[{_EVERY_SECTION}]\n{text}" if text.lstrip()[:1] != "[" else text)
    except ConfigParserError as error:
        raise refuse("bad-ini", f"`{shown}` is not valid INI: {' '.join(str(error).split())}") from error
    return [dict(parser[section]) for section in parser.sections()] or [dict(parser.defaults())]


def _reopened(value: Any) -> Any:  # noqa: ANN401 - whatever is in a document
    """A document with the mark of what is not known in the place of the one that its reader takes."""
    if isinstance(value, str):
        return value.replace(_OPEN_HERE, OPEN)
    if isinstance(value, Mapping):
        return {_reopened(key): _reopened(each) for key, each in value.items()}
    return [_reopened(each) for each in value] if isinstance(value, list) else value


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
