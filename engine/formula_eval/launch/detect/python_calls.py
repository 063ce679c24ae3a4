"""Finds the programs that Python calls or configures, by their tables: `LLM(...)`, `cfg.model.num_layers = 32`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from formula_eval.launch.detect.program_finder import Process
from formula_eval.launch.python_script.code import PythonCall, PythonObject
from formula_eval.launch.tables.launch_program import LaunchProgram
from formula_eval.launch.tables.option_parser import Setting, flattened

_Said = TypeVar("_Said")
_LEAST = 2  # options of a program, for an object to be its configuration


def called_programs(calls: Sequence[PythonCall], programs: Mapping[str, LaunchProgram]) -> Iterator[Process]:
    """The programs that calls start, each with the options of all calls that are about it; in order."""
    starting = [each for each in programs.values() if each.calls]
    for group in _groups(calls, starting):
        named = [each for each in starting if any(_signature(each.calls, call) is not None for call in group)]
        for purpose in dict.fromkeys(each.purpose for each in named):
            fitting = (each for each in named if each.purpose == purpose)
            program = max(fitting, key=lambda each: (_known(each, group), not each.extends, -len(each.calls)))
            yield Process(program, tuple(_settings(group, program)))


def configured_programs(made: Sequence[PythonObject], programs: Mapping[str, LaunchProgram]) -> Iterator[Process]:
    """The programs that are configured by attributes of an object, which a recipe made."""
    for each in made:
        names = [name for name, _ in flattened(each.values)]
        scored = [
            (sum(bool(program.option_named(name)) for name in names), program)
            for program in programs.values()
            if program.attributes
        ]
        most, program = max(scored, key=lambda one: one[0], default=(0, None))
        if program is not None and most >= _LEAST:
            yield Process(program, tuple(_configured(each, program)), started=False)


def _configured(made: PythonObject, program: LaunchProgram) -> Iterator[Setting]:
    if program.positional:
        yield Setting(program.positional, made.made_by, made.made_by)
    for name, value in flattened(made.values):
        yield Setting(program.option_named(name) or name, name, value)


def _groups(calls: Sequence[PythonCall], programs: Sequence[LaunchProgram]) -> Iterator[list[PythonCall]]:
    """The calls about one program each: where a call that starts one comes again, another begins."""
    group: list[PythonCall] = []
    for call in calls:
        starts = any(_signature(program.calls, call) is not None for program in programs)
        if starts and any(before.name == call.name for before in group):
            yield group
            group = []
        group.append(call)
    yield group


def _settings(calls: Sequence[PythonCall], program: LaunchProgram) -> Iterator[Setting]:
    seen: set[str] = set()
    for call in calls:
        signature = _signature({**program.calls, **program.parts}, call)
        if signature is None:
            continue
        placed = dict(zip(signature, call.positional, strict=False))
        said = [(name, name, value) for name, value in flattened({**placed, **call.keywords})]
        implied = _signature(program.implied, call) or {}
        said += [(name, call.name.rpartition(".")[2], value) for name, value in implied.items()]
        for name, written, value in said:
            meant = program.option_named(name) or name
            if value is not None and meant not in seen:
                seen.add(meant)
                yield Setting(meant, written, value)


def _known(program: LaunchProgram, calls: Sequence[PythonCall]) -> int:
    return sum(_signature({**program.calls, **program.parts}, call) is not None for call in calls)


def _signature(known: Mapping[str, _Said], call: PythonCall) -> _Said | None:
    """What is known of a call by its name, such as the names of its arguments by place."""
    return next((places for name, places in known.items() if f".{call.name}".endswith(f".{name}")), None)
