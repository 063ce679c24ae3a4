"""A file of reports/search/ to the space that a search looks through, checked for what it names."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formula_eval.analyse.search.search_space import Goal, GoalGroup, SearchSpace, Shown, SpaceAxis
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.export import layout
from formula_eval.library import Library
from formula_eval.records.schema import Schema

_FOLDER = "reports/search"
_DIRECTIONS = ("minimise", "maximise")
_LISTS: layout.Required = {"axis": ("input", "values"), "group": ("names",), "goal": ()}
_KEYS: Mapping[str, Sequence[str]] = {
    "axis": ("input", "values", "where", "load"),
    "group": ("names", "where", "still", "shows", "then", "front", "interval", "rate"),
    "goal": (*_DIRECTIONS, "when"),
}
_INTERVAL = 2


def read_search_space(library: Library, purpose: str, schema: Schema) -> SearchSpace:
    """The space of a purpose; an empty one where no library has any. Raises FormulaError for a file that is wrong."""
    shown, data = library.last(f"{_FOLDER}/{purpose}.toml")
    if not shown:
        return SearchSpace()
    layout.check_lists(data, _LISTS, shown)
    _refuse_unknown(data, (*_LISTS, "where", "heeds", "extends"), shown)
    for name, keys in _KEYS.items():
        for each in data.get(name, ()):
            _refuse_unknown(each, keys, f"{shown}: a [[{name}]]")
    return _Reader(shown, schema).space(data)


class _Reader:
    """The tables of a file to the parts of a space."""

    def __init__(self, shown: str, schema: Schema) -> None:
        self._shown = shown
        self._schema = schema

    def space(self, data: Mapping[str, Any]) -> SearchSpace:
        """The whole of it."""
        heeds = self._texts(data, "heeds", "the file")
        for each in heeds:
            if each not in self._schema.checks:
                raise self._refused(f"no check is named `{each}`", nearest(each, self._schema.checks))
        return SearchSpace(
            self._shown,
            tuple(self._axes(data.get("axis", ()))),
            self._texts(data, "where", "the file"),
            heeds,
            tuple(self._goal(each) for each in data.get("goal", ())),
            tuple(self._group(each) for each in data.get("group", ())),
        )

    def _axes(self, tables: Sequence[Mapping[str, Any]]) -> Iterator[SpaceAxis]:
        seen: set[str] = set()
        for each in tables:
            name = each["input"]
            if name not in self._schema.inputs:
                raise self._refused(f"no input is named `{name}`", nearest(str(name), self._schema.inputs))
            if name in seen:
                raise self._refused(f"`{name}` has two axes", "Write its values in one.")
            seen.add(name)
            yield SpaceAxis(name, str(each["values"]), str(each.get("where", "")), bool(each.get("load")))

    def _goal(self, table: Mapping[str, Any]) -> Goal:
        said = [each for each in _DIRECTIONS if each in table]
        if len(said) != 1:
            raise self._refused("a goal says either `minimise` or `maximise`", "Write { minimise = NAME }.")
        name = self._known(table[said[0]])
        when = str(table.get("when", ""))
        return Goal(name, said[0] == _DIRECTIONS[1], self._known(when) if when else "")

    def _group(self, table: Mapping[str, Any]) -> GoalGroup:
        where = f"a [[group]] of {table['names']}"
        layout.check_tables(table.get("shows", ()), layout.ENTRY, f"{self._shown}: one of the `shows`")
        layout.check_tables(table.get("front", ()), (), f"{self._shown}: one of a `front`")
        front = tuple(self._goal(each) for each in table.get("front", ()))
        interval = tuple(self._known(each) for each in self._texts(table, "interval", where))
        for name, found in (("front", front), ("interval", interval)):
            if len(found) not in (0, _INTERVAL):
                raise self._refused(f"`{name}` has {len(found)} quantities", "It has two, or is left out.")
        return GoalGroup(
            self._texts(table, "names", where),
            self._texts(table, "where", where),
            tuple(self._known(each) for each in self._texts(table, "still", where)),
            tuple(
                Shown(each["title"], self._known(each["name"]), each.get("unit", "")) for each in table.get("shows", ())
            ),
            self._goal(table["then"]) if "then" in table else None,
            front,
            interval,
            is_rate=bool(table.get("rate")),
        )

    def _texts(self, table: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
        found = table.get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise self._refused(f"`{key}` of {where} is not a list of texts", f'Write {key} = ["..."].')
        return tuple(found)

    def _known(self, name: str) -> str:
        return layout.known_quantities([name], self._schema, self._shown)[0]

    def _refused(self, what: str, help_: str) -> Exception:
        return refuse("bad-report", f"{self._shown}: {what}", help=help_)


def _refuse_unknown(table: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    unknown = next((key for key in table if key not in keys), None)
    if unknown is not None:
        help_ = nearest(unknown, keys) or f"There are {', '.join(keys)}."
        raise refuse("bad-report", f"{where} has no key `{unknown}`", help=help_)
