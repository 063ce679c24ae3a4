"""Declares the shapes of values in TOML tables (numbers, names, lists, tables of keys) and checks values by them.

Names are looked up in the `Vocabulary` that a reader hands over, so that a misspelt input is told with the nearest one;
what is not in it is not looked up. `toml_table.py` makes shapes of words and of named tuples.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import Diagnostic, nearest, shortened

# For each thing that a text may name what is wrong with a text, and what to do about it; None where it is right.
Lookup = Callable[[str], tuple[str, str] | None]
Vocabulary = Mapping[str, Lookup]


class Place(NamedTuple):
    """Where a table stands, as messages name it: a file, and a table in it."""

    file: str
    table: str = ""

    def __str__(self) -> str:
        """`reports/plan.toml: [serving]`."""
        return f"{self.file}: {self.table}" if self.table else self.file

    def of(self, key: str) -> str:
        """A value of the table: `reports/plan.toml: `goals` of [serving]`."""
        return f"{self.file}: `{key}`{f' of {self.table}' if self.table else ''}"

    def inner(self, key: str, *, listed: bool) -> "Place":
        """A table in this one, or one of a list of them."""
        if not self.table or self.table.startswith("["):
            path = f"{self.table[1:-1]}.{key}".lstrip(".")
            return Place(self.file, f"a [[{path}]]" if listed else f"[{path}]")
        return Place(self.file, f"{'one of the ' if listed else ''}`{key}` of {self.table}")


class Shape:
    """The shape that a value must have; this one accepts anything."""

    says = "a value"
    form = ""

    def wrong(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401, ARG002 - whatever TOML holds
        """What is wrong with the value of a key of the table at a place."""
        yield from ()

    def wrong_table(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401 - as above
        """The same of a table that stands at the place itself."""
        yield from self.wrong(value, key, at, known)

    def made(self, value: Any) -> Any:  # noqa: ANN401 - as above
        """What is made of a value with which nothing is wrong."""
        return value

    def _unfit(self, value: object, key: str, at: Place) -> Diagnostic:
        help_ = f"Write {key} = {self.form}." if self.form else ""
        return Diagnostic("bad-value", f"{at.of(key)} is {_written(value)}, which is not {self.says}", (), help_, key)


class Plain(Shape):
    """A number, a flag: a value of one of these types, in words and as an example."""

    def __init__(self, says: str, form: str, *types: type) -> None:
        """One of these types, and of no type beneath them."""
        self.says, self.form, self.types = says, form, types

    def wrong(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401, ARG002 - as above
        if type(value) not in self.types:
            yield self._unfit(value, key, at)


class Text(Shape):
    """A text; one of these `words` if there are any, or one that names something of this `kind`."""

    says, form = "a text", '"..."'

    def __init__(self, kind: str = "", words: Sequence[str] = ()) -> None:
        """Name such a thing, or be such a word."""
        self.kind, self.words = kind, words

    def wrong(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401 - as above
        if not isinstance(value, str):
            yield self._unfit(value, key, at)
        elif self.words and value not in self.words:
            help_ = nearest(value, self.words) or f"Known are {', '.join(self.words)}."
            yield Diagnostic("bad-value", f"{at.of(key)}: `{shortened(value)}` is not known", (), help_, value)
        elif self.kind in known and (wrong := known[self.kind](value)):
            yield Diagnostic(f"unknown-{self.kind}", f"{at.of(key)}: {wrong[0]}", (), wrong[1], value)


class Several(Shape):
    """A list of values of one shape, so many of them if it says."""

    form = "[...]"

    def __init__(self, shape: Shape, many: Sequence[int] = ()) -> None:
        """All of this shape."""
        texts, tables = isinstance(shape, Text), isinstance(shape, Table | Kinds)
        self.says = "a list of texts" if texts else "a list of tables" if tables else "a list"
        self.form = '["..."]' if texts else "[{ ... }]" if tables else "[...]"
        self.each, self.many = shape, many

    def wrong(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401 - as above
        if not isinstance(value, list | tuple):
            yield self._unfit(value, key, at)
        elif self.many and len(value) not in self.many:
            least = isinstance(self.many, range)
            wanted = f"at least {self.many[0]}" if least else " or ".join(map(str, self.many))
            yield Diagnostic("bad-value", f"{at.of(key)} has {len(value)} values, not {wanted}", (), "", key)
        elif isinstance(self.each, Table | Kinds):
            inner = at.inner(key, listed=True)
            for each in value:
                yield from self.each.wrong_table(each, key, inner, known)
        else:
            for each in value:
                yield from self.each.wrong(each, key, at, known)

    def made(self, value: Any) -> Any:  # noqa: ANN401 - as above
        return tuple(map(self.each.made, value))


class Either(Shape):
    """A value of one of several shapes; of tables it says what the last lacks."""

    def __init__(self, *shapes: Shape) -> None:
        """Be of any of these."""
        self.says, self.shapes = " or ".join(shape.says for shape in shapes), shapes

    def wrong(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401 - as above
        fitting = [shape for shape in self.shapes if isinstance(shape, Table) == isinstance(value, Mapping)]
        found = [list(shape.wrong(value, key, at, known)) for shape in fitting or self.shapes]
        if all(found):
            right = (each for each in found if not any(one.code == "bad-value" and one.subject == key for one in each))
            yield from next(right, [self._unfit(value, key, at)])

    def made(self, value: Any) -> Any:  # noqa: ANN401 - as above
        nowhere = Place("")
        return next(shape for shape in self.shapes if not any(shape.wrong(value, "", nowhere, {}))).made(value)


class Key(NamedTuple):
    """A key that a table may lack, everywhere or beside one of the others `unless` it stands there."""

    shape: Shape
    unless: str = ""


Keys = Mapping[str, Shape | Key]


class Table(Shape):
    """A table of these keys; further ones only where all `others` are of one shape, named as `called` says.

    Exactly one of the keys `one_of` stands there. `make` makes of the values, by key, what is read.
    """

    says, form = "a table", "{ key = value }"

    def __init__(
        self,
        keys: Keys,
        *,
        others: Shape | None = None,
        called: str = "",
        one_of: Sequence[str] = (),
        make: Callable[..., Any] | None = None,
    ) -> None:
        """Hold these keys, each needed unless it is a Key."""
        self.keys = {name: key if isinstance(key, Key) else Key(key, "\0") for name, key in keys.items()}
        self.needed = tuple(name for name, key in self.keys.items() if key.unless)
        self.others, self.called, self.one_of, self._make = others, called, one_of, make

    def wrong(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401 - as above
        yield from self.wrong_table(value, key, at.inner(key, listed=False), known)

    def wrong_table(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401 - as above
        if not isinstance(value, Mapping):
            help_ = "Write `[[name]]`, or `{ key = value }` within a list."
            yield Diagnostic("bad-value", f"{at} is {_written(value)}, not a table", (), help_, key)
            return
        if self.one_of and sum(name in value for name in self.one_of) != 1:
            said = " or ".join(f"`{each}`" for each in self.one_of)
            yield Diagnostic("bad-value", f"{at} says either {said}", (), f"Write {{ {self.one_of[0]} = ... }}.")
        for name, each in value.items():
            held = self.keys.get(name)
            if held is not None:
                yield from held.shape.wrong(each, name, at, known)
            elif self.others is None:
                help_ = nearest(name, self.keys) or f"There are {', '.join(self.keys)}."
                yield Diagnostic("unknown-key", f"{at} has no key `{name}`", (), help_, name)
            else:
                if self.called in known and (wrong := known[self.called](name)):
                    yield Diagnostic(f"unknown-{self.called}", f"{at}: {wrong[0]}", (), wrong[1], name)
                yield from self.others.wrong(each, name, at, known)
        for name in self.needed:
            if name not in value and self.keys[name].unless not in value:
                written = ", ".join(f"`{each}`" for each in value)
                yield Diagnostic("missing-value", f"{at} lacks `{name}`", (), f"It has {written}." if value else "")

    def made(self, value: Any) -> Any:  # noqa: ANN401 - as above
        if self._make is None and self.others is None:
            return value
        shapes = {name: self.keys[name].shape if name in self.keys else self.others or Shape() for name in value}
        found = {name: shapes[name].made(each) for name, each in value.items()}
        return self._make(**found) if self._make else found


class Kinds(Shape):
    """A table whose `kind` says which keys it has."""

    says = "a table"

    def __init__(self, what: str, kinds: Mapping[str, Keys]) -> None:
        """Be of one of these kinds, `what` being what messages call them."""
        self._what = what
        self.kinds = {name: Table({"kind": Text(), **held}) for name, held in kinds.items()}

    def wrong_table(self, value: Any, key: str, at: Place, known: Vocabulary) -> Iterator[Diagnostic]:  # noqa: ANN401 - as above
        kind = value.get("kind") if isinstance(value, Mapping) else None
        if isinstance(value, Mapping) and kind not in self.kinds:
            help_ = nearest(str(kind), self.kinds) or f"Known are {', '.join(self.kinds)}."
            message = f"{at}: `{kind}` is not a kind of {self._what}" if "kind" in value else f"{at} lacks `kind`"
            yield Diagnostic("bad-value", message, (), help_, str(kind))
            return
        shown = Place(at.file, f"{at.table} of kind `{kind}`") if kind else at
        yield from self.kinds.get(str(kind), Table({})).wrong_table(value, key, shown, known)


def _written(value: object) -> str:
    """A value as TOML writes it, shortened."""
    text = str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)
    return "a table" if isinstance(value, Mapping) else "a list" if isinstance(value, list) else f"`{shortened(text)}`"
