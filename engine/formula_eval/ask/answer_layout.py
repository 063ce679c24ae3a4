"""Reads a file of reports/answers/: the sections that the main command shows, and the quantities that they name."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from formula_eval.analyse.recommendations import names_of
from formula_eval.ask import layout
from formula_eval.ask.layout import Section
from formula_eval.core.diagnostic import refuse
from formula_eval.evaluate.result import Result
from formula_eval.evaluate.situation import is_there
from formula_eval.library import Library
from formula_eval.records.answer_kind import usual_purpose
from formula_eval.records.givens import Givens
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import Schema
from formula_eval.toml_shape import Kinds
from formula_eval.toml_table import check_table, keys, quoted, table

_QUANTITIES = ("whole", "within", "used", "holds", "gain", "name", "here", "share_of", "total", "when", "vary", "less")

# Lists of a section of which a part may be there `with` an input that somebody set, or `without` it.
_PARTS = ("entries", "ways", "rows", "largest")

_COLUMNS = "table:table times:column time:column bound:column fixed:column fixed_word rest_word?"
_ROW, _AFTER = table("title name:quantity bound?"), table("title name:quantity less?:quantity when?:quantity")
_GROUP = table("title at? total?:quantity rest? rows?:[row] after?:[after] when?:quantity", row=_ROW, after=_AFTER)
_WAY = table(
    "title fits:flag try:[changes] share?:number when?:quantity unless?:quantity same?:[quantity] instead_of?:[text] "
    "targets?:[[quantity]] with?:[input] without?:[input]",
    changes=table("leave_out?:option *option:any"),
)
_LARGEST = table(
    "vary:input unset?:[input] holds:quantity values:[quantity] when?:quantity with?:[input] without?:[input]"
)
_SECTIONS = {
    "assumed": "entries:[entry] align?",
    "values": "entries:[entry] legend? align? says?:[text] silent?:[check]",
    "bar": layout.EDGES,
    "split": "whole:quantity parts:[part]",
    "table": "table:table counts:column columns:[shown]",
    "operators": f"{_COLUMNS} titles?:titles groups:[group]",
    "targets": "limit met missed largest_title none_title columns:[limit] rows:[row] largest:[largest]",
    "data_table": "vary:input unit at:[number] up_to:[quantity] holds:quantity columns:[figure]",
    "nearest": "runs predicted alike far:number far_title furthest:number by:[by] entries:[entry]",
    "next": "holds:quantity gain:quantity at_least:number found faster times none shown?:whole same?:[quantity] "
    "says?:[text] at_most?:[[quantity]] accepted?:[[quantity]] entries:[part] ways?:[way]",
    "checks": "",
    "command": "",
}
ANSWER = table(
    "section?:[section] way?:[way]",
    way=_WAY,
    section=Kinds(
        "section",
        {
            kind: keys(
                f"title:quoting {said} when?:quantity with?:[input] without?:[input]",
                entry=layout.ENTRY,
                part=layout.PART,
                shown=table("title column:column unit?"),
                titles=layout.TITLES,
                group=_GROUP,
                limit=table("title limit?:quantity"),
                figure=table("title name:quantity"),
                row=table("title values:[quantity] when?:quantity with?:[input] without?:[input]"),
                largest=_LARGEST,
                by=table(
                    "title weight:number record?:record name?:quantity here?:quantity times?:flag "
                    "generation? of_generation?:number of_maker?:number",
                    one_of=("record", "name"),
                ),
                way=_WAY,
            )
            for kind, said in _SECTIONS.items()
        },
    ),
)


class AnswerLayout(NamedTuple):
    """The sections in order, and the file they come from as messages name it; without a file, the namespace to show."""

    shown: str
    sections: Sequence[Section]
    namespace: str = ""

    def asked_by(self, givens: Givens) -> "AnswerLayout":
        """The same without the sections and parts whose `with` or `without` does not fit the inputs that were set."""
        given = givens.values.keys()
        return self._replace(
            sections=[_without(section, given) for section in self.sections if is_there(section, given)]
        )

    def quantities(self, schema: Schema) -> list[str]:
        """All quantities and inputs that the sections show; raises FormulaError for an unknown one."""
        if not self.sections:
            return [
                name
                for name, formula in schema.formulas.items()
                if formula.is_listed and (not self.namespace or name.startswith(f"{self.namespace}."))
            ]
        names = (name for section in self.sections for name in named(section, schema))
        return layout.known_quantities(names, schema, self.shown)


def _without(section: Section, given: Collection[str]) -> Section:
    """A section without the parts whose `with` or `without` does not fit the inputs that were set."""
    lists = {key: [each for each in section[key] if is_there(each, given)] for key in _PARTS if key in section}
    return {**section, **lists}


def read_answer_layout(library: Library, purpose: str) -> AnswerLayout:
    """The layout for a purpose, of the last folder that has one; raises FormulaError for a file that is wrong.

    A namespace without a file shows all that it has.
    """
    file = f"reports/answers/{purpose}.toml"
    shown, data = library.last(file)
    is_namespace = purpose not in roles_of(library).purposes
    if not shown and is_namespace:
        return AnswerLayout("", (), purpose)
    if not shown and library.is_alone and purpose == usual_purpose(library):
        return AnswerLayout("", ())
    if not shown:
        help_ = "Name quantities: `--only 'NAMESPACE.*'`; or add that file, as reports/answers/serving.toml shows."
        raise refuse("bad-report", f"No {file} says what to show", help=help_)
    check_table(ANSWER, data, shown, {})
    ways = {"ways": data["way"]} if "way" in data else {}
    sections = [{**ways, **each} if each["kind"] == "next" else each for each in data.get("section", [])]
    return AnswerLayout(shown, sections, purpose if is_namespace else "")


def holds(part: Section, result: Result) -> bool:
    """Whether a section, an entry or a group is shown: unless the quantity of its `when` is false or 0."""
    return "when" not in part or bool(result.numbers[part["when"]])


def titled(part: Section, result: Result) -> str:
    """The title of a section or an entry, with the values that it quotes."""
    title: str = part["title"]
    return title.format(**{name: result[name] for name in quoted(title)})


def cell_name(section: Section, row: str, column: str, at: str, schema: Schema) -> str:
    """The cell of a table in the copy for a phase."""
    return layout.in_phase(f"{section['table']}.{row}.{column}", at, schema)


def rows_of(section: Section, schema: Schema) -> Sequence[str]:
    """The rows of the table that a section shows."""
    table = schema.tables.get(section["table"])
    return table.rows if table else ()


def named(section: Section, schema: Schema) -> Iterator[str]:
    """All quantities and inputs that a section names."""
    lists = ("entries", "parts", "groups", "rows", "largest", "by", "columns")
    parts = [each for key in lists for each in section.get(key, ())]
    rows = (row for group in section.get("groups", ()) for row in (*group.get("rows", ()), *group.get("after", ())))
    for part in (section, *parts, *rows):
        yield from (str(part[key]) for key in _QUANTITIES if key in part)
        yield from (*part.get("between", ()), *part.get("values", ()), *part.get("listed", ()))
        yield from quoted(part.get("title", ""))
    yield from names_of(section)
    yield from section.get("up_to", ())
    yield from (each["limit"] for each in section.get("columns", ()) if "limit" in each)
    for group in section.get("groups", ()):
        for row in rows_of(section, schema):
            for key in ("times", "time", "bound", "fixed"):
                yield cell_name(section, row, group.get(key, section[key]), group.get("at", ""), schema)
    for column in (
        (section["counts"], *(each["column"] for each in section.get("columns", ()))) if "counts" in section else ()
    ):
        yield from (f"{section['table']}.{row}.{column}" for row in rows_of(section, schema))
