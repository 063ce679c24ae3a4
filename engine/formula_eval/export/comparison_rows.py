"""Chooses the rows of a comparison: those of reports/compare.toml and the headline quantities of the answer."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from formula_eval.analyse.compare.configurations import Wanted
from formula_eval.analyse.compare.correspondence import COMPARE, FILE
from formula_eval.evaluate.conversion import selected
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.evaluate.situation import is_there, titles as titles_of
from formula_eval.export import layout
from formula_eval.export.sweep.sweep_layout import usual_columns
from formula_eval.records.givens import Question
from formula_eval.toml_table import check_table


def comparison_rows(
    evaluator: Evaluator, question: Question, patterns: Sequence[str]
) -> tuple[Evaluator, list[Wanted]]:
    """The rows, and an evaluator that shows them in the units that were asked for.

    Patterns are titles of rows, or quantities as `--only` takes them. Raises FormulaError for one that is neither.
    """
    shown, data = evaluator.library.last(FILE)
    check_table(COMPARE, data, shown, evaluator.schema.vocabulary)
    entries = data.get("row", [])
    usual = usual_columns(evaluator, question)
    known = [each for each in entries if each["about"] == question.about(evaluator.library)]
    titles = {**{each["name"]: each["title"] for each in known}, **titles_of(evaluator.library)}
    if not patterns:
        from formula_eval.analyse.search.record_grid import first_question  # noqa: PLC0415 - loads NumPy

        given = evaluator.givens(first_question(evaluator, question)).values.keys()
        rows = [each["name"] for each in known if is_there(each, given)]
        names = list(dict.fromkeys([*rows, *usual]))
        layout.known_quantities(names, evaluator.schema, shown)
        return evaluator, [Wanted(titles.get(name, name), name, named=False) for name in names]
    here = {name: titles[name] for name in (*usual, *(each["name"] for each in known)) if name in titles}
    wanted = [name for pattern in patterns for name in _titled(pattern, here) or [pattern]]
    converted, found = selected(evaluator, wanted, question)
    return converted, [Wanted(titles.get(name, name), name) for name in found]


def _titled(pattern: str, titles: dict[str, str]) -> list[str]:
    return [name for name, title in titles.items() if fnmatchcase(title, pattern)]
