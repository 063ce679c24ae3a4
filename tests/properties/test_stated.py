"""Nothing stated is silent: a further input moves what is read first, or the answer says that it does not count.

`STATED=2000 pytest tests/properties/test_stated.py` asks as many questions, and prints what does not count where.
"""

import math
import os
import sys
import tomllib
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from formula_eval import FormulaError
from formula_eval.api.arguments import question_of
from formula_eval.ask.answer_layout import read_answer_layout
from formula_eval.ask.idle_notes import idle_notes
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.records.givens import Question
from formula_eval.records.schema import InputSchema

QUESTIONS = tomllib.loads(Path(__file__).with_name("stated.toml").read_text(encoding="utf-8"))["question"]
COUNT = int(os.environ.get("STATED", "26"))
_LARGEST = 1000  # of what has no default, and no range that says so


def further(schema: InputSchema, default: float | None, draw: Random) -> object:
    """A value of an input that is not its default."""
    kind = schema.quantity.kind
    if kind == "flag":
        return not default
    if kind == "choice":
        return draw.choice([word for place, word in enumerate(schema.quantity.words) if place != default])
    usual = default or draw.choice((1, 4, 0.5))
    value = usual * draw.choice((0.5, 2, 4))
    if schema.allowed:
        return draw.choice([each for each in schema.allowed if each != default])
    low, high = schema.low or 0, schema.high or _LARGEST
    return min(max(value, low), high)


def question_with(evaluator: Evaluator, asked: dict[str, object], **more: object) -> Question:
    """The question of a row of the data with further inputs."""
    given = {name: value for name, value in asked.items() if name != "answer"}
    return question_of(evaluator, {**given, **more}, answer=str(asked.get("answer", "")))


def head(evaluator: Evaluator, question: Question) -> dict[str, float]:
    """What is read first, what the sections show that are there for what is stated, and which checks hold."""
    givens = evaluator.givens(question)
    layout = read_answer_layout(evaluator.library, question.about(evaluator.library)).asked_by(givens)
    own = [each for each in layout.sections if set(each.get("with", ())) & {*question.values}]
    brought = layout._replace(sections=own).quantities(evaluator.schema) if own else []
    first = [*evaluator.situation(question, givens.values).names, *brought]
    result = evaluator.evaluate(givens, first, question.namespace)
    names = [each for each in first if each in result.values and each not in evaluator.schema.inputs]
    return {**{each: result.numbers[each] for each in names}, **{each.name: each.ok for each in result.checks}}


def default(evaluator: Evaluator, question: Question, name: str) -> float | None:
    """The value of an input where nobody states it; None where it has none."""
    try:
        return evaluator.program([name]).evaluate(evaluator.givens(question).values)[name]
    except FormulaError:
        return None


def doubled(evaluator: Evaluator, row: dict[str, dict[str, object]], question: Question) -> bool:
    """Whether the further input says what another one says too: without that one it counts."""
    whole = head(evaluator, question)
    for name in row["given"].keys() & question.values.keys():
        fewer = {each: value for each, value in row["given"].items() if each != name}
        values = {each: value for each, value in question.values.items() if each != name}
        try:
            one, both = (
                head(evaluator, question._replace(values=values)),
                head(evaluator, question_with(evaluator, fewer)),
            )
        except FormulaError:
            continue
        if not differ(one, whole) and differ(one, both):
            return True
    return False


@pytest.mark.slow
def test_each_input_counts_or_is_told(formulas, capsys):
    evaluator, schema = formulas.evaluator, formulas.evaluator.schema
    own = [each for name, each in schema.inputs.items() if "." not in name and not each.record and not each.cell]
    inputs = [each for each in own if each.quantity.kind != "record" and not each.is_open_choice]
    plain = [question_with(evaluator, row["given"]) for row in QUESTIONS]
    before = [head(evaluator, each) for each in plain]
    silent, told, refused, moved = [], Counter(), Counter(), 0
    for number in range(COUNT):
        draw, at = Random(number), number % len(QUESTIONS)
        row = QUESTIONS[at]
        stated = draw.choice([each for each in inputs if each.name not in row["given"]])
        usual = default(evaluator, plain[at], stated.name)
        question = question_with(evaluator, row["given"], **{stated.name: further(stated, usual, draw)})
        try:
            after = head(evaluator, question)
            notes = " ".join(idle_notes(evaluator, question, ()))
        except FormulaError:
            refused[stated.name] += 1
            continue
        if f"`{stated.name}`" in notes:
            told[f"{row['situation']}: {notes}"] += 1
        elif differ(after, before[at]):
            moved += 1
        elif not same(evaluator.givens(question).values[stated.name], usual) and not doubled(evaluator, row, question):
            silent.append((row["situation"], stated.name))
    if "STATED" in os.environ:
        with capsys.disabled():
            sys.stdout.write(f"{moved} move, {sum(told.values())} are told, {sum(refused.values())} are refused\n")
            sys.stdout.writelines(f"{count:4} {each}\n" for each, count in sorted(told.items()))
    assert not silent
    assert moved
    assert sum(told.values()) > COUNT / 20


def differ(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether something of the one is not the same in the other."""
    return any(not same(one[each], other.get(each)) for each in one)


def same(one: float | None, other: float | None) -> bool:
    """Whether two values are the same, both absent included."""
    return one == other or (one is not None and other is not None and math.isnan(one) and math.isnan(other))
