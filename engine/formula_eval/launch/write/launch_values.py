"""Resolves the values that a program's options have to state for a question, and those that they need not."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError, nearest, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.launch.launch_reader import silent_launch
from formula_eval.launch.tables.launch_program import LAUNCHER, LaunchProgram
from formula_eval.launch.tables.program_reader import programs_of
from formula_eval.launch.to_inputs import whole
from formula_eval.launch.to_options import RECORD
from formula_eval.records.givens import Question
from formula_eval.records.launch_reading import Beside
from formula_eval.records.origin import Origin
from formula_eval.records.record_files import find_record
from formula_eval.records.record_values import read_record
from formula_eval.records.roles import Roles, roles_of

FILES = ("yaml", "json")


class LaunchValues(NamedTuple):
    """Stated values by input, those that a bare command implies, the result, and accelerators in all and per node."""

    said: Mapping[str, Any]  # by input or kind; also `accelerator`, `asked` and, by records too, `stated`
    silent: Mapping[str, Any]  # what holds without an option, by input
    result: Result  # the evaluation that they are taken from
    gpus: int  # of the whole job, at least 1
    per_node: int  # in use on each node; divides `gpus`
    roles: Roles  # which kinds and inputs stand for model, accelerator, ...

    @property
    def nodes(self) -> int:
        """Nodes of the whole job."""
        return max(1, -(-self.gpus // self.per_node))


def programs_to_write(evaluator: Evaluator) -> Mapping[str, LaunchProgram]:
    """The programs whose tables say how a command or file of theirs begins, by name."""
    programs = programs_of(evaluator.library).items()
    return {
        key: program
        for key, program in programs
        if program.purpose != LAUNCHER and (program.start or program.form in FILES)
    }


def program_named(name: str, evaluator: Evaluator) -> LaunchProgram:
    """The program of this name or title, or the only one that begins so; raises FormulaError with the nearest."""
    programs, wanted = programs_to_write(evaluator), name.lower()
    known = {**{program.title.lower(): program for program in programs.values()}, **programs}
    near = [key for key, program in programs.items() if _begins(wanted, key, program) and not program.extends]
    if wanted in known or len(near) == 1:
        return known[wanted if wanted in known else near[0]]
    help_ = nearest(wanted, known) or f"Known are {', '.join(programs)}."
    raise refuse("unknown-program", f"There is no launch table of `{name}`", help=help_)


def _begins(wanted: str, key: str, program: LaunchProgram) -> bool:
    """Whether a program's name, or what starts it, begins so: `trtllm` of `trtllm-serve`."""
    return key.startswith(wanted) or any(command[0].startswith(wanted) for command in program.commands)


def question_for(program: LaunchProgram, question: Question, roles: Roles) -> Question:
    """The question asked of a program, with its engine and what is usual with it unless chosen; raises FormulaError."""
    chosen = {**({} if question.launch else question.stated or {}), **question.records, **question.values}
    usual = {name: value for name, value in program.usual.items() if name not in chosen}
    asked = asked_of(program, question, roles)
    return asked._replace(values={**asked.values, **usual})


def asked_of(program: LaunchProgram, question: Question, roles: Roles) -> Question:
    """The question asked of a program, with its engine unless chosen; raises FormulaError for another purpose."""
    if program.purpose != (question.purpose or roles.purposes[0]):
        help_ = f"Ask with --answer {program.purpose}."
        raise refuse("bad-value", f"{program.title} is for {program.purpose}", help=help_)
    chosen = {**({} if question.launch else question.stated or {}), **question.records, **question.values}
    engine = {roles.engine: program.engine} if program.engine and roles.engine not in chosen else {}
    return question._replace(records={**question.records, **engine})


def launch_values(program: LaunchProgram, question: Question, evaluator: Evaluator) -> LaunchValues:
    """The values of a question in the words of a program; raises FormulaError."""
    roles, schema = roles_of(evaluator.library), evaluator.schema
    question = question_for(program, question, roles)
    givens = evaluator.givens(question)
    named = inputs_of(program)
    names = [name for name in named if name in schema.inputs and schema.inputs[name].quantity.kind != "record"]
    names += [name for name in named if name in schema.formulas]
    job = roles.job[program.purpose]
    result = evaluator.evaluate(givens, [*dict.fromkeys((*names, job, roles.per_node))], question.namespace, named=True)
    record = givens.records.get(roles.model, "")
    model = _hub_name(roles.model, record, evaluator)
    said: dict[str, Any] = {name: whole(result[name].value) for name in names if result[name].value is not None}
    chosen = {
        name: value for name, value in givens.records.items() if givens.record_origins.get(name) != Origin.DEFAULT
    }
    said |= {
        roles.model: model,
        RECORD: record,
        **{key: value for key, value in chosen.items() if key in {roles.format, *roles.checkpoints} - {roles.model}},
    }
    board = givens.records.get(roles.accelerator, "")
    hardware = find_record(evaluator.library, schema, roles.accelerator, board)
    said["accelerator"] = read_record(hardware, schema, whole=False).values
    asked = {*question.values, *(question.stated or ())}
    said["asked"] = {name: said[name] for name in asked if name in said}
    said["stated"] = {name: said[name] for name in names if name in said and result[name].origin != Origin.DEFAULT}
    own = {*schema.inputs_of(roles.model), *(set(names) - set(schema.inputs))}
    spelt_out = set() if program.model_options else own
    usual = {name: said[name] for name in names if name in said and name not in asked | spelt_out}
    beside = Beside({roles.accelerator: board}, {})
    silent = silent_launch(program, model, evaluator.library, schema, beside).stated
    gpus = max(1, round(float(result[job].value or 1)))
    most = min(gpus, round(float(result[roles.per_node].value or gpus)))
    said[roles.accelerators] = gpus
    per_node = next(count for count in range(most, 0, -1) if gpus % count == 0)
    return LaunchValues(said, {**usual, **silent, roles.model: None}, result, gpus, per_node, roles)


def inputs_of(program: LaunchProgram) -> list[str]:
    """The inputs that a program's options can say."""
    found = [option.input for option in program.options.values() if option.input]
    for option in program.options.values():
        found += [name for meant in option.words.values() if isinstance(meant, Mapping) for name in meant]
    found += [name for rule in program.written.values() for name in rule.sources]
    return list(dict.fromkeys(found))


def _hub_name(kind: str, model: str, evaluator: Evaluator) -> str:
    """The name by which programs load a model: the first of its names on the hub, else its id."""
    if not model:
        return model
    try:
        record = find_record(evaluator.library, evaluator.schema, kind, model)
    except FormulaError as error:
        help_ = f"Programs load a checkpoint: name its folder, its config.json, or a {kind} that `list` shows."
        message = f"`{model}` is a file that describes a {kind}, and no program can load that"
        raise refuse("unknown-model", message, help=help_) from error
    return next((str(alias) for alias in record.data.get("aliases", ()) if "/" in str(alias)), model)
