"""Derives the closed form of a quantity over the inputs that a question leaves free."""

from collections.abc import Sequence

from formula_eval.analyse.closed_form import ClosedForm
from formula_eval.core.diagnostic import refuse
from formula_eval.core.type import Choice, Record
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.specialise import specialise
from formula_eval.evaluate.views import refuse_unchosen
from formula_eval.records.givens import Givens, Question
from formula_eval.records.input_names import input_named


def derive(evaluator: Evaluator, question: Question, name: str, free: Sequence[str]) -> ClosedForm:
    """The closed form that a question asks for; a text of `free` may name several inputs, parted by commas.

    Raises:
        FormulaError: for an unknown or ambiguous name, nothing free, an input that is given and free, a quantity that
            is a word, and as an evaluation does where the quantity has no value.

    """
    quantity = evaluator.select_one(name, question)
    named = [part.strip() for text in free for part in text.split(",") if part.strip()]
    inputs = tuple(dict.fromkeys(_free_input(each, evaluator, question) for each in named))
    if not inputs:
        raise refuse("nothing-free", "Nothing stays free", help="Say what does: `--free batch,prompt`.")
    givens = evaluator.givens(question)
    said = {**givens.values, **dict.fromkeys(inputs, 0.0)}
    refuse_unchosen(evaluator, [name], givens._replace(values=said), question)
    return closed_form_of(evaluator, givens, quantity, inputs)


def _free_input(said: str, evaluator: Evaluator, question: Question) -> str:
    """Resolves the name of a free input, and refuses one that is given as well."""
    schema = evaluator.schema
    kind = schema.kind_named(said)
    if kind is not None:
        message = f"`{said}` is a record, which cannot stay free"
        raise refuse(
            "not-free", message, help="Free inputs that it supplies, as `formula-eval list inputs` shows them."
        )
    found = input_named(said, schema, question.namespace)
    if schema.inputs[found].quantity.kind == "record":
        raise refuse("not-free", f"`{said}` is a record, which cannot stay free", help="Free inputs that it supplies.")
    if any(schema.input_name(value, question.namespace) == found for value in question.values):
        raise refuse("given-and-free", f"`{found}` is given a value and free", help="Leave out one of the two.")
    return found


def closed_form_of(evaluator: Evaluator, givens: Givens, name: str, free: tuple[str, ...]) -> ClosedForm:
    """The closed form of a quantity, with all givens except the free inputs substituted and all else at its default.

    Raises:
        FormulaError: for a quantity that is a word, or has no value whatever the free inputs are.

    """
    type_ = evaluator.graph.nodes[name].type
    if isinstance(type_, Choice | Record):
        message = f"`{name}` is a {'word' if isinstance(type_, Choice) else 'record'}, which no equation gives"
        raise refuse("no-quantity", message, help="Name a number or a condition.")
    values = {each: value for each, value in givens.values.items() if each not in free}
    found = specialise(evaluator.graph, evaluator.library.units, name, values, free)
    if not found.read:
        evaluator.evaluate(givens, [name], named=True)
    return ClosedForm(found, evaluator, name)
