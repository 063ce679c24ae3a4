"""Reads the commands of a shell script, with the variables and here-documents that hold at each; nothing is run."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from formula_eval.launch.shell.control_flow import ControlFlow
from formula_eval.launch.shell.lexer import Scanner
from formula_eval.launch.shell.simple_commands import SimpleCommand, SimpleCommands
from formula_eval.launch.shell.statements import Splitter

_SBATCH = re.compile(r"^#SBATCH[ \t]+(.+?)(?:[ \t]+#.*)?$", re.MULTILINE)

_DEEPEST = 5  # scripts within words of scripts; an output of a command, `$(cat <<END)`, is such a word itself


class Script(NamedTuple):
    """The commands of a script in order, the files that its here-documents write, its Slurm options, remarks.

    `undecided` says of a variable as it is written, `$TP`, what its value hangs on.
    """

    commands: tuple[SimpleCommand, ...]
    documents: Mapping[str, str]
    slurm: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    undecided: Mapping[str, str] = {}


def read_script(text: str, environment: Mapping[str, str] = {}, depth: int = 0) -> Script:
    """What a script says. Commands in a branch that a test of unknown values chooses are not sure."""
    scanner = Scanner(text)
    splitter = Splitter(scanner.tokens())
    commands = SimpleCommands(environment)
    flow = ControlFlow(commands)
    for each in splitter.statements():
        flow.follow(each)
    documents = dict(commands.documents)
    for command in commands.commands:
        for inner in (each for each in command.words if "<<" in each and "\n" in each and depth < _DEEPEST):
            documents |= read_script(inner, command.environment, depth + 1).documents
    remarks = dict.fromkeys((*scanner.remarks, *splitter.remarks, *commands.remarks))
    return Script(tuple(commands.commands), documents, slurm_words(text), tuple(remarks), flow.undecided)


def slurm_words(text: str) -> tuple[str, ...]:
    """The words of the `#SBATCH` lines of a script."""
    return tuple(each for line in _SBATCH.findall(text) for each in line.split())
