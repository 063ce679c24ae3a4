"""A file of reports/answers/ to what the main command shows: sections and the quantities that they name."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.result import Result
from formula_eval.export import layout
from formula_eval.export.layout import Section
from formula_eval.library import Library
from formula_eval.records.schema import Schema

_QUANTITIES = ("whole", "within", "used", "holds", "grow", "raise", "most", "gain", "name", "share_of", "total", "when")


class AnswerLayout(NamedTuple):
    """The sections in order, and the file they come from as messages name it."""

    shown: str
    sections: Sequence[Section]

    def quantities(self, schema: Schema) -> list[str]:
        """All quantities and inputs that the sections show; raises FormulaError for an unknown one."""
        names = (name for section in self.sections for name in _named(section, schema))
        return layout.known_quantities(names, schema, self.shown)


def read_answer_layout(library: Library, purpose: str) -> AnswerLayout:
    """The layout for a purpose, of the last folder that has one; raises FormulaError for a file that is wrong."""
    file = f"reports/answers/{purpose}.toml"
    shown, data = library.last(file)
    if not shown:
        help_ = "Name quantities: `--only 'NAMESPACE.*'`; or add that file, as reports/answers/serving.toml shows."
        raise refuse("bad-report", f"No {file} says what to show", help=help_)
    sections = data.get("section", [])
    for section in sections:
        layout.check_section(section, layout.ANSWER, shown)
    return AnswerLayout(shown, sections)


def holds(part: Section, result: Result) -> bool:
    """Whether a section, an entry or a group is shown at all: it is unless the quantity of its `when` is no or 0."""
    return "when" not in part or bool(result.numbers[part["when"]])


def cell_name(section: Section, row: str, column: str, at: str, schema: Schema) -> str:
    """The cell of a table in the copy for a phase."""
    return layout.in_phase(f"{section['table']}.{row}.{column}", at, schema)


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
