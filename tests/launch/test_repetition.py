"""Lists as Python repeats them, of which layers are mixtures of experts."""

import pytest

from formula_eval import FormulaError
from formula_eval.launch.python_script.expressions import repeated


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("([0]*3+[1]*5)", [0, 0, 0, 1, 1, 1, 1, 1]),
        ("([1]*2+[0]*1)*2", [1, 1, 0, 1, 1, 0]),
        ("[0,1]", [0, 1]),
        ("2*[1]", [1, 1]),
        ("1", [1]),
        ("3", [0, 0, 1]),
    ],
)
def test_a_list_is_read_as_python_repeats_it(text, items):
    assert repeated(text, "--moe-layer-freq") == items


@pytest.mark.parametrize(
    "text", ["", "[1", "[1]*10**9", "[1]*999999", "print(1)", "[1]+1", "0", "'a'", "[[1]]*2", "(" * 9999]
)
def test_anything_else_is_refused(text):
    with pytest.raises(FormulaError, match="no such list"):
        repeated(text, "--moe-layer-freq")
