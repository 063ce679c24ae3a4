"""What a question about a library came to is kept until one of its files changes."""

from pathlib import Path

import pytest

from formula_eval.cache import Cache
from formula_eval.kept_results import kept_result
from formula_eval.libraries import find_library


def test_a_result_is_made_once_and_again_for_a_changed_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formula_eval.text_files._SETTLED", 0)
    folder, beside, made = tmp_path / "library", tmp_path / "runs.csv", list[int]()
    (folder / "models").mkdir(parents=True)
    (folder / "models" / "a.toml").write_text("layers = 1\n", encoding="utf-8")
    beside.write_text("1", encoding="utf-8")
    library, cache = find_library([folder]), Cache(tmp_path / "cache")

    def asked(question: str) -> list[int]:
        def make() -> list[int]:
            made.append(len(made))
            return [*made]

        return kept_result(library, cache, list, question, make, more=[beside])

    assert asked("a") == asked("a") == [0]
    assert asked("b") == [0, 1]
    (folder / "models" / "a.toml").write_text("layers = 22\n", encoding="utf-8")
    assert asked("a") == [0, 1, 2]
    beside.write_text("11", encoding="utf-8")
    assert asked("a") == [0, 1, 2, 3]
