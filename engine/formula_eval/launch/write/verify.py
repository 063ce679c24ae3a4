"""Reads a written launch again, and finds what it does not state of the question that it was written for."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.result import Result
from formula_eval.evaluate.value import Value
from formula_eval.launch.launch_reader import read_launch
from formula_eval.launch.tables.launch_program import LaunchProgram
from formula_eval.launch.to_options import WrittenOption, same
from formula_eval.launch.write.launch_values import LaunchValues
from formula_eval.records.answer_kind import ANSWER
from formula_eval.records.givens import Question
from formula_eval.records.launch_reading import Beside, Launch
from formula_eval.records.origin import Origin


class ReadBack(NamedTuple):
    """The inputs in which a launch differs from the question, as asked and as read, and its warnings."""

    unsaid: list[str]
    warnings: list[str]


class RoundTrip:
    """Compares a question about a program with a launch that was written for it."""

    def __init__(
        self,
        program: LaunchProgram,
        question: Question,
        values: LaunchValues,
        evaluator: Evaluator,
        quantities: Sequence[str],
    ) -> None:
        """Compare with this question, asked of a program, whose values are these, by these quantities."""
        self._program, self._question, self._values, self._evaluator = program, question, values, evaluator
        self._schema = evaluator.schema
        self._roles = roles = values.roles
        boards = (roles.accelerator, roles.second.record)
        self._hardware = {name: id_ for name, id_ in values.result.givens.records.items() if name in boards}
        number = roles.second.number
        self._beside = Beside(self._hardware, {number: question.values[number]} if number in question.values else {})
        # Said beside the text, or by the program that it starts.
        self._by_itself = (roles.accelerator, roles.engine, ANSWER)
        self._wanted = evaluator.select(quantities, question)

    def of(self, text: str, options: Sequence[WrittenOption]) -> ReadBack:
        """The inputs that the text leaves out when it is read again, and its warnings.

        Raises FormulaError where the program has no words for the model.
        """
        try:
            launch = read_launch(text, self._evaluator.library, self._schema, self._beside)
            asked, back = self.asked, self._back(launch)
        except FormulaError as error:
            return ReadBack([f"it cannot be read again: {error.diagnostics[0].message}"], [])
        self._refuse_other_model(launch, asked, back)
        told = back if self._is_same_job(back) else asked
        return ReadBack(list(self._differences(launch, options, asked, back)), told.warnings())

    @cached_property
    def asked(self) -> Result:
        """The answer to the question itself."""
        return self._evaluator.evaluate(self._evaluator.givens(self._question), self._wanted, named=True)

    def _back(self, launch: Launch) -> Result:
        """The answer to what the launch says, with the model that was asked about where it names none."""
        kind, asked = self._roles.model, self._values.result.givens.records
        records = self._hardware if kind in launch.stated else {**self._hardware, kind: asked[kind]}
        question = Question(
            records, self._beside.values, scenario=launch.shown, stated=launch.stated, purpose=self._question.purpose
        )
        return self._evaluator.evaluate(self._evaluator.givens(question), self._wanted, named=True)

    def _refuse_other_model(self, launch: Launch, asked: Result, back: Result) -> None:
        """Refuse a model that the program has options for, but none that say this one."""
        roles = self._roles
        model = self._values.said[roles.model]
        names = [self._program.options[model_option] for model_option in self._program.model_options]
        if roles.model not in launch.stated and names:
            known = ", ".join(word for option in names for word in option.words if word not in option.older)
            message = f"{self._program.title} has no name for the model {model}"
            raise refuse("unknown-model", message, help=f"It knows {known}." if known else "Name another with --model.")
        here, there = (float(result[roles.size].value or 0) for result in (asked, back))
        if abs(here - there) > roles.slight * here:
            message = f"The options of {self._program.title} do not say all of {model}"
            help_ = f"Read again they are a model of {there:,.0f} parameters in the place of {here:,.0f}."
            raise refuse("unknown-model", message, help=help_)

    def _differences(
        self, launch: Launch, options: Sequence[WrittenOption], asked: Result, back: Result
    ) -> Iterator[str]:
        chosen = {**(self._question.stated or {}), **self._question.values}
        together = {name for option in options if len(option.inputs) > 1 for name in option.inputs}
        roles = self._roles
        size = self._read(asked, chosen).get(roles.accelerators)
        alone = not self._program.gpus and (size is None or size.value == self._values.gpus)
        if alone or self._is_same_job(back):
            together |= {*roles.scale}
        if roles.model not in launch.stated:
            yield f"{roles.model} = {self._values.said[roles.model]}"
        kinds = self._other_records(asked, back)
        yield from (f"{kind} = {record}" for kind, record in kinds.items())
        supplied = {name for kind in kinds for name in self._schema.inputs_of(kind) if name not in chosen}
        without = {*together, *supplied, *self._by_itself}
        tables: set[str] = set()
        alike = all(same(back[name].value, value.value) for name, value in asked.values.items())
        without |= set(self._schema.inputs_of(roles.model)) - set(chosen) if alike else set()
        for name, value in self._read(asked, chosen).items():
            read = back.inputs.get(name)
            follows = value.origin == Origin.DEFAULT and (read is None or read.origin == Origin.DEFAULT)
            if name in without or follows or same(None if read is None else read.value, value.value):
                continue
            table = next((each for each in self._schema.tables if name.startswith(f"{each}.")), "")
            if table not in tables:
                yield table or f"{name} = {value}" + (f" (read as {read})" if read is not None else "")
            tables |= {table} - {""}

    def _is_same_job(self, back: Result) -> bool:
        """Whether the launch says how many accelerators the job has."""
        job = back.inputs.get(self._roles.accelerators)
        return job is not None and job.value == self._values.gpus

    def _other_records(self, asked: Result, back: Result) -> Mapping[str, str]:
        """The records of the question that the launch lacks or has others for, except those stated elsewhere."""
        given = asked.givens.records
        kinds = [kind for kind in given if kind not in (*self._by_itself, self._roles.model) and kind in asked.records]
        return {kind: given[kind] for kind in kinds if back.givens.records.get(kind) != given[kind]}

    def _read(self, asked: Result, chosen: Mapping[str, Any]) -> Mapping[str, Value]:
        """The inputs that count: those that the answer reads, and those that the user chose."""
        known = {name for name, input_schema in self._schema.inputs.items() if input_schema.quantity.kind != "record"}
        more = [name for name in chosen if name in known and name not in asked.inputs]
        further = self._evaluator.evaluate(asked.givens, more, named=True).values if more else {}
        return {**asked.inputs, **further}
