"""Describes a change that one library makes to a declaration of another, in the words of every answer."""

from dataclasses import dataclass

from formula_eval.core.declaration import (
    AddedRowsDeclaration,
    ChangeDeclaration,
    Declaration,
    ExtensionDeclaration,
    ReplacementDeclaration,
)

# What each sort of extension does to its target, and what is done to it.
_VERBS = {
    "+": ("extends", "extended"),
    "*": ("multiplies", "multiplied"),
    "and": ("restricts", "restricted"),
    "or": ("widens", "widened"),
    "at most": ("limits", "limited"),
    "at least": ("limits", "limited"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """An extension or a replacement: of what, by which node or rows, and what stood there before.

    `node` is what was added: the term of an extension, a row of a table; of a replacement the formula itself.
    `onto` are the libraries whose changes stand before it, where another order would give another value.
    """

    target: str  # the name of what is changed
    node: str
    declaration: ChangeDeclaration  # the statement
    namespace: str  # the folder that it stands in
    before: Declaration
    onto: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it is written."""
        return self.declaration.span.place

    @property
    def author(self) -> str:
        """Who did it, for a sentence."""
        return library_name(self.declaration.span.file) or "our own library"

    @property
    def is_own(self) -> bool:
        """Whether a library changes what is its own: nobody needs to be told, as it is what the library says."""
        return library_folder(self.before.span.file) == library_folder(self.declaration.span.file)

    @property
    def told(self) -> tuple[str, str, str]:
        """Who did what to what, for a summary: `vision`, `extends`, `params.total`."""
        return self.author, f"{self._verbs[0]}{self._order(' (', ')')}", self.target

    @property
    def text(self) -> str:
        """What was done by whom, and where: `is extended by vision (libraries/vision/formulas/hooks.formula:12)`."""
        before = self.before.span.place
        if isinstance(self.declaration, AddedRowsDeclaration):
            return f"has the row {self.node.rpartition('.')[2]} by {self.author} ({self.place})"
        if isinstance(self.declaration, ReplacementDeclaration):
            how = "from the original in" if self.declaration.originals else "instead of"
            return f"is replaced by {self.author} ({self.place}, {how} {before}{self._order(', ')})"
        return f"is {self._verbs[1]} by {self.author} ({self.place}{self._order(', ')})"

    @property
    def _verbs(self) -> tuple[str, str]:
        if isinstance(self.declaration, ExtensionDeclaration):
            return _VERBS[self.declaration.operator]
        if isinstance(self.declaration, ReplacementDeclaration):
            return "replaces", "replaced"
        return "adds rows to", "extended"

    def _order(self, opening: str, closing: str = "") -> str:
        """What it is applied to, where the order counts."""
        if not self.onto:
            return ""
        is_dropped = isinstance(self.declaration, ReplacementDeclaration) and not self.declaration.originals
        return f"{opening}{'without' if is_dropped else 'after'} what {' and '.join(self.onto)} changed{closing}"


def library_name(file: str) -> str:
    """The folder of the library that a chapter lies in; nothing for ours."""
    folder, inside, _ = f"/{file}".rpartition("/formulas/")
    return folder.rpartition("/")[2] if inside else file.rpartition("/")[2].partition(".")[0]


def library_folder(file: str) -> str:
    """The path of that folder; nothing for ours, and for chapters of no library."""
    return f"/{file}".rpartition("/formulas/")[0]
