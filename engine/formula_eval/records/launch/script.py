"""A shell script to its commands, with the variables and here-documents that hold where each stands; nothing is run."""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from itertools import pairwise
from operator import ge, gt, le, lt
from typing import NamedTuple

from formula_eval.records.launch.expansion import Variables, as_written, is_open, left_open
from formula_eval.records.launch.words import Operator, Scanner, Word

_ASSIGNED = re.compile(r"([A-Za-z_]\w*)(\+?)=")
_GIVEN = re.compile(r"(\w+):?=")
_EQUAL = {"=": True, "==": True, "-eq": True, "!=": False, "-ne": False}
_ORDER = {"-gt": gt, "-ge": ge, "-lt": lt, "-le": le}
_TAKEN = "\n"  # the text of a case whose branch is found: no pattern holds a line's end
_DECLARING = frozenset({"export", "declare", "readonly", "local", "typeset", "set"})
_OPENING = frozenset({"if", "for", "while", "until", "case", "select"})
_CLOSING = frozenset({"fi", "done", "esac"})
_SKIPPED = frozenset({"then", "do", "!", "{", "}", "time", "function"})
_SBATCH = re.compile(r"^#SBATCH[ \t]+(.+?)(?:[ \t]+#.*)?$", re.MULTILINE)
_SHOWING = (("echo",), ("printf",))
_DOCUMENTS = ("cat", "tee", "echo", "printf")


