"""A table of presets/launch/ to what its program's options mean: the two-way table of one engine or trainer."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.library import Library

_FOLDER = "presets/launch"
_KEYS = {
    **dict.fromkeys(("title", "purpose", "engine", "positional", "extends", "version", "source", "note"), str),
    **dict.fromkeys(("form", "start", "across"), str),
    **dict.fromkeys(("commands", "images", "files", "where", "unwritten"), list),
    **dict.fromkeys(("gpus", "abbreviations"), bool),
    **dict.fromkeys(("options", "usual", "derived", "without_effect", "without_input", "written", "kserve"), dict),
    "date": object,
}
_OPTION_KEYS = {
    **dict.fromkeys(("input", "unit", "file", "since", "until", "source", "note"), str),
    **dict.fromkeys(("switch", "several", "suffixes", "counted", "any", "always"), bool),
    **dict.fromkeys(("also", "environment", "older"), list),
    **dict.fromkeys(("words", "defaults"), dict),
    "default": object,
}
EVERY_WORD = "*"  # of an option that is read and never written
FORMS = ("dashes", "underscores", "pairs", "yaml", "json")
_DERIVED_KEYS = ("value", "when", "unit", "note", "from")


class Option(NamedTuple):
    """One option: its spellings, the input that it sets as it stands or by a word, and its default by version.

    `words` map what the program says to inputs of ours; with `any` other words are let be. A `file` names further
    options, for the program that it says. What a command must say is written `always`; words of `older` versions, or
    `*` for the whole option, are read and never written. A `counted` one ends in its number, `gpu:h100:8`.
    """

    name: str
    also: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    input: str = ""
    unit: str = ""
    words: Mapping[str, Any] = {}
    switch: bool = False
    several: bool = False
    file: str = ""
    suffixes: bool = False
    counted: bool = False
    default: Any = None
    defaults: Mapping[str, Any] = {}
    since: str = ""
    until: str = ""
    any: bool = False
    always: bool = False
    older: tuple[str, ...] = ()

    def default_in(self, version: str) -> object:
        """What counts where the command is silent, in a version of the program; the newest without one."""
        fitting = [each for each in self.defaults if not version or version_key(each) <= version_key(version)]
        return self.defaults[max(fitting, key=version_key)] if fitting else self.default


class Derived(NamedTuple):
    """An input that follows from several options, as an expression over their names, if its condition holds."""

    input: str
    value: str
    when: str = ""
    unit: str = ""
    sources: tuple[str, ...] = ()


class Program(NamedTuple):
    """A program: how it is started, what its options mean, which of them cost nothing, which have no input of ours.

    `where` are conditions, as `search` takes them, on the configurations that its options can say; `usual` are inputs
    as a configuration that is to be written for it has them, unless somebody sets them. `across` stands in the place of
    `ACROSS` in `start` where Slurm starts it on several nodes. `kserve` says how KServe starts it.
    """

    id: str
    shown: str
    title: str
    purpose: str
    options: Mapping[str, Option]
    commands: tuple[tuple[str, ...], ...] = ()
    images: tuple[str, ...] = ()
    extends: str = ""
    engine: str = ""
    positional: str = ""
    files: tuple[str, ...] = ()
    version: str = ""
    gpus: bool = False
    abbreviations: bool = False
    derived: tuple[Derived, ...] = ()
    without_effect: Mapping[str, str] = {}
    without_input: Mapping[str, str] = {}
    written: Mapping[str, Derived] = {}
    form: str = "dashes"
    start: str = ""
    where: tuple[str, ...] = ()
    usual: Mapping[str, Any] = {}
    across: str = ""
    kserve: Mapping[str, Any] = {}
    spelling: Mapping[str, str] = {}

    def started(self, per_node: int, nodes: int, *, by_slurm: bool = False) -> str:
        """How a command begins, on so many nodes."""
        across = f" {self.across}" if by_slurm and nodes > 1 else ""
        return self.start.replace(" ACROSS", across).replace("PER_NODE", str(per_node)).replace("NODES", str(nodes))

    def option_named(self, written: str) -> str:
        """The option that a spelling means; empty if the program has none."""
        return self.spelling.get(plain(written), "")

    def knows(self, name: str) -> bool:
        """Whether an option, or the group that it is of, stands anywhere in the table."""
        return bool(self.option_named(name)) or bool(self.reason(name)) or bool(self.advice(name))

    def reason(self, name: str) -> str:
        """Why an option costs nothing; empty if it is not known to."""
        return _of_group(self.without_effect, plain(name)) or _of_group(self.without_effect, _switched_on(name))

    def advice(self, name: str) -> str:
        """What to give instead of an option that has no input of ours; empty if it is none of these."""
        return _of_group(self.without_input, plain(name))


def _switched_on(written: str) -> str:
    """The name of the switch that `--no-NAME` turns off."""
    return plain(written).removeprefix("no_")


def plain(written: str) -> str:
    """An option's name as the tables write it: `--tensor-parallel-size` as `tensor_parallel_size`."""
    return written.lstrip("-").replace("-", "_")


def version_key(version: str) -> tuple[int, ...]:
    """A version to what orders it: `0.6.3.post1` to (0, 6, 3)."""
    parts = (each for each in version.removeprefix("v").split("."))
    return tuple(int(each) for each in parts if each.isdecimal())


def programs_of(library: Library) -> Mapping[str, Program]:
    """All programs by name; raises FormulaError for a table of another form."""
    tables: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for folder, path in library.files(f"{_FOLDER}/*.toml"):
        shown = library.shown(folder, path)
        tables[path.stem] = shown, library.toml(path, shown)
    return {name: _program(name, tables, ()) for name in tables}


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
        str(data.get("purpose", inherited.purpose if inherited else "serving")),
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
        str(data.get("across", inherited.across if inherited else "")),
        data.get("kserve", {}),
    )
    if own.form not in FORMS:
        raise refuse(
            "bad-launch", f"{shown}: `form = {own.form!r}` is not known", help=f"Known are {', '.join(FORMS)}."
        )
    unwritable = next((each for each in own.written if each not in own.options), "")
    if unwritable:
        help_ = nearest(unwritable, own.options)
        raise refuse("bad-launch", f"{shown} [written]: `{unwritable}` is not one of its options", help=help_)
    own = own._replace(spelling=_spelling(own))
    unknown = next((each for each in own.kserve.get("options", {}).values() if not own.knows(each)), "")
    if unknown:
        raise refuse("bad-launch", f"{shown} [kserve.options]: `{unknown}` is not one of its options")
    return own


def _commands(data: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(str(each).split()) for each in data.get("commands", ()))


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
            value, when, unit = (str(table.get(key, "")) for key in ("value", "when", "unit"))
            found.append(Derived(name, value, when, unit, sources))
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


def _of_group(said: Mapping[str, str], name: str) -> str:
    """What is said of a name, or of the group that it stands in: `metrics.*` of `metrics.log_freq`."""
    if name in said:
        return said[name]
    return next((text for group, text in said.items() if group.endswith("*") and fnmatchcase(name, group)), "")


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
