"""Parses the text of a chapter: splits it into statements, parses each, and collects all findings."""

import re
import sys
from functools import cache, partial
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from lark import Lark, Token, Tree, UnexpectedInput, __version__ as lark_version
from lark.indenter import DedentError, Indenter

from formula_eval.cache import NOWHERE, Cache
from formula_eval.core.declaration import Chapter, Declaration, UseDeclaration
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.expression import Expression
from formula_eval.core.span import Span
from formula_eval.core.unit import UnitTable
from formula_eval.file_hash import sha256, text_hash
from formula_eval.language import text_limits
from formula_eval.language.builder import Builder
from formula_eval.language.keywords import declaring_words, statement_words
from formula_eval.language.limits import MOST_DEPTH, MOST_FINDINGS
from formula_eval.language.syntax_errors import explain_syntax

_GRAMMAR = files("formula_eval.language").joinpath("grammar.lark")
# What an expression over a stranger's data may hold too: a text, such as `"sliding_attention"`.
_TEXTS = "\n%extend atom: STRING -> text\n"

_PARSING = RLock()  # Lark's indentation and the statement at hand are those of one text
PARSER = "parser-"  # how the keys of its tables begin
_PARSERS: dict[str, tuple[Lark, bytes]] = {}  # one of each grammar for all caches of a process, with its tables


class _Lines(Indenter):
    """A statement's lines: indentation nests, and parentheses join lines."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR"]  # noqa: RUF012 - lark's own protocol
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012 - lark's own protocol
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4


class Statement(NamedTuple):
    """One statement's text and how many lines of the file stand before it."""

    text: str
    lines_before: int


@cache
def _parser(kept: Cache, *, with_texts: bool) -> Lark:
    """The parser of the grammar, from a cache: it takes longer to build than many chapters to read."""
    grammar = _GRAMMAR.read_text(encoding="utf-8") + (_TEXTS if with_texts else "")
    made_by = f"{sys.implementation.cache_tag}-{lark_version}-{sha256(Path(__file__).read_bytes()).hexdigest()}"
    key = f"{PARSER}{made_by}-{text_hash(grammar)}"
    known = _PARSERS.get(key) or kept.get_made(key, _loaded)
    _PARSERS[key] = known or _built(grammar, with_texts=with_texts)
    parser, tables = _PARSERS[key]
    if kept.get(key) is None:
        kept.put(key, tables)
    return parser


def _loaded(tables: bytes) -> tuple[Lark, bytes]:
    return Lark.load(BytesIO(tables)), tables


def _built(grammar: str, *, with_texts: bool) -> tuple[Lark, bytes]:
    """The parser made anew, and the tables to be kept of it."""
    starts = ["expression"] if with_texts else ["start", "expression"]
    options = {"parser": "lalr", "propagate_positions": True, "maybe_placeholders": True}
    built = Lark(grammar, start=starts, postlex=_Lines(), **options)
    tables = BytesIO()
    built.save(tables)
    return built, tables.getvalue()


@cache
def _subject() -> re.Pattern[str]:
    """What finds the name that a statement declares, also where the rest of it cannot be read."""
    declaring = declaring_words()
    others = (word for word in statement_words() if word not in declaring)
    return re.compile(rf"(?:(?:{'|'.join(declaring)}) +)?(?!(?:{'|'.join(others)}) )(\w+)")


def declared_name(text: str) -> str:
    """The name that a statement declares, also where the rest of it cannot be read; empty where none is seen."""
    found = _subject().match(text)
    return found[1] if found else ""