class Command(NamedTuple):
    """One command as words, the variables beside it, and the line that it stands on."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    line: int = 1
    sure: bool = True
    image: str = ""


class Script(NamedTuple):
    """The commands of a script in order, the files that its here-documents write, its Slurm options, remarks."""

    commands: tuple[Command, ...]
    documents: Mapping[str, str]
    slurm: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def read_script(text: str, environment: Mapping[str, str] = {}) -> Script:
    """What a script says. Commands in a branch that a test of unknown values chooses are not sure."""
    scanner = Scanner(text)
    walker = _Walker(environment)
    walker.walk(scanner.tokens())
    return Script(tuple(walker.commands), walker.documents, slurm_words(text), (*scanner.remarks, *walker.remarks))


def slurm_words(text: str) -> tuple[str, ...]:
    """The words of the `#SBATCH` lines of a script."""
    return tuple(each for line in _SBATCH.findall(text) for each in line.split())


class _Walker:
    """Follows plain assignments from command to command."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.commands: list[Command] = []
        self.documents: dict[str, str] = {}
        self.remarks: list[str] = []
        self._values: dict[str, str | tuple[str, ...]] = dict(environment)
        self._exported: dict[str, str] = dict(environment)
        self._branches: list[bool | None] = []
        self._cases: list[str] = []
        self._awaits_pattern = False

    def walk(self, tokens: list[Word | Operator]) -> None:
        statement: list[Word | Operator] = []
        depth = 0
        for number, token in enumerate(tokens):
            if isinstance(token, Operator) and self._awaits_pattern and token.sign in ("|", ")"):
                if token.sign == ")":
                    self._choose(statement)
                    statement = []
                continue
            if isinstance(token, Operator):
                depth += (token.sign == "(" and _begins_list(statement)) or (token.sign == "(" and depth > 0)
                if token.sign == ")" and depth:
                    depth -= 1
                elif not depth and _ends(token) and not self._goes_on(token, tokens[number + 1 :], statement):
                    self._statement(statement)
                    self._awaits_pattern |= token.sign == ";;"
                    statement = []
                    continue
            statement.append(token)
        self._statement(statement)

    def _goes_on(self, end: Operator, following: list[Word | Operator], statement: list[Word | Operator]) -> bool:
        """Whether a line's end lacks its backslash: the next line begins with an option."""
        first = next(iter(following), None)
        begun = [each for each in statement if isinstance(each, Word)]
        if end.sign != "\n" or not begun or not isinstance(first, Word) or not _is_option(first):
            return False
        self.remarks.append(f"line {end.line}: no `\\` at its end; read as continued, since an option follows")
        return True

    def _statement(self, tokens: list[Word | Operator]) -> None:
        words = _without_targets(tokens)
        while words and words[0].bare in (*_SKIPPED, "$", "%"):
            words = words[1:]
        if not words:
            return
        first = words[0].bare
        if first in _OPENING | _CLOSING | {"elif", "else"}:
            self._branch(first, words[1:])
            if first == "for" and len(words) > 1:
                self._values[words[1].bare] = left_open(f"${words[1].bare}")
            return
        if False in self._branches:
            return
        self._simple(words, tokens)

    def _choose(self, patterns: list[Word | Operator]) -> None:
        """Enter the branch of a `case` whose patterns these are."""
        self._awaits_pattern = False
        if not self._cases:
            return
        known = Variables(self._values)
        texts = [known.text(each) for each in patterns if isinstance(each, Word)]
        chosen = self._cases[-1]
        if is_open(chosen) or any(map(is_open, texts)):
            self._branches[-1] = None
        else:
            taken = any(fnmatchcase(chosen, each) for each in texts)
            self._branches[-1] = taken
            self._cases[-1] = _TAKEN if taken else chosen

    def _branch(self, word: str, words: list[Word]) -> None:
        if word in _CLOSING:
            self._branches[-1:] = []
            if word == "esac":
                self._cases[-1:] = []
                self._awaits_pattern = False
        elif word == "case":
            self._branches.append(None)
            self._cases.append(Variables(self._values).text(words[0]) if words else "")
            self._awaits_pattern = True
        elif word in ("elif", "else") and self._branches:
            before = self._branches[-1]
            self._branches[-1] = None if before is None else not before and (word == "else" or self._holds(words))
        elif word == "if":
            self._branches.append(self._holds(words))
        else:
            self._branches.append(None)

    def _holds(self, words: list[Word]) -> bool | None:
        """Whether a plain test of known texts holds; None where nobody knows here."""
        known = Variables(self._values)
        texts = [known.text(each) for each in words]
        if not texts or texts[0] not in ("[", "[[") or any(is_open(each) for each in texts):
            return None
        inner = [each for each in texts[1:] if each not in ("]", "]]")]
        match inner:
            case ["-z", text]:
                return not text
            case ["-n", text]:
                return bool(text)
            case [a, sign, b] if sign in _EQUAL:
                return (a == b) == _EQUAL[sign]
            case [a, sign, b] if sign in _ORDER and a.isdecimal() and b.isdecimal():
                return bool(_ORDER[sign](int(a), int(b)))
        return None

    def _simple(self, words: list[Word], tokens: list[Word | Operator]) -> None:
        known = Variables(self._values)
        declaring = words[0].bare in _DECLARING
        beside = dict(self._exported)
        rest = words[1:] if declaring else words
        while declaring and rest and rest[0].bare.startswith("-"):
            rest = rest[1:]
        if words[0].bare == ":":
            self._fill_in(words[1:])
            return
        while rest and (found := _ASSIGNED.match(rest[0].parts[0].text if rest[0].parts else "")):
            self._assign(found, rest[0], tokens, beside, exported=words[0].bare == "export")
            if rest[0].parts[-1].kind == "list":
                return
            rest = rest[1:]
        if not rest or declaring:
            return
        for name in set(beside) - set(self._exported):
            if self._values.get(name) == beside[name]:
                del self._values[name]
        expanded = tuple(each for word in rest for each in known.expanded(word))
        texts = {name: value for name, value in beside.items() if isinstance(value, str)}
        self._keep_document(expanded, tokens)
        for inner in (each for each in expanded if "<<" in each and "\n" in each):
            self.documents.update(read_script(inner, texts).documents)
        sure = None not in self._branches and expanded[:1] not in _SHOWING
        self.commands.append(Command(expanded, texts, words[0].line, sure))

    def _fill_in(self, words: list[Word]) -> None:
        """Set what `: ${NAME:=text}` gives a value where it has none."""
        known = Variables(self._values)
        for part in (each for word in words for each in word.parts if each.kind == "variable"):
            if found := _GIVEN.match(part.text):
                self._values[found[1]] = known.text(Word((part,), 0))

    def _assign(
        self,
        found: re.Match[str],
        word: Word,
        tokens: list[Word | Operator],
        beside: dict[str, str],
        *,
        exported: bool,
    ) -> None:
        name, added = found[1], bool(found[2])
        known = Variables(self._values)
        value: str | tuple[str, ...]
        if word.parts[-1].kind == "list":
            value = tuple(each for inner in _listed(word, tokens) for each in known.expanded(inner))
        else:
            first = word.parts[0]._replace(text=word.parts[0].text[found.end() :])
            value = known.text(word._replace(parts=(first, *word.parts[1:])))
        before = self._values.get(name, "")
        if added:
            value = (*before, *value) if isinstance(before, tuple) and isinstance(value, tuple) else f"{before}{value}"
        if None in self._branches and before not in ("", value):
            value = _grown(before, value, left_open(f"${name}"))
        self._values[name] = value
        if isinstance(value, str):
            beside[name] = value
            if exported or name in self._exported:
                self._exported[name] = value

    def _keep_document(self, words: tuple[str, ...], tokens: list[Word | Operator]) -> None:
        """Keep what a here-document writes into a file."""
        held = next((each.text for each in tokens if isinstance(each, Operator) and each.sign == "<<"), None)
        if held is None or not words or words[0] not in _DOCUMENTS:
            return
        known = Variables(self._values)
        after = [
            known.text(second)
            for first, second in pairwise(tokens)
            if isinstance(first, Operator) and first.sign in (">", ">>") and isinstance(second, Word)
        ]
        for name in map(as_written, (*after, *words[1:])):
            if None in self._branches and name in self.documents:
                self.remarks.append(
                    f"{name}: several branches write it, and which is taken is not known; the last is read"
                )
            self.documents[name] = self._filled(held)

    def _filled(self, text: str) -> str:
        """A here-document with the variables that it names."""
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        tokens = Scanner(f'"{quoted}"').tokens()
        known = Variables(self._values)
        return "".join(known.text(each) for each in tokens if isinstance(each, Word))


