"""Splits the text of a shell script into words and operators, each word with the parts that are to be filled in."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_OPERATOR = re.compile(r";;|&&|\|\||\|&|&>>|&>|<<<|<<-|<<|>>|>&|<&|[;|&()<>]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_PLACEHOLDER = re.compile(r"<[A-Za-z][^<>\n|;&]*>|\{\{[^{}\n]*\}\}|\$\{\{[^{}\n]*\}\}")
_DANGLING = re.compile(r"\\[ \t]+(?=\n|#|\Z)")


class WordPart(NamedTuple):
    """A piece of a word: text as it is, a variable, arithmetic, a command's output, or a place left open."""

    kind: str
    text: str
    quoted: bool = False


class Word(NamedTuple):
    """A word, and the line that it begins on."""

    parts: tuple[WordPart, ...]
    line: int

    @property
    def bare(self) -> str:
        """Its text as it was written, where it is plain text; else nothing."""
        return "".join(part.text for part in self.parts) if all(part.kind == "text" for part in self.parts) else ""

    @property
    def written(self) -> str:
        """About as its author wrote it."""
        forms = {("variable", False): "${}", ("variable", True): '"${}"', ("arithmetic", False): "$(({}))"}
        return "".join(forms.get((part.kind, part.quoted), "{}").format(part.text) for part in self.parts)


class ShellOperator(NamedTuple):
    """What stands between commands: `;`, `|`, a line's end, a redirection; `text` is what a here-document holds."""

    sign: str
    line: int
    text: str = ""


