"""Finds the inputs that each node of a graph needs."""

from collections.abc import Iterable, Mapping

Reads = Mapping[str, tuple[str, ...]]  # what each node reads


class NeededInputs(dict[str, frozenset[str]]):
    """For each node, all inputs, and sums of extended inputs, that its value may depend on, itself included.

    Found when it is asked for; `reads` says what each node reads.
    """

    def __init__(self, reads: Reads, *inputs: Iterable[str]) -> None:
        """Look at what these nodes read, some of which are inputs."""
        super().__init__()
        self._reads, self._own = reads, set().union(*inputs)

    def __missing__(self, name: str) -> frozenset[str]:
        """Those of a node that nobody has asked about, and of all that it reads."""
        waiting = [name]
        while waiting:
            each = waiting[-1]
            open_ = [] if each in self else [read for read in self._reads[each] if read not in self]
            waiting += open_
            if not open_:
                waiting.pop()
                own = {each} if each in self._own else set()
                self[each] = frozenset(own.union(*(self[read] for read in self._reads[each])))
        return self[name]
