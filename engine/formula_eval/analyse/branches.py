"""An expression to the parts that its value comes from: of a choice between branches, the one that was taken."""

from collections.abc import Iterator, Mapping

from formula_eval.core import expression as e
from formula_eval.evaluate.subexpression import value_of


def read_parts(x: e.Expression, numbers: Mapping[str, float], given: Mapping[str, float]) -> Iterator[e.Expression]:
    """References, and sums over tables as they are, in the author's order."""
    match x:
        case e.Reference():
            yield x
            return
        case e.Given(node):
            yield e.Reference(node, node)
            return
        case e.Call(_, _, written) if written:
            yield x
            return
        case e.Conditional(then, condition, otherwise):
            yield from read_parts(condition, numbers, given)
            taken = then if value_of(condition, numbers, given) else otherwise
            yield from read_parts(taken, numbers, given)
            return
        case e.Match(subject, arms):
            yield from read_parts(subject, numbers, given)
            for arm in arms:
                if any(value_of(e.Compare("==", subject, each), numbers, given) for each in arm.patterns):
                    yield from read_parts(arm.value, numbers, given)
                    return
            return
    for part in e.children(x):
        yield from read_parts(part, numbers, given)
