"""Lists what a library holds: records, inputs, formulas, namespaces."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from formula_eval.analyse.evidence import EVIDENCE, NAMED, EvidenceNarrowing, read_evidence_layout
from formula_eval.core.declaration import SituationDeclaration
from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.core.option_names import option_of
from formula_eval.core.quantity import Quantified
from formula_eval.core.record_kind import RecordKind
from formula_eval.core.table import FILLED, TableShape
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library, read_manifest, shipped_libraries
from formula_eval.library import Library
from formula_eval.printing.text import TEXT
from formula_eval.records.record import RecordFile
from formula_eval.records.record_files import LISTS, all_records, records_in
from formula_eval.records.roles import roles_of
from formula_eval.records.schema import InputSchema
from formula_eval.toml_table import check_table, table


@dataclass(frozen=True, slots=True)
class Listing:
    """Column titles and rows of values; with `prose` the last column holds sentences.

    `note` is to be said of these very rows, `legend` explains the columns; `named` first columns tell rows apart.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    prose: bool = False
    note: str = ""
    legend: str = ""
    named: int = 1

    def to_data(self) -> list[dict[str, Any]]:
        """One object for each row; what is not known is null, and a note stands in each."""
        known = (tuple(None if each == "" else each for each in row) for row in self.rows)
        said = {"note": self.note} if self.note else {}
        return [dict(zip(self.columns, row, strict=True)) | said for row in known]


def listing(evaluator: Evaluator, what: str, words: Sequence[str] = (), *, shipped: bool = False) -> Listing:
    """The rows of one list that hold every word in some column; raises FormulaError.

    With `shipped` the records of the libraries that come with ours stand behind ours, unless a library was named.
    """
    if what == EVIDENCE:
        return _evidence(evaluator, words)
    full = (
        KINDS[what].rows(evaluator)
        if what in KINDS
        else _records(_kind_listed(what, evaluator), evaluator, shipped=shipped)
    )
    return Listing(full.columns, tuple(row for row in full.rows if all(holds(row, word) for word in words)), full.prose)


def holds(row: Iterable[object], word: str) -> bool:
    """Whether some cell of a row holds this text, in small or capital letters."""
    return any(word.lower() in str(each).lower() for each in row)


def _kind_listed(what: str, evaluator: Evaluator) -> RecordKind:
    """The kind of records that a list is about, in the singular or the plural; raises FormulaError."""
    kinds = evaluator.schema.kinds.values()
    found = next((kind for kind in kinds if what in (*kind.titles(), kind.alias)), None)
    if found is None:
        known = [*record_titles(evaluator).values(), *KINDS]
        message = f"There is no list of `{what}`"
        raise refuse(
            "unknown-list", message, help=nearest(what, known) or f"There are {', '.join(known)}.", subject=what
        )
    return found


_COLUMN = table("title key?:key fact?:formula from?:kind", one_of=("key", "fact"))
RECORD_LISTS = table("*list:[column]", column=_COLUMN)


def record_titles(evaluator: Evaluator) -> dict[str, str]:
    """The title of the list of each kind of records: that of its table of columns, else the plural of the kind."""
    known = evaluator.library.last(LISTS)[1]
    return {name: kind.title(known) for name, kind in evaluator.schema.kinds.items()}


def _records(kind: RecordKind, evaluator: Evaluator, *, shipped: bool) -> Listing:
    shown, known = evaluator.library.last(LISTS)
    check_table(RECORD_LISTS, known, shown, {})
    columns = known.get(kind.title(known), [])
    named = {column["from"]: _by_id(evaluator, column["from"]) for column in columns if "from" in column}
    rows = [
        (file.id, str(file.data.get("name", "")), *(_fact(column, file, named) for column in columns))
        for file in _by_id(evaluator, kind.name, shipped=shipped).values()
    ]
    return Listing(("id", "name", *(column["title"] for column in columns)), tuple(rows))


def _by_id(evaluator: Evaluator, kind: str, *, shipped: bool = False) -> dict[str, RecordFile]:
    seen: dict[str, RecordFile] = {}
    of = evaluator.schema.kinds[kind]
    is_model = kind == roles_of(evaluator.library).model
    for folder in reversed(evaluator.library.folders) if is_model else ():
        seen |= {own_model.id: own_model for own_model in _own_models(evaluator.library, of, folder)}
    for record in all_records(evaluator.library, of):
        seen.setdefault(record.id, record)
    for name in shipped_libraries() if shipped and evaluator.library.is_builtin else ():
        library = find_library([name])
        folder = library.folders[-1]
        own = _own_models(library, of, folder) if is_model else ()
        for record in (*records_in(library, of, folder), *own):
            seen.setdefault(record.id, record)
    return seen


def _own_models(library: Library, kind: RecordKind, folder: Path) -> Iterator[RecordFile]:
    """The records of a folder of a library that are no models as ours are, and yet what its users call models."""
    path = read_manifest(folder).models
    return records_in(library, kind._replace(path=path), folder) if path else iter(())


def _fact(column: Mapping[str, str], record: RecordFile, named: Mapping[str, Mapping[str, RecordFile]]) -> Any:  # noqa: ANN401 - whatever the record holds
    if "fact" in column:
        fact = record.data.get("facts", {}).get(column["fact"], {})
        return fact.get("value", "") if isinstance(fact, dict) else fact
    data = record.data
    if "from" in column:
        other = named[column["from"]].get(str(data.get(column["from"], "")))
        data = {} if other is None else other.data
    return data.get(column["key"], "")


