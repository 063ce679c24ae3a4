"""Finds the program that a command starts and the launchers before it: `torchrun`, `srun`, `docker run`, `bash -c`."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch, fnmatchcase
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from formula_eval.launch.manifests.cluster_task import Launcher
from formula_eval.launch.shell.script import Script, read_script
from formula_eval.launch.shell.simple_commands import SimpleCommand
from formula_eval.launch.tables.launch_program import LAUNCHER, LaunchProgram
from formula_eval.launch.tables.option_parser import Setting, settings_of
from formula_eval.records.open_text import is_open, without_open

_PYTHON = re.compile(r"python[\d.]*")
_TAG = re.compile(r".*?[:-]v?(\d+(?:\.\d+)+)")
_SWITCHES = ("-u", "-O", "-B", "-s", "-I")
_SHELLS = ("sh", "bash", "dash", "zsh")
_DEEPEST = 5


class Process(NamedTuple):
    """A program with what is behind it, the options of its launchers, its version if the image tells it.

    Launchers around a script in which it stands are `outer` ones, which say nothing that those within it say.
    It is not `started` where a text is its configuration alone. Its `marks` are words around it that tell of which make
    its accelerators are.
    """

    program: LaunchProgram
    settings: tuple[Setting, ...]  # the program's own options, from words and variables
    launchers: tuple[Launcher, ...] = ()
    version: str = ""
    line: int = 1  # of the command, counted from 1
    sure: bool = True  # False where nobody knows whether it runs
    started: bool = True
    marks: tuple[str, ...] = ()
    outer: tuple[Launcher, ...] = ()


class ProgramFinder(NamedTuple):
    """Finds the programs that a script starts; `remarks` of inner scripts join those of the outer one."""

    programs: Mapping[str, LaunchProgram]

    def processes(self, script: Script, depth: int = 0) -> Iterator[Process]:
        """All programs that the commands of a script start, in order."""
        for command in script.commands:
            marks = marks_in(_said_by(command), self.programs)
            found = self._of_command(command, script, depth)
            yield from (process._replace(marks=(*process.marks, *marks)) for process in found) if marks else found

    def of_arguments(self, script: Script) -> Iterator[Process]:
        """The program whose options a text holds that begins with one, if they are those of one program most of all."""
        for command in script.commands:
            if not command.words[0].startswith("-"):
                continue
            read = [
                (program, settings_of(command.words, program))
                for program in self.programs.values()
                if program.purpose != LAUNCHER and program.commands and not program.extends
            ]
            scored = sorted(((_likeness(*pair), *pair) for pair in read), key=lambda each: -each[0])
            if scored[0][0] > scored[1][0]:
                yield Process(scored[0][1], tuple(scored[0][2]), line=command.line, started=False)

    def _of_command(self, command: SimpleCommand, script: Script, depth: int) -> Iterator[Process]:
        command = command._replace(words=_without_switches(command.words))
        inner = self._inner_script(command)
        if inner and depth < _DEEPEST:
            variables = {**command.environment, **_container_environment(command.words)}
            found = list(self.processes(read_script(inner, variables), depth + 1))
            around = self._around(_before(command.words, inner), variables) if found else ()
            outer = (*around, *self._slurm(script))
            if found:
                yield from (
                    each._replace(
                        line=command.line,
                        version=each.version or _tag(command, each.program),
                        sure=each.sure and command.sure,
                        outer=(*each.outer, *outer),
                    )
                    for each in found
                )
                return
        if (process := self._named(command, script)) is not None:
            yield process
        elif (process := self._of_image(command)) is not None:
            yield process._replace(outer=self._slurm(script))

    def _slurm(self, script: Script) -> tuple[Launcher, ...]:
        """What the `#SBATCH` lines of a script say."""
        slurm = self.programs.get("slurm")
        return ((slurm, tuple(settings_of(script.slurm, slurm))),) if script.slurm and slurm is not None else ()

    def _inner_script(self, command: SimpleCommand) -> str:
        """A script that a word holds: behind `bash -c`, `ssh`, `srun`."""
        return next((word for word in command.words if _has_blanks(word) and self._starts_program(word)), "")

    def _starts_program(self, text: str) -> bool:
        words = _without_switches(text.split())
        return any(self._programs_at(words, place) for place in range(len(words))) or (
            _runs_image(words) and any(_is_image(word, program) for word in words for program in self.programs.values())
        )

    def _named(self, command: SimpleCommand, script: Script) -> Process | None:
        words = command.words
        environment = {**command.environment, **_container_environment(words)}
        for place in range(len(words)):
            found = self._programs_at(words, place)
            wanted = [(program, length) for program, length in found if program.purpose != LAUNCHER]
            if not wanted:
                continue
            read = [(program, settings_of(words[place + length :], program, environment)) for program, length in wanted]
            started = words[place : place + wanted[0][1]]
            program, settings = max(
                read, key=lambda pair: (_likeness(*pair), _exactness(pair[0], started), not pair[0].extends)
            )
            if not self._is_named(started) and not _likeness(program, settings):
                continue
            around = (*self._around(words[:place], environment), *self._slurm(script))
            return Process(program, tuple(settings), around, _tag(command, program), command.line, command.sure)
        return None

    def _programs_at(self, words: Sequence[str], place: int) -> list[tuple[LaunchProgram, int]]:
        """The programs whose command stands here, with its length; those of the longest command."""
        found = [
            (program, command)
            for program in self.programs.values()
            for command in program.commands
            if _stands(command, words[place : place + len(command)])
        ]
        named = [(program, each) for program, each in found if not _is_any(each)] or found
        longest = max((len(each) for _, each in named), default=0)
        return [(program, longest) for program, each in named if len(each) == longest]

    def _is_named(self, words: Sequence[str]) -> bool:
        """Whether these words are a program's own command, not one that any script may have."""
        commands = (command for program in self.programs.values() for command in program.commands)
        return any(_stands(command, words) for command in commands if not _is_any(command))

    def _of_image(self, command: SimpleCommand) -> Process | None:
        """A container whose image starts the program, with the words behind it as arguments."""
        places = [("", -1)] if command.image else [(each, place) for place, each in enumerate(command.words)]
        for word, place in places:
            image = command.image or word
            program = next((each for each in self.programs.values() if _is_image(image, each)), None)
            if program is not None and (command.image or _runs_image(command.words)):
                if any(PurePosixPath(each).name in _SHELLS for each in command.words[place + 1 : place + 2]):
                    return None  # a shell in place of what the image starts
                environment = {**command.environment, **_container_environment(command.words[: max(place, 0)])}
                settings = settings_of(_behind_command(command.words[place + 1 :], program), program, environment)
                if program.image_names and all(setting.name != program.image_names for setting in settings):
                    settings.append(Setting(program.image_names, image, PurePosixPath(image).name.partition(":")[0]))
                around = self._around(command.words[: max(place, 0)], environment)
                return Process(program, tuple(settings), around, version_of(image), command.line, command.sure)
        return None

    def _around(self, words: Sequence[str], environment: Mapping[str, str]) -> tuple[Launcher, ...]:
        """The launchers among these words, each with its options: those before the next one."""
        found = [
            (program, place, place + length)
            for place in range(len(words))
            for program, length in self._programs_at(words, place)
            if program.purpose == LAUNCHER
        ]
        stops = [*(start for _, start, _ in found[1:]), len(words)]
        pairs = zip(found, stops, strict=False)
        return tuple(
            (program, tuple(settings_of(words[end:stop], program, environment))) for (program, _, end), stop in pairs
        )


