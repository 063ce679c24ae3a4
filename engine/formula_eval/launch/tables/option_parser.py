"""Parses the words behind a program into options: names as the table writes them, values as plain data."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.launch.python_script.expressions import repeated
from formula_eval.launch.shell.expansion import split_words
from formula_eval.launch.tables.launch_program import LaunchProgram, plain
from formula_eval.records.open_text import is_open, without_open
from formula_eval.records.record_names import is_hub_name

_OPTION = re.compile(r"--?[A-Za-z_][\w.-]*(?:=.*)?", re.DOTALL)
_OVERRIDE = re.compile(r"\+{0,2}([A-Za-z_][\w./-]*)=(.*)", re.DOTALL)
_FLAGS = {"true": True, "false": False, "yes": True, "no": False}
_UNQUOTED = re.compile(r"\{\s*'?[A-Za-z_][\w.-]*'?\s*:")  # a table as YAML or Python writes it
_PAIR = re.compile(r"'?([A-Za-z_][\w.-]*)'?\s*:\s*'?([\w./+-]+)")
_COUNT = re.compile(r"(?:[^:,(]*:)*(\d*)")
_CALL = re.compile(r"([A-Za-z_][\w.]*)\((.*)\)", re.DOTALL)
_ARGUMENT = re.compile(r"([A-Za-z_]\w*)\s*=\s*([^,\s]+)")
_SUFFIXES = {"k": 10**3, "m": 10**6, "g": 10**9, "K": 2**10, "M": 2**20, "G": 2**30}


class Setting(NamedTuple):
    """One option that is set: its name in the table, how it was written, its value; `place` says where it stands."""

    name: str
    written: str
    value: Any
    place: str = ""


def settings_of(words: Sequence[str], program: LaunchProgram, environment: Mapping[str, str] = {}) -> list[Setting]:
    """All options of a command and of the variables beside it, in order."""
    more = split_words(environment.get(program.arguments, ""), environment)
    found, positional = _split([*words, *more], program)
    settings = [setting for option, values in found for setting in _settings(option, values, program)]
    if program.positional and not any(setting.name == program.positional for setting in settings):
        positional = positional or _behind_last(found)
        settings += [Setting(program.positional, program.positional, each) for each in positional[:1]]
        positional = positional[1:]
    settings += [Setting(each, each, each) for each in positional if is_open(each) and not without_open(each)]
    said = {setting.name for setting in settings}
    for option in program.options.values():
        name = next((each for each in option.environment if each in environment), "")
        if name and option.name not in said:
            settings.append(Setting(option.name, name, typed(environment[name])))
    return settings


def file_settings(pairs: Sequence[tuple[str, Any]], program: LaunchProgram, place: str) -> list[Setting]:
    """The options that the keys of a file set, tables and texts of JSON key by key."""
    found: list[Setting] = []
    for name, value in pairs:
        nested = json_value(value, name) if isinstance(value, str) and value[:1] == "{" else value
        inner = flattened(nested, f"{name}.") if isinstance(nested, Mapping) else [(name, value)]
        found += [Setting(program.option_named(each) or each, each, said, place) for each, said in inner]
    return found


def _split(words: Sequence[str], program: LaunchProgram) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """The options with the words behind each, and the words that belong to none."""
    found: list[tuple[str, list[str]]] = []
    positional: list[str] = []
    takes: int | None = 0
    for word in words:
        if _OPTION.fullmatch(word) or (word.startswith("--") and is_open(word)):
            option, equals, value = word.partition("=")
            found.append((option, [value] if equals else []))
            takes = 0 if equals else _taken(option, program)
        elif found and (takes is None or takes > len(found[-1][1]) or _flag_value(word, found, program)):
            found[-1][1].append(word)
        elif (override := _OVERRIDE.fullmatch(word)) and (program.form == "pairs" or program.knows(override[1])):
            found.append((override[1], [override[2]]))
            takes = 0
        else:
            positional.append(word)
    return found, positional


def _taken(option: str, program: LaunchProgram) -> int | None:
    """How many words an option takes; None for as many as follow."""
    known = program.options.get(_named(option, program))
    if known is None or known.several:
        return None
    return 0 if known.switch else 1


def _flag_value(word: str, found: list[tuple[str, list[str]]], program: LaunchProgram) -> bool:
    if not found or found[-1][1] or word.lower() not in _FLAGS:
        return False
    option = program.options.get(_named(found[-1][0], program))
    return option is not None and option.switch


def _behind_last(found: list[tuple[str, list[str]]]) -> list[str]:
    """The model behind the last option, where that took a word too many."""
    last = found[-1][1][-1:] if found else []
    return [name for name in last if is_hub_name(name)]


def _named(written: str, program: LaunchProgram) -> str:
    """The option that a spelling means: its own, or an abbreviation that means no other."""
    exact = program.option_named(written)
    if exact or not program.abbreviations or not written.startswith("--"):
        return exact
    known = {*program.spelling, *program.without_effect, *program.without_input}
    longer = [name for name in known if name.startswith(plain(written))]
    return (program.option_named(longer[0]) or longer[0]) if len(longer) == 1 else ""


def _settings(written: str, values: Sequence[str], program: LaunchProgram) -> Iterator[Setting]:
    name = _named(written, program)
    bare = plain(written)
    if not name and bare.startswith("no_") and not values and program.knows(bare[3:]):
        yield Setting(program.option_named(bare[3:]) or bare[3:], written, value=False)
        return
    option = program.options.get(name)
    if option is not None and not values and not (option.switch or option.several or option.any):
        help_ = f"`{written}` of {program.title} takes a value."
        raise refuse("missing-value", f"`{written}` needs a value", help=help_)
    value: Any = True if not values else " ".join(values)
    if values and option is not None and option.suffixes:
        value = _with_suffix(value)
    if values and option is not None and option.counted:
        if option.names and not is_open(value) and (board := _board(value)):
            yield Setting(option.names, written, board)
        value = _counted(value)
    if values and option is not None and option.repeated and not is_open(value):
        yield Setting(name, written, repeated(value, written))
        return
    if values and option is not None and option.called and (call := _CALL.fullmatch(value)):
        said = ((key, typed(each.strip("'\""))) for key, each in _ARGUMENT.findall(call[2]))
        yield Setting(name, written, call[1])
        yield from (Setting(program.option_named(key) or key, f"{written} {key}", each) for key, each in said)
        return
    if isinstance(value, str) and value[:1] in "{[" and value:
        nested = json_value(value, written)
        if isinstance(nested, dict):
            yield from (
                Setting(program.option_named(f"{bare}.{key}") or f"{name or bare}.{key}", f"{written}.{key}", each)
                for key, each in flattened(nested)
            )
            return
        value = nested
    yield Setting(name or bare, written, typed(value))


def json_value(text: str, written: str) -> Any:  # noqa: ANN401 - whatever is in it
    """What a text of JSON says, the text itself where it is none; raises FormulaError for JSON that is broken."""
    if is_open(text):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if text[0] == "[" or ('"' not in text and not _UNQUOTED.match(text)):
            return text
        pairs = {key: typed(value) for key, value in _PAIR.findall(text)}
        said = json.dumps(pairs) if pairs and '"' not in text else '{"key": value}'
        help_ = f"Quote it as one word, and names and words in it: '{said}'."
        raise refuse("bad-json", f"`{written}` is not followed by valid JSON: {error}", help=help_) from error


def _counted(text: str) -> str:
    """The number in `gpu:h100:8`, 1 where there is none."""
    found = _COUNT.match(text)
    return text if is_open(text) or found is None else found[1] or "1"


def _board(text: str) -> str:
    """The name in `gpu:h100:8` or `h100:8`; empty where there is none."""
    parts = re.split(r"[,(]", text)[0].split(":")
    return next((part for part in parts if part not in ("gpu", "") and not part.isdecimal()), "")


def _with_suffix(text: str) -> object:
    number = text[:-1]
    if text[-1:] in _SUFFIXES and re.fullmatch(r"\d+(?:\.\d+)?", number):
        return int(float(number) * _SUFFIXES[text[-1]])
    return text


def flattened(data: Mapping[str, Any], before: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The values of nested tables under dotted names; lists stay as they are."""
    for key, value in data.items():
        name = f"{before}{key}"
        if isinstance(value, Mapping) and value and depth < 20:  # noqa: PLR2004 - deeper than any configuration
            yield from flattened(value, f"{name}.", depth + 1)
        else:
            yield name, value


def typed(value: Any) -> Any:  # noqa: ANN401 - whatever was said
    """A text as the number or flag that it says, anything else as it is."""
    if not isinstance(value, str) or is_open(value):
        return value
    text = value.strip()
    if text.lower() in _FLAGS:
        return _FLAGS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
