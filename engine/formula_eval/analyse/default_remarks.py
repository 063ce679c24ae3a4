"""Finds what checks say of inputs that stand at their defaults, which decide an answer that nobody asked for."""

import re
from collections.abc import Collection, Sequence

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question

_NAME = re.compile(r"[a-z]\w*(?:-\w+)*")  # an option too: --training-tokens


def default_remarks(
    evaluator: Evaluator,
    question: Question,
    names: Sequence[str],
    without: Collection[str] = (),
    levels: Collection[str] = ("warn", "note"),
) -> list[str]:
    """The messages about these quantities that name an input which nobody set; none where they have no value.

    An input `without` which the remark would stand is one that the answer itself is about.
    """
    givens = evaluator.givens(question)
    try:
        result = evaluator.evaluate(givens, names, question.namespace)
    except FormulaError:
        return []
    free = evaluator.schema.inputs.keys() - givens.values.keys() - {*without}
    failing = (each.message for each in result.checks if each.level in levels and not each.ok)
    return [text for text in failing if not free.isdisjoint(each.replace("-", "_") for each in _NAME.findall(text))]
