"""Holds what all sheets of a workbook share: places, names, units, styles, and the text of formulas."""

import math
from collections.abc import Mapping, Sequence, Set as AbstractSet
from fractions import Fraction
from functools import cached_property
from typing import Any

from formula_eval.analyse.plan.values import values_of
from formula_eval.ask.workbook.naming import Naming, Refs
from formula_eval.ask.workbook.workbook_layout import read_sheet_looks, read_workbook_layout
from formula_eval.core import expression as e
from formula_eval.core.graph import Node
from formula_eval.core.namespace import binding_parts
from formula_eval.core.needed_inputs import NeededInputs
from formula_eval.core.type import Choice, Flag, Quantity, Record
from formula_eval.evaluate.codegen import guarded, tested_inputs
from formula_eval.export.document import Document
from formula_eval.export.palette import palette_of
from formula_eval.export.workbook import units
from formula_eval.export.workbook.record_tables import inputs_of, own_values, preset_of, record_tables, selectors_of
from formula_eval.export.workbook.sheet import Sheet
from formula_eval.export.workbook.styles import Styles
from formula_eval.printing import excel


class Book:
    """One workbook in the making."""

    def __init__(self, document: Document, workbook: Any, refs: Refs) -> None:  # noqa: ANN401 - a library without types
        """Print this document into this workbook."""
        self.document = document
        self.workbook = workbook
        layout = read_workbook_layout(document.evaluator.library, document.evaluator.schema)
        flags = values_of(document.evaluator, document.question, layout.flags)
        self.layout = layout.asked_by(document.givens.values, {name for name, held in flags.items() if not held > 0})
        self.units = units.Units(document.evaluator.library.units, self.layout)
        self.styles = Styles(workbook)
        self.looks = read_sheet_looks(document.evaluator.library)
        self.palette = palette_of(document.evaluator.library)
        self.naming = Naming(refs)
        self.sheets: dict[str, Sheet] = {}
        self.tables = record_tables(document)
        self.selectors = selectors_of(document, self.tables)
        self.own = own_values(document)
        self.preset = preset_of(document)
        self.varied: frozenset[str] = frozenset()
        self._cells: dict[tuple[str, str], Node | None] = {}  # of tables, once all places are planned
        self._bound: dict[str, frozenset[str]] = {}

    def opened(self, title: str, look: str, says: Sequence[str] = ()) -> Sheet:
        """A sheet with its title, the sentences beneath it, and the widths of its columns."""
        found = self.looks[look]
        sheet = self.sheet(title, found.widths)
        sheet.title_lines(title, says or found.words.get("says", ()))
        return sheet

    def sheet(self, title: str, widths: list[float]) -> Sheet:
        """A sheet that was added before, with columns so wide."""
        sheet = Sheet(self.workbook.get_worksheet_by_name(title), self.styles, widths)
        self.sheets[title] = sheet
        return sheet

    @cached_property
    def inputs(self) -> list[Node]:
        """The inputs that the document needs, and those that the user set although nothing needs them."""
        held = {*self.document.names, *self.own}
        return [node for node in self._all_inputs.values() if node.name in held and not isinstance(node.type, Record)]

    @cached_property
    def holds(self) -> Mapping[str, str]:
        """The record that each selector chooses, by its key."""
        return {selector.key: selector.holds for selector in self.selectors}

    @cached_property
    def asked(self) -> frozenset[str]:
        """The nodes that the wanted quantities need: what only a check needs heads no sheet."""
        return frozenset(self.document.graph.ancestors(list(self.document.wanted)))

    @cached_property
    def computed(self) -> list[Node]:
        """The nodes that the document computes, each after those that it reads."""
        return [node for node in self.document.nodes if node.kind != "input"]

    @cached_property
    def asked_given(self) -> frozenset[str]:
        """The inputs for which some formula tests whether they are given."""
        return tested_inputs(self.document.nodes)

    @cached_property
    def absent(self) -> frozenset[str]:
        """The nodes that may have no value: inputs without a default that need none or have none, and their readers."""
        found: set[str] = set()
        for node in self.document.nodes:
            lacking = node.kind == "input" and node.expression is None and (node.optional or self._lacks(node))
            if lacking or (node.expression is not None and _may_lack(node.expression, found)):
                found.add(node.name)
        return frozenset(found)

    def _lacks(self, node: Node) -> bool:
        """Whether an input has no value now."""
        return math.isnan(self.document.numbers.get(node.name, math.nan))

    @cached_property
    def needed_inputs(self) -> NeededInputs:
        """The inputs that each node of the graph needs."""
        return NeededInputs(self.document.graph.parents, self._all_inputs)

    @cached_property
    def copies(self) -> Mapping[tuple[str, frozenset[str]], list[Node]]:
        """The needed copies of each node under other inputs, by its name and those inputs."""
        found: dict[tuple[str, frozenset[str]], list[Node]] = {}
        for node in self.document.nodes:
            if node.original:
                found.setdefault((node.original, self.bound(node.binding)), []).append(node)
        return found

    def bound(self, binding: str) -> frozenset[str]:
        """The inputs that a copy replaces, by the names and chosen words in its label."""
        if binding not in self._bound:
            self._bound[binding] = frozenset(name for part in binding_parts(binding) for name in self._meant(part))
        return self._bound[binding]

    def _meant(self, part: str) -> Sequence[str]:
        """The inputs that a part of a label names, as `batch=1`, or of which it is a word; none for a record."""
        name, is_value, _ = part.partition("=")
        if is_value:
            return (name.strip(),) if name.strip() in self._all_inputs else ()
        return self._taking.get(part, ())

    def cell(self, name: str, binding: str) -> Node | None:
        """The cell in the copy for a binding, or itself where that makes no difference; none if not computed."""
        if (name, binding) not in self._cells:
            self._cells[name, binding] = self._looked_up(name, binding)
        return self._cells[name, binding]

    def _looked_up(self, name: str, binding: str) -> Node | None:
        nodes, parts = self.document.graph.nodes, frozenset(binding_parts(binding))
        if name not in nodes:
            return None
        if not all(map(self._meant, parts)):  # a record or a situation: only what was computed so
            same = nodes[name] if name in self.naming.places and not self.needed_inputs[name] else None
            return self._exact.get((name, binding), same)
        relevant = self.needed_inputs[name] & self.bound(binding)
        for copy in self.copies.get((name, relevant), ()) if relevant else self._unbound(nodes[name]):
            if copy.name in self.naming.places and parts.issuperset(binding_parts(copy.binding)):
                return copy
        return None

    @cached_property
    def _exact(self) -> Mapping[tuple[str, str], Node]:
        """Each copy that has a cell, by the name of its original and its label."""
        placed = (node for node in self.document.nodes if node.original and node.name in self.naming.places)
        return {(node.original, node.binding): node for node in placed}

    def _unbound(self, node: Node) -> Sequence[Node]:
        """The node, unless it is a copy under other inputs."""
        return () if self.bound(node.binding) else (node,)

    @cached_property
    def _all_inputs(self) -> Mapping[str, Node]:
        """The inputs of the graph, by name."""
        return {node.name: node for node in inputs_of(self.document)}

    @cached_property
    def _taking(self) -> Mapping[str, list[str]]:
        """The inputs that take a word, by that word."""
        found: dict[str, list[str]] = {}
        for node in self._all_inputs.values():
            for word in node.type.values if isinstance(node.type, Choice) else ():
                found.setdefault(word, []).append(node.name)
        return found

    def value(self, name: str, numbers: Mapping[str, float] | None = None) -> units.Value:
        """The value of the cell of a node."""
        node = self.document.graph.nodes[name]
        held = self.document.numbers if numbers is None else numbers
        number = held.get(name, self.document.givens.values.get(name, math.nan))
        return units.cell_value(number, node)

    def spelling(self, here: str, local: Mapping[str, str] | None = None) -> excel.ExcelNames:
        """How formulas on the sheet `here` spell nodes; those in `local` as it says."""
        local = local or {}

        def value(name: str) -> str:
            return local[name] if name in local else self.naming.reference(name, here)

        def given(name: str) -> str:
            if f"{name}=" in local:
                return local[f"{name}="]
            node = self.document.graph.nodes[name]
            cell = self.naming.reference(f"{name} set by", here)
            return f'{cell}<>""' if isinstance(node.type, Record) else f'{cell}<>"default"'

        return excel.ExcelNames(value, given, self.absent.__contains__, self._is_whole_input)

    def _is_whole_input(self, name: str) -> bool:
        node = self.document.graph.nodes[name]
        return node.kind == "input" and isinstance(node.type, Quantity) and node.type.whole

    def formula(self, node: Node, here: str, local: Mapping[str, str] | None = None) -> str:
        """The formula of a node; an empty value where its guard does not hold."""
        return excel.ExcelPrinter(self.spelling(here, local)).text(guarded(node))

    def input_formula(
        self, node: Node, here: str, local: Mapping[str, str] | None = None, cells: Sequence[str] | None = None
    ) -> str:
        """The value of an input: that of a cell of the data table, what was typed, what a record says, its default.

        `cells` are those in which it is said, the one that goes before the others first.
        """
        parts = e.walk(node.expression) if node.expression is not None else ()
        read = [part.node for part in parts if isinstance(part, e.Reference)]
        stands = all(name in self.naming.places or name in (local or {}) for name in read)
        default = self.formula(node, here, local) if stands else "NA()"  # set, though nothing needs what it reads
        if cells is None:
            keys = [f"{node.name} {each}" for each in ("varied", "typed", "supplied")]
            cells = [self.naming.places[key].address(here) for key in keys if key in self.naming.places]
        for cell in reversed(cells):
            default = f'IF({cell}<>"",{self.from_typed(node, cell)},{default})'
        return default

    def from_typed(self, node: Node, cell: str) -> str:
        """The formula that converts what was typed into the value of an input."""
        if isinstance(node.type, Flag):
            return f'{cell}="yes"'
        return self.units.typed(node).to_base(cell)

    def typed_value(self, node: Node, number: float) -> units.Value:
        """A value of an input as somebody would type it."""
        if isinstance(node.type, Flag):
            return "yes" if number else "no"
        if isinstance(node.type, Choice):
            return node.type.values[int(number)]
        return self.units.typed(node).typed(number)

    def typed_literal(self, node: Node, number: float) -> str:
        """Such a value as a constant within a formula."""
        value = self.typed_value(node, number)
        return excel.excel_string(value) if isinstance(value, str) else excel.excel_number(Fraction(value))

    def number_format(self, node: Node) -> str:
        """How a value in base units looks: every digit of a whole number, else what fits."""
        whole = getattr(node.type, "whole", False) and not self.units.shown(node)
        return units.WHOLE_FORMAT if whole else "General"

    def colour_flags(self, sheet: Sheet, row: int, columns: tuple[int, int], **more: object) -> None:
        """Colour what says yes and what says no, from one column to another."""
        for word, state in (("yes", "good"), ("no", "bad")):
            look = sheet.conditional(font_color=self.palette.state(state), **more)
            rule = {"type": "cell", "criteria": "==", "value": f'"{word}"', "format": look}
            sheet.raw.conditional_format(row, columns[0], row, columns[1], rule)


def _may_lack(x: e.Expression, absent: AbstractSet[str]) -> bool:
    """Whether an expression may have no value where these nodes have none; what `if given(x)` reads is there."""
    if isinstance(x, e.Reference):
        return x.node in absent
    if isinstance(x, e.Conditional) and isinstance(x.condition, e.Given):
        return _may_lack(x.then, absent - {x.condition.node}) or _may_lack(x.otherwise, absent)
    return any(_may_lack(part, absent) for part in e.children(x))
