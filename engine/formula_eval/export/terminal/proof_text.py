"""Writes sentences on whether the best of a search is proven, over which configurations, and the gap if it is not."""

from collections.abc import Callable, Iterator

from formula_eval.analyse.search.optimality_proof import Proof
from formula_eval.evaluate.display import digits

_OTHERS = "of other values nothing is said"


def proof_sentences(proof: Proof, best: float | None, shown: Callable[[float], str]) -> Iterator[str]:
    """Sentences on all configurations, beside the best if one was found; `shown` writes a value of the goal."""
    if not proof.by_bounds:
        if proof.left and best is not None:
            yield "Partial: it was interrupted, and something better may be among the rest."
        elif best is not None:
            yield f"Best of all {proof.size:,} configurations of this space; {_OTHERS}."
        return
    if proof.is_proven:
        what = "is better" if best is not None else "meets every condition"
        yield f"Proven: no configuration of the {proof.size:,} {what}; {_OTHERS}. {_how(proof)}."
        return
    yield f"Not proven: {_open(proof, best, shown)}. {_how(proof)}; a longer search (--seconds) leaves fewer."


def _open(proof: Proof, best: float | None, shown: Callable[[float], str]) -> str:
    """What the configurations that are left may still hold."""
    if best is None:
        return f"one of the {proof.left:,} configurations that are left may meet every condition"
    gap = proof.gap(best)
    if gap is None:
        return f"the bounds of what is left are too wide to say how much better than {shown(best)} it may be"
    side = "below" if proof.bound < best else "above"
    return f"none can be better than {shown(proof.bound)}, {digits(float(f'{100 * gap:.2g}'))}% {side} the best found"


def _how(proof: Proof) -> str:
    left = f", {proof.left:,} are left" if proof.left else ""
    return (
        f"{proof.computed:,} were computed, {proof.beaten:,} excluded by bounds, {proof.excluded:,} by conditions{left}"
    )
