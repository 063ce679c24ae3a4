"""Renders the help of the command from reports/help.toml, and finds the inputs and records that it has to list."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.library import Library
from formula_eval.records.answer_kind import purpose_of
from formula_eval.toml_shape import Lookup
from formula_eval.toml_table import check_table, of_names, table

_FILE = "reports/help.toml"
_GROUP = table("title options:[option]", option=table("names:[option] says value?"))
HELP = table("about? example?:[example] group?:[group]", example=table("line"), group=_GROUP)


def help_text(library: Library, known: Collection[str], verbs: Mapping[str, str], *, own: bool) -> str:
    """The short help; empty for a library with an answer of its `own` and no such file.

    Raises FormulaError for a file that is wrong or names an option that is not `known`.
    """
    shown, data = library.last(_FILE)
    if not shown or (own and not (library.folders[-1] / _FILE).is_file()):
        return ""
    check_table(HELP, data, shown, {"option": switches(known)})
    return "".join(f"{line}\n" for line in _lines(data, verbs))


def switches(known: Collection[str]) -> Lookup:
    """Looks up the names of options, as files write them, among those that are known, as they are typed."""
    found = of_names(known, "option")
    return lambda name: found(f"--{name.replace('_', '-')}")


def _lines(data: Mapping[str, Any], verbs: Mapping[str, str]) -> Iterator[str]:
    if "about" in data:
        yield from (data["about"], "")
    yield "Examples"
    yield from (f"  formula-eval {each['line']}" for each in data.get("example", ()))
    for group in data.get("group", ()):
        yield from ("", group["title"])
        yield from _columns({_written(option): option["says"] for option in group["options"]})
    yield from ("", "Verbs")
    yield from _columns(verbs)


def _columns(rows: Mapping[str, str]) -> Iterator[str]:
    width = max(map(len, rows))
    yield from (f"  {name:{width}}  {says}" for name, says in rows.items())


def _written(option: Mapping[str, Any]) -> str:
    """`--tp, --pp N`."""
    names = (f"--{name.replace('_', '-')}" for name in option["names"])
    return f"{', '.join(names)} {option.get('value', '')}".rstrip()


def inputs_read(evaluator: Evaluator) -> Collection[str] | None:
    """The inputs that the library's own answer and its checks read; None where it is alone or declares no answer."""
    library, schema = evaluator.library, evaluator.schema
    if library.is_alone or not library.answer:
        return None
    purpose = purpose_of("", library, schema)
    wanted = read_answer_layout(library, library.answer).quantities(schema)
    read = evaluator.checked_program(wanted, evaluator.checks(wanted, purpose.namespace)).kinds
    return [name for name, input_schema in schema.inputs.items() if name in read and not input_schema.record]


def kinds_read(evaluator: Evaluator) -> Collection[str] | None:
    """The kinds of records that supply these inputs, and None likewise."""
    read = inputs_read(evaluator)
    schema = evaluator.schema
    return None if read is None else {schema.inputs[name].supplier for name in read} & set(schema.kinds)
