"""A configuration to the text that runs it: a command, a manifest, or a program's own file, with reasons."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import Document
from formula_eval.export.files import write_whole
from formula_eval.export.launch import launch_values as held
from formula_eval.export.launch.launch_start import Place, notes, own_words, refuse_place, script, started
from formula_eval.export.launch.launch_values import LaunchValues
from formula_eval.export.templates import filled, folders_of
from formula_eval.records.givens import Question
from formula_eval.records.launch.inverse import Written, options_for, same, tables_of, words_of
from formula_eval.records.launch.launch import Beside
from formula_eval.records.launch.launch_reader import read_launch
from formula_eval.records.launch.program_table import Program


def launch_text(program_name: str, shape: str, question: Question, evaluator: Evaluator, templates: str = "") -> str:
    """The text for a program by name, in one of `formats.SHAPES` or the form of its files; raises FormulaError."""
    program = held.program_named(program_name, evaluator)
    values = held.launch_values(program, question, evaluator)
    options = list(options_for(program, values.said, values.silent, evaluator.library))
    if program.form in held.FILES:
        shape = program.form
    place = Place(shape, values.nodes, values.per_node)
    refuse_place(program, place)
    data = _data(program, place, options, values, evaluator)
    if shape == "json":
        return json.dumps(tables_of(options), indent=2) + "\n"  # which has no place for remarks
    first = filled(f"launch/{shape}.j2", {**data, "unsaid": []}, str, folders_of(evaluator.library, templates))
    meeting = [f"how the {values.nodes} nodes meet"] if values.nodes > 1 and not program.nodes else []
    unsaid = [*_unsaid(first, options, values, question, evaluator), *meeting]
    return filled(f"launch/{shape}.j2", {**data, "unsaid": unsaid}, str, folders_of(evaluator.library, templates))


_SAID_BY_ITSELF = ("model", "hardware", "engine", "answer")


def _data(
    program: Program, place: Place, options: Sequence[Written], values: LaunchValues, evaluator: Evaluator
) -> dict[str, Any]:
    """What a template may print."""
    positional = program.positional in ("model", "model_path") and program.form in ("dashes", "underscores")
    model = next((str(each.value) for each in options if each.inputs == ("model",)), "")
    first = [model] if positional and model else []
    behind = [each for each in options if not (first and each.option == program.positional)]
    words = [list(words_of(each, program)) for each in behind]
    reasons = [_reason(each, values, evaluator) for each in behind]
    arguments = [([json.dumps(word) for word in each], why) for each, why in zip(words, reasons, strict=True)]
    leader, worker = (([json.dumps(each) for each in further], "") for further in own_words(program, place))
    return {
        "title": program.title,
        "model": model or str(values.said.get("model", "")),
        "hardware": values.result.givens.records.get("hardware", ""),
        "gpus": values.gpus,
        "nodes": place.nodes,
        "per_node": place.per_node,
        "start": started(program, place),
        "script": script(program, place, first, [shlex.join(each) for each in words]),
        "notes": list(notes(program, place)),
        "reasons": [f"{shlex.join(each)}: {reason}" for each, reason in zip(words, reasons, strict=True)],
        "arguments": [*arguments, *([leader] if leader[0] else [])],
        "workers": [*((each, "") for each, _ in arguments), worker] if worker != leader else [],
        "command": json.dumps([*shlex.split(started(program, place)), *first]),
        "image": program.container.get("image", ""),
        "container": program.container,
        "name": re.sub(r"[^a-z0-9]+", "-", program.id.lower()),
        "tables": "\n".join(_yaml(tables_of(options))),
    }


def _reason(option: Written, values: LaunchValues, evaluator: Evaluator) -> str:
    """What an option says here: inputs, what the first of them is, and a formula that reads it."""
    schema = evaluator.schema
    told = ", ".join(f"{name} = {values.said[name]}" for name in option.inputs)
    first = schema.inputs.get(option.inputs[0])
    reader = next(_readers(option.inputs[:1], evaluator), "")
    return f"{told}{f': {first.sentence}' if first else ''}.{f' {reader} reads it.' if reader else ''}"


def _readers(inputs: Sequence[str], evaluator: Evaluator) -> Iterator[str]:
    """The formulas that read an input as they stand."""
    graph = evaluator.graph
    wanted = set(inputs)
    for name, node in graph.nodes.items():
        ours = node.kind == "formula" and not node.original and "." in name and not name.startswith("published.")
        if ours and wanted & set(graph.parents[name]):
            yield name


def _yaml(tables: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    for name, value in tables.items():
        if isinstance(value, Mapping):
            yield f"{indent}{name}:"
            yield from _yaml(value, f"{indent}  ")
        else:
            yield f"{indent}{name}: {json.dumps(value)}"


def _unsaid(
    text: str, options: Sequence[Written], values: LaunchValues, question: Question, evaluator: Evaluator
) -> Iterator[str]:
    """What the question chose and the text, read again, does not say."""
    beside = Beside({"hardware": values.result.givens.records.get("hardware", "")}, {})
    try:
        back = read_launch(text, evaluator.library, evaluator.schema, beside).stated
    except FormulaError as error:
        yield f"it cannot be read again: {error.diagnostics[0].message}"
        return
    together = {name for each in options if len(each.inputs) > 1 for name in each.inputs}
    together |= {"dp", "gpus"} if back.get("gpus") == values.gpus else {"gpus"}
    if "model" not in back:
        yield f"model = {values.said['model']}"
    chosen = {**(question.stated or {}), **question.records, **question.values}
    for name, typed in chosen.items():
        value = values.said.get(name, typed)
        if name not in (*_SAID_BY_ITSELF, *together) and not same(back.get(name), value):
            yield f"{name} = {value}"


def write_launch(document: Document, target: str | Path, program: str, shape: str, templates: str) -> None:
    """Write what runs the configuration of a document; raises FormulaError."""
    if not program:
        known = ", ".join(held.programs_to_write(document.evaluator))
        help_ = f"Name it: `--program vllm`. Known are {known}." if known else "This library knows none."
        raise refuse("no-program", "Nothing says which program is to be launched", help=help_)
    write_whole(target, launch_text(program, shape, document.question, document.evaluator, templates))
