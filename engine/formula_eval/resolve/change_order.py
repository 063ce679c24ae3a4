"""Decides in which order changes of one target are applied, and refuses those of one library whose order is open."""

from formula_eval.core import declaration as d
from formula_eval.core.change import Change, library_folder
from formula_eval.resolve.scope import Scope, Symbol


def in_effect(scope: Scope, target: str) -> list[Change]:
    """The changes of a formula or an input so far, in order; a replacement drops those before unless it reads them."""
    found: list[Change] = []
    for change in scope.changes.values():
        if change.target == target and not isinstance(change.declaration, d.AddedRowsDeclaration):
            if isinstance(change.declaration, d.ReplacementDeclaration) and not change.declaration.originals:
                found = []
            found.append(change)
    return found


def applied_to(scope: Scope, symbol: Symbol, declared: d.ChangeDeclaration) -> tuple[str, ...] | None:
    """Whose changes stand before this one, where the order counts; None, and a finding, if nobody says the order.

    The libraries come in the order in which they are asked for; the statements of one library in none.
    """
    others = [change for change in in_effect(scope, symbol.name) if not _commute(change.declaration, declared)]
    here = library_folder(declared.span.file)
    beside = next((change for change in others if library_folder(change.declaration.span.file) == here), None)
    if beside is None:
        return tuple(dict.fromkeys(change.author for change in others))
    both = isinstance(beside.declaration, d.ReplacementDeclaration), isinstance(declared, d.ReplacementDeclaration)
    labels = (declared.span, "here too"), (beside.declaration.span, "first here")
    if all(both):
        message = f"`{symbol.name}` is replaced twice"
        scope.find("replaced-twice", message, *labels, help="Keep one of them.")
    else:
        message = f"`{symbol.name}` is changed twice by one library, and nobody says in which order"
        help_ = f"Write both in one: `replace {declared.name} = ...`, with `original` for what stands there now."
        scope.find("open-order", message, *labels, help=help_)
    return None


def _commute(one: d.ChangeDeclaration, other: d.ChangeDeclaration) -> bool:
    """Whether two changes give the same in either order."""
    if not isinstance(one, d.ExtensionDeclaration) or not isinstance(other, d.ExtensionDeclaration):
        return False
    return one.operator == other.operator
