"""Builds the tables of a library's records for a workbook: a row each, the first for a record of one's own."""

from collections.abc import Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass

from formula_eval.ask.workbook.naming import CUSTOM, NONE, cell_id
from formula_eval.ask.workbook.read_back import default_id
from formula_eval.core.graph import Node
from formula_eval.core.type import Record
from formula_eval.export.document import Document
from formula_eval.records.givens import namespace_preset, presets_around
from formula_eval.records.origin import Origin
from formula_eval.records.record import RecordFile, SuppliedValues
from formula_eval.records.record_links import record_places
from formula_eval.records.record_values import origin_of, read_record
from formula_eval.records.values import Number


@dataclass(frozen=True, slots=True)
class RecordCells:
    """One record: its values in base units by input, and what a reader must know of it."""

    id: str  # as a reader types it to choose it
    name: str  # in full, as its file says it
    values: Mapping[str, Number]
    links: Mapping[str, str]  # ids of records that it names, by kind
    restated: Mapping[str, Number]  # what the namespace states instead, by input
    source: str = ""  # where its values are from, or empty
    date: str = ""  # as its file has it, or empty
    note: str = ""  # the remark in its file, or empty


_NO_RECORD = RecordCells("", "", {}, {}, {})


@dataclass(frozen=True, slots=True)
class RecordTable:
    """All records of a supplier; `restated` are inputs that the namespace states anew for some of them."""

    supplier: str
    inputs: tuple[Node, ...]
    links: tuple[str, ...]
    restated: tuple[Node, ...]
    rows: tuple[RecordCells, ...]

    def number_of(self, wanted: str) -> int:
        """The row of a record, from 1: the first is the reader's own, the one after the last is empty."""
        ids = [row.id.lower() for row in self.rows]
        return 1 + (ids.index(wanted.lower()) if wanted.lower() in ids else len(ids))

    def held(self, wanted: str) -> RecordCells:
        """A record; one that says nothing where there is none."""
        number = self.number_of(wanted)
        return self.rows[number - 1] if number <= len(self.rows) else _NO_RECORD


@dataclass(frozen=True, slots=True)
class Selector:
    """A cell that chooses a record: the id typed in it, and the id that holds then.

    `naming` are the cells, and their kinds, that choose records which may name this one; the first that does wins.
    `unchosen` is what holds where nobody says one: the default of its kind, else the reader's own row of what a
    question is about, else none.
    """

    key: str  # a kind, or an input that is a record
    supplier: str  # the kind of records to choose from
    typed: str
    holds: str
    naming: tuple[tuple[str, str], ...] = ()
    unchosen: str = ""


def record_tables(document: Document) -> dict[str, RecordTable]:
    """The tables of all suppliers that the document needs or its question names."""
    graph = document.graph
    needed = {graph.nodes[name].supplier for name in document.names if graph.nodes[name].kind == "input"}
    needed |= {node.type.supplier for node in document.nodes if isinstance(node.type, Record)}
    needed.update((*document.result.records, *document.question.records))
    kinds = document.evaluator.schema.kinds
    suppliers = [kind for kind in kinds if kind in needed or _is_linked(document, kind, needed)]
    return {supplier: _table(document, supplier, suppliers) for supplier in suppliers}


def _is_linked(document: Document, kind: str, needed: AbstractSet[str]) -> bool:
    """Whether the question names such a record, or one that is needed does."""
    naming = document.evaluator.schema.kinds[kind].suppliers
    return kind in document.givens.records and (not naming or not needed.isdisjoint(naming))


def _table(document: Document, supplier: str, suppliers: list[str]) -> RecordTable:
    nodes = document.graph.nodes
    inputs = tuple(node for node in inputs_of(document) if node.supplier == supplier and not node.record)
    rows = [RecordCells(CUSTOM, "your own: fill in this row", {}, {}, {})]
    taken = {CUSTOM.lower()}
    for record, supplied in (*_chosen(document, supplier), *document.records(supplier)):
        shown = cell_id(record.id)
        if shown.lower() == CUSTOM.lower():
            rows[0] = _row(CUSTOM, record, supplied, {})
        elif shown.lower() not in taken:
            taken.add(shown.lower())
            rows.append(_row(shown, record, supplied, _restated(document, supplier, record.id)))
    linked = {key for row in rows for key in row.links if key in suppliers}
    anew = {name for row in rows for name in row.restated}
    links = tuple(kind for kind in document.evaluator.schema.kinds if kind in linked)
    stated = {name for row in rows for name in row.values}
    inputs = tuple(node for node in inputs if node.name in stated or node.expression is None)
    return RecordTable(supplier, inputs, links, tuple(nodes[name] for name in nodes if name in anew), tuple(rows))


