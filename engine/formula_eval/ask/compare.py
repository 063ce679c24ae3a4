"""Compares configurations with each other, or our answer with those of published tools."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from formula_eval.analyse.compare.comparison import Comparison
from formula_eval.analyse.compare.configurations import ComparedRow, configurations, side_by_side
from formula_eval.analyse.compare.published_tools import COMPARE, FILE, compare as beside_tools, correspondences
from formula_eval.analyse.ineffective_inputs import Effects, Stated, all_stated, effects_of
from formula_eval.analyse.search.record_grid import first_question
from formula_eval.ask import layout
from formula_eval.ask.question import with_every_record
from formula_eval.ask.sweep import usual_columns
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.situation import is_there, titles as titles_of
from formula_eval.evaluate.views import selected
from formula_eval.records.answer_kind import usual_purpose
from formula_eval.records.givens import Question
from formula_eval.toml_table import check_table


class CompareRequest(NamedTuple):
    """Questions whose options may have several values, one for each scenario file.

    `only` names rows by title or quantity; `zipped` takes the first value of every option, then the second. `tools`
    tells whether one configuration stands beside published tools, rather than alone.
    """

    questions: Sequence[Question]
    only: Sequence[str] = ()
    zipped: bool = False
    tools: bool = True


class Compared(NamedTuple):
    """The comparison, the evaluator that shows it in the units asked for, and what was asked of each column."""

    comparison: Comparison
    evaluator: Evaluator
    sides: Sequence[tuple[Question, Sequence[str]]]

    def effects(self) -> list[Effects]:
        """What options move in each column."""
        return effects_of(self.sides, lambda side: Effects.of(self.evaluator, side[0], side[1], side[1], named=False))

    def stated(self, questions: Sequence[Question]) -> Iterator[Stated]:
        """The statements of all columns; not those of one scenario file among several."""
        found = dict.fromkeys(each for question, _ in self.sides for each in all_stated(question))
        return (each for each in found if len(questions) == 1 or not each.said)


def compare(evaluator: Evaluator, request: CompareRequest) -> Compared:
    """The comparison; raises FormulaError for more configurations than stand side by side, or where none answers."""
    questions = [with_every_record(evaluator, question) for question in request.questions]
    first, *_ = questions
    several = configurations(questions, evaluator.schema, zipped=request.zipped)
    if len(several) > 1 or not request.tools:
        shown, rows = comparison_rows(evaluator, first, request.only)
        names = list(dict.fromkeys(row.name for row in rows))
        return Compared(
            side_by_side(shown, several, rows), shown, [(configuration.question, names) for configuration in several]
        )
    wanted = correspondences(evaluator.library, evaluator.schema).beside(first.namespace)
    wanted = wanted.about(first.purpose or usual_purpose(evaluator.library)).only(request.only)
    sides = [(first._replace(namespace=column.namespace), wanted.needed(column)) for column in wanted.columns]
    return Compared(beside_tools(evaluator, first, wanted), evaluator, sides)


def comparison_rows(
    evaluator: Evaluator, question: Question, patterns: Sequence[str]
) -> tuple[Evaluator, list[ComparedRow]]:
    """The rows, and an evaluator that shows them in the units that were asked for.

    Patterns are titles of rows, or quantities as `--only` takes them. Raises FormulaError for one that is neither.
    """
    shown, data = evaluator.library.last(FILE)
    check_table(COMPARE, data, shown, evaluator.schema.vocabulary)
    entries = data.get("row", [])
    usual = usual_columns(evaluator, question)
    known = [entry for entry in entries if entry["about"] == question.about(evaluator.library)]
    titles = {**{each["name"]: each["title"] for each in known}, **titles_of(evaluator.library)}
    if not patterns:
        given = evaluator.givens(first_question(evaluator, question)).values.keys()
        rows = [each["name"] for each in known if is_there(each, given)]
        names = list(dict.fromkeys([*rows, *usual]))
        layout.known_quantities(names, evaluator.schema, shown)
        flags = [name for name in names if name in data.get("runs", ())]
        behind = names[names.index(flags[0]) + 1 :] if flags else []
        percents = [f"{name} in percent" for name in data.get("percents", ()) if name in names]
        return selected(evaluator, percents, question)[0], [
            ComparedRow(titles.get(name, name), name, named=False, runs=flags[0] if name in behind else "")
            for name in names
        ]
    here = {name: titles[name] for name in (*usual, *(each["name"] for each in known)) if name in titles}
    wanted = []
    for pattern in patterns:
        wanted += [name for name, title in here.items() if fnmatchcase(title, pattern)] or [pattern]
    converted, found = selected(evaluator, wanted, question)
    return converted, [ComparedRow(titles.get(name, name), name) for name in found]
