"""Resolves the situations of an example to the givens that they stand for."""

from collections.abc import Iterable, Iterator

from formula_eval.core import declaration as d, expression as e
from formula_eval.core.namespace import around, qualified
from formula_eval.core.notes import Example

Given = tuple[str, str | e.Expression]
_LITERAL = (e.Number, e.Negate, e.Infinity, e.FlagValue, e.Name)


class Situations:
    """Holds all situations and all inputs by their full names."""

    def __init__(self, declarations: Iterable[tuple[str, d.Declaration]]) -> None:
        """Collect the situations and inputs among these declarations, each with its folder."""
        self._declared: dict[str, tuple[str, d.SituationDeclaration]] = {}
        self._inputs: set[str] = set()
        for namespace, declared in declarations:
            name = qualified(namespace, declared.name)
            if isinstance(declared, d.SituationDeclaration) and not isinstance(declared, d.PartDeclaration):
                self._declared[name] = namespace, declared
            elif isinstance(declared, d.InputDeclaration):
                self._inputs.add(name)

    def find(self, name: str, namespace: str) -> tuple[str, d.SituationDeclaration] | None:
        """Looks up a situation from a folder; returns its own folder and declaration."""
        names = (qualified(space, name) for space in around(namespace))
        return next((self._declared[each] for each in names if each in self._declared), None)

    def givens(self, example: Example, namespace: str) -> tuple[Given, ...]:
        """All givens of an example: those of its situations in order, then its own; later ones win."""
        found: dict[str, str | e.Expression] = {}
        for name in example.situations:
            where, declared = self.find(name, namespace) or ("", None)
            for binding in _bindings(declared) if declared else ():
                found[self._full(".".join(binding.name.path), where)] = _given(binding.value)
        return tuple({**found, **dict(example.givens)}.items())

    def _full(self, name: str, namespace: str) -> str:
        names = (qualified(space, name) for space in around(namespace))
        return next((each for each in names if each in self._inputs), name)


def without_literal(declared: d.SituationDeclaration) -> list[str]:
    """The inputs whose values are computed, so that an example cannot give them."""
    return [".".join(each.name.path) for each in _bindings(declared) if not isinstance(each.value, _LITERAL)]


def _bindings(declared: d.SituationDeclaration) -> Iterator[e.Binding]:
    return (each for each in declared.bindings if isinstance(each, e.Binding))


def _given(value: e.Expression) -> str | e.Expression:
    return ".".join(value.path) if isinstance(value, e.Name) else value
