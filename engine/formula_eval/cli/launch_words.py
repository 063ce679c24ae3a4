"""Puts a command that starts a server or a run behind `--from`: `formula-eval vllm serve Qwen/Qwen3-32B --gpu h100`."""

import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress

from formula_eval.core.diagnostic import FormulaError
from formula_eval.launch.detect.program_finder import ProgramFinder
from formula_eval.launch.shell.script import read_script
from formula_eval.launch.tables.program_reader import programs_of
from formula_eval.library import Library
from formula_eval.records.roles import roles_of


def as_launch(
    arguments: Sequence[str],
    library: Library,
    takes_value: Callable[[str], bool | None],
    understood: Callable[[list[str]], list[str]] | None = None,
) -> list[str] | None:
    """The arguments with the command behind `--from`; None where they start with no command that we read.

    A command in quotes is one word. Without quotes all belongs to it but those options of ours that its programs do not
    name, with their values, and words at its end that it takes nothing from and that are `understood` as words of ours.
    `takes_value` says whether a value stands behind an option; None for one that is not ours.
    """
    first = arguments[0] if arguments else ""
    if first.startswith("-") or "--from" in arguments or takes_value("--from") is None:
        return None
    text = first if any(map(str.isspace, first)) else shlex.join(arguments)
    processes = list(ProgramFinder(programs_of(library)).processes(read_script(text)))
    if not processes:
        return None
    if text == first:
        return ["--from", text, *arguments[1:]]
    programs = [
        program for process in processes for program in (process.program, *(around for around, _ in process.launchers))
    ]
    command, beside, waiting = [], [], list(arguments)
    while waiting:
        word = waiting.pop(0)
        option, equals, _ = word.partition("=")
        has_value = None if any(program.names(option) for program in programs) else takes_value(option)
        if has_value is not None:
            beside.append(word)
            if has_value and not equals and waiting:
                beside.append(waiting.pop(0))
        else:
            command.append(word)
    behind = [] if understood is None else _behind(command, library, understood)
    return ["--from", shlex.join(command[: len(command) - len(behind)]), *behind, *beside]


def engine_started(text: str, library: Library) -> str:
    """The engine that a command starts, as the table of its program names it; empty where none does."""
    kind = roles_of(library).engine
    for process in ProgramFinder(programs_of(library)).processes(read_script(text)):
        always = (derived.value for derived in process.program.derived if derived.input == kind and not derived.when)
        named = process.program.engine or next((value.strip('"') for value in always if value.startswith('"')), "")
        if named:
            return named
    return ""


def _behind(command: Sequence[str], library: Library, understood: Callable[[list[str]], list[str]]) -> list[str]:
    """The words at the end of a command that say nothing to its programs, and something to us."""
    finder = ProgramFinder(programs_of(library))
    whole = [process.settings for process in finder.processes(read_script(shlex.join(command)))]
    for place in range(1, len(command)):
        if any(name.startswith("-") for name in command[place:]):
            continue
        with suppress(FormulaError):
            shorter = finder.processes(read_script(shlex.join(command[:place])))
            if [process.settings for process in shorter] == whole and understood(list(command[place:])):
                return list(command[place:])
    return []
