"""Files of reports/search/: ours hold together, and what is wrong with one is told with its name."""

from pathlib import Path

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.ask.search import read_search_space
from formula_eval.libraries import find_library

AXIS = '[[axis]]\ninput = "tp"\nvalues = "1,2"\n'


@pytest.mark.parametrize("purpose", ["serving", "training"])
def test_ours_say_what_is_sought_of_what(formulas: Formulas, purpose: str) -> None:
    space = read_search_space(formulas.evaluator.library, purpose, formulas.evaluator.schema)
    goal = space.usual_goal((), {})
    assert goal is not None
    assert space.axes
    assert space.group_of(goal.name, {}).shows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[axis]]\ninput = "tp"\n', "lacks `values`"),
        ('[[axis]]\ninput = "tpp"\nvalues = "1"\n', "no input is named `tpp`"),
        (AXIS + AXIS, "`tp` has two axes"),
        (AXIS + 'step = "2"\n', "has no key `step`"),
        ('heeds = ["training.no_such"]\n', "no check is named"),
        ('where = "memory.fits"\n', "is not a list of texts"),
        ("[[goal]]\n", "either `minimise` or `maximise`"),
        ('[[goal]]\nminimise = "no.such"\n', "no quantity is named"),
        ('[[group]]\nnames = ["*"]\nfront = [{ minimise = "tp" }]\n', "`front` of a .* has 1 values"),
        ('[[group]]\nnames = ["*"]\nshows = [{ name = "tp" }]\n', "lacks `title`"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(formulas: Formulas, tmp_path: Path, text: str, message: str) -> None:
    folder = tmp_path / "reports" / "search"
    folder.mkdir(parents=True)
    (folder / "training.toml").write_text(text)
    with pytest.raises(FormulaError, match=message) as found:
        read_search_space(find_library([tmp_path]), "training", formulas.evaluator.schema)
    assert "reports/search/training.toml" in str(found.value)
