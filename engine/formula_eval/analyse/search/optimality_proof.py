"""Records what is proven about all configurations of a space, whether they were computed or not."""

import math
from typing import NamedTuple


class Proof(NamedTuple):
    """How each of `size` configurations was decided, and a bound that none of them can beat.

    `computed` were computed one by one; `excluded` fail some condition, as what they share with others tells; `beaten`
    are in boxes in which bounds allow nothing better than the best; `left` were not reached. None is better than
    `bound`, in base units: the best itself where that is proven, infinite where nothing is known of what is left.
    `by_bounds` says whether boxes were bounded, or all computed that conditions leave.
    """

    size: int
    computed: int
    excluded: int
    beaten: int
    left: int
    bound: float
    by_bounds: bool

    @property
    def is_proven(self) -> bool:
        """Whether no configuration is better than the best, or none meets every condition."""
        return not self.left

    def gap(self, best: float) -> float | None:
        """The share of the best by which another may still be better; None where bounds do not tell."""
        if not math.isfinite(self.bound) or not best or self.bound * best < 0:
            return None
        return abs(self.bound - best) / abs(best)
