"""Where a generated function puts its values, node by node, so that somebody sees each as soon as it is there."""

from collections.abc import Callable, Mapping

from formula_eval.evaluate.bounds.boxes import Bound

See = Callable[[str, Bound], object]


class Watch(dict[str, Bound]):
    """Shows each value once, and keeps those with these names."""

    def __init__(self, see: See, names: Mapping[str, object]) -> None:
        """Tell `see` of every node."""
        super().__init__()
        self._see, self._names = see, names

    def __setitem__(self, name: str, value: Bound) -> None:
        """Show a value."""
        if name in self._names:
            super().__setitem__(name, value)
        self._see(name, value)
