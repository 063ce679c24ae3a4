"""Splits the words and operators of a shell script into statements, each with what joins it to the one before."""

from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.launch.shell.lexer import ShellOperator, Word

_ENDS = frozenset({"\n", ";", ";;", "&&", "||", "|", "|&", "&"})
_LEADING = frozenset({"then", "do", "else", "!", "{", "time"})
_DEEPEST = 100
_CASE_WORDS = 3  # `case WORD in`


class ShellStatement(NamedTuple):
    """Words and redirections; `joined` is the operator before it.

    Its `kind` tells what is none of the usual ones: `pattern` of a case, `arithmetic` in `((...))`, `function` before
    its body, `(` and `)` of a subshell.
    """

    tokens: Sequence[Word | ShellOperator]
    joined: str = ""
    kind: str = ""

    @property
    def words(self) -> list[Word]:
        """The words but for the files that output is sent to."""
        pairs = zip((None, *self.tokens), self.tokens, strict=False)
        sent = {
            id(operator)
            for last, operator in pairs
            if isinstance(last, ShellOperator) and last.sign[:1] in ("<", ">", "&")
        }
        return [token for token in self.tokens if isinstance(token, Word) and id(token) not in sent]


class Splitter:
    """Splits one script; `remarks` say what was read against the letter."""

    def __init__(self, tokens: Sequence[Word | ShellOperator]) -> None:
        """Take the tokens of a `Scanner`."""
        self.remarks: list[str] = []
        self._tokens = tokens
        self._held: list[Word | ShellOperator] = []
        self._words: list[str] = []  # those held, bare
        self._joined = ""
        self._brackets: list[str] = []
        self._awaits_pattern = False

    def statements(self) -> Iterator[ShellStatement]:
        """All statements in order."""
        for number, token in enumerate(self._tokens):
            following = self._tokens[number + 1] if number + 1 < len(self._tokens) else None
            yield from self._word(token) if isinstance(token, Word) else self._operator(token, following)
        yield from self._statement("")

    def _word(self, word: Word) -> Iterator[ShellStatement]:
        self._held.append(word)
        self._words.append(word.bare)
        if self._awaits_pattern and word.bare == "esac":
            self._awaits_pattern = False
        begun = [*dropwhile(_LEADING.__contains__, self._words)] if word.bare == "in" else []
        if begun[:1] == ["case"] and len(begun) == _CASE_WORDS:
            yield from self._statement("")
            self._awaits_pattern = True

    def _operator(self, token: ShellOperator, following: Word | ShellOperator | None) -> Iterator[ShellStatement]:
        sign = token.sign
        if self._awaits_pattern and sign in ("|", "(", ")"):
            if sign == ")":
                yield from self._statement("", "pattern")
                self._awaits_pattern = False
        elif self._in_test():
            self._held += [] if sign == "\n" else [token]
        elif self._brackets and self._brackets[-1] in ("list", "sum"):
            self._held.append(token)
            yield from self._within(sign)
        elif sign == "(":
            yield from self._opened(token, following)
        elif sign == ")":
            yield from self._closed(token)
        elif sign in _ENDS and not self._goes_on(token, following):
            yield from self._statement(sign)
            self._awaits_pattern |= sign == ";;"
        else:
            self._held.append(token)

    def _in_test(self) -> bool:
        return "[[" in self._words and "]]" not in self._words

    def _within(self, sign: str) -> Iterator[ShellStatement]:
        """Count the brackets of a list or of arithmetic."""
        if sign == "(":
            check_depth(len(self._brackets), self._held[-1].line)
            self._brackets.append(self._brackets[-1])
        elif sign == ")":
            kind = self._brackets.pop()
            if kind == "sum" and "sum" not in self._brackets:
                yield from self._statement("", "arithmetic")

    def _opened(self, token: ShellOperator, following: Word | ShellOperator | None) -> Iterator[ShellStatement]:
        last = self._held[-1] if self._held else None
        again = isinstance(following, ShellOperator) and following.sign == "("
        if isinstance(last, Word) and last.parts and last.parts[-1].kind == "list":
            self._brackets.append("list")
            self._held.append(token)
        elif again and self._begins():
            self._brackets.append("sum")
            self._held.append(token)
        elif self._begins():
            yield from self._statement("")
            self._brackets.append("shell")
            yield ShellStatement([token], self._joined, "(")
            self._joined = ""
        else:
            self._held.append(token)

    def _closed(self, token: ShellOperator) -> Iterator[ShellStatement]:
        before = self._held[-1] if self._held else None
        if isinstance(before, ShellOperator) and before.sign == "(":  # `NAME()`
            yield from self._statement("", "function")
        elif self._brackets:
            self._brackets.pop()
            yield from self._statement("")
            yield ShellStatement([token], "", ")")
        else:
            self._held.append(token)

    def _begins(self) -> bool:
        """Whether a statement begins here, but for words such as `if` and `then`."""
        leading = _LEADING | {"if", "elif", "while", "until"}
        return all(isinstance(operator, Word) and operator.bare in leading for operator in self._held)

    def _statement(self, end: str, kind: str = "") -> Iterator[ShellStatement]:
        if self._held:
            yield ShellStatement(self._held, self._joined, kind)
        if self._held or end not in ("", "\n"):
            self._joined = end
        self._held, self._words = [], []

    def _goes_on(self, end: ShellOperator, following: Word | ShellOperator | None) -> bool:
        """Whether a line's end lacks its backslash: the next line begins with an option."""
        if end.sign != "\n" or not self._words or not isinstance(following, Word) or not _is_option(following):
            return False
        self.remarks.append(f"line {end.line}: no `\\` at its end; read as continued, since an option follows")
        return True


def check_depth(depth: int, line: int) -> None:
    """Refuse branches or brackets that stand within each other deeper than anybody writes them."""
    if depth >= _DEEPEST:
        message = f"line {line}: branches or brackets stand within each other more than {_DEEPEST} deep"
        raise refuse("too-deep", message, help="Give the part that starts the program.")


def _is_option(word: Word) -> bool:
    return bool(word.parts) and word.parts[0].kind == "text" and word.parts[0].text.startswith("--")