def inputs_of(document: Document) -> list[Node]:
    """All inputs of the graph, in its order; no other node is read for it."""
    return [document.graph.nodes[name] for name in document.evaluator.schema.inputs]


def _row(shown: str, record: RecordFile, supplied: SuppliedValues, restated: Mapping[str, Number]) -> RecordCells:
    source, date, note = (str(record.data.get(key, "")) for key in ("source", "date", "note"))
    name = record.called
    links = {key: cell_id(value) for key, value in supplied.links.items()}
    return RecordCells(shown, name, supplied.values, links, restated, source, date, note)


def _chosen(document: Document, supplier: str) -> Iterator[tuple[RecordFile, SuppliedValues]]:
    """The records that the question names and that are not in the library, such as a file of the user's own."""
    schema = document.evaluator.schema
    ours = list(document.records(supplier))
    for key in (supplier, *record_inputs(document, supplier)):
        record = document.givens.files.get(key)
        if record is not None and all(record != file for file, _ in ours):
            yield record, read_record(record, schema, whole=False)


def record_inputs(document: Document, supplier: str) -> list[str]:
    """The inputs that are a record of this supplier themselves, such as a draft model."""
    schema = document.evaluator.schema.inputs.values()
    return [
        input_schema.name
        for input_schema in schema
        if input_schema.quantity.kind == "record" and input_schema.quantity.unit == supplier
    ]


def selectors_of(document: Document, tables: Mapping[str, RecordTable]) -> list[Selector]:
    """One for each table, and for each needed input that is a record."""
    places = {name: (kind, naming) for name, kind, naming in record_places(document.evaluator.schema)}
    inputs = [document.graph.nodes[name] for name in document.names]
    needed = [node.name for node in inputs if isinstance(node.type, Record) and node.type.supplier in tables]
    found = []
    for key in (*tables, *needed):
        kind, naming = places[key]
        holds = cell_id(document.givens.records.get(key, ""))
        layers = {_origin(document, name) for name in naming} - {""}
        linked = document.givens.record_origins.get(key, "") in layers
        shown = tuple((name, places[name][0]) for name in naming if name in tables or name in needed)
        unsaid = linked or document.givens.record_origins.get(key) == Origin.DEFAULT
        unchosen = _unchosen(document, kind) if key in tables else ""
        found.append(Selector(key, kind, "" if unsaid else holds, holds or unchosen, shown, unchosen))
    return found


def _unchosen(document: Document, kind: str) -> str:
    """The record in use where nobody chooses one: the default of its kind, else the reader's own row, or none."""
    schema = document.evaluator.schema
    return default_id(document.evaluator.library, schema, kind) or (NONE if schema.kinds[kind].suppliers else CUSTOM)


def _origin(document: Document, supplier: str) -> str:
    """Who speaks for a record: its file."""
    record = document.givens.files.get(supplier)
    return origin_of(record, document.evaluator.schema) if record else ""


def own_values(document: Document) -> dict[str, Number]:
    """The input values that the user set, not a record or preset."""
    givens, library = document.givens, document.evaluator.library
    kinds = document.evaluator.schema.kinds
    spoken = {_origin(document, key) for key in givens.records if key in kinds}
    for base, path in presets_around(document.question.namespace, library):
        spoken.add(library.shown(base, path))
    inline = tuple(f"{name}." for name in givens.records if name not in kinds)
    return {
        name: value
        for name, value in givens.values.items()
        if givens.origins[name] not in spoken
        and givens.origins[name].partition(" [")[0] not in spoken
        and not name.startswith(inline)
    }


def preset_of(document: Document) -> dict[str, Number]:
    """The values that the namespace of a question states."""
    return _merged(namespace_preset(document.question, document.evaluator.schema, document.evaluator.library, {}))


def _restated(document: Document, kind: str, record: str) -> dict[str, Number]:
    """The values that it states instead of those of a record, such as an accelerator."""
    evaluator = document.evaluator
    layers = namespace_preset(document.question, evaluator.schema, evaluator.library, {kind: record})
    return _merged(layers[1::2])  # of each file, what stands behind its inputs


def _merged(layers: Sequence[SuppliedValues]) -> dict[str, Number]:
    return {name: value for layer in layers for name, value in layer.values.items()}
