"""Follows the simple commands of a shell, and keeps the variables, files and commands that they make; none is run."""

import re
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from formula_eval.launch.shell.branches import Status
from formula_eval.launch.shell.conditions import TESTS, ShellTest
from formula_eval.launch.shell.expansion import Value, Variables, check_length
from formula_eval.launch.shell.lexer import Scanner, ShellOperator, Word
from formula_eval.launch.shell.statements import ShellStatement
from formula_eval.records.open_text import as_written, is_open, left_open

_ASSIGNED = re.compile(r"([A-Za-z_]\w*)(\+?)=")
_GIVEN = re.compile(r"(\w+):?=")
_COMPUTED = re.compile(r"([A-Za-z_]\w*)\s*(?:[-+*/%]?=(?!=)|\+\+|--)")
_NAME = re.compile(r"[A-Za-z_]\w*")
_DECLARING = frozenset({"export", "declare", "readonly", "local", "typeset"})
_READING = frozenset({"read", "mapfile", "readarray", "getopts"})
_ASKING = frozenset({"grep", "egrep", "command", "which", "type", "hash", "cmp", "diff", "false"})
_SHOWING = (("echo",), ("printf",))
_DOCUMENTS = ("cat", "tee", "echo", "printf")
_MOST_FILLED = 20_000_000  # characters that all variables of a script may become


