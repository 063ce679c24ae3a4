"""Writes a plan as one HTML file, computed again in the browser: alternatives side by side, charts, assumptions."""

from collections.abc import Iterator, Sequence
from typing import Any

from formula_eval.analyse.plan.capacity import resized
from formula_eval.analyse.plan.demand import PlanColumn
from formula_eval.analyse.plan.planned import Alternative, Plan
from formula_eval.analyse.plan.values import shown_quantity
from formula_eval.ask.plan_layout import PlanChart
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.views import View
from formula_eval.export.html.assets import page_of, scripts_of, style_of
from formula_eval.export.html.formulas import input_data, quantity_data
from formula_eval.export.html.page_colours import colours_data
from formula_eval.export.html.record_choices import units_data
from formula_eval.export.palette import palette_of
from formula_eval.export.plan.grounds import assumed, records_read, worth_knowing
from formula_eval.export.plan.heading import heading_of
from formula_eval.export.plan.live import changeable, live_alternative, start_values
from formula_eval.export.plan.rows import PlanPage, absent_keys, hour_text, page_told, rows_of, sums_titles
from formula_eval.export.templates import folders_of
from formula_eval.printing.javascript import PRELUDE
from formula_eval.records.record import RecordFile


def plan_page(
    plan: Plan, evaluator: Evaluator, page: PlanPage, command: str, mix: Sequence[tuple[float, RecordFile]] = ()
) -> str:
    """The HTML of the page; `mix` are the workloads that share the service, each with its share of the requests."""
    return _Writer(plan, evaluator, page).text(command, mix)