def _grown(before: str | tuple[str, ...], value: str | tuple[str, ...], more: str) -> str | tuple[str, ...]:
    """What is known of a variable that a branch may have changed: what was there, if the branch adds to it."""
    if isinstance(before, tuple) and isinstance(value, tuple) and value[: len(before)] == before:
        return (*before, more)
    if isinstance(before, str) and isinstance(value, str) and before and value.startswith(f"{before} "):
        return f"{before} {more}"
    return more


def _without_targets(tokens: list[Word | Operator]) -> list[Word]:
    """The words but for the files that output is sent to."""
    before: list[Word | Operator | None] = [None, *tokens]
    pairs = zip(before, tokens, strict=False)
    sent = {id(each) for last, each in pairs if isinstance(last, Operator) and last.sign[:1] in ("<", ">", "&")}
    return [each for each in tokens if isinstance(each, Word) and id(each) not in sent]


def _begins_list(statement: list[Word | Operator]) -> bool:
    last = statement[-1] if statement else None
    return isinstance(last, Word) and bool(last.parts) and last.parts[-1].kind == "list"


def _listed(word: Word, tokens: list[Word | Operator]) -> list[Word]:
    """The words between the brackets behind `NAME=`."""
    start = next((number for number, each in enumerate(tokens) if each is word), len(tokens))
    found: list[Word] = []
    for each in tokens[start + 2 :]:
        if isinstance(each, Operator) and each.sign == ")":
            break
        if isinstance(each, Word):
            found.append(each)
    return found


def _ends(token: Operator) -> bool:
    return token.sign in ("\n", ";", ";;", "&&", "||", "|", "|&", "&")


def _is_option(word: Word) -> bool:
    return bool(word.parts) and word.parts[0].kind == "text" and word.parts[0].text.startswith("--")