class SimpleCommand(NamedTuple):
    """One command as words, the variables beside it, and the line that it stands on."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    line: int = 1
    sure: bool = True
    image: str = ""


class SimpleCommands:
    """Follows them: `values` are the variables so far, `documents` what here-documents write."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Begin with these variables."""
        self.values: dict[str, Value] = dict(environment)
        self.commands: list[SimpleCommand] = []
        self.documents: dict[str, str] = {}
        self.remarks: list[str] = []
        self._exported = set(environment)
        self._filled_in = 0

    def follow(self, words: Sequence[Word], statement: ShellStatement, *, sure: bool) -> Status:
        """Take note of one; it is not `sure` where nobody knows whether it is run."""
        first = words[0].bare
        if statement.kind == "arithmetic":
            return self._arithmetic(statement.tokens)
        if first in TESTS:
            return self._test(words[0], statement.tokens)
        if first == ":":
            self._fill_in(words[1:])
        elif first == "set":
            self._set(words[1:])
        elif first == "shift":
            self._set_parameters(self._parameters()[1:])
        elif first == "unset":
            self.values.update({word.bare: "" for word in words[1:] if _NAME.fullmatch(word.bare)})
        elif first == "let":
            self._leave_open(_COMPUTED.match(word.bare) for word in words[1:])
        elif first in _READING:
            self._read(words, statement)
        elif first in _DECLARING:
            self._declare(words, statement)
        else:
            return self._command(words, statement, sure=sure)
        return Status.HOLDS

    def _known(self) -> Variables:
        return Variables(self.values)

    def _test(self, first: Word, tokens: Sequence[Word | ShellOperator]) -> Status:
        place = next(number for number, token in enumerate(tokens) if token is first)
        test = ShellTest(tokens[place:], self._known())
        holds = test.holds()
        if holds is not None:
            self.remarks += [
                f"line {first.line}: `{as_written(name)}` is set nowhere here; it counts as empty"
                for name in test.empty
            ]
        return Status.of(holds)

    def _arithmetic(self, tokens: Sequence[Word | ShellOperator]) -> Status:
        """`((N > 4))`; what it sets is left open."""
        known = self._known()
        start = next(number for number, token in enumerate(tokens) if isinstance(token, ShellOperator))
        tokens = tokens[start:]
        text = "".join(token.sign if isinstance(token, ShellOperator) else known.text(token) for token in tokens)
        found = list(_COMPUTED.finditer(text))
        self._leave_open(found)
        value = "" if found else known.computed(text)
        return Status.OPEN if found or is_open(value) else Status.of(int(value) != 0)

    def _leave_open(self, names: Iterable[re.Match[str] | None]) -> None:
        for match in names:
            if match is not None:
                name = match[match.lastindex or 0]
                self.values[name] = left_open(f"${name}")

    def _read(self, words: Sequence[Word], statement: ShellStatement) -> None:
        """Set what a here-document says, as `read -r -d '' NAME <<END` does; what else is read is left open."""
        held = _here_document(statement.tokens)
        if held is None or words[0].bare != "read":
            self._leave_open(_NAME.fullmatch(word.bare) for word in words[1:])
        else:
            self.values[words[-1].bare] = self._filled(held)

    def _fill_in(self, words: Sequence[Word]) -> None:
        """Set what `: ${NAME:=text}` gives a value where it has none."""
        for part in (each for word in words for each in word.parts if each.kind == "variable"):
            if found := _GIVEN.match(part.text):
                self.values[found[1]] = self._known().text(Word((part,), 0))

    def _parameters(self) -> tuple[str, ...]:
        held = self.values.get("@", ())
        return held if isinstance(held, tuple) else ()

    def _set(self, words: Sequence[Word]) -> None:
        """Set the parameters of the script, as `set -- a b` does."""
        said = [text for word in words for text in self._known().expanded(word)]
        if said and (said[0] == "--" or not said[0].startswith(("-", "+"))):
            self._set_parameters(tuple(said[1:] if said[0] == "--" else said))

    def _set_parameters(self, said: Sequence[str]) -> None:
        before = len(self._parameters())
        self.values |= {"@": tuple(said), "*": tuple(said), "#": str(len(said))}
        self.values |= {str(number): "" for number in range(len(said) + 1, before + 1)}
        self.values |= {str(number): text for number, text in enumerate(said, 1)}

    def _declare(self, words: Sequence[Word], statement: ShellStatement) -> None:
        for word in words[1:]:
            name = self._assign(word, statement, self.values) or word.bare
            if words[0].bare == "export" and name:
                self._exported.add(name)

    def _command(self, words: Sequence[Word], statement: ShellStatement, *, sure: bool) -> Status:
        number = next((number for number, word in enumerate(words) if not _assigned(word)), len(words))
        ends = next((place for place, word in enumerate(words[:number]) if word.parts[-1].kind == "list"), None)
        if number == len(words) or ends is not None:
            for each in words[: number if ends is None else ends + 1]:
                self._assign(each, statement, self.values)
            return Status.HOLDS
        beside: dict[str, Value] = {name: self.values[name] for name in self._exported if name in self.values}
        for each in words[:number]:
            self._assign(each, statement, beside)
        known = self._known()
        expanded = tuple(name for word in words[number:] for name in known.expanded(word))
        self._count(sum(map(len, expanded)))
        texts = {name: value for name, value in beside.items() if isinstance(value, str)}
        self._keep_document(expanded, statement.tokens, sure=sure)
        if expanded:
            shown = expanded[:1] in _SHOWING
            self.commands.append(SimpleCommand(expanded, texts, words[0].line, sure and not shown))
        return Status.OPEN if expanded[:1] and expanded[0] in _ASKING else Status.RAN

    def _assign(self, word: Word, statement: ShellStatement, into: MutableMapping[str, Value]) -> str:
        """Set what a word assigns; the name that it sets, nothing where it is no assignment."""
        found = _assigned(word)
        if found is None:
            return ""
        name, added = found.groups()
        known = self._known()
        value: Value
        if word.parts[-1].kind == "list":
            value = tuple(each for inner in _listed(word, statement.tokens) for each in known.expanded(inner))
        else:
            first = word.parts[0]._replace(text=word.parts[0].text[found.end() :])
            value = known.text(word._replace(parts=(first, *word.parts[1:])))
        before = self.values.get(name, "")
        if added:
            value = (*before, *value) if isinstance(before, tuple) and isinstance(value, tuple) else f"{before}{value}"
        self._count(sum(map(len, value)))
        into[name] = value
        return name

    def _count(self, length: int) -> None:
        self._filled_in += length
        check_length(self._filled_in, _MOST_FILLED)

    def _keep_document(self, words: tuple[str, ...], tokens: Sequence[Word | ShellOperator], *, sure: bool) -> None:
        """Keep what a here-document, or `echo` and `printf`, writes into a file."""
        held = _here_document(tokens)
        shows = held is None and words[:1] in _SHOWING
        if not (shows or (held is not None and words and words[0] in _DOCUMENTS)):
            return
        known = self._known()
        after = [
            known.text(second)
            for first, second in pairwise(tokens)
            if isinstance(first, ShellOperator) and first.sign in (">", ">>") and isinstance(second, Word)
        ]
        text = _shown_by(words) if held is None else self._filled(held)
        for name in map(as_written, after if shows else (*after, *words[1:])):
            if not sure and name in self.documents:
                self.remarks.append(
                    f"{name}: several branches write it, and which is taken is not known; the last is read"
                )
            self.documents[name] = text

    def _filled(self, text: str) -> str:
        """A here-document with the variables that it names."""
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        tokens = Scanner(f'"{quoted}"').tokens()
        known = self._known()
        filled = "".join(known.text(token) for token in tokens if isinstance(token, Word))
        self._count(len(filled))
        return filled


def _here_document(tokens: Sequence[Word | ShellOperator]) -> str | None:
    return next((token.text for token in tokens if isinstance(token, ShellOperator) and token.sign == "<<"), None)


def _shown_by(words: Sequence[str]) -> str:
    """What `echo` or `printf` writes, with the ends of lines that it is told by signs."""
    said = [word for word in words[1:] if not word.startswith("-")]
    return " ".join(said).replace("\\n", "\n")


def _assigned(word: Word) -> re.Match[str] | None:
    return _ASSIGNED.match(word.parts[0].text) if word.parts else None


def _listed(word: Word, tokens: Sequence[Word | ShellOperator]) -> list[Word]:
    """The words between the brackets behind `NAME=`."""
    start = next((number for number, token in enumerate(tokens) if token is word), len(tokens))
    found: list[Word] = []
    for token in tokens[start + 2 :]:
        if isinstance(token, ShellOperator) and token.sign == ")":
            break
        if isinstance(token, Word):
            found.append(token)
    return found
