"""`check` while a library is being written: drafts, results that it writes, watching, and no slip hides another."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from formula_eval.check import watch
from formula_eval.check.example_literal import literal_text
from formula_eval.cli import main
from formula_eval.core.diagnostic import nearest
from formula_eval.core.quantity import Quantified
from language.cases import units

CHAPTER = '''"""A trip."""

choice pace = slow | fast

input length: dim = 100 in 1 .. 1000
    "Length of the trip"

input spare = 1
    "A spare number"

legs: dim = 2 * length
    "There and back"
    derived "two legs"
    example length = 3 -> ?

speed: byte/s = legs * 3 GB / 7 s
    "Bytes of the trip in a second"
    example length = 30 -> ?
'''
WRONG = """
wrong: byte = 3 s
    "A wrong unit"
    derived "a definition"
    example -> 3 s

reads_wrong: byte = 2 * wrong
    "What reads a wrong unit"
    derived "a definition"
    example -> 6 byte

open: dim = (3
    "A slip of spelling"

reads_open: dim = 3 * open
    "What reads a slip"
    derived "a definition"
    example -> 9

no_such: dim = 2 * legs
    "An example of what there is not"
    derived "a definition"
    example lenth = 3 -> 12

def half(size: dim) -> dim = size / 2
    "Half of a size"
    derived "a definition"
    example size = 3 s -> 1.5
    example size = 4 -> 3

other: s = 2 s
    "A wrong example"
    derived "a definition"
    example -> 3 s
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def chapter(tmp_path: Path) -> Path:
    folder = tmp_path / "formulas"
    folder.mkdir()
    (tmp_path / "library.toml").write_text('title = "Trips"\nuses = []\n')
    chapter = folder / "trip.formula"
    chapter.write_text(CHAPTER)
    return chapter


@pytest.fixture
def run(tmp_path: Path, capsys: Any) -> Run:
    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["check", str(tmp_path), *arguments])
        return code, *capsys.readouterr()

    return command


def heads(text: str) -> list[str]:
    """The first line of each message."""
    return [each.partition("\n")[0] for each in text.split("\n\n")]


def test_what_is_not_written_yet_is_a_warning_and_last(run: Run) -> None:
    code, out, err = run("--draft")
    assert (code, out) == (0, "2 formulas, 2 examples hold.\n")
    assert heads(err) == [
        "warning: The example of `legs` states no result; it gives 6",
        "warning: `speed` has no source",
        "warning: The example of `speed` states no result; it gives (25.7143 GB/s)",
        "warning: Nothing is of the choice `pace`",
        "warning: Nothing reads the input `spare`",
        "5 warnings.",
    ]
    code, out, err = run()
    assert (code, out, heads(err)[-1]) == (2, "", "5 findings.")
    assert heads(err)[-2] == "Nothing reads the input `spare`"


def test_a_sentence_that_leans_on_another_is_a_warning(run: Run, chapter: Path) -> None:
    chapter.write_text(CHAPTER.replace("There and back", "Length of it"))
    code, _, err = run("--draft")
    assert code == 0
    assert heads(err)[0] == "warning: The sentence of `legs` cannot stand alone: Length of it"


def test_results_are_written_and_told(run: Run, chapter: Path) -> None:
    chapter.write_bytes(chapter.read_bytes().replace(b"\n", b"\r\n"))
    code, out, err = run("--draft", "--accept")
    assert (code, heads(err)[-1]) == (0, "3 warnings.")
    assert out.splitlines() == [
        f"{chapter}:14: the example of `legs` now states 6",
        f"{chapter}:18: the example of `speed` now states (25.7143 GB/s)",
        "2 formulas, 2 examples hold.",
    ]
    expected = CHAPTER.replace("3 -> ?", "3 -> 6").replace("30 -> ?", "30 -> (25.7143 GB/s)")
    assert chapter.read_bytes() == expected.replace("\n", "\r\n").encode()
    assert run("--draft", "--accept")[1] == "2 formulas, 2 examples hold.\n"


def test_no_slip_hides_another(run: Run, chapter: Path) -> None:
    chapter.write_text(CHAPTER + WRONG)
    code, _, err = run("--draft", "--accept")
    assert code == 2
    assert [each for each in heads(err) if not each.startswith("warning: ")] == [
        "`wrong` is `byte`, but `3 s` is `s`",
        "This `(` is never closed",
        "The example gives `lenth`, which is neither an input nor a quantity",
        "The example's `size` is `dim` (a plain number), and its value is not",
        "The example of `half` gives 2, not 3",
        "The example of `other` gives 2 s, not 3 s",
        *heads(err)[-1:],
    ]
    assert "length = 3 -> 6" in chapter.read_text()


def test_watching_tells_what_is_new(run: Run, chapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def changes(_places: object) -> Iterator[None]:
        yield
        chapter.write_text(chapter.read_text() + WRONG[-100:][WRONG[-100:].index("other") :])
        yield
        chapter.write_text(CHAPTER.replace("-> ?", "-> 6", 1))
        yield
        raise KeyboardInterrupt

    monkeypatch.setattr(watch, "changes", changes)
    code, out, err = run("--draft", "--watch")
    assert code == 130
    assert out.splitlines() == [
        "2 formulas, 2 examples hold.",
        "0 findings gone, 5 left as before.",
        "2 findings gone, 4 left as before.",
        "2 formulas, 2 examples hold.",
    ]
    assert err.count("Nothing reads the input `spare`") == 1
    assert err.count("The example of `other` gives 2 s, not 3 s") == 1


def test_a_change_on_the_disk_is_seen(chapter: Path) -> None:
    slept: list[float] = []

    def sleep(pause: float) -> None:
        slept.append(pause)
        if len(slept) == 3:
            chapter.write_text(CHAPTER + "\n")

    seen = watch.changes([chapter.parents[1]], 0.01, sleep)
    next(seen)
    next(seen)
    assert len(slept) == 3


@pytest.mark.parametrize(
    ("value", "quantity", "text"),
    [
        (True, Quantified("flag"), "true"),
        ("slow", Quantified("choice", words=("slow",)), "slow"),
        (6.0, Quantified("number", "dim"), "6"),
        (1 / 3, Quantified("number"), "0.333333"),
        (1e12, Quantified("number", "token"), "1000000000000"),
        (2.5e10, Quantified("number", "byte", "byte"), "25 GB"),
        (0.0175, Quantified("number", "s", "s"), "0.0175 s"),
        (0.00175, Quantified("number", "s", "s"), "1.75 ms"),
        (-3e12, Quantified("number", "byte/s", "byte/s"), "(-3 TB/s)"),
        (0.0, Quantified("number", "byte", "byte"), "0"),
        (float("inf"), Quantified("number", "byte", "byte"), "infinity"),
        (7200.0, Quantified("number", "hour", "s"), "2 hour"),
    ],
)
def test_a_result_is_written_in_the_unit_of_its_formula(value: object, quantity: Quantified, text: str) -> None:
    assert literal_text(value, quantity, units()) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "known", "advice"),
    [
        ("pixel", ["mixer", "mixers"], ""),
        ("date", ["drafter", "rate_of"], ""),
        ("lenth", ["length"], "Did you mean `length`?"),
        ("siez", ["size"], "Did you mean `size`?"),
        ("num_heads", ["heads"], "Did you mean `heads`?"),
        ("Tokens", ["tokens"], "Did you mean `tokens`?"),
    ],
)
def test_advice_names_only_what_is_near(word: str, known: list[str], advice: str) -> None:
    assert nearest(word, known) == advice
