"""A library's own names go before ours inside its folder, whatever ours are called; `root.name` is one of the root."""

from pathlib import Path

import pytest

from formula_eval import Formulas, load
from formula_eval.check.library import soundness
from formula_eval.core.diagnostic import FormulaError
from formula_eval.export.document import document_of
from formula_eval.export.formats import FORMATS, write_document
from formula_eval.printing.diagnostic import rendered
from formula_eval.records.givens import Question
from libraries import DOCUMENTS

OURS = '''"""What is given."""

input window: s = 3 s in 0 s .. 100 s
    "Time that is looked at"

input horizon = 4
    "Steps ahead"

input text_doubled = 5
    "A name that `text.doubled` has in a workbook too"
'''
BESIDE = '''"""What reads it."""

doubled: s = 2 * window * horizon
    "Twice the time"
    derived "a definition"
    example window = 4 s, horizon = 2 -> 16 s

raised = text_doubled + 1
    "Twice a text, raised by one"
    derived "a definition"
    example text_doubled = 2 -> 3
'''
OWN = '''"""A search over windows of text."""

unit horizon = 60 s
    "sixty seconds, whatever ours are called"

input window: whole = 7 in 1 .. 100
    "Tokens of a window"

doubled = 2 * window
    "Twice the tokens"
    derived "a definition"
    example window = 4 -> 8

both: s = 1 s * window + root.window + 1 horizon * root.horizon
    "Both together"
    derived "a definition"
    example window = 4, root.window = 2 s, horizon = 2 -> 126 s

theirs: s = base.doubled + (base.doubled with root.window = 1 s, horizon = 1)
    "What the other library makes of it"
    derived "a definition"
    example window = 4 -> 26 s
'''


def written(home: Path, own: str = OWN, folder: str = "text") -> list[str]:
    texts = {"base/formulas/inputs": OURS, "base/formulas/base/base": BESIDE, f"own/formulas/{folder}/text": own}
    for name, text in texts.items():
        chapter = home / f"{name}.formula"
        chapter.parent.mkdir(parents=True)
        chapter.write_text(text, encoding="utf-8")
    for name in ("base", "own"):
        (home / name / "library.toml").write_text(f'title = "{name}"\nuses = []\n', encoding="utf-8")
    return [str(home / "base"), str(home / "own")]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return written(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def formulas(folders: list[str]) -> Formulas:
    return load(*folders)


def test_the_library_is_sound(folders: list[str]) -> None:
    found = soundness(folders[1], (folders[0],))
    assert not [rendered(each, lambda _: None) for each in found.findings]
    assert found.examples == 5


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({}, [14, 7 + 3 + 240, 24 + 2]),
        ({"text.window": 5}, [10, 5 + 3 + 240, 26]),
        ({"window": "5 s"}, [14, 7 + 5 + 240, 40 + 2]),
        ({"root.window": "5 s"}, [14, 7 + 5 + 240, 40 + 2]),
        ({"window": 5, "namespace": "text"}, [10, 5 + 3 + 240, 26]),
    ],
    ids=str,
)
def test_each_folder_reads_its_own(formulas: Formulas, given: dict[str, object], values: list[float]) -> None:
    names = ["text.doubled", "text.both", "text.theirs"]
    made = formulas.evaluate(only=names, **given)
    assert [made[name].value for name in names] == pytest.approx(values)


@pytest.mark.parametrize("form", DOCUMENTS)
def test_every_document_tells_them_apart(formulas: Formulas, form: str, tmp_path: Path) -> None:
    target = tmp_path / f"own{FORMATS[form].ending}"
    names = ["text.both", "text.theirs", "text.doubled", "base.raised"]
    document = document_of(formulas.evaluator, Question(), names, named=True)
    write_document(document, form, str(target))
    assert target.stat().st_size


def test_a_name_in_a_folder_of_the_other_library_is_refused(tmp_path: Path) -> None:
    """Its chapters would mean it too."""
    own = OWN.partition("doubled")[0].replace("unit horizon", "unit step") + 'tripled = 3 * window\n    "Three"\n'
    with pytest.raises(FormulaError, match=r"`base.window` would hide `window` of the root"):
        load(*written(tmp_path, own, "base")).evaluate(only="base.doubled")
