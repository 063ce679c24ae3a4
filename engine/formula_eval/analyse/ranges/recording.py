"""Observes the values of a generated function node by node, as soon as each is computed."""

from collections.abc import Callable, Mapping

from formula_eval.evaluate.bounds.box_operations import Bound

See = Callable[[str, Bound], object]


class Watch(dict[str, Bound]):
    """Passes each value to an observer, and keeps those with these names."""

    def __init__(self, see: See, names: Mapping[str, object]) -> None:
        """Call `see` for every node."""
        super().__init__()
        self._see, self._names = see, names

    def __setitem__(self, name: str, value: Bound) -> None:
        """Pass on a value."""
        if name in self._names:
            super().__setitem__(name, value)
        self._see(name, value)
