"""Writes the text that runs a configuration: a command, a manifest, or a program's own file, with reasons."""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import TextWrapper
from typing import Any, NamedTuple

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.launch.tables.launch_program import LaunchProgram
from formula_eval.launch.to_inputs import nested
from formula_eval.launch.to_options import WrittenOption, options_for, same, tables_of, words_of
from formula_eval.launch.write import launch_values as held
from formula_eval.launch.write.launch_values import LaunchValues
from formula_eval.launch.write.several_nodes import (
    LaunchPlace,
    notes,
    own_words,
    refuse_place,
    refuse_wrapping,
    script,
    started,
)
from formula_eval.launch.write.verify import RoundTrip
from formula_eval.library import Library
from formula_eval.records.givens import Question
from formula_eval.records.mapping.reader import ConfigReader
from formula_eval.records.origin import Origin
from formula_eval.records.record_files import find_record
from formula_eval.records.roles import roles_of

_WIDTH = 80


class Launched(NamedTuple):
    """The text that runs a configuration, and remarks for its reader, each with its level."""

    text: str
    remarks: tuple[tuple[str, str], ...] = ()


class LaunchReports(NamedTuple):
    """What reports/ say of launches: the quantities by which one is read again, and how its templates are filled."""

    quantities: Callable[[Question], Sequence[str]]
    filled: Callable[[str, Mapping[str, Any]], str]


def launched(
    program_name: str, shape: str, question: Question, evaluator: Evaluator, reports: LaunchReports
) -> Launched:
    """The text for a program by name, in one of `formats.SHAPES` or the form of its files; raises FormulaError."""
    program = held.program_named(program_name, evaluator)
    values = held.launch_values(program, question, evaluator)
    options = list(options_for(program, values.said, values.silent, evaluator.library))
    if program.form in held.FILES:
        refuse_wrapping(program, shape)
        shape = program.form
    place = LaunchPlace(shape, values.nodes, values.per_node)
    refuse_place(program, place, values.roles)
    asked = held.asked_of(program, question, values.roles)
    reading = RoundTrip(program, asked, values, evaluator, reports.quantities(asked))
    data = _data(program, place, options, values, _Reasons(values, reading.asked, evaluator).reason)
    data["notes"] += _needs(program, values, evaluator.library)

    def text(unsaid: Sequence[str]) -> str:
        if shape == "json":
            return json.dumps(tables_of(options), indent=2) + "\n"
        return reports.filled(f"launch/{shape}.j2", {**data, "unsaid": unsaid})

    back = reading.of(text([]), options)
    meeting = [f"how the {values.nodes} nodes meet"] if values.nodes > 1 and not program.nodes else []
    unsaid = [*back.unsaid, *meeting]
    apart = [("note", f"Not said by this file: {', '.join(unsaid)}")] if unsaid and shape == "json" else []
    return Launched(text(unsaid), (*apart, *(("warn", warning) for warning in back.warnings)))


def _data(
    program: LaunchProgram,
    place: LaunchPlace,
    options: Sequence[WrittenOption],
    values: LaunchValues,
    reason_of: Callable[[WrittenOption], str],
) -> dict[str, Any]:
    """The data of a launch for a template."""
    roles = values.roles
    positional = program.positional in program.model_options and program.form in ("dashes", "underscores")
    model = next((str(option.value) for option in options if option.inputs == (roles.model,)), "")
    first = [model] if positional and model else []
    behind = [option for option in options if not (first and option.option == program.positional)]
    words = [list(words_of(option, program)) for option in behind]
    reasons = [reason_of(option) for option in behind]
    arguments = [([json.dumps(word) for word in each], why) for each, why in zip(words, reasons, strict=True)]
    leader, worker = (([json.dumps(name) for name in further], "") for further in own_words(program, place))
    return {
        "title": program.title,
        "model": model or str(values.said.get(roles.model, "")),
        "runs_on": _runs_on(values),
        "nodes": place.nodes,
        "per_node": place.per_node,
        "start": started(program, place).replace("MODEL", model).replace("FILE", f"{program.id}.{place.shape}"),
        "script": script(program, place, first, [shlex.join(word) for word in words]),
        "notes": list(notes(program, place)),
        "reasons": [f"{shlex.join(word)}: {reason}" for word, reason in zip(words, reasons, strict=True)],
        "arguments": [*arguments, *([leader] if leader[0] else [])],
        "workers": [*((each, "") for each, _ in arguments), worker] if worker != leader else [],
        "command": json.dumps([*shlex.split(started(program, place)), *first]),
        "image": program.container.get("image", ""),
        "container": program.container,
        "name": re.sub(r"[^a-z0-9]+", "-", program.id.lower()),
        "tables": "\n".join(_yaml(tables_of(options), {option.option: reason_of(option) for option in options})),
    }


