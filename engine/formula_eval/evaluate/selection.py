"""Finds the quantities that full names, short names and globs mean."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from fnmatch import translate

from formula_eval.core.diagnostic import nearest, nearest_name, refuse
from formula_eval.core.namespace import COPY_MARK, bearer, is_published
from formula_eval.core.option_names import option_of
from formula_eval.records.schema import Schema

_ALL = "`formula-eval list formulas` shows all; `*` stands for any part."
_GLOB = "*?["


def selected(
    schema: Schema,
    functions: Callable[[], Collection[str]],
    patterns: Sequence[str],
    namespace: str = "",
    meant: Callable[[str], str] = lambda _: "",
) -> list[str]:
    """The quantities that the patterns name; raises FormulaError for a pattern that names none, or several by chance.

    A name without its folders means what it is said to be `meant` as, else what people call so, else the only quantity
    that ends so; those of the namespace asked go first.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        matches = _matches(schema, pattern, namespace, meant)
        if not matches:
            _refuse_unknown(schema, functions, pattern)
        named = [
            match for match in matches if match in schema.inputs and schema.inputs[match].quantity.kind == "record"
        ]
        if named == matches:
            help_ = f"It is chosen by `{option_of(named[0])} ID`."
            raise refuse("no-quantity", f"`{named[0]}` is a record, which is not a quantity", help=help_)
        matches = [match for match in matches if match not in named]
        found.update(dict.fromkeys(matches))
    return list(found)


def the_only(quantities: Sequence[str], said: str) -> str:
    """The quantity where these are one; raises FormulaError where what was said means several."""
    if len(quantities) > 1:
        help_ = f"Name one of them, such as `{quantities[0]}`."
        raise refuse("several-quantities", f"`{said}` names {len(quantities)} quantities", help=help_, subject=said)
    return quantities[0]


def is_glob(pattern: str) -> bool:
    """Whether the pattern is a glob."""
    return any(mark in pattern for mark in _GLOB)


def _matches(schema: Schema, pattern: str, namespace: str, meant: Callable[[str], str]) -> list[str]:
    if is_glob(pattern):
        return _by_glob(schema, pattern, namespace)
    inside = f"{namespace}.{pattern}" if namespace else pattern
    if namespace and (found := meant(pattern)):
        return [found]
    for exact in (inside, pattern):
        if exact in schema.formulas or exact in schema.inputs:
            return [exact]
    if found := meant(pattern):
        return [found]
    return _listed_in(schema, (inside, pattern)) or _by_last_part(schema, pattern, namespace)


def _listed_in(schema: Schema, folders: Iterable[str]) -> list[str]:
    """The quantities in a folder or a table of one of these names."""
    starts = tuple(f"{folder}." for folder in folders)
    return [name for name in schema.formulas if name.startswith(starts) and schema.formulas[name].is_listed]


def _by_last_part(schema: Schema, pattern: str, namespace: str) -> list[str]:
    meant = "" if namespace else schema.quantity_called(pattern)
    if meant:
        return [meant]
    end = f".{pattern}"
    ending = (schema.formulas[name] for name in schema.formulas if name.endswith(end))
    formulas = (
        each.name
        for each in ending
        if _is_asked(each.name, pattern, namespace)
        and (each.is_listed or COPY_MARK in pattern)
        and (each.kind == "formula" or "." in pattern)
    )
    inputs = (
        name
        for name, input_schema in schema.inputs.items()
        if name.endswith(end) and not input_schema.record and not input_schema.cell
    )
    found = bearer(pattern, [*formulas, *inputs, *schema.tables], namespace)
    return _listed_in(schema, [found]) if found in schema.tables else [found] if found else []


def _by_glob(schema: Schema, pattern: str, namespace: str) -> list[str]:
    """Matches a glob in the namespace asked, else outside it; in published tools only where the glob names them."""
    inside = f"{namespace}.{pattern}" if namespace else pattern
    listed = [name for name, formula in schema.formulas.items() if COPY_MARK in pattern or formula.is_listed]
    fits, fits_inside = (re.compile(translate(text)).match for text in (pattern, inside))
    named = [name for name in listed if fits(name) or fits_inside(name)]
    named = named or [name for name in listed if fits(name.rpartition(".")[2])]
    own = [name for name in named if not namespace or name.startswith(f"{namespace}.")]
    return [name for name in own or named if _is_asked(name, pattern, namespace)]


def _is_asked(name: str, pattern: str, namespace: str) -> bool:
    """Whether a quantity may be meant: one of a published tool only where the pattern or the namespace names it."""
    return not is_published(name) or is_published(namespace) or is_published(pattern)


def _refuse_unknown(schema: Schema, functions: Callable[[], Collection[str]], pattern: str) -> None:
    if pattern in functions():
        help_ = f"Ask for what calls it; `formula-eval show {pattern}` prints its text."
        raise refuse("unknown-quantity", f"`{pattern}` is a function, which has no value of its own", help=help_)
    listed = (formula.name for formula in schema.formulas.values() if formula.is_listed)
    near = (
        schema.synonyms.advised(pattern)
        or schema.unread_in_part(pattern)
        or nearest_name(pattern, [*schema.formulas, *schema.inputs])
        or nearest(pattern, (name.rpartition(".")[2] for name in (*listed, *schema.inputs)))
    )
    raise refuse("unknown-quantity", f"No quantity is named `{pattern}`", help=near or _ALL, subject=pattern)
