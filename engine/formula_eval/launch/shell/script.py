"""Reads the commands of a shell script, with the variables and here-documents that hold at each; nothing is run."""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import reduce
from typing import NamedTuple

from formula_eval.core.diagnostic import shortened
from formula_eval.launch.shell.branches import Branches, Status, joined
from formula_eval.launch.shell.conditions import both
from formula_eval.launch.shell.expansion import Variables
from formula_eval.launch.shell.lexer import Scanner, ShellOperator, Word
from formula_eval.launch.shell.simple_commands import SimpleCommand, SimpleCommands
from formula_eval.launch.shell.statements import ShellStatement, Splitter, check_depth
from formula_eval.records.open_text import is_open, left_open

_SBATCH = re.compile(r"^#SBATCH[ \t]+(.+?)(?:[ \t]+#.*)?$", re.MULTILINE)

_DEEPEST = 5  # scripts within words of scripts; an output of a command, `$(cat <<END)`, is such a word itself
_PIPES = ("|", "|&")
_LEAVING = frozenset({"exit", "return", "exec"})
_CLOSING = {"fi": ("if",), "done": ("for", "while", "until", "select"), "esac": ("case",), "}": ("group",)}
_SKIPPED = frozenset({"time", "$", "%", "coproc"})
_PARAMETERS = ("@", "*", "#", *map(str, range(1, 10)))


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
    flow = _ControlFlow(commands)
    for statement in splitter.statements():
        flow.follow(statement)
    documents = dict(commands.documents)
    for command in commands.commands:
        for inner in (word for word in command.words if "<<" in word and "\n" in word and depth < _DEEPEST):
            documents |= read_script(inner, command.environment, depth + 1).documents
    remarks = dict.fromkeys((*scanner.remarks, *splitter.remarks, *commands.remarks))
    return Script(tuple(commands.commands), documents, slurm_words(text), tuple(remarks), flow.undecided)


def slurm_words(text: str) -> tuple[str, ...]:
    """The words of the `#SBATCH` lines of a script."""
    return tuple(each for line in _SBATCH.findall(text) for each in line.split())


