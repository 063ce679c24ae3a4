"""Checks the default and the range of an input, or of a column that a record fills."""

from collections.abc import Iterator

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.diagnostic import Diagnostic, Label
from formula_eval.printing.text import expression_text
from formula_eval.resolve.domains import literal
from formula_eval.resolve.scope import Scope


def wrong_ranges(declared: d.Declaration, scope: Scope, namespace: str) -> Iterator[Diagnostic]:
    """Find an input without any value, an empty range, and a default outside its range; a choice may have no value."""
    if isinstance(declared, d.TableDeclaration):
        for column in declared.columns:
            yield from _wrong_domain(column)
    if not isinstance(declared, d.InputDeclaration):
        return
    is_silent = declared.default is None and not declared.supplier and not declared.optional
    if is_silent and not _is_choice(declared, scope, namespace):
        message = f"Nothing gives `{declared.name}` a value"
        help_ = "Write a default, `from` who supplies it, or `optional`."
        yield Diagnostic("no-default", message, (Label(declared.span),), help_)
    if declared.default is not None and declared.optional:
        message = f"`{declared.name}` has a default, so it is never left out"
        yield Diagnostic("no-default", message, (Label(declared.span),), "Drop `optional`, or the default.")
    yield from _wrong_domain(declared)


def _is_choice(declared: d.InputDeclaration, scope: Scope, namespace: str) -> bool:
    """Whether this is an input of words, which somebody may have to choose from."""
    words = declared.type.alternatives if declared.type is not None else ()
    return len(words) > 1 or any(scope.choice(word, namespace) for word in words)


def _wrong_domain(declared: d.SuppliedDeclaration) -> Iterator[Diagnostic]:
    low, high = literal(declared.low), literal(declared.high)
    if declared.low is not None and declared.high is not None and low is not None and high is not None and low > high:
        labels = Label(declared.low.span), Label(declared.high.span)
        yield Diagnostic(
            "empty-range", f"The range of `{declared.name}` is empty", labels, "The lower end comes first."
        )
    default = literal(declared.default)
    if declared.default is None or default is None or _is_bare(declared.default, declared.high):
        return
    allowed = [float(number.value) for number in declared.allowed]
    if (
        (low is not None and default < low)
        or (high is not None and default > high)
        or (allowed and default not in allowed)
    ):
        text = expression_text(declared.default)
        message = f"The default {text} of `{declared.name}` lies outside its own range"
        yield Diagnostic(
            "default-outside", message, (Label(declared.default.span),), "Widen the range, or change the default."
        )


def _is_bare(default: e.Expression, high: e.Expression | None) -> bool:
    """Whether a default lacks the unit that its range has, of which its type tells."""
    return isinstance(default, e.Number) and not default.unit and isinstance(high, e.Number) and bool(high.unit)