def _inputs(evaluator: Evaluator) -> Listing:
    rows = [
        (option, _kind(input_schema), _default(input_schema), input_schema.supplier, _meaning(input_schema))
        for option, input_schema in options_in_order(evaluator).items()
    ]
    return Listing(("option", "unit", "default", "from", "meaning"), tuple(rows), prose=True)


def options_in_order(evaluator: Evaluator) -> dict[str, InputSchema]:
    """All inputs by option, in the order of their files; a column of a table once, for its rows N."""

    def place(schema: InputSchema) -> tuple[str, int]:
        file, _, line = schema.place.rpartition(":")
        return file, int(line)

    found: dict[str, InputSchema] = {}
    for input_schema in sorted(evaluator.schema.inputs.values(), key=place):
        found.setdefault(_option(input_schema), input_schema)
    return found


def _option(schema: InputSchema) -> str:
    name = schema.name
    if schema.cell is not None:
        name = schema.cell._replace(row="N").beside(schema.cell.column, schema.record)
    return option_of(name)


def _meaning(schema: InputSchema) -> str:
    return "Row N is there, though no record gives it" if _is_filled(schema) else schema.sentence


def _is_filled(schema: InputSchema) -> bool:
    return schema.cell is not None and schema.cell.column == FILLED


def _kind(schema: InputSchema) -> str:
    quantity = schema.quantity
    if quantity.kind == "choice":
        return " | ".join(quantity.words)
    return quantity.unit or {"flag": "flag", "whole": "whole", "date": "date"}.get(quantity.kind, "")


def _default(schema: InputSchema) -> str:
    if schema.cell is not None and not schema.default:
        return "false" if _is_filled(schema) else "required"
    return schema.default or ("optional" if schema.optional else "required")


def _formulas(evaluator: Evaluator) -> Listing:
    formulas = evaluator.schema.formulas.values()
    rows = [
        (formula.name, _unit_of(formula.quantity), formula.sentence)
        for formula in formulas
        if formula.kind == "formula" and formula.is_listed
    ]
    cells = [
        (f"{name}.*.{column}", *_of_column(table, column, evaluator))
        for name, table in evaluator.schema.tables.items()
        for column in table.columns
    ]
    return Listing(("name", "unit", "meaning"), tuple(sorted([*rows, *cells])), prose=True)


def _unit_of(quantity: Quantified) -> str:
    """The unit of a quantity, or a word for a date."""
    return "date" if quantity.kind == "date" else quantity.unit


def _of_column(table: TableShape, column: str, evaluator: Evaluator) -> tuple[str, str]:
    """The unit of a column, and a sentence about it with the number of rows."""
    name = table.cell(table.rows[0], column) if table.rows else ""
    found = evaluator.schema.formulas.get(name) or evaluator.schema.inputs.get(name)
    rows = f"column of {len(table.rows)} rows"
    return (_unit_of(found.quantity), f"{found.sentence}: {rows}") if found is not None else ("", rows.capitalize())


def _situations(evaluator: Evaluator) -> Listing:
    rows = []
    for name, symbol in evaluator.resolved.scope.symbols.items():
        if isinstance(symbol.declaration, SituationDeclaration):
            inputs = ", ".join(TEXT.binding(binding) for binding in symbol.declaration.bindings)
            rows.append((name, f"{symbol.declaration.notes.sentence}: {inputs}"))
    return Listing(("name", "meaning"), tuple(sorted(rows)), prose=True)


def _namespaces(evaluator: Evaluator) -> Listing:
    formulas = evaluator.schema.formulas.values()
    names: Iterable[str] = (
        formula.namespace for formula in formulas if formula.kind == "formula" and formula.is_listed
    )
    return Listing(("namespace", "formulas"), tuple(sorted(Counter(names).items())))


def _units(evaluator: Evaluator) -> Listing:
    rows = [(name, unit.meaning) for name, unit in evaluator.schema.units.units.items()]
    return Listing(("unit", "meaning"), tuple(rows), prose=True)


def _libraries(evaluator: Evaluator) -> Listing:
    del evaluator
    return Listing(
        ("library", "about"), tuple((name, find_library([name]).title) for name in shipped_libraries()), prose=True
    )


def _evidence(evaluator: Evaluator, words: Sequence[str] = ()) -> Listing:
    layout = read_evidence_layout(evaluator.library)
    found = EvidenceNarrowing(evaluator.library, evaluator.schema).narrowed(words)
    rows = tuple(group.cells() for group in found.groups)
    return Listing(layout.columns, rows, note=found.note, legend=layout.legend, named=NAMED)


def _lists(evaluator: Evaluator) -> Listing:
    titles = record_titles(evaluator)
    records = ((titles[kind.name], kind.sentence) for kind in evaluator.schema.kinds.values())
    return Listing(("list", "meaning"), (*records, *((name, kind.meaning) for name, kind in KINDS.items())), prose=True)


class ListKind(NamedTuple):
    """A list that is no kind of records: what makes its rows, and what they are."""

    rows: Callable[[Evaluator], Listing]
    meaning: str


KINDS: Mapping[str, ListKind] = {
    "inputs": ListKind(_inputs, "What can be given, each an option"),
    "formulas": ListKind(_formulas, "What can be computed, for `--only` and `explain`"),
    "situations": ListKind(_situations, "Inputs that belong together, by a name"),
    "namespaces": ListKind(_namespaces, "Folders of formulas"),
    "libraries": ListKind(_libraries, "Libraries that come with ours, for `--library`"),
    "units": ListKind(_units, "Units, and what they mean"),
    EVIDENCE: ListKind(_evidence, "How many measured runs stand behind answers, and how far off these are"),
    "lists": ListKind(_lists, "What can be listed"),
}