class _ControlFlow:
    """Follows one script; `undecided` says of a variable as it is written, `$TP`, what its value hangs on."""

    def __init__(self, commands: SimpleCommands) -> None:
        self.undecided: dict[str, str] = {}
        self._commands = commands
        self._branches: list[Branches] = []
        self._status = Status.RAN
        self._asked = "", 0
        self._in_function = False

    def follow(self, statement: ShellStatement) -> None:
        """Take note of one statement."""
        if statement.kind == "pattern":
            self._choose(statement.words)
            return
        if statement.kind == "function":
            self._in_function = True
            return
        if statement.kind == "(":
            self._begin("subshell", statement.tokens[0].line, self._status.follows(statement.joined))
            self._enter(holds=True)
            return
        if statement.kind == ")":
            self._finish(("subshell",))
            return
        self._list_item(statement)

    def _list_item(self, statement: ShellStatement) -> None:
        """A statement of a list: the words of the shell before it, then a simple command."""
        words = statement.words
        runs = True if statement.joined in _PIPES else self._status.follows(statement.joined)
        turned = False
        while words:
            first = words[0].bare
            if first == "!":
                turned = not turned
            elif first in ("then", "do", "else", "elif", "if", "while", "until", "{"):
                self._keyword(first, words, runs)
                runs = True
            elif first == "function":
                self._in_function, words = True, words[1:]
            elif first in ("for", "select", "case"):
                self._head(first, words, runs)
                return
            elif first in _CLOSING:
                self._finish(_CLOSING[first])
                return
            elif first not in _SKIPPED:
                break
            words = words[1:]
        if words or statement.kind == "arithmetic":
            self._simple(words, statement, runs, turned=turned)

    def _keyword(self, word: str, words: Sequence[Word], runs: bool | None) -> None:  # noqa: FBT001 - of three values
        if word in ("if", "while", "until", "{"):
            self._begin("group" if word == "{" else word, words[0].line, runs)
            if word == "{":
                self._enter(holds=True)
        elif self._branches:
            branches = self._branches[-1]
            if word in ("then", "do"):
                self._enter(holds=self._decided(branches))
            else:
                branches.end(self._commands.values)
                if word == "else":
                    self._enter(holds=True)
                else:
                    self._commands.values = branches.decide()

    def _decided(self, branches: Branches) -> bool | None:
        """Whether the branch behind a condition is taken; a loop's body may be, some times."""
        if branches.kind == "if":
            return self._status.decided
        if branches.kind in ("for", "select"):
            return True if branches.kind == "for" and len(branches.items) == 1 else None
        never = Status.FAILS if branches.kind == "while" else Status.HOLDS
        return False if self._status is never else None

    def _head(self, word: str, words: Sequence[Word], runs: bool | None) -> None:  # noqa: FBT001 - of three values
        """Begin `for NAME in ITEMS` or `case SUBJECT in`."""
        known = Variables(self._commands.values)
        self._begin(word, words[0].line, runs)
        if word == "case":
            self._branches[-1].subject = known.text(words[1]) if len(words) > 1 else ""
            self._branches[-1].add_condition(_written(words))
            return
        items = [text for each in words[3:] for text in known.expanded(each)]
        self._branches[-1].subject = words[1].bare if len(words) > 1 and words[1].bare.isidentifier() else ""
        self._branches[-1].items = [] if any(map(is_open, items)) else items

    def _begin(self, kind: str, line: int, runs: bool | None) -> None:  # noqa: FBT001 - of three values
        check_depth(len(self._branches), line)
        self._branches.append(Branches(kind, self._commands.values, line, reached=runs))
        if runs is None:
            self._branches[-1].add_condition(self._asked[0])

    def _enter(self, *, holds: bool | None) -> None:
        branches = self._branches[-1]
        self._commands.values = branches.enter(holds)
        if branches.kind in ("for", "select") and branches.subject:
            once = branches.items[0] if len(branches.items) == 1 else left_open(f"${branches.subject}")
            self._commands.values[branches.subject] = once
        if branches.kind == "group" and self._in_function:
            branches.kept = {name: self._commands.values.pop(name, None) for name in _PARAMETERS}
            self._in_function = False

    def _choose(self, patterns: Sequence[Word]) -> None:
        """Enter the branch of a `case` whose patterns these are."""
        if not self._branches:
            return
        branches = self._branches[-1]
        branches.end(self._commands.values)
        known = Variables(self._commands.values)
        texts = [known.text(pattern) for pattern in patterns]
        if "*" in texts:
            self._enter(holds=True)
        elif is_open(branches.subject) or any(map(is_open, texts)):
            self._enter(holds=None)
        else:
            self._enter(holds=any(fnmatchcase(branches.subject, text) for text in texts))

    def _finish(self, kinds: Sequence[str]) -> None:
        if not self._branches or self._branches[-1].kind not in kinds:
            return
        branches = self._branches.pop()
        branches.end(self._commands.values)
        values, opened = branches.after()
        values |= {name: value for name, value in branches.kept.items() if value is not None}
        self._commands.values = values
        self._tell(opened, branches.condition, branches.line)
        self._status = Status.RAN

    def _simple(self, words: Sequence[Word], statement: ShellStatement, joins: bool | None, *, turned: bool) -> None:  # noqa: FBT001 - of three values
        """Follow a command where it is run; one that nobody knows to be run leaves open what it sets."""
        shown = _written(statement.tokens if statement.kind == "arithmetic" else words)
        if self._branches and self._branches[-1].decides:
            self._branches[-1].add_condition(shown, statement.joined)
        runs = reduce(both, (branch.active for branch in self._branches), joins)
        if runs is False:
            return
        before = dict(self._commands.values)
        status = self._commands.follow(words, statement, sure=runs is True)
        if joins is None:
            self._commands.values, opened = joined(before, [before, self._commands.values])
            self._tell(opened, *self._asked)
        if status is Status.OPEN:
            self._asked = shown, words[0].line if words else 0
        self._status = Status.OPEN if joins is None else status.turned if turned else status
        if joins and words and words[0].bare in _LEAVING and self._branches:
            self._branches[-1].leave()

    def _tell(self, opened: Sequence[str], condition: str, line: int) -> None:
        """Note what the value of these variables hangs on."""
        hangs = f"hangs on `{shortened(condition)}`" if condition else "is set in a loop"
        self.undecided |= {
            f"${name}": f"`${name}` {hangs} (line {line}), which nothing here decides." for name in opened
        }


def _written(tokens: Sequence[Word | ShellOperator]) -> str:
    return " ".join(token.sign if isinstance(token, ShellOperator) else token.written for token in tokens)
