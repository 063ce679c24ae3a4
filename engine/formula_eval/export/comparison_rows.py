"""reports/compare.toml to the rows in which configurations are compared, or those that somebody names."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from formula_eval.analyse.compare.configurations import Wanted
from formula_eval.analyse.compare.correspondence import FILE
from formula_eval.evaluate.conversion import selected
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export import layout
from formula_eval.export.sweep.sweep_layout import column_titles, usual_columns


def comparison_rows(
    evaluator: Evaluator, purpose: str, namespace: str, patterns: Sequence[str]
) -> tuple[Evaluator, list[Wanted]]:
    """The rows, and an evaluator that shows them in the units that were asked for.

    Patterns are titles of rows, or quantities as `--only` takes them. Raises FormulaError for one that is neither.
    """
    shown, data = evaluator.library.last(FILE)
    entries = data.get("row", [])
    layout.check_tables(entries, (*layout.ENTRY, "about"), f"{shown}: a [[row]]")
    known = [each for each in entries if each["about"] == purpose]
    titles = {**column_titles(evaluator.library), **{each["name"]: each["title"] for each in known}}
    if not patterns:
        names = [each["name"] for each in known] or usual_columns(evaluator.library, purpose, evaluator.schema)
        layout.known_quantities(names, evaluator.schema, shown)
        return evaluator, [Wanted(titles.get(name, name), name, named=False) for name in names]
    wanted = [name for pattern in patterns for name in _titled(pattern, titles) or [pattern]]
    converted, found = selected(evaluator, wanted, namespace)
    return converted, [Wanted(titles.get(name, name), name) for name in found]


def _titled(pattern: str, titles: dict[str, str]) -> list[str]:
    return [name for name, title in titles.items() if fnmatchcase(title, pattern)]
