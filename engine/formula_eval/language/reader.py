"""Text to chapter: splits a file into statements, parses each, and collects all findings."""

from importlib.resources import files
from typing import Any
from typing import NamedTuple

from lark import Lark
from lark import Token
from lark import Tree
from lark import UnexpectedInput
from lark.indenter import DedentError
from lark.indenter import Indenter

from formula_eval.core.declaration import Chapter
from formula_eval.core.declaration import Declaration
from formula_eval.core.diagnostic import Diagnostic
from formula_eval.core.diagnostic import Label
from formula_eval.core.expression import Expression
from formula_eval.core.span import Span
from formula_eval.core.unit import UnitTable
from formula_eval.language.builder import Builder
from formula_eval.language.limits import MOST_DEPTH
from formula_eval.language.limits import MOST_FILE_BYTES
from formula_eval.language.limits import MOST_OPEN_PARENTHESES
from formula_eval.language.limits import MOST_STATEMENT_CHARACTERS
from formula_eval.language.syntax_errors import explain_syntax

_GRAMMAR = files("formula_eval.language").joinpath("grammar.lark")


class _Lines(Indenter):
    """A statement's lines: indentation nests, and parentheses join lines."""

    NL_type = "_NL"  # type: ignore[assignment]
    OPEN_PAREN_types = ["LPAR"]  # type: ignore[assignment]  # noqa: RUF012 - lark's own protocol
    CLOSE_PAREN_types = ["RPAR"]  # type: ignore[assignment]  # noqa: RUF012 - lark's own protocol
    INDENT_type = "_INDENT"  # type: ignore[assignment]
    DEDENT_type = "_DEDENT"  # type: ignore[assignment]
    tab_len = 4  # type: ignore[assignment]


class Statement(NamedTuple):
    """One statement's text and how many lines of the file stand before it."""

    text: str
    lines_before: int


class Reader:
    """Reads chapters and single expressions; one parser for all of them."""

    def __init__(self, units: UnitTable) -> None:
        """Build the parser (about a tenth of a second)."""
        self._builder = Builder(units)
        self._builder.parse_inner = self._inner
        grammar = _GRAMMAR.read_text(encoding="utf-8")
        options = {"parser": "lalr", "propagate_positions": True, "maybe_placeholders": True}
        self._lark = Lark(grammar, start=["start", "expression"], postlex=_Lines(), **options)

    def chapter(self, text: str, file: str, namespace: str) -> tuple[Chapter, list[Diagnostic]]:
        """The chapter and everything wrong with its spelling; a wrong statement is left out of the chapter."""
        unreadable = _unreadable(text, file)
        if unreadable:
            return Chapter(file, namespace, "", ()), [unreadable]
        docstring, statements = split(text)
        declarations: list[Declaration] = []
        findings: list[Diagnostic] = []
        for statement in statements:
            declared = self._statement(statement, file, findings)
            if declared is not None:
                declarations.append(declared)
        return Chapter(file, namespace, docstring, tuple(declarations)), findings

    def _statement(self, statement: Statement, file: str, findings: list[Diagnostic]) -> Declaration | None:
        refused = _oversized(statement, file)
        if refused:
            findings.append(refused)
            return None
        self._builder.start_statement(file, statement.lines_before)
        declared: Declaration | None = self._build(statement.text, "start", file, statement.lines_before)
        findings.extend(self._builder.findings)
        return None if self._builder.findings else declared

    def expression(self, text: str, file: str) -> tuple[Expression | None, list[Diagnostic]]:
        """A single expression, such as a value of an option or of a family table."""
        refused = _oversized(Statement(text, 0), file)
        if refused:
            return None, [refused]
        self._builder.start_statement(file, 0)
        built: Expression | None = self._build(text, "expression", file, 0)
        return (None if self._builder.findings else built), self._builder.findings

    def _build(self, text: str, start: str, file: str, lines_before: int) -> Any:  # noqa: ANN401 - what the rule builds
        try:
            tree = self._lark.parse(text, start=start)
        except (UnexpectedInput, DedentError) as error:
            self._builder.findings.append(explain_syntax(error, text, file, lines_before))
            return None
        if _deeper_than(tree, MOST_DEPTH):
            message = f"This is nested more than {MOST_DEPTH} levels deep"
            line = lines_before + 1
            label = Label(Span(file, line, 1, line, 2))
            help_ = "Give the inner parts names of their own."
            self._builder.findings.append(Diagnostic("too-deep", message, (label,), help_))
            return None
        return self._builder.transform(tree)

    def _inner(self, text: str, span: Span) -> Expression | None:
        """What stands between braces in the message of a check."""
        outer, self._builder.findings = self._builder.findings, []
        built: Expression | None = self._build(text, "expression", span.file, span.line - 1)
        inner, self._builder.findings = self._builder.findings, outer
        for finding in inner:
            message = f"`{{{text}}}` in the message is no expression: {finding.message}"
            outer.append(Diagnostic("bad-message", message, (Label(span),), finding.help))
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
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if not lines or not lines[first].startswith('"""'):
        return "", first
    rest = "".join(lines[first:])[3:]
    end = rest.find('"""')
    if end < 0:
        return "", first
    return rest[:end].strip(), first + rest[:end].count("\n") + 1


def _unreadable(text: str, file: str) -> Diagnostic | None:
    if len(text) > MOST_FILE_BYTES:
        return Diagnostic("file-too-large", f"{file} is larger than a chapter may be", (), "Split it into files.")
    for number, line in enumerate(text.splitlines(), 1):
        if "\t" in line:
            column = line.index("\t") + 1
            span = Span(file, number, column, number, column + 1)
            return Diagnostic("tab", "A tab", (Label(span),), "Indent with four spaces.")
    return None


def _oversized(statement: Statement, file: str) -> Diagnostic | None:
    text = statement.text
    span = Span(file, statement.lines_before + 1, 1, statement.lines_before + 1, 2)
    if len(text) > MOST_STATEMENT_CHARACTERS:
        message = f"This statement is longer than {MOST_STATEMENT_CHARACTERS} characters"
        return Diagnostic("too-long", message, (Label(span),), "Give its parts names of their own.")
    depth = deepest = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    if deepest > MOST_OPEN_PARENTHESES:
        message = f"This statement opens {deepest} parentheses within each other"
        return Diagnostic("too-deep", message, (Label(span),), "Give the inner parts names of their own.")
    return None
