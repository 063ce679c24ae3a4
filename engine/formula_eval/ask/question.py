"""Makes a question of what somebody states: inputs and records by name, a scenario file, a launch command."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from formula_eval.core.record_kind import RecordKind
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import read_manifest
from formula_eval.library import Library
from formula_eval.records.answer_kind import Purpose, purpose_of, stated_answer
from formula_eval.records.givens import Question
from formula_eval.records.input_names import records_among
from formula_eval.records.origin import Origin
from formula_eval.records.record_files import EVERY, all_records, every_named, find_record, record_of_id
from formula_eval.records.record_names import named
from formula_eval.records.roles import roles_of
from formula_eval.records.scenario_file import read_scenario

if TYPE_CHECKING:
    from formula_eval.records.launch_reading import Launch

_WORKBOOKS = frozenset({".xlsx", ".xlsm"})


class StatedInput(NamedTuple):
    """What somebody states.

    Attributes:
        given: inputs and ids of records by name; a record may be given whole, as a mapping.
        scenario: a scenario file in TOML, JSON or YAML, or an edited workbook.
        answer: what is asked about; without it what the scenario or the library says.
        origin: what messages call whoever states `given`: `option` or `argument`.
        launch: the launch command that states the rest, instead of a scenario.
        purpose: what is asked about, where that is read already.

    """

    given: Mapping[str, Any]
    scenario: str = ""
    answer: str = ""
    origin: Origin = Origin.OPTION
    launch: "Launch | None" = None
    purpose: Purpose | None = None


def question_of(evaluator: Evaluator, said: StatedInput) -> Question:
    """The question that is stated; raises FormulaError for a file, a record or an answer that is wrong."""
    schema = evaluator.schema
    stated = said.launch.stated if said.launch else stated_in(said.scenario, evaluator)
    answer = said.answer or ("" if said.purpose else stated_answer(said.scenario, stated))
    purpose = said.purpose or purpose_of(answer, evaluator.library, schema)
    whole = {name: value for name, value in said.given.items() if isinstance(value, Mapping)}
    if whole:
        stated = {**(stated or (read_scenario(said.scenario) if said.scenario else {})), **whole}
    others = {name: value for name, value in said.given.items() if name not in whole}
    records, values = records_among(others, schema, purpose.namespace)
    return Question(
        of_their_kinds(records, evaluator),
        values,
        said.scenario or (said.origin if whole else ""),
        purpose.namespace,
        said.origin,
        stated=stated,
        purpose=purpose.purpose,
        launch=said.launch,
    )


def of_their_kinds(records: Mapping[str, Any], evaluator: Evaluator) -> Mapping[str, Any]:
    """The records, with what was named as a model under the kind that a library lists among models, if it is one."""
    library, kinds, model = evaluator.library, evaluator.schema.kinds, roles_of(evaluator.library).model
    said = records.get(model)
    if library.is_builtin or not isinstance(said, str) or _is_named(said, kinds[model], library):
        return records
    listed = {path for folder in library.folders if (path := read_manifest(folder).models)}
    for kind in kinds.values():
        if kind.path in listed and kind.name not in records and _is_named(said, kind, library):
            return {**{name: value for name, value in records.items() if name != model}, kind.name: said}
    return records


def _is_named(said: str, kind: RecordKind, library: Library) -> bool:
    """Whether a record of the kind bears the name; that of its file is found without opening the others."""
    return record_of_id(library, kind, said) is not None or named(said, all_records(library, kind)) is not None


def stated_in(scenario: str, evaluator: Evaluator) -> Mapping[str, Any] | None:
    """The records and inputs that an edited workbook states, None for any other file; raises FormulaError."""
    if Path(scenario).suffix.lower() not in _WORKBOOKS:
        return None
    from formula_eval.ask.workbook.read_back import read_inputs  # noqa: PLC0415 - most questions have no such file

    return read_inputs(scenario, evaluator.schema, evaluator.library)


def with_every_record(evaluator: Evaluator, question: Question) -> Question:
    """The question with the ids of all records of a kind where it says `all`, but for a record of that name."""
    schema, library = evaluator.schema, evaluator.library
    said = {kind: str(wanted) for kind, wanted in question.records.items() if kind in schema.kinds}
    if EVERY not in said.values():
        return question
    about = {
        find_record(library, schema, kind, name).id
        for kind, wanted in said.items()
        if wanted != EVERY
        for name in wanted.split(",")
    }
    every = {kind: every_named(library, schema.kinds[kind], wanted, about) for kind, wanted in said.items()}
    return question._replace(records={**question.records, **every})
