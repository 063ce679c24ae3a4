"""Finds the input or record that somebody names, and says in messages what was named, as it was written."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from formula_eval.core.diagnostic import FormulaError, nearest, refuse, shortened
from formula_eval.core.option_names import option_of
from formula_eval.core.record_kind import Kinds
from formula_eval.records.origin import Origin
from formula_eval.records.record import NOTHING
from formula_eval.records.rows import cells_of
from formula_eval.records.schema import InputSchema, Schema


def spoken(name: str, origin: str, kinds: Kinds = NOTHING) -> str:
    """How messages name who set a value: an option as it is typed, else the origin itself."""
    if origin != Origin.OPTION:
        return origin
    return kinds[name].option if name in kinds else option_of(name)


def said_as(name: str, origin: str, kinds: Kinds = NOTHING) -> str:
    """How messages name what was set: an option as it is typed, else the input itself."""
    return spoken(name, origin, kinds) if origin == Origin.OPTION else f"`{name}`"


def input_named(name: str, schema: Schema, namespace: str = "", where: str = "") -> str:
    """The input of this name as a namespace sees it; raises FormulaError with the nearest, and `where` it stands."""
    found = schema.input_name(name, namespace)
    if found is not None:
        return found
    help_ = nearest(name, schema.inputs) or "`formula-eval list inputs` shows all."
    help_ = schema.synonyms.advised(name) or help_
    if name in schema.tables:
        cells = cells_of(name, schema.tables[name].rows[0], schema).values()
        help_ = f"It is a table; {such_as(cells)}" if cells else "It is a table of formulas."
    elif name in schema.formulas:
        help_ = f"It is computed ({schema.formulas[name].place}); set the inputs that it reads."
    message = f"{f'{where}: ' if where else ''}`{shortened(name)}` is not an input"
    raise refuse("unknown-input", message, help=help_, subject=name)


def records_among(
    said: Mapping[str, Any], schema: Schema, namespace: str = ""
) -> tuple[dict[str, str], dict[str, Any]]:
    """What was said, in two: the records, by kind or by the input that is one, and all other values."""
    said = dict(by_side(said, schema))
    places = {name: place_of(name, schema, namespace) for name in said}
    named: dict[str, str] = {}
    for name, place in places.items():
        if place and named.setdefault(place, str(said[name])) != str(said[name]):
            raise said_twice(place, name, named[place], said[name])
    return named, {name: said[name] for name, place in places.items() if not place}


def by_side(said: Mapping[str, Any], schema: Schema) -> Iterator[tuple[str, Any]]:
    """What was said, a size such as `image_size = 1024x768` as an input for each of its sides; raises FormulaError."""
    for name, value in said.items():
        sides = schema.synonyms.sides_of(name, str(value)) if schema.synonyms.sizes else ()
        yield from sides or [(name, value)]


def said_twice(place: str, name: str, before: object, value: object) -> FormulaError:
    """The error for two names of one input or record that say different things."""
    message = f"`{name} = {value}` contradicts `{place} = {before}`: both are `{place}`"
    return refuse("said-twice", message, help="Give it once.")


def place_of(key: str, schema: Schema, namespace: str) -> str:
    """The kind, or the input, under which someone names a record; nothing if the key is not a record."""
    kind = schema.kind_named(key)
    if kind is not None:
        return kind.name
    found = schema.input_name(key, namespace)
    return found if found is not None and schema.inputs[found].quantity.kind == "record" else ""


def such_as(cells: Iterable[InputSchema]) -> str:
    """Advises to set a cell of a table, the first of these."""
    return f"set a cell of it, such as `{next(iter(cells)).name}`."
