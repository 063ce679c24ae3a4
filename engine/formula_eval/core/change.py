"""Describes a change that one library makes to a declaration of another, in the words of every answer."""

from dataclasses import dataclass

from formula_eval.core.declaration import AddedRowsDeclaration, ChangeDeclaration, Declaration, ReplacementDeclaration


@dataclass(frozen=True, slots=True)
class Change:
    """An extension or a replacement: of what, by which node or rows, and what stood there before.

    `node` is what was added: the term of an extension, a row of a table; of a replacement the formula itself.
    """

    target: str
    node: str
    declaration: ChangeDeclaration
    namespace: str
    before: Declaration

    @property
    def place(self) -> str:
        """Where it is written."""
        return f"{self.declaration.span.file}:{self.declaration.span.line}"

    @property
    def author(self) -> str:
        """Who did it, for a sentence."""
        return library_name(self.declaration.span.file) or "our own library"

    @property
    def told(self) -> tuple[str, str, str]:
        """Who did what to what, for a summary: `vision`, `extends`, `params.total`."""
        verbs = {ReplacementDeclaration: "replaces", AddedRowsDeclaration: "adds rows to"}
        return self.author, verbs.get(type(self.declaration), "extends"), self.target

    @property
    def text(self) -> str:
        """What was done by whom, and where: `is extended by vision (examples/vision/formulas/hooks.formula:12)`."""
        if isinstance(self.declaration, ReplacementDeclaration):
            instead = f"{self.before.span.file}:{self.before.span.line}"
            return f"is replaced by {self.author} ({self.place}, instead of {instead})"
        if isinstance(self.declaration, AddedRowsDeclaration):
            return f"has the row {self.node.rpartition('.')[2]} by {self.author} ({self.place})"
        return f"is extended by {self.author} ({self.place})"


def library_name(file: str) -> str:
    """The folder of the library that a chapter lies in; nothing for ours."""
    folder, inside, _ = f"/{file}".rpartition("/formulas/")
    return folder.rpartition("/")[2] if inside else file.rpartition("/")[2].partition(".")[0]
