"""Declares the tables of reports/page.toml: its sections by kind, and its controls."""

from formula_eval.ask import layout as parts
from formula_eval.toml_shape import Key, Kinds
from formula_eval.toml_table import keys, table

_TABLE = "table?shape:table shape? times:column time:column bound:column titles?:titles"
_WORK = f"{_TABLE} flops:column bytes:column bandwidth:quantity"
_ROWS = "table?:table times?:column time?:column bound?:column fixed?:column fixed_word? rest_word? titles?:titles"
_GROUP = table("title at? total?:quantity rows?:[row] rest? when?:quantity", row=table("title name:quantity bound?"))
_CHART = table("title lines:[part]", part=parts.PART)
_CURVE = table("title says? vary:input axis? stops:[any] charts:[chart] fits?:quantity", chart=_CHART)
_KINDS = {
    "cards": "entries:[entry]",
    "stack": f"{parts.EDGES} copies?:[copies]",
    "times": f"groups:[times] {_ROWS}",
    "roofline": f"{_WORK} peaks:[part] groups?shape:[at]",
    "structure": "fixed_word rest_word",
    "curves": "groups:[curve]",
    "scenarios": "",
    "sweep": "quantities:[swept] along:[along] limits:[part]",
    "search": "over:[over] front:[goal] shows:[part] limits:[limit]",
    "sensitivity": "quantities:[named]",
    "operators": f"{_TABLE} columns:[column] groups?shape:[group] fixed?:column fixed_word? ratio?:ratio",
    "table": "table:table columns:[column] unless_zero?:column",
    "checks": "",
    "listing": "",
}
_SECTIONS = {
    kind: keys(
        f"title? says? with?:[input] without?:[input] when?:quantity {said}",
        entry=parts.ENTRY,
        part=parts.PART,
        at=table("title at when?:quantity"),
        titles=parts.TITLES,
        copies=table("title name:quantity per?:input"),
        times=_GROUP,
        group=_GROUP,
        curve=_CURVE,
        named=table("name:quantity with?:[input] without?:[input] when?:quantity"),
        swept=table("name:quantity along?:[input] with?:[input] without?:[input] when?:quantity"),
        along=table("input:input"),
        over=table("input:input values"),
        goal=table("title maximise?:quantity minimise?:quantity", one_of=("maximise", "minimise")),
        limit=table("title name:quantity most?:quantity"),
        ratio=table("title of:column per:column before?:column"),
    )
    for kind, said in _KINDS.items()
}
# The keys that each kind of section needs.
NEEDED = {kind: [name for name, each in held.items() if not isinstance(each, Key)] for kind, held in _SECTIONS.items()}
PAGE = table(
    "title? summary? kind?:kinds preset?:[preset] control?:[control] section?:[section] *:words",
    kinds=table("*record:kind", kind=table("title? inputs? first?:flag")),
    preset=table(
        "title says? anew?:flag records?:records inputs?:inputs",
        records=table("*record:text"),
        inputs=table("*input:any"),
    ),
    control=table("input:input title? stops?:[any] when?:quantity"),
    section=Kinds("section", _SECTIONS),
    words=table("title? summary?"),
)