def marks_in(words: Iterable[str], programs: Mapping[str, LaunchProgram]) -> tuple[str, ...]:
    """The words, or the values behind their `=`, that tell the make of accelerators."""
    anywhere = [program for program in programs.values() if program.anywhere]
    parts = (part for word in words for part in (word, word.partition("=")[2]) if part)
    return tuple(dict.fromkeys(part for part in parts if any(program.advice(part) for program in anywhere)))


def _before(words: Sequence[str], script: str) -> Sequence[str]:
    """The words before a script, and before the shell that it is handed to: `bash -c`."""
    before = words[: words.index(script)]
    shell = next((place for place, name in enumerate(before) if PurePosixPath(name).name in _SHELLS), len(before))
    return before[:shell]


def _said_by(command: SimpleCommand) -> Iterator[str]:
    yield from (command.image, *command.words)
    for name, value in (*command.environment.items(), *_container_environment(command.words).items()):
        yield from (name, f"{name}={value}")


def with_servers(found: Sequence[Process]) -> list[Process]:
    """Processes, those that name a model with the settings of the server that runs it, where it is started apart."""
    servers = [process for process in found if process.program.server_apart and not _names_model(process)]
    named = [process for process in found if process not in servers]
    if not any(process.program.server_apart for process in named):
        return list(found)
    return [_with_server(process, [one for one in servers if one.program is process.program]) for process in named]


