"""Every shipped text is coloured whole, and no word of the grammar is forgotten by an editor."""

import json
import re
import runpy
from pathlib import Path

import pytest
from pygments.token import Error, Keyword, Name, Number

from counted import seen
from formula_eval.language.keywords import language_words, note_words, reserved_words, statement_words
from reference_pages.formula_lexer import FormulaLexer

ROOT = Path(__file__).parents[2]
EDITORS = ROOT / "editors"
CHAPTERS = sorted(
    path for folder in ("formulas", "examples", "libraries") for path in ROOT.glob(f"{folder}/**/*.formula")
)
GOOD = sorted((ROOT / "tests/language/good").rglob("*.formula"))


@pytest.mark.parametrize("path", [*CHAPTERS, *GOOD], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_chapter_has_no_error_token(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = list(FormulaLexer().get_tokens(text))
    assert [value for kind, value in found if kind is Error] == []
    assert "".join(value for _, value in found).strip() == text.strip()


def test_the_formulas_of_the_documentation_have_no_error_token() -> None:
    paths = [ROOT / "README.md", *ROOT.glob("formulas/**/README.md"), *ROOT.glob("docs/*.md")]
    texts = [(path, path.read_text(encoding="utf-8")) for path in paths]
    blocks = [(path, each) for path, text in texts for each in re.findall(r"```formula\n(.*?)```", text, re.DOTALL)]
    for path, block in seen(blocks):
        assert Error not in {kind for kind, _ in FormulaLexer().get_tokens(block)}, path


def test_words_names_numbers_and_units_have_their_colours() -> None:
    text = (
        'input tp: GPU = 1 in 1 .. 4\n    "A text"\n    symbol "t"\n\nx: byte/s = min(tp, (3 GB/s)) if true else y.z\n'
    )
    found = {value: kind for kind, value in FormulaLexer().get_tokens(text)}
    assert found["input"] in Keyword
    assert found["symbol"] in Keyword
    assert found["byte/s"] is Keyword.Type
    assert found["GB/s"] is Keyword.Type
    assert found["3"] in Number
    assert found["min"] is Name.Builtin
    assert found["true"] is Keyword.Constant
    assert found["x"] is Name.Function
    assert found["y.z"] is Name


def test_the_grammar_gives_all_words() -> None:
    assert set(statement_words()) >= {"choice", "input", "def", "table", "check"}
    assert set(note_words()) >= {"symbol", "source", "derived", "note", "example"}
    assert language_words() >= {"if", "else", "match", "refuse"}


def test_the_grammar_of_the_extension_is_that_of_the_language() -> None:
    script = runpy.run_path(str(EDITORS / "textmate.py"))
    written = (EDITORS / "vscode/syntaxes/formula.tmLanguage.json").read_text(encoding="utf-8")
    assert written == script["text"](), "`python editors/textmate.py` writes it anew"
    for word in language_words() | reserved_words():
        assert re.search(rf"[(|:]{word}[|)]", written), word


def test_the_extension_names_files_that_are_there() -> None:
    package = json.loads((EDITORS / "vscode/package.json").read_text(encoding="utf-8"))
    named = [package["main"], *(each["configuration"] for each in package["contributes"]["languages"])]
    named += [each["path"] for each in package["contributes"]["grammars"]]
    assert all((EDITORS / "vscode" / each).is_file() for each in named)
    json.loads((EDITORS / "vscode/language-configuration.json").read_text(encoding="utf-8"))
