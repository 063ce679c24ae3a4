"""What a `solve` finds, in a workbook that LibreOffice recalculates and in a page: to the last digit what we find."""

from pathlib import Path

import pytest

from export.browser import showing
from export.office import Office
from export.page_answers import wrong_in
from export.test_workbook_recalculates import differences
from export.workbook_cases import book_of
from formula_eval import load
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export.document import document_of
from formula_eval.export.html.page import write_page
from formula_eval.records.givens import Question
from resolve.test_solves import ANY, ROOT, WHOLE

pytestmark = pytest.mark.slow

ASKED = [
    {"low": "1", "high": "30", "bound": "64"},
    {"low": "-8", "high": "9", "bound": "-20"},
    {"low": "7", "high": "3", "bound": "900"},
]


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> Evaluator:
    folder = tmp_path_factory.mktemp("bakery")
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Bakery"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "root.formula").write_text(ROOT, encoding="utf-8")
    return load(folder).evaluator


@pytest.mark.parametrize("values", ASKED, ids=str)
def test_the_workbook_recalculates(bakery: Evaluator, values: dict[str, str], office: Office, tmp_path: Path) -> None:
    wanted = bakery.select([*WHOLE, *ANY])
    book, contents = book_of(document_of(bakery, Question(values=values), wanted))
    (tmp_path / "bakery.xlsx").write_bytes(contents)
    office.open(tmp_path / "bakery.xlsx")
    assert differences(office, book, list(book.sheets)) == []


def test_the_page_recalculates(bakery: Evaluator, tmp_path: Path) -> None:
    document = document_of(bakery, Question(values=ASKED[0]), bakery.select([*WHOLE, *ANY]))
    write_page(document, tmp_path / "bakery.html")
    with showing(tmp_path / "bakery.html") as browser:
        assert not wrong_in(document, browser, [{"records": {}, "values": values} for values in ASKED])
