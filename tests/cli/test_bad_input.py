"""Whatever is wrong, a message says so: no traceback, exit code 2, nothing on standard output."""

import os
import shlex
import tomllib
from pathlib import Path

import pytest

CASES = tomllib.loads((Path(__file__).parent / "bad_input.toml").read_text(encoding="utf-8"))["case"]
MODEL = "layers = 4\nhidden = 64\nheads = 4\nvocab = 100\n"
TEXTS = {
    "empty": ("empty.toml", ""),
    "empty_json": ("empty.json", ""),
    "broken": ("broken.toml", "layers = = 3"),
    "broken_json": ("broken.json", "{,}"),
    "list_json": ("list.json", "[1]"),
    "no_family": ("family.json", "{}"),
    "unknown_family": ("quantum.json", '{"model_type": "quantum"}'),
    "whole_model": ("whole.toml", MODEL),
    "missing": ("missing.toml", MODEL.replace("vocab = 100\n", "")),
    "misspelt": ("misspelt.toml", MODEL.replace("hidden", "hiden")),
    "negative": ("negative.toml", MODEL.replace("layers = 4", "layers = -3")),
    "too_many": ("too_many.toml", MODEL.replace("layers = 4", "layers = 1000000000")),
    "words": ("words.toml", MODEL.replace("layers = 4", 'layers = "many"')),
    "bad_scenario": ("scenario.toml", "tpp = 8"),
    "bad_formula": ("bad.formula", 'twice: dim = 2 * hiden\n    "Twice the width"\n'),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("bad")
    names = {"no_folder": "nowhere", "no_file": "nothing.toml", "folder": "folder", "loop": "loop.toml", "pipe": "pipe"}
    names |= {"pipe_book": "pipe.xlsx", "pipe_library": "library"}
    (folder / "folder").mkdir()
    (folder / "loop.toml").symlink_to("loop.toml")
    (folder / "library" / "models").mkdir(parents=True)
    for name in ("pipe", "pipe.xlsx", "library/models/pipe.toml", "library/hardware.toml"):
        os.mkfifo(folder / name)
    (folder / "binary.toml").write_bytes(bytes(range(256)))
    with (folder / "huge.toml").open("wb") as huge:
        os.truncate(huge.fileno(), 100 * 2**20)
    for key, (name, text) in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
        names[key] = name
    names |= {"binary": "binary.toml", "huge": "huge.toml"}
    return {key: str(folder / name) for key, name in names.items()}


@pytest.mark.parametrize(
    "case",
    [pytest.param(each, marks=pytest.mark.slow if each.get("slow") else ()) for each in CASES],
    ids=lambda case: case["line"],
)
def test_message(case, run, files):
    code, out, err = run(*shlex.split(case["line"].format(**files)))
    assert code == 2
    assert out == ""
    for text in case["says"]:
        assert text in err
    assert "Traceback" not in err
