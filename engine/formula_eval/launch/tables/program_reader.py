"""Reads the tables of presets/launch/ as programs: what each option means; unknown keys are refused."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.launch.tables.program import EVERY_WORD, FORMS, Derived, Option, Program, plain
from formula_eval.library import Library
from formula_eval.records.roles import FILE, Roles, roles_of
from formula_eval.text_files import stamp_of

_FOLDER = "presets/launch"
_KEYS = {
    **dict.fromkeys(("title", "purpose", "engine", "positional", "extends", "version", "source", "note"), str),
    **dict.fromkeys(("form", "start", "besides", "image_names", "arguments"), str),
    **dict.fromkeys(("commands", "images", "files", "calls", "parts", "within", "where", "unwritten"), list),
    **dict.fromkeys(("gpus", "abbreviations", "attributes", "server_apart", "anywhere"), bool),
    **dict.fromkeys(
        ("options", "usual", "derived", "without_effect", "without_input", "written", "kserve", "instructions"), dict
    ),
    **dict.fromkeys(("nodes", "container", "implied", "remarks"), dict),
    "date": object,
}
_OPTION_KEYS = {
    **dict.fromkeys(("input", "unit", "file", "since", "until", "source", "note", "counts", "names"), str),
    **dict.fromkeys(("switch", "several", "suffixes", "counted", "repeated", "any", "always", "checkpoint"), bool),
    **dict.fromkeys(("also", "environment", "older"), list),
    **dict.fromkeys(("words", "defaults", "lacking"), dict),
    "default": object,
}
_NODES_KEYS = dict.fromkeys(("options", "worker", "note"), str)
_CONTAINER_KEYS = {**dict.fromkeys(("image", "runs", "volume", "source"), str), "port": int, "arguments": list}
_DERIVED_KEYS = ("value", "when", "unit", "note", "from", "since", "until", "instead")


def programs_of(library: Library) -> Mapping[str, Program]:
    """All programs by name; raises FormulaError for a table of another form."""
    files = [*library.files(f"{_FOLDER}/*.toml"), *library.files(FILE)]
    stamps = tuple(stamp_of(path) for _, path in files)
    return _unchanged(library, stamps) if all(stamps) else _programs(library)


@lru_cache(maxsize=4)
def _unchanged(library: Library, _stamps: tuple[tuple[int, ...], ...]) -> Mapping[str, Program]:
    """The programs of tables of which the disk said this."""
    return _programs(library)


def _programs(library: Library) -> Mapping[str, Program]:
    tables: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for folder, path in library.files(f"{_FOLDER}/*.toml"):
        shown = library.shown(folder, path)
        tables[path.stem] = shown, library.toml(path, shown)
    roles = roles_of(library)
    return {name: _with_roles(_program(name, tables, ()), roles) for name in tables}


def _with_roles(program: Program, roles: Roles) -> Program:
    options = tuple(key for key, each in program.options.items() if each.input == roles.model)
    return program._replace(model_options=options, purpose=program.purpose or roles.purposes[0])


def _program(name: str, tables: Mapping[str, tuple[str, Mapping[str, Any]]], users: Sequence[str]) -> Program:
    shown, data = tables[name]
    _check(data, _KEYS, shown, "a launch table")
    base = str(data.get("extends", ""))
    if base and (base not in tables or base in (*users, name)):
        help_ = nearest(base, tables) or f"Known are {', '.join(tables)}."
        raise refuse("bad-launch", f"{shown}: `extends = {base!r}` names no other table", help=help_)
    inherited = _program(base, tables, (*users, name)) if base else None
    options = {key: _option(key, each, f"{shown} [options.{key}]") for key, each in data.get("options", {}).items()}
    options = {**(inherited.options if inherited else {}), **options}
    for each in data.get("unwritten", ()):
        if each not in options:
            raise refuse("bad-launch", f"{shown}: `unwritten` names `{each}`, which is not one of its options")
        options[each] = options[each]._replace(older=(EVERY_WORD,))
    own = Program(
        name,
        shown,
        str(data.get("title", name)),
        str(data.get("purpose", inherited.purpose if inherited else "")),
        options,
        _commands(data) or (inherited.commands if inherited else ()),
        tuple(data.get("images", ())),
        base,
        str(data.get("engine", inherited.engine if inherited else "")),
        str(data.get("positional", inherited.positional if inherited else "")),
        tuple(data.get("files", inherited.files if inherited else ())),
        str(data.get("version", "")),
        bool(data.get("gpus", inherited.gpus if inherited else False)),
        bool(data.get("abbreviations", inherited.abbreviations if inherited else False)),
        _joined(inherited.derived if inherited else (), _derived(data.get("derived", {}), shown)),
        {**(inherited.without_effect if inherited else {}), **_reasons(data.get("without_effect", {}), shown)},
        {**(inherited.without_input if inherited else {}), **_reasons(data.get("without_input", {}), shown)},
        {
            **(inherited.written if inherited else {}),
            **{each.input: each for each in _derived(data.get("written", {}), shown)},
        },
        str(data.get("form", inherited.form if inherited else FORMS[0])),
        str(data.get("start", inherited.start if inherited else "")),
        tuple(map(str, data.get("where", inherited.where if inherited else ()))),
        {**(inherited.usual if inherited else {}), **data.get("usual", {})},
        str(data.get("besides", inherited.besides if inherited else "")),
        data.get("nodes", inherited.nodes if inherited else {}),
        data.get("container", inherited.container if inherited else {}),
        data.get("kserve", {}),
        calls={**(inherited.calls if inherited else {}), **_signatures(data.get("calls", ()))},
        parts={**(inherited.parts if inherited else {}), **_signatures(data.get("parts", ()))},
        within=tuple(data.get("within", inherited.within if inherited else ())),
        attributes=bool(data.get("attributes", False)),
        instructions=data.get("instructions", {}),
        server_apart=bool(data.get("server_apart", False)),
        anywhere=bool(data.get("anywhere", False)),
        image_names=str(data.get("image_names", "")),
        arguments=str(data.get("arguments", "")),
        remarks={**(inherited.remarks if inherited else {}), **data.get("remarks", {})},
        implied={**(inherited.implied if inherited else {}), **data.get("implied", {})},
    )
    if own.form not in FORMS:
        raise refuse(
            "bad-launch", f"{shown}: `form = {own.form!r}` is not known", help=f"Known are {', '.join(FORMS)}."
        )
    unwritable = next((each for each in own.written if each not in own.options), "")
    if unwritable:
        help_ = nearest(unwritable, own.options)
        raise refuse("bad-launch", f"{shown} [written]: `{unwritable}` is not one of its options", help=help_)
    _check(own.nodes, _NODES_KEYS, f"{shown} [nodes]", "what makes nodes meet")
    _check(own.container, _CONTAINER_KEYS, f"{shown} [container]", "a container")
    own = own._replace(spelling=_spelling(own))
    unknown = next((each for each in own.kserve.get("options", {}).values() if not own.knows(each)), "")
    if unknown:
        raise refuse("bad-launch", f"{shown} [kserve.options]: `{unknown}` is not one of its options")
    return own


def _commands(data: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(str(each).split()) for each in data.get("commands", ()))


def _signatures(said: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """`LLM(model)` as the name of a call and the options that its arguments are by place."""
    found = (str(each).rstrip(")").partition("(") for each in said)
    return {name: tuple(places.replace(",", " ").split()) for name, _, places in found}


def _joined(before: tuple[Derived, ...], own: tuple[Derived, ...]) -> tuple[Derived, ...]:
    said = {each.input for each in own}
    return (*(each for each in before if each.input not in said), *own)


def _option(name: str, data: Any, where: str) -> Option:  # noqa: ANN401 - what the table says
    _check(data, _OPTION_KEYS, where, "an option")
    also, environment = tuple(map(plain, data.get("also", ()))), tuple(data.get("environment", ()))
    kept = {key: data[key] for key in data if key not in ("also", "environment", "older", "source", "note")}
    return Option(name, also, environment, older=tuple(data.get("older", ())), **kept)


def _derived(data: Mapping[str, Any], shown: str) -> tuple[Derived, ...]:
    found = []
    for name, said in data.items():
        for each in said if isinstance(said, list) else [said]:
            table = each if isinstance(each, Mapping) else {"value": each}
            unknown = next((key for key in table if key not in _DERIVED_KEYS), None)
            if unknown is not None or "value" not in table:
                message = f"{shown} [derived]: `{name}` " + (f"has no key `{unknown}`" if unknown else "has no `value`")
                raise refuse("bad-launch", message, help=f"Known are {', '.join(_DERIVED_KEYS)}.")
            sources = tuple(table.get("from", ()))
            texts = {key: str(table.get(key, "")) for key in ("value", "when", "unit", "since", "until", "instead")}
            found.append(Derived(name, sources=sources, **texts))
    return tuple(found)


def _reasons(data: Mapping[str, Any], shown: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for reason, names in data.items():
        if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
            raise refuse("bad-launch", f"{shown}: `{reason}` is not a list of options", help='Write ["host", "port"].')
        found.update(dict.fromkeys(map(plain, names), reason))
    return found


def _spelling(program: Program) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for option in program.options.values():
        for each in (plain(option.name), *option.also):
            if found.setdefault(each, option.name) != option.name:
                message = f"{program.shown}: `{each}` means both `{found[each]}` and `{option.name}`"
                raise refuse("bad-launch", message)
    return found


def _check(data: Any, known: Mapping[str, type], shown: str, what: str) -> None:  # noqa: ANN401 - what the table says
    if not isinstance(data, Mapping):
        raise refuse("bad-launch", f"{shown} is not a table", help=f"It is {what}.")
    for key, value in data.items():
        if key not in known:
            help_ = nearest(key, known) or f"Known are {', '.join(known)}."
            raise refuse("bad-launch", f"{shown}: `{key}` is not a key of {what}", help=help_)
        if not isinstance(value, known[key]):
            raise _of_other_kind(shown, key, value)


def _of_other_kind(shown: str, key: str, value: object) -> FormulaError:
    return refuse("bad-launch", f"{shown}: `{key} = {value!r}` is of another kind than this key needs")
