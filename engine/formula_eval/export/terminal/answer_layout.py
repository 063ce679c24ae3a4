"""A file of reports/ to what the main command shows: sections and the quantities that they name."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.evaluate.result import Result
from formula_eval.library import Library
from formula_eval.records.schema import Schema

Section = Mapping[str, Any]

_REQUIRED = {
    "values": ("entries",),
    "bar": ("whole", "within", "used", "holds", "free", "parts"),
    "split": ("whole", "parts"),
    "table": ("table", "columns", "counts"),
    "operators": ("table", "times", "time", "bound", "fixed", "fixed_word", "groups"),
    "checks": (),
    "next": ("holds", "raise", "grow", "most", "gain", "found", "none", "room"),
}
_QUANTITIES = ("whole", "within", "used", "holds", "grow", "raise", "most", "gain", "name", "share_of", "total", "when")


class Layout(NamedTuple):
    """The sections in order, and the file they come from as messages name it."""

    shown: str
    sections: Sequence[Section]

    def quantities(self, schema: Schema) -> list[str]:
        """All quantities and inputs that the sections show; raises FormulaError for an unknown one."""
        found: dict[str, None] = {}
        for section in self.sections:
            for name in _named(section, schema):
                if name not in schema.formulas and name not in schema.inputs:
                    help_ = nearest(name, [*schema.formulas, *schema.inputs])
                    raise refuse("unknown-quantity", f"{self.shown}: no quantity is named `{name}`", help=help_)
                found[name] = None
        return list(found)


def read_layout(library: Library, purpose: str) -> Layout:
    """The layout for a purpose, of the last folder that has one; raises FormulaError for a file that is wrong."""
    file = f"reports/answers/{purpose}.toml"
    shown, data = library.last(file)
    if not shown:
        help_ = "Name quantities: `--only 'NAMESPACE.*'`; or add that file, as reports/answers/serving.toml shows."
        raise refuse("bad-report", f"No {file} says what to show", help=help_)
    sections = data.get("section", [])
    for section in sections:
        kind = section.get("kind")
        if kind not in _REQUIRED:
            help_ = f"Known are {', '.join(_REQUIRED)}."
            raise refuse("bad-report", f"{shown}: `{kind}` is no kind of section", help=help_)
        missing = [key for key in ("title", *_REQUIRED[kind]) if key not in section]
        if missing:
            raise refuse("bad-report", f"{shown}: a section of kind `{kind}` lacks `{missing[0]}`")
    return Layout(shown, sections)


def holds(part: Mapping[str, Any], result: Result) -> bool:
    """Whether a section, an entry or a group is shown at all: it is unless the quantity of its `when` is no or 0."""
    return "when" not in part or bool(result.numbers[part["when"]])


def cell_name(section: Section, row: str, column: str, at: str, schema: Schema) -> str:
    """The cell of a table in the copy for a phase, or the cell itself where the phase makes no difference."""
    name = f"{section['table']}.{row}.{column}"
    copy = f"{name}@{at}"
    return copy if copy in schema.formulas else name


def rows_of(section: Section, schema: Schema) -> Sequence[str]:
    """The rows of the table that a section shows."""
    table = schema.tables.get(section["table"])
    return table.rows if table else ()


def _named(section: Section, schema: Schema) -> Iterator[str]:
    parts = (*section.get("entries", ()), *section.get("parts", ()), *section.get("groups", ()))
    for each in (section, *parts, *(row for group in section.get("groups", ()) for row in group.get("rows", ()))):
        yield from (str(each[key]) for key in _QUANTITIES if key in each)
    for group in section.get("groups", ()):
        for row in rows_of(section, schema):
            for key in ("times", "time", "bound", "fixed"):
                yield cell_name(section, row, group.get(key, section[key]), group.get("at", ""), schema)
    for column in (
        (section["counts"], *(each["column"] for each in section.get("columns", ()))) if "counts" in section else ()
    ):
        yield from (f"{section['table']}.{row}.{column}" for row in rows_of(section, schema))
