"""Reads the tables of presets/launch/ as programs: what each option means; a table may extend another one."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.launch.tables.launch_program import EVERY_WORD, FORMS, Derived, LaunchProgram, Option, plain
from formula_eval.library import Library
from formula_eval.records.roles import FILE, Roles, roles_of
from formula_eval.text_files import stamp_of
from formula_eval.toml_shape import Either, Several, Text
from formula_eval.toml_table import TEXT, check_table, table, table_of

_FOLDER = "presets/launch"
_DERIVED = table_of(Derived)
PROGRAM = table(
    "title? purpose? engine? positional? extends? version? source? note? date?:any form?:form start? besides? "
    "needs?:texts image_names? arguments? commands?:[text] images?:[text] files?:[text] calls?:[text] parts?:[text] "
    "within?:[text] where?:[condition] unwritten?:[text] gpus?:flag all_found?:flag abbreviations?:flag "
    "attributes?:flag server_apart?:flag anywhere?:flag options?:options usual?:values derived?:derived "
    "written?:derived without_effect?:reasons without_input?:reasons kserve?:kserve nodes?:nodes container?:container "
    "instructions?:texts implied?:tables remarks?:texts",
    form=Text(words=FORMS),
    options=table("*:option", option=table_of(Option)),
    derived=table("*:rule", rule=Either(TEXT, _DERIVED, Several(_DERIVED))),
    reasons=table("*:[text]"),
    values=table("*:any"),
    texts=table("*:text"),
    tables=table("*:values", values=table("*:any")),
    nodes=table("options? worker? note?"),
    container=table("image runs? volume? source? port?:whole arguments?:[text]"),
    make=dict,
    kserve=table("usual?:flag runtimes?:[text] arguments? options?:texts", texts=table("*:text")),
)
# What a table does not take over from the one that it extends; and what it replaces whole instead of adding to it.
_ALONE = (
    *("title", "images", "version", "kserve", "attributes", "instructions", "server_apart", "anywhere"),
    *("image_names", "arguments", "unwritten"),
)
_REPLACED = ("nodes", "container")


def programs_of(library: Library) -> Mapping[str, LaunchProgram]:
    """All programs by name; raises FormulaError for a table of another form."""
    files = [*library.files(f"{_FOLDER}/*.toml"), *library.files(FILE)]
    stamps = tuple(stamp_of(path) for _, path in files)
    return _unchanged(library, stamps) if all(stamps) else _programs(library)


@lru_cache(maxsize=16)  # ours, and those that come with it
def _unchanged(library: Library, _stamps: tuple[tuple[int, ...], ...]) -> Mapping[str, LaunchProgram]:
    """The programs of tables of which the disk said this."""
    return _programs(library)


def _programs(library: Library) -> Mapping[str, LaunchProgram]:
    tables: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for folder, path in library.files(f"{_FOLDER}/*.toml"):
        shown = library.shown(folder, path)
        tables[path.stem] = shown, library.toml(path, shown)
        check_table(PROGRAM, tables[path.stem][1], shown, {})
    roles = roles_of(library)
    return {name: _program(name, tables, roles) for name in tables}


def _program(name: str, tables: Mapping[str, tuple[str, Mapping[str, Any]]], roles: Roles) -> LaunchProgram:
    shown = tables[name][0]
    said = {key: each for key, each in _whole(name, tables, ()).items() if key in LaunchProgram._fields}
    said["derived"] = tuple(rule for rules in said.get("derived", {}).values() for rule in rules)
    said["written"] = {key: rules[-1] for key, rules in said.get("written", {}).items()}
    fields: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in said.items()}
    program = LaunchProgram(**{"title": name, "purpose": roles.purposes[0], **fields, "id": name, "shown": shown})
    program = program._replace(
        spelling=_spelling(program),
        model_options=tuple(key for key, option in program.options.items() if option.input == roles.model),
    )
    others = [("[written]", each) for each in program.written if each not in program.options]
    others += [
        ("[kserve.options]", option)
        for option in program.kserve.get("options", {}).values()
        if not program.knows(option)
    ]
    for where, other in others[:1]:
        help_ = nearest(other, program.options)
        raise refuse("bad-launch", f"{shown} {where}: `{other}` is not one of its options", help=help_)
    return program


def _whole(name: str, tables: Mapping[str, tuple[str, Mapping[str, Any]]], users: Sequence[str]) -> dict[str, Any]:
    """What a table says by itself and by the one that it extends."""
    shown, data = tables[name]
    base = data.get("extends", "")
    if base and (base not in tables or base in (*users, name)):
        help_ = nearest(base, tables) or f"Known are {', '.join(tables)}."
        raise refuse("bad-launch", f"{shown}: `extends = {base!r}` names no other table", help=help_)
    before = _whole(base, tables, (*users, name)) if base else {}
    found = {key: each for key, each in before.items() if key not in _ALONE}
    for key, own in PROGRAM.made(data).items():
        read = _READ[key](own) if key in _READ else own
        if isinstance(read, Mapping) and key not in _REPLACED:
            kept = {name: each for name, each in found.get(key, {}).items() if key != "derived" or name not in read}
            read = {**kept, **read}  # rules that replace others are asked last
        found[key] = read
    for each in data.get("unwritten", ()):
        if each not in found.get("options", ()):
            raise refuse("bad-launch", f"{shown}: `unwritten` names `{each}`, which is not one of its options")
        found["options"][each] = found["options"][each]._replace(older=(EVERY_WORD,))
    return found


def _options(said: Mapping[str, Option]) -> dict[str, Option]:
    return {name: option._replace(name=name, also=tuple(map(plain, option.also))) for name, option in said.items()}


def _commands(said: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(text.split()) for text in said)


def _signatures(said: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """`LLM(model)` as the name of a call and the options that its arguments are by place."""
    found = (text.rstrip(")").partition("(") for text in said)
    return {name: tuple(places.replace(",", " ").split()) for name, _, places in found}


def _rules(said: Mapping[str, str | Derived | tuple[Derived, ...]]) -> dict[str, tuple[Derived, ...]]:
    """The rules for each name, which a table may write as a text, as one rule, or as several."""
    rules = {name: (each,) if isinstance(each, str | Derived) else each for name, each in said.items()}
    return {
        name: tuple(
            (Derived(derived) if isinstance(derived, str) else derived)._replace(input=name) for derived in several
        )
        for name, several in rules.items()
    }


def _reasons(said: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {plain(name): reason for reason, names in said.items() for name in names}


_READ: Mapping[str, Callable[[Any], Any]] = {
    "options": _options,
    "commands": _commands,
    "calls": _signatures,
    "parts": _signatures,
    "derived": _rules,
    "written": _rules,
    "without_effect": _reasons,
    "without_input": _reasons,
}


def _spelling(program: LaunchProgram) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for option in program.options.values():
        for text in (plain(option.name), *option.also):
            if found.setdefault(text, option.name) != option.name:
                message = f"{program.shown}: `{text}` means both `{found[text]}` and `{option.name}`"
                raise refuse("bad-launch", message)
    return found
