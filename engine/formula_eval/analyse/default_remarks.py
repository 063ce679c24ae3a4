"""Finds what checks say of inputs that stand at their defaults, which decide an answer that nobody asked for."""

import re
from collections.abc import Collection, Sequence

from formula_eval.core.diagnostic import FormulaError
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question

_NAME = re.compile(r"[a-z]\w*(?:[-.]\w+)*")  # an option too: --training-tokens


def default_remarks(
    evaluator: Evaluator,
    question: Question,
    names: Sequence[str],
    without: Collection[str] = (),
    levels: Collection[str] = ("warn", "note"),
) -> list[str]:
    """The messages about these quantities whose checks read and name an input which nobody set.

    None where the quantities have no value. An input `without` which the remark would stand is one that the answer
    itself is about.
    """
    givens = evaluator.givens(question)
    try:
        result = evaluator.evaluate(givens, names, question.namespace)
    except FormulaError:
        return []
    free = evaluator.schema.inputs.keys() - givens.values.keys() - {*without}
    known = evaluator.schema.checks  # what is said of a record is no check
    failing = (check for check in result.checks if check.level in levels and not check.ok and check.name in known)
    return [each.message for each in failing if _reads_any(each.name, free, evaluator)]


def _reads_any(check: str, inputs: Collection[str], evaluator: Evaluator) -> bool:
    """Whether a check reads any of these inputs, of those that its message names or quotes.

    Most checks read hundreds of inputs by way of formulas: what they are about is what their author names.
    """
    parts = evaluator.schema.checks[check].message
    named = {each.replace("-", "_") for part in parts for each in _NAME.findall(part)}.intersection(inputs)
    return bool(named) and not named.isdisjoint(evaluator.graph.ancestors([check]))
