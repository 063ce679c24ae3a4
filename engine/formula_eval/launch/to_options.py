"""Translates our inputs to the options of a program that say the same: a launch table read from right to left."""

import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError
from formula_eval.core.option_names import option_of
from formula_eval.launch.tables.launch_program import EVERY_WORD, LaunchProgram, Option, version_key
from formula_eval.launch.tables.option_parser import typed
from formula_eval.launch.to_inputs import nested
from formula_eval.library import Library
from formula_eval.records.mapping.reader import ConfigReader
from formula_eval.records.roles import roles_of

_PLACE = re.compile(r"\{([^}]+)\}")  # of a value in a text
_EXACT = 1e-9
_SHARE = 1e-3  # as finely as anybody writes a share of memory
RECORD = "model_record"  # the model's id in the library, beside the name that programs load it by


class WrittenOption(NamedTuple):
    """An option with its value, true for a switch, and the inputs that it says."""

    option: str
    value: Any
    inputs: tuple[str, ...]


def options_for(
    program: LaunchProgram, values: Mapping[str, Any], silent: Mapping[str, Any], library: Library
) -> Iterator[WrittenOption]:
    """The options that say these inputs, in the order of the table, but for what `silent` says of a bare command.

    `values` hold the inputs that matter: numbers as the program says them, words, flags, names of records; the model by
    its name on the hub, and by its id as RECORD.
    """
    reader = ConfigReader(library, nested(values), program.shown)
    told: set[str] = set()
    model = roles_of(library).model
    for option in program.options.values():
        if EVERY_WORD in option.older or option.until or version_key(option.since) > version_key(program.version):
            continue
        rule = program.written.get(option.name)
        if rule is not None:
            inputs = rule.sources or tuple(name for name in values if name in rule.value)
            value = _computed(reader, rule.when, rule.value, option)
        else:
            inputs, value = _said(option, values, model)
            inputs = () if told.issuperset(inputs) else inputs
        if value is None or not inputs:
            continue
        if not option.always and all(same(silent.get(each), values.get(each)) for each in inputs):
            continue
        if value is not False or not option.switch:
            told.update(inputs)
            yield WrittenOption(option.name, value, inputs)


def _computed(reader: ConfigReader, when: str, value: str, option: Option) -> Any:  # noqa: ANN401 - what the table says
    try:
        if when and not reader.value(when, option.name):
            return None
        if option.repeated:
            return _PLACE.sub(lambda place: f"{reader.value(place[1], option.name):g}", value)
        found = reader.value(value, option.name, tuple(option.words), any_text=option.any)
    except FormulaError:
        return None  # it reads an input that nobody set
    if not isinstance(found, float):
        return found
    return int(found) if found.is_integer() else float(f"{found:.4g}")


def _said(option: Option, values: Mapping[str, Any], model: str) -> tuple[tuple[str, ...], Any]:
    """What an option says by itself: the word that means the most of these inputs, or the value of its input.

    Where words mean models, a program knows no others.
    """
    found: tuple[tuple[str, ...], str] = (), ""
    for word, meant in option.words.items():
        inputs = meant if isinstance(meant, Mapping) else {option.input: meant}
        one = word not in option.older and "*" not in word
        fits = one and all(_has(values, name, value, model) for name, value in inputs.items())
        if fits and len(inputs) > len(found[0]):
            found = tuple(inputs), word
    if found[0]:
        return found[0], literal_eval(found[1]) if found[1].startswith("[") else typed(found[1])
    if option.words and (not option.any or option.input == model):
        return (), None
    return ((option.input,), values[option.input]) if option.input in values else ((), None)


def _has(values: Mapping[str, Any], name: str, value: object, model: str) -> bool:
    """Whether an input has this value; a model by its name on the hub or in the library."""
    return any(key in values and same(values[key], value) for key in ((name, RECORD) if name == model else (name,)))


def words_of(option: WrittenOption, program: LaunchProgram) -> Iterator[str]:
    """An option as the words of a command."""
    values = option.value if isinstance(option.value, list) else [option.value]
    texts = [str(value).lower() if isinstance(value, bool) else str(value) for value in values]
    if program.form == "pairs":
        yield f"{option.option}={','.join(texts)}"
        return
    name, dot, inner = option.option.partition(".")  # what stands behind a dot is a key, as it is
    yield f"{option_of(name)}{dot}{inner}" if program.form == "dashes" else f"--{option.option}"
    if not (program.options[option.option].switch and option.value is True):
        yield from texts


def tables_of(options: Iterable[WrittenOption]) -> dict[str, Any]:
    """The options as a configuration file nests them."""
    found: dict[str, Any] = {}
    for option in options:
        *outer, last = option.option.split(".")
        place = found
        for part in outer:
            place = place.setdefault(part, {})
        place[last] = option.value
    return found


def same(a: object, b: object) -> bool:
    """Whether two values are the same: whole numbers exactly, others to one in a thousand, anything else as text."""
    if isinstance(a, bool) or isinstance(b, bool):
        return str(a).lower() == str(b).lower()
    if isinstance(a, int | float) and isinstance(b, int | float):
        whole = float(a).is_integer() and float(b).is_integer()
        return abs(a - b) <= (_EXACT if whole else _SHARE) * max(abs(a), abs(b))
    return str(a) == str(b)
