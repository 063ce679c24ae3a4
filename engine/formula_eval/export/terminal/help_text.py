"""reports/help.toml to the help of the command: what most people need, on one screen."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.export import layout
from formula_eval.library import Library

_FILE = "reports/help.toml"


def help_text(library: Library, known: Collection[str], verbs: Mapping[str, str], *, own: bool) -> str:
    """The short help; empty for a library with an answer of its `own` and no such file.

    Raises FormulaError for a file that is wrong or names an option that is not `known`.
    """
    shown, data = library.last(_FILE)
    if not shown or (own and not (library.folders[-1] / _FILE).is_file()):
        return ""
    layout.check_lists(data, layout.HELP_LISTS, shown)
    for group in data.get("group", ()):
        layout.check_tables(group["options"], layout.HELP_OPTION, f"{shown}: one of the `options` of a [[group]]")
    return "".join(f"{line}\n" for line in _lines(data, known, verbs, shown))


def _lines(data: Mapping[str, Any], known: Collection[str], verbs: Mapping[str, str], shown: str) -> Iterator[str]:
    if "about" in data:
        yield from (data["about"], "")
    yield "Examples"
    yield from (f"  formula-eval {each['line']}" for each in data.get("example", ()))
    for group in data.get("group", ()):
        yield from ("", group["title"])
        yield from _columns({_written(each, known, shown): each["says"] for each in group["options"]})
    yield from ("", "Verbs")
    yield from _columns(verbs)


def _columns(rows: Mapping[str, str]) -> Iterator[str]:
    width = max(map(len, rows))
    yield from (f"  {name:{width}}  {says}" for name, says in rows.items())


def _written(option: Mapping[str, Any], known: Collection[str], shown: str) -> str:
    """`--tp, --pp N`; raises FormulaError for a name that is not known."""
    names = [f"--{name.replace('_', '-')}" for name in option["names"]]
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise refuse("bad-report", f"{shown}: there is no option `{unknown}`", help=nearest(unknown, known))
    return f"{', '.join(names)} {option.get('value', '')}".rstrip()
