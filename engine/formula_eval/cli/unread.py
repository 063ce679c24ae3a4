"""Options that change nothing in an answer, which a user should hear of."""

from collections.abc import Iterator
from collections.abc import Mapping

from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.givens import Question
from formula_eval.library import read_toml


def notes_of_unread(evaluator: Evaluator, question: Question) -> Iterator[str]:
    """One note for each option of a question that no quantity of the whole answer reads."""
    if not question.values:
        return
    from formula_eval.export.answer.layout import read_layout  # noqa: PLC0415 - a question without options needs none

    schema = evaluator.schema
    wanted = read_layout(evaluator.library, question.purpose).quantities(schema)
    read = evaluator.checked_program(wanted, evaluator.checks(wanted, question.namespace)).kinds
    more: Mapping[str, list[str]] = {}
    for name in question.values:
        found = schema.input_name(name, question.namespace)
        if found is None or found in read or schema.inputs[found].record:
            continue
        more = more or _more(evaluator, question.purpose)
        option = f"--{name.replace('_', '-')}"
        asked = " ".join(f"--only '{each}'" for each in more.get(found, ()))
        yield f"{option} changes nothing in this answer: {schema.inputs[found].sentence}." + (
            f"\nhelp: Ask for what reads it: {asked}" if asked else ""
        )


def _more(evaluator: Evaluator, purpose: str) -> Mapping[str, list[str]]:
    """The quantities that an input asks for, from `with` of the last reports/export.toml."""
    for folder in reversed(evaluator.library.folders):
        path = folder / "reports" / "export.toml"
        if path.is_file():
            found = read_toml(path, evaluator.library.shown(folder, path)).get(purpose, {})
            with_: Mapping[str, list[str]] = found.get("with", {}) if isinstance(found, Mapping) else {}
            return with_
    return {}
