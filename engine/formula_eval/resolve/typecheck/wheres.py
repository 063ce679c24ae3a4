"""Type-checks the pieces of a `where`, each of its declared type, and the expression that reads them."""

from dataclasses import replace

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.span import Span
from formula_eval.core.type import Type
from formula_eval.resolve.typecheck import units
from formula_eval.resolve.typecheck.context import Context
from formula_eval.resolve.typecheck.declared_types import type_of
from formula_eval.resolve.typecheck.fits import check_fits


def where(context: Context, x: e.Where, expected: Type | None) -> units.Typed:
    """The expression with its pieces checked, which may read each other."""
    types = []
    for piece in x.pieces:
        check_name(context, piece.name, "piece", piece.span)
        _check_read(context, piece, x)
        types.append(type_of(piece.type, context.scope, context.namespace)[0])
        context = context.naming(piece.name, types[-1])
    pieces = []
    for piece, type_ in zip(x.pieces, types, strict=True):
        before = len(context.scope.findings)
        value = context.check(piece.value, type_)
        declared = d.ParameterDeclaration(name=piece.name, type=piece.type, span=piece.span)
        check_fits(context.scope, value, type_, f"`{piece.name}`", declared)
        pieces.append(replace(piece, value=value[0]))
        if len(context.scope.findings) > before:  # what reads it would only follow
            context = context.naming(piece.name, units.Unknown())
    expression, found = context.check(x.value, expected)
    return replace(x, value=expression, pieces=tuple(pieces)), found


def check_name(context: Context, name: str, what: str, span: Span) -> None:
    """Find a name of a statement's own that something else bears which may be read here."""
    found, help_ = context.lookup((name,)), f"Give the {what} a name of its own."
    if name in context.own or name in context.rows:
        context.scope.find("declared-twice", f"`{name}` is named twice in this statement", span, help=help_)
    elif found is not None and found[0].namespace:
        message = f"The {what} `{name}` would hide `{found[0].name}`"
        label = (found[0].declaration.span, "declared here")
        context.scope.find("hidden-name", message, span, label, help=help_)


def _check_read(context: Context, piece: e.NamedPiece, x: e.Where) -> None:
    """Find a piece that nothing reads."""
    others = (x.value, *(each.value for each in x.pieces if each is not piece))
    if not any(isinstance(node, e.Name) and node.path == (piece.name,) for part in others for node in e.walk(part)):
        message = f"Nothing reads the piece `{piece.name}`"
        context.scope.find("unread-piece", message, piece.span, help="Use it in what stands above, or remove it.")
