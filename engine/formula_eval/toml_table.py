"""Declares the keys of TOML tables by words or as a named tuple; checks and reads tables by that.

A named tuple is such a declaration: `read_table` makes one of a table by what its annotations say. A table that stays
as the file has it is declared by words: `table("title input:input values:[number] when?:quantity")`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from formula_eval.core.diagnostic import Diagnostic, FormulaError, nearest, shortened
from formula_eval.toml_shape import Either, Key, Keys, Lookup, Place, Plain, Several, Shape, Table, Text, Vocabulary

_Read = TypeVar("_Read")
TEXT = Text()
# What values name; and how declarations call all shapes.
_NAMES = (
    "input quantity formula check table column glob condition quoting kind record key list option format colour unit"
)
_SHAPES: Mapping[str, Shape] = {
    "any": Shape(),
    "text": TEXT,
    "flag": Plain("true or false", "true", bool),
    "whole": Plain("a whole number", "1", int),
    "number": Plain("a number", "1.5", int, float),
    **{name: Text(name) for name in _NAMES.split()},
}
_PLAIN = {str: TEXT, bool: _SHAPES["flag"], int: _SHAPES["whole"], float: _SHAPES["number"], Any: _SHAPES["any"]}
# What a field of a named tuple says that it names.
Input = Annotated[str, _SHAPES["input"]]
Quantity = Annotated[str, _SHAPES["quantity"]]
Check = Annotated[str, _SHAPES["check"]]
Glob = Annotated[str, _SHAPES["glob"]]
Condition = Annotated[str, _SHAPES["condition"]]
Unit = Annotated[str, _SHAPES["unit"]]
Quoting = Annotated[str, _SHAPES["quoting"]]
Kind = Annotated[str, _SHAPES["kind"]]
# Marks a field that is no key: a reader fills it with the name that a table stands under, or the like.
FILLED = object()


def quoted(text: str) -> Iterator[str]:
    """The quantities and inputs whose values a text quotes, in braces."""
    yield from (part.partition("}")[0] for part in text.split("{")[1:])


def shape(word: str, own: Mapping[str, Shape] | None = None) -> Shape:
    """The shape of a word: `text`, what is named (`input`), one's own; `[text]` for several, `text|number` for one."""
    if word.startswith("["):
        return Several(shape(word[1:-1], own))
    if "|" in word:
        return Either(*(shape(each, own) for each in word.split("|")))
    return (own or {}).get(word) or _SHAPES[word]


def keys(text: str, **own: Shape) -> Keys:
    """Keys by words: `title` is a text, `tp:input` names an input, `unit?` may be missing, `a?b` beside b."""
    found: dict[str, Shape | Key] = {}
    for word in text.split():
        name, _, said = word.partition(":")
        key, mark, beside = name.partition("?")
        each = shape(said or "text", own)
        found[key] = Key(each, beside) if mark else each
    return found


def table(text: str, *, one_of: Sequence[str] = (), make: Callable[..., Any] | None = None, **own: Shape) -> Table:
    """A table of such keys; `*:text` are all others, `*input:text` others that name inputs."""
    held = dict(keys(text, **own))
    others = next((name for name in held if name.startswith("*")), "")
    rest: Any = held.pop(others, None)
    return Table(held, others=rest, called=others[1:], one_of=one_of, make=make)


@cache
def shape_of(annotation: Any) -> Shape:  # noqa: ANN401 - a type
    """The shape that the annotation of a field means; of a named tuple the table of its fields."""
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return next((each for each in inner[1:] if isinstance(each, Shape)), None) or shape_of(inner[0])
    if origin in (Union, UnionType):
        several = [shape_of(each) for each in inner if each is not type(None)]
        return several[0] if len(several) == 1 else Either(*several)
    if origin is Mapping:
        return Table({}, others=shape_of(inner[1]))
    if origin is not None:
        return Several(shape_of(inner[0]))
    return table_of(annotation)


@cache
def table_of(annotation: Any) -> "Table":  # noqa: ANN401 - as above
    """The table of the fields of a named tuple, which it makes of it."""
    every = get_type_hints(annotation, include_extras=True)
    hints = {name: each for name, each in every.items() if FILLED not in get_args(each)[1:]}
    called = {name: _key(name, hint) for name, hint in hints.items()}
    fields = {key: name for name, key in called.items()}
    shapes = {name: shape_of(hint) for name, hint in hints.items()}
    keys = {called[name]: Key(each) if name in annotation._field_defaults else each for name, each in shapes.items()}
    return Table(keys, make=lambda **found: annotation(**{fields[key]: value for key, value in found.items()}))


def _key(field: str, annotation: Any) -> str:  # noqa: ANN401 - as above
    """What a file calls a field: as a text among its annotations says, else as it is called itself."""
    said = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((text for text in said if isinstance(text, str)), field)


def findings(
    shape: Shape, data: Mapping[str, Any], file: str, known: Vocabulary, table: str = ""
) -> Iterator[Diagnostic]:
    """All that is wrong with the table of a file, or with the file."""
    found = shape.wrong_table(data, table, Place(file, f"[{table}]" if table else ""), known)
    return (diagnostic._replace(file=file) for diagnostic in found)


def check_table(shape: Shape, data: Mapping[str, Any], file: str, known: Vocabulary, table: str = "") -> None:
    """Raise FormulaError with the first that is wrong with it."""
    wrong = next(findings(shape, data, file, known, table), None)
    if wrong is not None:
        raise FormulaError(wrong)


def read_table(made: type[_Read], data: Mapping[str, Any], file: str, known: Vocabulary, table: str = "") -> _Read:
    """What a named tuple makes of a table; raises FormulaError with the first that is wrong with it."""
    shape = table_of(made)  # type: ignore[arg-type]
    check_table(shape, data, file, known, table)
    found: _Read = shape.made(data)
    return found


def of_names(known: Iterable[str], what: str) -> Lookup:
    """Looks up names: `what` is what one of these is called."""
    return lambda name: None if name in known else (f"no {what} is named `{shortened(name)}`", nearest(name, known))
