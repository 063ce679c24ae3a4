"""Marks a place in a text, so that every value can say where its author wrote it."""

from typing import NamedTuple


class Span(NamedTuple):
    """From the first character to just after the last one; lines and columns count from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """`file:line:column`, as editors understand it."""
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def place(self) -> str:
        """`file:line`, as documents tell where something is written."""
        return f"{self.file}:{self.line}"

    def to(self, other: "Span") -> "Span":
        """The span from the start of this one to the end of the other."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)
