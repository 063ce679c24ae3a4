"""Declares the tables of a file of reports/answers/: its sections by kind, and ways that all of them may try."""

from formula_eval.export import layout
from formula_eval.toml_shape import Kinds
from formula_eval.toml_table import keys, table

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
    "nearest": "runs predicted alike furthest:number by:[by] entries:[entry]",
    "next": "holds:quantity gain:quantity at_least:number found faster times none shown?:whole same?:[quantity] "
    "at_most?:[[quantity]] entries:[part] ways?:[way]",
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
                titles=table("*:text"),
                group=_GROUP,
                limit=table("title limit?:quantity"),
                row=table("title values:[quantity] when?:quantity with?:[input] without?:[input]"),
                largest=_LARGEST,
                by=table("title weight:number record?:record name?:quantity times?:flag", one_of=("record", "name")),
                way=_WAY,
            )
            for kind, said in _SECTIONS.items()
        },
    ),
)
