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
    managers = [program for program in programs.values() if program.purpose == LAUNCHER and program.files]
    found = [(manager, tuple(_settings(document, manager, place))) for manager in managers]
    return [
        (program, settings) for program, settings in found if any(_decides(setting, program) for setting in settings)
    ]


def once(sayings: Sequence[tuple[LaunchProgram, Sequence[Setting]]]) -> tuple[list[Launcher], list[str]]:
    """Programs, each once with all that is said of it; what is said first counts, and others that differ are told."""
    found: dict[str, tuple[LaunchProgram, dict[str, Setting]]] = {}
    told: list[str] = []
    for program, settings in sayings:
        _, before = found.pop(program.id, (program, {}))  # it counts in the place of the last
        said = dict(before)
        for setting in settings:
            first = before.get(setting.name)
            if first is None:
                said[f"{setting.name} {len(said)}" if setting.name in said else setting.name] = setting
            elif first.value == setting.value:
                said[setting.name] = setting
            elif setting.name in program.options:
                told.append(
                    f"{setting.written} {setting.value}: {first.written} {first.value} beside the command counts."
                )
        found[program.id] = program, said
    return [(program, tuple(said.values())) for program, said in found.values()], told


def variables_of(launchers: Sequence[Launcher]) -> dict[str, str]:
    """The variables that they set for the commands of the task, where a number is given or usual; numbers add up."""
    found: dict[str, Any] = {}
    for program, settings in launchers:
        said = {setting.name: setting.value for setting in settings}
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
        (setting, str(setting.value), program.options[setting.name])
        for program, settings in launchers
        for setting in settings
        if _counts(setting, program)
    ]
    return [
        f"{setting.written}: any of {as_written(setting.value)}, which is not known here: give --gpu."
        if is_open(value)
        else not_known(setting.written, value)
        for setting, value, option in counted
        if is_open(value) or value.lower() not in map(str.lower, option.words)
    ]


def not_known(written: str, value: object) -> str:
    """What to say of an accelerator that the library lacks."""
    return f"{written}: {value} is not known here: give --gpu."


def unnamed_makes(marks: Sequence[str], programs: Iterable[LaunchProgram], counted: str) -> list[str]:
    """What to say where words tell the make of the accelerators alone; the board that is `counted` is named."""
    anywhere = [program for program in programs if program.anywhere]
    told = {advice: mark for mark in reversed(marks) for program in anywhere if (advice := program.advice(mark))}
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
    pairs = [(name, number or "1") for name, _, number in (text.partition(":") for text in texts)]
    for wanted, column in zip((option.name, option.counts), zip(*pairs, strict=True), strict=True):
        same = len(set(column)) == 1
        yield Setting(wanted, option.name, typed(column[0]) if same else left_open(", ".join(texts)), place)
