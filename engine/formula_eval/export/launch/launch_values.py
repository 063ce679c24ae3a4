"""A question to the values that a program's options say, and those that it needs not say."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import nearest, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.records.givens import Question
from formula_eval.records.launch.inverse import RECORD
from formula_eval.records.launch.launch import Beside
from formula_eval.records.launch.launch_reader import silent_launch
from formula_eval.records.launch.process import LAUNCHER
from formula_eval.records.launch.program_reader import programs_of
from formula_eval.records.launch.program_table import Program
from formula_eval.records.record_files import find_record
from formula_eval.records.record_values import read_record

FILES = ("yaml", "json")


class LaunchValues(NamedTuple):
    """What is said, by input; what a bare command of the program means already; the result, and accelerators in all."""

    said: Mapping[str, Any]
    silent: Mapping[str, Any]
    result: Result
    gpus: int
    per_node: int

    @property
    def nodes(self) -> int:
        """Nodes of the whole job."""
        return max(1, -(-self.gpus // self.per_node))


def programs_to_write(evaluator: Evaluator) -> Mapping[str, Program]:
    """The programs whose tables say how a command or file of theirs begins, by name."""
    programs = programs_of(evaluator.library).items()
    return {key: each for key, each in programs if each.purpose != LAUNCHER and (each.start or each.form in FILES)}


def program_named(name: str, evaluator: Evaluator) -> Program:
    """The program of this name or title, or the only one that begins so; raises FormulaError with the nearest."""
    programs, wanted = programs_to_write(evaluator), name.lower()
    known = {**{each.title.lower(): each for each in programs.values()}, **programs}
    near = [key for key, each in programs.items() if _begins(wanted, key, each) and not each.extends]
    if wanted in known or len(near) == 1:
        return known[wanted if wanted in known else near[0]]
    help_ = nearest(wanted, known) or f"Known are {', '.join(programs)}."
    raise refuse("unknown-program", f"There is no launch table of `{name}`", help=help_)


def _begins(wanted: str, key: str, program: Program) -> bool:
    """Whether a program's name, or what starts it, begins so: `trtllm` of `trtllm-serve`."""
    return key.startswith(wanted) or any(command[0].startswith(wanted) for command in program.commands)


def question_for(program: Program, question: Question) -> Question:
    """The question asked of a program, with its engine and what is usual with it unless chosen; raises FormulaError."""
    chosen = {**({} if question.launch else question.stated or {}), **question.records, **question.values}
    usual = {name: value for name, value in program.usual.items() if name not in chosen}
    asked = asked_of(program, question)
    return asked._replace(values={**asked.values, **usual})


def asked_of(program: Program, question: Question) -> Question:
    """The question asked of a program, with its engine unless chosen; raises FormulaError for another purpose."""
    if (program.purpose == "training") != question.training:
        help_ = "Add --training." if program.purpose == "training" else "Leave out --training."
        raise refuse("bad-value", f"{program.title} is for {program.purpose}", help=help_)
    chosen = {**({} if question.launch else question.stated or {}), **question.records, **question.values}
    engine = {"engine": program.engine} if program.engine and "engine" not in chosen else {}
    return question._replace(records={**question.records, **engine})


def launch_values(program: Program, question: Question, evaluator: Evaluator) -> LaunchValues:
    """The values of a question in the words of a program; raises FormulaError."""
    question = question_for(program, question)
    schema = evaluator.schema
    givens = evaluator.givens(question)
    named = inputs_of(program)
    names = [each for each in named if each in schema.inputs and schema.inputs[each].quantity.kind != "record"]
    names += [each for each in named if each in schema.formulas]
    layout = ("tp", "pp", "cp", "dp", "attention_dp", "gpus_per_node")
    result = evaluator.evaluate(givens, [*dict.fromkeys((*names, *layout))], question.namespace, named=True)
    record = givens.records.get("model", "")
    model = _hub_name(record, evaluator)
    said: dict[str, Any] = {name: _plain(result[name].value) for name in names if result[name].value is not None}
    chosen = {name: value for name, value in givens.records.items() if givens.record_origins.get(name) != "default"}
    said |= {
        "model": model,
        RECORD: record,
        **{key: value for key, value in chosen.items() if key in ("format", "draft_model")},
    }
    said["accelerator"] = _numbers(evaluator, givens.records.get("hardware", ""))
    asked = {*question.values, *(question.stated or ())}
    said["asked"] = {name: said[name] for name in asked if name in said}
    names_models = any(each.input == "model" for each in program.options.values())
    spelt_out = set() if names_models else {*schema.inputs_of("model"), *(set(names) - set(schema.inputs))}
    usual = {name: said[name] for name in names if name in said and name not in asked | spelt_out}
    beside = Beside({"hardware": givens.records.get("hardware", "")}, {})
    silent = silent_launch(program, model, evaluator.library, schema, beside).stated
    parts = [float(result[each].value or 1) for each in layout[:-1]]
    gpus = parts[0] * parts[1] * parts[2] * (parts[3] if question.training else parts[4])
    whole = max(1, round(gpus))
    most = min(whole, round(float(result["gpus_per_node"].value or 8)))
    said["gpus"] = whole
    per_node = next(count for count in range(most, 0, -1) if whole % count == 0)
    return LaunchValues(said, {**usual, **silent, "model": None}, result, whole, per_node)


def _numbers(evaluator: Evaluator, wanted: str) -> Mapping[str, Any]:
    """The numbers of an accelerator, by input."""
    record = find_record(evaluator.library, evaluator.schema, "hardware", wanted)
    return read_record(record, evaluator.schema, whole=False).values


def inputs_of(program: Program) -> list[str]:
    """The inputs that a program's options can say."""
    found = [option.input for option in program.options.values() if option.input]
    for option in program.options.values():
        found += [name for meant in option.words.values() if isinstance(meant, Mapping) for name in meant]
    found += [name for rule in program.written.values() for name in rule.sources]
    return list(dict.fromkeys(found))


def _hub_name(model: str, evaluator: Evaluator) -> str:
    """The name by which programs load a model: the first of its names on the hub, else its id."""
    if not model:
        return model
    record = find_record(evaluator.library, evaluator.schema, "model", model)
    return next((str(each) for each in record.data.get("aliases", ()) if "/" in str(each)), model)


def _plain(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value
