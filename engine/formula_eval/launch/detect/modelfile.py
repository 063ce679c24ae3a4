"""Reads the options that a file of instructions, such as a Modelfile of Ollama, sets line by line."""

import re
from collections.abc import Iterator, Mapping

from formula_eval.launch.detect.program_finder import Process
from formula_eval.launch.tables.launch_program import LaunchProgram
from formula_eval.launch.tables.option_parser import Setting, typed

_LONG = re.compile(r'"""(.*?)"""', re.DOTALL)
_LINE = re.compile(r"(\w+)[ \t]+(.+)")


def instructed_program(text: str, programs: Mapping[str, LaunchProgram]) -> Process | None:
    """The program whose instructions all lines of a text are, with what they set; None for any other text."""
    lines = [_LINE.fullmatch(line) for line in _lines(text)]
    said = [(line[1].upper(), line[2].strip()) for line in lines if line]
    for program in programs.values():
        known = program.instructions
        first = next(iter(known), None)
        if (
            len(said) == len(lines)
            and any(word == first for word, _ in said)
            and {word for word, _ in said} <= {*known}
        ):
            return Process(program, tuple(_settings(said, program)), started=False)
    return None


def _lines(text: str) -> list[str]:
    """The lines that say something; a text within three quotes is one with its instruction."""
    whole = _LONG.sub(lambda found: " ".join(found[1].split()) or "-", text)
    return [line.strip() for line in whole.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _settings(said: list[tuple[str, str]], program: LaunchProgram) -> Iterator[Setting]:
    seen: set[str] = set()
    for word, rest in said:
        name, _, value = (program.instructions[word], "", rest) if program.instructions[word] else rest.partition(" ")
        if name not in seen:  # of what may stand several times, such as words to stop at
            seen.add(name)
            yield Setting(program.option_named(name) or name, f"{word} {name}" if name in rest else word, typed(value))
