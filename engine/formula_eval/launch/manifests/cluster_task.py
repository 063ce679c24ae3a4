"""Reads a task of a cluster manager, such as SkyPilot: the accelerators that it asks for, the variables it sets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from formula_eval.launch.manifests.containers import value_at
from formula_eval.launch.tables.launch_program import LAUNCHER, LaunchProgram, Option
from formula_eval.launch.tables.option_parser import Setting, typed
from formula_eval.records.open_text import as_written, is_open, left_open

Launcher = tuple[LaunchProgram, tuple[Setting, ...]]


def launchers_of(document: object, programs: Mapping[str, LaunchProgram], place: str) -> list[Launcher]:
    """The cluster managers whose options a document of YAML holds, with what it sets of them."""
    if not isinstance(document, Mapping):
        return []
    managers = [each for each in programs.values() if each.purpose == LAUNCHER and each.files]
    found = [(each, tuple(_settings(document, each, place))) for each in managers]
    return [(program, settings) for program, settings in found if any(_decides(each, program) for each in settings)]


def once(sayings: Sequence[tuple[LaunchProgram, Sequence[Setting]]]) -> tuple[list[Launcher], list[str]]:
    """Programs, each once with all that is said of it; what is said first counts, and others that differ are told."""
    found: dict[str, tuple[LaunchProgram, dict[str, Setting]]] = {}
    told: list[str] = []
    for program, settings in sayings:
        _, before = found.pop(program.id, (program, {}))  # it counts in the place of the last
        said = dict(before)
        for each in settings:
            first = before.get(each.name)
            if first is None:
                said[f"{each.name} {len(said)}" if each.name in said else each.name] = each
            elif first.value == each.value:
                said[each.name] = each
            elif each.name in program.options:
                told.append(f"{each.written} {each.value}: {first.written} {first.value} beside the command counts.")
        found[program.id] = program, said
    return [(program, tuple(said.values())) for program, said in found.values()], told


def variables_of(launchers: Sequence[Launcher]) -> dict[str, str]:
    """The variables that they set for the commands of the task, where a number is given or usual; numbers add up."""
    found: dict[str, Any] = {}
    for program, settings in launchers:
        said = {each.name: each.value for each in settings}
        for option in program.options.values():
            value = said.get(option.name, option.default)
            for name in option.environment if value is not None else ():
                before = found.get(name)
                adds = isinstance(before, int) and isinstance(value, int)
                found[name] = before + value if adds else value
    return {name: str(value) for name, value in found.items()}


def open_choices(launchers: Sequence[Launcher]) -> list[str]:
    """What to say of tasks that take any of several accelerators, or one that is not known."""
    counted = [
        (each, str(each.value), program.options[each.name])
        for program, settings in launchers
        for each in settings
        if _counts(each, program)
    ]
    return [
        f"{each.written}: any of {as_written(each.value)}, which is not known here: give --gpu."
        if is_open(value)
        else not_known(each.written, value)
        for each, value, option in counted
        if is_open(value) or value.lower() not in map(str.lower, option.words)
    ]


def not_known(written: str, value: object) -> str:
    """What to say of an accelerator that the library lacks."""
    return f"{written}: {value} is not known here: give --gpu."


def unnamed_makes(marks: Sequence[str], programs: Iterable[LaunchProgram], counted: str) -> list[str]:
    """What to say where words tell the make of the accelerators alone; the board that is `counted` is named."""
    anywhere = [each for each in programs if each.anywhere]
    told = {advice: each for each in reversed(marks) for program in anywhere if (advice := program.advice(each))}
    return [f"{mark}: {advice} {counted} is counted." for advice, mark in told.items()]


def _counts(setting: Setting, program: LaunchProgram) -> str:
    option = program.options.get(setting.name)
    return option.counts if option else ""


def _decides(setting: Setting, program: LaunchProgram) -> bool:
    """Whether a setting tells that a document is a task of this program: by accelerators, or by a place of its own."""
    option = program.options.get(setting.name)
    return bool(_counts(setting, program)) or bool(option and option.environment and "." in option.name)


def _settings(document: Mapping[str, Any], program: LaunchProgram, place: str) -> Iterator[Setting]:
    for option in program.options.values():
        value = value_at(document, option.name)
        if value is not None:
            yield from _counted(option, value, place) if option.counts else [Setting(option.name, option.name, value)]


def _counted(option: Option, value: Any, place: str) -> Iterator[Setting]:  # noqa: ANN401 - as above
    """The name and the number of `H100:8`, `{H100: 8}` or a list of such; left open where several differ."""
    if isinstance(value, Mapping):
        texts = [f"{name}:{number}" if number is not None else str(name) for name, number in value.items()]
    else:
        texts = [str(each) for each in (value if isinstance(value, list) else [value])]
    pairs = [(name, number or "1") for name, _, number in (each.partition(":") for each in texts)]
    for wanted, column in zip((option.name, option.counts), zip(*pairs, strict=True), strict=True):
        same = len(set(column)) == 1
        yield Setting(wanted, option.name, typed(column[0]) if same else left_open(", ".join(texts)), place)