class Scanner:
    """Splits one script."""

    def __init__(self, text: str) -> None:
        """Split this text; `remarks` say what was read against the letter."""
        self.text = text.replace("\r\n", "\n")
        self._at = 0
        self._line = 1
        self._waiting: list[tuple[str, ShellOperator]] = []
        self.remarks: list[str] = []

    def tokens(self) -> list[Word | ShellOperator]:
        """All words and operators; a here-document stands behind the operator that begins it."""
        found: list[Word | ShellOperator] = []
        while self._at < len(self.text):
            char = self.text[self._at]
            if char in " \t":
                self._at += 1
            elif self.text.startswith("\\\n", self._at):
                self._skip(2)
            elif dangling := _DANGLING.match(self.text, self._at):
                self._skip(dangling.end() - dangling.start())
                if self.text.startswith("\n", self._at):
                    self.remarks.append(f"line {self._line}: blanks behind `\\`; read as a continued line")
                    self._skip(1)
            elif char == "#":
                self._at = self._line_end()
            elif char == "\n":
                end = ShellOperator("\n", self._line)
                self._skip(1)
                found += [*self._here_documents(), end]
            elif sign := self._sign():
                if sign[0] in "<>" and _is_stream(found) and self.text[self._at - 1].isdecimal():
                    found.pop()  # the `2` of `2>&1`
                found += self._operator(sign)
            else:
                found.append(self._word())
        return found

    def _sign(self) -> str:
        """The operator that stands here; none where a `<` begins a placeholder."""
        found = None if _PLACEHOLDER.match(self.text, self._at) else _OPERATOR.match(self.text, self._at)
        return found[0] if found else ""

    def _skip(self, count: int) -> None:
        self._line += self.text.count("\n", self._at, self._at + count)
        self._at += count

    def _line_end(self) -> int:
        end = self.text.find("\n", self._at)
        return len(self.text) if end < 0 else end

    def _operator(self, sign: str) -> Iterator[ShellOperator]:
        line = self._line
        self._at += len(sign)
        if sign in ("<<", "<<-"):
            while self._at < len(self.text) and self.text[self._at] in " \t":
                self._at += 1
            end = "".join(part.text for part in self._word().parts)
            self._waiting.append((end, ShellOperator(sign, line)))
        else:
            yield ShellOperator(sign, line)

    def _here_documents(self) -> Iterator[ShellOperator]:
        for end, operator in self._waiting:
            lines = []
            while self._at < len(self.text):
                stop = self._line_end()
                each = self.text[self._at : stop]
                self._skip(min(stop + 1, len(self.text)) - self._at)
                if each.strip("\t" if operator.sign == "<<-" else "").rstrip() == end:
                    break
                lines.append(each)
            yield ShellOperator("<<", operator.line, "\n".join(lines))
        self._waiting = []

    def _word(self) -> Word:
        parts: list[WordPart] = []
        line = self._line
        while self._at < len(self.text) and not self._ends_word():
            parts += self._piece()
        if self.text.startswith("(", self._at) and parts and parts[-1].text.endswith("="):
            parts.append(WordPart("list", ""))
        return Word(tuple(_joined(parts)), line)

    def _ends_word(self) -> bool:
        if self.text.startswith("\\\n", self._at):
            self._skip(2)
            return self._at < len(self.text) and self.text[self._at] in " \t"
        if _PLACEHOLDER.match(self.text, self._at):
            return False
        return self.text[self._at] in " \t\n;|&()<>" or _DANGLING.match(self.text, self._at) is not None

    def _piece(self) -> list[WordPart]:
        """The next part of a word, or the several parts of a quoted text; nothing at the end."""
        char = self.text[self._at : self._at + 1]
        if char == "\\":
            return [self._part("text", self._at + 1, self._at + 2, self._at + 2, quoted=True)]
        if char == '"':
            return self._double()
        if char == "'":
            end = self.text.find("'", self._at + 1)
            return [self._part("text", self._at + 1, end, end + 1, quoted=True) if end >= 0 else self._unclosed("'")]
        if (filled_in := self._filled_in(char, quoted=False)) is not None:
            return [filled_in]
        if placeholder := _PLACEHOLDER.match(self.text, self._at):
            return [self._part("open", *placeholder.span(), placeholder.end())]
        self._at += 1
        return [WordPart("text", char)]

    def _part(self, kind: str, start: int, stop: int, behind: int, *, quoted: bool = False) -> WordPart:
        """The part between two places; what is `behind` it comes next."""
        self._skip(behind - self._at)
        return WordPart(kind, self.text[start:stop], quoted)

    def _unclosed(self, quote: str) -> WordPart:
        self.remarks.append(f"line {self._line}: a quote {quote} that nothing closes; left out")
        self._at += 1
        return WordPart("text", "", quoted=True)

    def _double(self) -> list[WordPart]:
        end = self._double_end()
        if end < 0:
            return [self._unclosed('"')]
        self._at += 1
        parts: list[WordPart] = [WordPart("text", "", quoted=True)]
        while self._at < end:
            char = self.text[self._at]
            if char == "\\" and self.text[self._at + 1] in '"\\$`\n':
                escaped = self.text[self._at + 1]
                parts.append(WordPart("text", "" if escaped == "\n" else escaped, quoted=True))
                self._skip(2)
            elif (filled_in := self._filled_in(char, quoted=True)) is not None:
                parts.append(filled_in)
            else:
                parts.append(self._part("text", self._at, self._at + 1, self._at + 1, quoted=True))
        self._at = end + 1
        return parts

    def _double_end(self) -> int:
        at = self._at + 1
        while at < len(self.text):
            if self.text[at] == "\\":
                at += 1
            elif self.text.startswith("$(", at):
                at = max(at, _closing(self.text, at + 1))
            elif self.text[at] == '"':
                return at
            at += 1
        return -1

    def _filled_in(self, char: str, *, quoted: bool) -> WordPart | None:
        """What is filled in where this sign begins it: a variable, arithmetic, a command; None for a plain sign."""
        if char == "`":
            end = self.text.find("`", self._at + 1)
            behind = len(self.text) if end < 0 else end + 1
            return self._part("command", self._at, behind, behind, quoted=quoted)
        return self._dollar(quoted=quoted) if char == "$" else None

    def _dollar(self, *, quoted: bool) -> WordPart | None:
        """What a `$` begins; None where it is a plain sign."""
        rest = self._at + 1
        if template := _PLACEHOLDER.match(self.text, self._at):
            return self._part("open", *template.span(), template.end(), quoted=quoted)
        if self.text.startswith("{", rest):
            end = _closing(self.text, rest, "{}")
            return self._part("variable", rest + 1, end, end + 1, quoted=quoted)
        if self.text.startswith("(", rest):
            end = _closing(self.text, rest)
            if self.text.startswith("((", rest) and self.text.startswith("))", end - 1):
                return self._part("arithmetic", rest + 2, end - 1, end + 1, quoted=quoted)
            return self._part("command", self._at, end + 1, end + 1, quoted=quoted)
        name = _NAME.match(self.text, rest)
        return None if name is None else self._part("variable", *name.span(), name.end(), quoted=quoted)


def _is_stream(found: list[Word | ShellOperator]) -> bool:
    last = found[-1] if found else None
    return isinstance(last, Word) and last.bare.isdecimal()


def _closing(text: str, at: int, pair: str = "()") -> int:
    """Where the bracket that opens here closes; the end of the text where it does not."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == pair[0]) - (text[place] == pair[1])
        if depth == 0:
            return place
    return len(text) - 1


def _joined(parts: list[WordPart]) -> Iterator[WordPart]:
    """The parts, neighbouring texts as one."""
    text: WordPart | None = None
    for part in parts:
        if part.kind == "text" and text is not None and text.quoted == part.quoted:
            text = text._replace(text=text.text + part.text)
            continue
        if text is not None:
            yield text
        text = part if part.kind == "text" else None
        if text is None:
            yield part
    if text is not None:
        yield text