def _names_model(process: Process) -> bool:
    return any(setting.name in process.program.model_options for setting in process.settings)


def _with_server(process: Process, servers: Sequence[Process]) -> Process:
    own = {setting.name for setting in process.settings}
    more = [setting for server in servers for setting in server.settings if setting.name not in own]
    version = next((server.version for server in servers if server.version), "")
    return process._replace(settings=(*process.settings, *more), version=process.version or version)


def _has_blanks(word: str) -> bool:
    return re.search(r"\s", without_open(word)) is not None


def _without_switches(words: Sequence[str]) -> tuple[str, ...]:
    """The words but for switches of Python itself, as in `python -u -m`."""
    pairs = zip(("", *words), words, strict=False)
    return tuple(
        name
        for before, name in pairs
        if not (name in _SWITCHES and _PYTHON.fullmatch(PurePosixPath(without_open(before)).name))
    )


def _likeness(program: LaunchProgram, settings: Sequence[Setting]) -> float:
    """How many of the options are the program's own; what it knows to cost nothing counts half."""
    own = sum(setting.name in program.options for setting in settings)
    return own + sum(program.knows(setting.name) for setting in settings) / 2


def _exactness(program: LaunchProgram, words: Sequence[str]) -> int:
    """How much of a command, `*grpo*.py` more than `*.py`, a program names of these words."""
    return max(len("".join(command).replace("*", "")) for command in program.commands if _stands(command, words))


def _is_any(command: Sequence[str]) -> bool:
    return any("*" in word for word in command)


def _stands(pattern: Sequence[str], words: Sequence[str]) -> bool:
    return len(words) == len(pattern) and all(map(_alike, pattern, words))


@lru_cache(maxsize=2**14)
def _alike(pattern: str, word: str) -> bool:
    name = PurePosixPath(without_open(word)).name
    if (is_open(word) and "/" not in without_open(word)) or re.search(r"\s", name):
        return False
    if "*" in pattern and ":" in word:  # an address, or a file that a container sees elsewhere
        return False
    if "/" in pattern:
        return f"/{without_open(word)}".endswith(f"/{pattern}")
    return bool(_PYTHON.fullmatch(name)) if pattern == "python" else fnmatch(name, pattern)


def _runs_image(words: Sequence[str]) -> bool:
    return any(word in ("docker", "podman", "nerdctl") for word in words)


def _is_image(word: str, program: LaunchProgram) -> bool:
    bare = word.partition("@")[0]
    return any(
        fnmatchcase(bare, image) or bare.startswith(f"{image}:") or f"/{image}:" in f"{bare}:"
        for image in program.images
    )


def _tag(command: SimpleCommand, program: LaunchProgram) -> str:
    """The version that a container's image tells, if it is the program's own."""
    images = (word for word in (command.image, *command.words) if any(own in word for own in program.images))
    return next((version for version in map(version_of, images) if version), "")


def _behind_command(words: Sequence[str], program: LaunchProgram) -> Sequence[str]:
    """The words behind an image without the rest of a command that the image begins: `run` of `ollama run`."""
    rests = (command[1:] for command in program.commands if len(command) > 1)
    return next((words[len(rest) :] for rest in rests if tuple(words[: len(rest)]) == rest), words)


def version_of(word: str) -> str:
    """The version that the tag of an image tells; empty where it tells none."""
    found = _TAG.fullmatch(word.partition("@")[0].partition(".post")[0]) if ":" in word and "/" in word else None
    return found[1] if found and "=" not in word and "//" not in word else ""


def _container_environment(words: Sequence[str]) -> dict[str, str]:
    """The variables that `docker run -e NAME=value` sets."""
    found: dict[str, str] = {}
    for option, value in pairwise(words):
        if option in ("-e", "--env") and "=" in value:
            name, _, text = value.partition("=")
            found[name] = text
    return found