def _runs_on(values: LaunchValues) -> str:
    """The accelerators that a launch is for: `2 x h100-sxm`, of two kinds one behind the other."""
    roles, records = values.roles, values.result.givens.records
    others = round(values.said.get(roles.second.number, 0)) if roles.second.record in records else 0
    counts = {roles.accelerator: values.gpus - others, **({roles.second.record: others} if others else {})}
    return " and ".join(f"{count} x {records.get(kind, '')}" for kind, count in counts.items())


def _needs(program: LaunchProgram, values: LaunchValues, library: Library) -> Iterator[str]:
    """What else the launch needs, by the conditions of the table on what it says."""
    reader = ConfigReader(library, nested(values.said), program.shown)
    yield from (sentence for sentence, when in program.needs.items() if reader.value(when, "needs"))


def _yaml(tables: Mapping[str, Any], reasons: Mapping[str, str], outer: tuple[str, ...] = ()) -> Iterator[str]:
    """Nested tables as YAML, each key with its reason above it."""
    indent = "  " * len(outer)
    for name, value in tables.items():
        if isinstance(value, Mapping):
            yield f"{indent}{name}:"
            yield from _yaml(value, reasons, (*outer, name))
        else:
            reason = reasons.get(".".join((*outer, name)), "")
            remark = TextWrapper(_WIDTH, f"{indent}# ", f"{indent}#   ", break_long_words=False, break_on_hyphens=False)
            yield from remark.wrap(reason)
            yield f"{indent}{name}: {json.dumps(value)}"


class _Reasons:
    """The reasons for the options of one launch, by the formulas of the quantities that it is asked about."""

    def __init__(self, values: LaunchValues, asked: Result, evaluator: Evaluator) -> None:
        self._values, self._evaluator = values, evaluator
        self._readers = _readers(asked, evaluator)

    def reason(self, option: WrittenOption) -> str:
        """Why the option says what it does."""
        known = [name for name in option.inputs if name in self._values.said]
        names = [name for name in known if same(self._values.said[name], option.value)][:1] or known
        told = ", ".join(self._told(name) for name in names)
        first = names[0]
        reader = next((self._readers[name] for name in names if name in self._readers), "")
        return f"{told}: {self._sentence(first)}.{f' {reader} reads it.' if reader else ''}"

    def _told(self, name: str) -> str:
        """An input, its value, and who set it unless it was asked for."""
        result = self._values.result
        origin = result[name].origin if name in result.values and name not in self._values.said["asked"] else ""
        by = " by default" if origin == Origin.DEFAULT else f" from {origin}" if origin else ""
        return f"{name} = {self._values.said[name]}{by}"

    def _sentence(self, name: str) -> str:
        """The sentence of an input or a formula, or the name of a record."""
        schema = self._evaluator.schema
        if name not in schema.kinds:
            return (schema.inputs[name] if name in schema.inputs else schema.formulas[name]).sentence
        if name == roles_of(self._evaluator.library).model:
            return schema.kinds[name].sentence
        found = find_record(self._evaluator.library, schema, name, str(self._values.said[name]))
        return str(found.data.get("name", schema.kinds[name].sentence))


def _readers(asked: Result, evaluator: Evaluator) -> dict[str, str]:
    """The formula nearest to an answer that reads an input, of those that count for something in it, by input."""
    graph = evaluator.graph
    found: dict[str, str] = {}
    seen, row = set(asked), list(asked)
    while row:
        below: list[str] = []
        for name in row:
            for parent in graph.parents[name]:
                if graph.nodes[parent].kind == "input":
                    found.setdefault(parent, graph.nodes[name].original or name)
                elif parent not in seen and asked.numbers.get(parent):
                    below.append(parent)
                seen.add(parent)
        row = below
    return found
