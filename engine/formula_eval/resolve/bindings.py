"""Represents what a `with` puts in place of inputs, and names the copies of formulas under it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from formula_eval.core import expression as e
from formula_eval.core.namespace import COPY_MARK
from formula_eval.printing.text import expression_text


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """What replaces an input, and how the name of a copy says so: the situation that says it, or the value itself.

    Equal values have one `number`; there is one object for all that say an equal value in the same way.
    """

    value: e.Expression
    label: str
    number: int
    whole: bool = True
    situation: str = ""


@dataclass(frozen=True, eq=False)
class InputBinding:
    """Which values replace which inputs; there is one object for all bindings that are equal.

    `links` are what references to nodes become under it, as far as that is known; None where they stay as they are.
    `parts` are the bindings of some of its inputs alone.
    """

    bounds: Mapping[str, Bound]
    links: dict[str, e.Expression | None] = field(default_factory=dict)
    parts: dict[frozenset[str], "InputBinding"] = field(default_factory=dict)

    @cached_property
    def is_whole(self) -> bool:
        """Whether what depends on these values stays as whole as it was."""
        return all(bound.whole for bound in self.bounds.values())

    @cached_property
    def inputs(self) -> frozenset[str]:
        """The inputs that it replaces."""
        return frozenset(self.bounds)

    @cached_property
    def numbers(self) -> frozenset[tuple[str, int]]:
        """What tells it from others: each input with the number of its value."""
        return frozenset((key, bound.number) for key, bound in self.bounds.items())

    @cached_property
    def labels(self) -> tuple[str, str]:
        """How the names of copies say what it replaces: by situations where these say it, and each value."""
        bounds = [bound for _, bound in sorted(self.bounds.items())]
        short = dict.fromkeys(bound.situation or bound.label for bound in bounds)
        return ",".join(short), ",".join(dict.fromkeys(bound.label for bound in bounds))

    @cached_property
    def exact_label(self) -> str:
        """The same by each input and its value, for where other labels are taken."""
        return ",".join(f"{key}={expression_text(plain(bound.value))}" for key, bound in sorted(self.bounds.items()))


@dataclass(slots=True)
class CopyNames:
    """What copies are called: by situations where these say all of it, and one name for equal values.

    `under` says what each copy puts in place of which inputs.
    """

    known: dict[tuple[str, frozenset[tuple[str, int]]], str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    numbers: dict[e.Expression, int] = field(default_factory=dict)
    bounds: dict[tuple[str, str, bool, str], Bound] = field(default_factory=dict)
    under: dict[str, Mapping[str, Bound]] = field(default_factory=dict)

    def continued(self, kept: Collection[str]) -> "CopyNames":
        """Names that go on from those of these that are kept; these stay as they are."""
        known = {same: name for same, name in self.known.items() if name in kept}
        under = {name: self.under[name] for name in known.values()}
        return CopyNames(known, set(under), self.numbers.copy(), self.bounds.copy(), under)

    def bound(self, value: e.Expression, label: str, *, whole: bool = True, situation: str = "") -> Bound:
        """A value under its label; equal values have one number, whatever their authors wrote for them."""
        number = self.numbers.setdefault(plain(value), len(self.numbers))
        said = expression_text(value), label, whole, situation
        return self.bounds.setdefault(said, Bound(value, label, number, whole, situation))

    def name(self, node: str, binding: InputBinding) -> str:
        """The name of the copy of a node."""
        same = node, binding.numbers
        name = self.known.get(same)
        if name is None:
            names = (f"{node}{COPY_MARK}{label}" for label in binding.labels)
            name = next((each for each in names if each not in self.taken), "")
            name = name or f"{node}{COPY_MARK}{binding.exact_label}"
            self.known[same] = name
            self.taken.add(name)
            self.under[name] = binding.bounds
        return name


def plain(x: e.Expression) -> e.Expression:
    """The expression without what its author wrote, so that equal values have equal labels."""
    if isinstance(x, e.Reference):
        return e.Reference(x.node)
    if isinstance(x, e.Call):
        return e.Call(x.function, tuple(plain(argument) for argument in x.arguments))
    return e.rebuild(x, plain)
