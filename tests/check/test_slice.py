"""`check --only`: one chapter and what it needs, found and computed as with the whole library."""

from pathlib import Path

import pytest

from formula_eval.core.diagnostic import FormulaError
from libraries import checked

NOTES = '    "A {0}"\n    derived "a definition"\n    example tokens = 2 -> {1}\n'
CHAPTER = '"""Own."""\n\n{name}: token = {expression}\n' + NOTES


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "formulas" / "own"
    folder.mkdir(parents=True)
    (tmp_path / "library.toml").write_text("uses = []\n")
    (folder / "inputs.formula").write_text('"""Inputs."""\n\ninput tokens: token = 1 in 1 .. 10\n    "Tokens"\n')
    for name, expression, expected in (("first", "tokens", 2), ("second", "3 * first", 7), ("third", "tokens", 9)):
        text = CHAPTER.format(name, expected, name=name, expression=expression)
        (folder / f"{name}.formula").write_text(text)
    return tmp_path


def messages(library: Path, only: str = "") -> list[str]:
    return [each.message for each in checked(library, only).findings]


def test_only_the_chapters_of_such_names_are_checked(library: Path) -> None:
    second, third = "The example of `own.second` gives 6, not 7", "The example of `own.third` gives 2, not 9"
    assert messages(library) == [second, third]
    assert messages(library, "second") == [second]
    assert messages(library, "own.f*") == []
    assert messages(library, "own.*") == [second, third]


def test_a_chapter_that_changed_is_read_again(library: Path) -> None:
    assert messages(library, "first") == []
    chapter = library / "formulas/own/first.formula"
    chapter.write_text(chapter.read_text().replace("= tokens", "= 2 * tokens"))
    assert messages(library, "first") == ["The example of `own.first` gives 4, not 2"]
    assert messages(library, "second") == ["The example of `own.second` gives 12, not 7"]


@pytest.mark.parametrize("statement", ["twice: token = tokens", "def twice(x: token) -> token = 2 * x"])
def test_what_another_chapter_declares_too_is_found(library: Path, statement: str) -> None:
    folder = library / "formulas/own"
    for name in ("fifth", "sixth"):
        example = "example x = 1 -> 2" if "def" in statement else "example tokens = 2 -> 2"
        notes = f'    "Twice"\n    derived "a definition"\n    {example}\n'
        (folder / f"{name}.formula").write_text(f'"""Own."""\n\n{statement}\n{notes}')
    found = messages(library, "own.twice")
    assert len(found) == 1
    assert "`own.twice` is declared twice" in found[0]


def test_a_name_of_nothing_is_refused_with_the_nearest(library: Path) -> None:
    with pytest.raises(FormulaError, match=r"No formula is named `own\.secnd`") as caught:
        checked(library, "own.secnd")
    assert caught.value.diagnostics[0].help.startswith("Did you mean `own.second`")


@pytest.mark.slow
@pytest.mark.parametrize("only", ["memory.kv_cache_bytes", "active"])
def test_chapters_of_ours_hold_by_themselves(only: str) -> None:
    found = checked("", only)
    assert found.findings == ()
    assert found.examples > 0


def test_a_chapter_may_use_names_of_another_folder_and_situations(library: Path) -> None:
    folder = library / "formulas" / "other"
    folder.mkdir()
    (folder / "fourth.formula").write_text(
        '"""Other."""\n\nuse own.(second, tokens)\n\nsituation four_tokens: tokens = 4\n    "Four"\n\n'
        'fourth: token = second + (second with four_tokens)\n    "A fourth"\n    derived "a definition"\n'
        "    example tokens = 2 -> 18\n    example four_tokens -> 25\n"
    )
    wrong = "The example of `other.fourth` gives 24, not 25"
    assert messages(library, "fourth") == [wrong]
    assert wrong in messages(library)