class _Writer:
    """Builds the data of the page and its functions."""

    def __init__(self, plan: Plan, evaluator: Evaluator, page: PlanPage) -> None:
        self._plan = plan
        self._layout = layout = page.layout
        self._cases = layout.cases.cases
        self._evaluator = View(evaluator, layout.where)
        self._shown = [alternative for alternative in plan.alternatives if alternative.question]
        self._questions = [alternative.question for alternative in plan.alternatives if alternative.question]
        self._page = page = page_told(page, self._questions, evaluator)
        rows = [row for group in page.groups for row in group.rows]
        rows += [row for chart in (*page.words.percentiles, *page.words.bars) for row in chart.rows]
        rows += [*plan.day.columns, *plan.day.sums] if plan.day else []
        rows += [PlanColumn("", layout.day.rented)] if layout.day else []
        self._rows = rows
        names = [name for row in rows for name in (row.name, row.start) if name]
        conditions = [condition.node for condition in self._evaluator.conditions]
        average = [layout.load.average] if layout.load else []
        self._wanted = [*dict.fromkeys((*names, *conditions, *average))]
        self._free = self._changeable()

    def _changeable(self) -> list[str]:
        load = self._layout.load
        typed = [row.name for row in self._page.fields] + [name for name, _ in sorted(self._page.typed)]
        rates = (load.rate, load.peak, load.replicas) if load else ()
        scaled = [name for case in self._cases for name in case.scales]
        names = [*dict.fromkeys((*typed, *rates, *scaled))]
        everywhere = set(names).intersection(*(self._evaluator.givens(question).values for question in self._questions))
        return changeable(self._evaluator, names, self._wanted, everywhere)

    def text(self, command: str, mix: Sequence[tuple[float, RecordFile]]) -> str:
        """The whole file."""
        library, load = self._evaluator.library, self._layout.load
        folders = folders_of(library)
        live = [
            live_alternative(self._evaluator, question, self._wanted, self._free, load) for question in self._questions
        ]
        plans = ",\n".join(alternative.script for alternative in live)
        program = f"{PRELUDE}\nreturn {{ NoNumber, PLANS: [\n{plans}\n] }};\n"
        program = f"const {{ NoNumber, PLANS }} = (() => {{\n{program}}})();"
        script = "\n".join(['"use strict";', program, *scripts_of(library, "plan", folders)])
        alternatives = [
            {**self._alternative(alternative), "places": one.places}
            for alternative, one in zip(self._shown, live, strict=True)
        ]
        data = {**self._data(), "alternatives": alternatives, "palette": colours_data(palette_of(library))}
        heading = heading_of(self._plan, self._page.heading, self._evaluator)
        shown = {
            "title": heading.title,
            "summary": ", ".join(alternative.name for alternative in self._plan.alternatives),
            "says": " ".join(self._page.words.says),
            "asks": heading.asks,
            "verdict": heading.verdict,
            "found": self._plan.best is not None,
            "command": command,
            "rows": [row._asdict() for row in rows_of(self._plan, self._shown, self._evaluator)],
            "names": [alternative.name for alternative in self._shown],
            "assumed": [*assumed(self._plan, self._shown, self._evaluator)],
            "records": [*records_read(self._shown, mix, self._evaluator)],
            "works": [*self._works()],
            "said": [*worth_knowing(self._plan)],
            "data": data,
            "day": {"title": day.title, "says": " ".join(day.says)} if (day := self._plan.day) else None,
        }
        style = style_of(library, ["style.css", "plan.css"], folders)
        return page_of("plan.html.j2", shown, f"(() => {{\n{script}\n}})();\n", style, folders)

    def _data(self) -> dict[str, Any]:
        nodes, schema = self._evaluator.graph.nodes, self._evaluator.schema
        inputs = {
            name: {"quantity": quantity_data(nodes[name].quantity), "input": input_data(nodes[name], schema)}
            for name in self._free
        }
        load, takes = self._layout.load, resized(self._evaluator, self._layout)
        return {
            "free": self._free,
            "inputs": inputs,
            "fields": [self._row(field) for field in self._page.fields if field.name in self._free],
            "groups": [
                {"title": group.title, "rows": [self._row(row) for row in group.rows]} for group in self._page.groups
            ],
            "percentiles": [
                self._chart(percentile)
                for percentile in self._page.words.percentiles
                if percentile.target in self._free
            ],
            "bars": [self._chart(bar) for bar in self._page.words.bars],
            "conditions": [condition.node for condition in self._evaluator.conditions],
            "load": load._asdict() if load else None,
            "cases": [
                {"name": case.name, "scales": case.scales, "resized": case.name in takes} for case in self._cases
            ],
            "day": self._day(),
            "commitment": self._commitment(),
            "units": units_data(self._evaluator.library.units, self._evaluator.schema.synonyms.units),
        }

    def _commitment(self) -> dict[str, Any] | None:
        """The input of the replicas that a commitment is for, where a reader may change it."""
        day = self._layout.day
        if day is None or day.commitment is None or day.commitment.input not in self._free:
            return None
        return {"input": day.commitment.input, "rented": day.rented}

    def _day(self) -> dict[str, Any] | None:
        """The hours of the day: the share of the busiest one's requests of each, and what is told of it."""
        day = next((alternative.day for alternative in self._plan.alternatives if alternative.day), None)
        if day is None or self._plan.day is None:
            return None
        most = max(hour.rate for hour in day.hours)
        return {
            "hours": [hour_text(hour.hour) for hour in day.hours],
            "shares": [hour.rate / most for hour in day.hours],
            "columns": [self._row(row) for row in self._plan.day.columns],
            "sums": [{**self._row(row), "titles": sums_titles(row)} for row in self._plan.day.sums],
            "starts": self._plan.day.starts,
            "rented": self._plan.day.rented,
            "none": list(self._plan.day.none),
        }

    def _chart(self, chart: PlanChart) -> dict[str, Any]:
        return {"title": chart.title, "target": chart.target, "rows": [self._row(row) for row in chart.rows]}

    def _row(self, row: PlanColumn) -> dict[str, Any]:
        """A row with the quantity that shows its values, and its sentence."""
        return {
            **row._asdict(),
            "quantity": quantity_data(shown_quantity(row, self._evaluator)),
            "sentence": self._evaluator.graph.nodes[row.name].sentence,
            "typed": (row.name, row.hour) in self._page.typed and row.name in self._free,
        }

    def _alternative(self, alternative: Alternative) -> dict[str, Any]:
        return {
            "name": alternative.name,
            "layout": alternative.layout or "-",
            "stops": alternative.day is not None and alternative.day.stops,
            "absent": sorted(
                f"{name}@{hour}" for name, hour in absent_keys(self._rows, alternative.question, self._evaluator)
            ),
            "start": start_values(self._evaluator, alternative, self._free, self._layout.load),
        }

    def _works(self) -> Iterator[dict[str, str]]:
        """The sources of the formulas of the rows, or what they are derived from."""
        rows = {row.name: row.title for group in self._page.groups for row in group.rows}
        works = self._evaluator.library.citations
        for name, title in rows.items():
            node = self._evaluator.graph.nodes[name]
            notes = node.declaration.notes
            titled = [(works.get(source.key, {}).get("title", source.key), source.locator) for source in notes.sources]
            cited = [f"{title}, {locator}".rstrip(", ") for title, locator in titled]
            text = "; ".join(cited) or notes.derived
            if text and node.kind != "input":
                yield {"title": title, "name": name, "sentence": notes.sentence, "text": text}