class Reader:
    """Reads chapters and single expressions, in the units of one library; one thread at a time does."""

    def __init__(self, units: UnitTable, kept: Cache = NOWHERE, *, with_texts: bool = False) -> None:
        """Read in these units, the parser kept in a cache; a reader that takes texts reads no formulas."""
        self._builder = Builder(units)
        self._builder.parse_inner = self._inner
        self._lark = partial(_parser, kept, with_texts=with_texts)  # when there is something to parse

    def chapter(self, text: str, file: str, namespace: str) -> tuple[Chapter, list[Diagnostic]]:
        """The chapter and everything wrong with its spelling; a wrong statement is left out of the chapter."""
        with _PARSING:
            return self._chapter(text, file, namespace)

    def _chapter(self, text: str, file: str, namespace: str) -> tuple[Chapter, list[Diagnostic]]:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        unreadable = text_limits.unreadable_text(text, file)
        if unreadable:
            return Chapter(file, namespace, "", ()), [unreadable]
        docstring, statements = split(text)
        declarations: list[Declaration] = []
        findings = list(text_limits.wrong_docstring(text, file))
        broken: list[str] = []
        for statement in statements:
            if len(findings) > MOST_FINDINGS:
                findings.append(text_limits.too_many(text_limits.TextPlace(file, statement.lines_before)))
                break
            declared = self._statement(statement, file, findings)
            if declared is not None:
                declarations.append(declared)
            elif name := declared_name(statement.text):
                broken.append(name)
        uses = tuple(declaration for declaration in declarations if isinstance(declaration, UseDeclaration))
        others = tuple(declaration for declaration in declarations if not isinstance(declaration, UseDeclaration))
        return Chapter(file, namespace, docstring, others, tuple(broken), uses), findings

    def _statement(self, statement: Statement, file: str, findings: list[Diagnostic]) -> Declaration | None:
        place = text_limits.TextPlace(file, statement.lines_before)
        refused = text_limits.refused_statement(statement.text, place)
        if refused is None and statement.text.startswith(" "):
            refused = text_limits.stray(statement.text, place)
        if refused:
            findings.append(refused)
            return None
        self._builder.start_statement(file, statement.lines_before)
        declared: Declaration | None = self._build(statement.text, "start", file, statement.lines_before)
        findings.extend(self._builder.findings)
        return None if self._builder.findings else declared

    def expression(self, text: str, file: str) -> tuple[Expression | None, list[Diagnostic]]:
        """A single expression, such as a value of an option or of a family table."""
        with _PARSING:
            return self._expression(text, file)

    def _expression(self, text: str, file: str) -> tuple[Expression | None, list[Diagnostic]]:
        refused = text_limits.unreadable_text(text, file) or text_limits.refused_statement(
            text, text_limits.TextPlace(file, 0)
        )
        if refused:
            return None, [refused]
        self._builder.start_statement(file, 0)
        built: Expression | None = self._build(text, "expression", file, 0)
        return (None if self._builder.findings else built), self._builder.findings

    def _build(self, text: str, start: str, file: str, lines_before: int) -> Any:  # noqa: ANN401 - what the rule builds
        try:
            tree = self._lark().parse(text, start=start)
        except (UnexpectedInput, DedentError) as error:
            self._builder.findings.append(explain_syntax(error, text, text_limits.TextPlace(file, lines_before)))
            return None
        if _deeper_than(tree, MOST_DEPTH):
            self._builder.findings.append(text_limits.too_deep(text, text_limits.TextPlace(file, lines_before)))
            return None
        return self._builder.transform(tree)

    def _inner(self, text: str, span: Span) -> Expression | None:
        """What stands between braces in the message of a check; the span is where that text is."""
        outer, self._builder.findings = self._builder.findings, []
        placed = " " * (span.column - 1) + text
        statement = self._builder.at_line(span.line - 1)
        built: Expression | None = self._build(placed, "expression", span.file, span.line - 1)
        self._builder.at_line(statement)
        inner, self._builder.findings = self._builder.findings, outer
        for finding in inner:
            message = f"`{{{text}}}` in the message is not an expression: {finding.message}"
            outer.append(Diagnostic("bad-message", message, finding.labels, finding.help))
        return None if inner else built


def _deeper_than(tree: Tree[Token], most: int) -> bool:
    """Whether some branch has more levels; without recursion, since that is what the answer protects."""
    stack = [(tree, 1)]
    while stack:
        branch, depth = stack.pop()
        if depth > most:
            return True
        stack += [(child, depth + 1) for child in branch.children if isinstance(child, Tree)]
    return False


def split(text: str) -> tuple[str, list[Statement]]:
    """The chapter's docstring and its statements: each begins at the left margin."""
    lines = text.splitlines(keepends=True)
    docstring, start = _docstring(lines)
    statements: list[Statement] = []
    begin: int | None = None
    for number, line in enumerate(lines[start:], start):
        if line.strip() and not line.startswith((" ", "\t", ")")):
            if begin is not None:
                statements.append(_statement_of(lines, begin, number))
            begin = number
        elif line.strip() and begin is None:
            begin = number
    if begin is not None:
        statements.append(_statement_of(lines, begin, len(lines)))
    return docstring, statements


def _statement_of(lines: list[str], begin: int, end: int) -> Statement:
    return Statement("".join(lines[begin:end]).rstrip() + "\n", begin)


def _docstring(lines: list[str]) -> tuple[str, int]:
    """The docstring and the line after it; one that is never closed ends at the first blank line."""
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if not lines or not lines[first].startswith(text_limits.QUOTES):
        return "", first
    rest = "".join(lines[first:])[len(text_limits.QUOTES) :]
    end = rest.find(text_limits.QUOTES)
    if end < 0:
        paragraph = rest.partition("\n\n")[0]
        return paragraph.strip(), first + paragraph.count("\n") + 1
    return rest[:end].strip(), first + rest[:end].count("\n") + 1
