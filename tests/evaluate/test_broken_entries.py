"""An entry of the cache with a right checksum and a payload of another sort is made anew."""

import marshal
import pickle
import shutil
from pathlib import Path
from zlib import crc32

import pytest

from counted import seen
from formula_eval.cache import Cache
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.libraries import find_library
from formula_eval.records.givens import Question

CHAPTER = '"""A trip."""\n\ninput length = 3\n    "Length"\n\ntwice = 2 * length\n    "Twice the length"\n'
PAYLOADS = {
    "nothing": b"",
    "no text": b"\xff\xfe\x00",
    "text": b"def f(): pass",
    "json": b'{"a": 1}',
    "pickle": pickle.dumps(7),
    "marshal": marshal.dumps(7),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library, and in `whole` what its answer keeps."""
    folder = tmp_path_factory.mktemp("trip")
    (folder / "formulas").mkdir()
    (folder / "library.toml").write_text('title = "Trip"\nuses = []\n', encoding="utf-8")
    (folder / "formulas" / "trip.formula").write_text(CHAPTER, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("formula_eval.text_files._SETTLED", 0)
        assert answer(folder, folder / "whole") == 6
    return folder


def answer(library: Path, directory: Path) -> object:
    evaluator = Evaluator(find_library([str(library)]), Cache(directory))
    assert evaluator.graph.nodes
    return evaluator.evaluate(evaluator.givens(Question()), ["twice"])["twice"].value


@pytest.mark.parametrize("kind", PAYLOADS)
def test_entries_are_made_anew(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formula_eval.text_files._SETTLED", 0)
    monkeypatch.setattr("formula_eval.language.reader._PARSERS", {})  # as in another process
    broken, payload = folder / kind, PAYLOADS[kind]
    shutil.copytree(folder / "whole", broken)
    entries = [*broken.glob("*.entry")]
    for path in seen(entries, 6):
        path.write_bytes(crc32(payload, len(payload) + 1).to_bytes(4, "big") + payload)
    assert answer(folder, broken) == 6
    assert all(not path.exists() or path.read_bytes()[4:] != payload for path in entries)
