"""Configs of models and headers of checkpoints, changed in one or two places."""

import json
from pathlib import Path
from random import Random

from formula_eval import FormulaError, Formulas
from formula_eval.records.givens import Question
from fuzz import mutations
from fuzz.surface import ACCEPTED, PRIVATE, REFUSED, WRONG, Outcome, command, disagreement
from models import checkpoint_files as files

WANTED = ("params.total", "memory.kv_bytes_per_token")
_CONFIGS = Path(__file__).parents[1] / "models" / "class_counts.json"
_EACH_COMMAND = 10


class Configs:
    """`config.json` of every family."""

    name = "configs"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """The configs whose classes were counted."""
        self._path, self._formulas = folder / "config.json", formulas
        formulas.evaluator.program(WANTED)
        self._sound = [each["config"] for each in json.loads(_CONFIGS.read_text(encoding="utf-8"))]

    def one(self, random: Random) -> Outcome:
        """One of them, changed: refused, or the same numbers by Python and NumPy."""
        text = json.dumps(mutations.tree(random, random.choice(self._sound)))
        if random.random() < 0.1:
            text = mutations.text(random, text)
        self._path.write_text(text, encoding="utf-8", errors="surrogatepass")
        if random.randrange(_EACH_COMMAND) == 0:
            return command(("--model", str(self._path), "--only", WANTED[0]), text)
        return answered(self._formulas, self._path, text)

    def close(self) -> None:
        """Nothing was started."""


class Headers:
    """Headers of safetensors, GGUF and npz files."""

    name = "headers"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """A small checkpoint of each format, and a file that nobody may read."""
        self._folder, self._formulas = folder, formulas
        formulas.evaluator.program(WANTED)
        (folder / "private").write_text(PRIVATE)
        whole = folder / "whole"
        whole.mkdir()
        files.write_folder(whole, files.LLAMA, files.llama_shapes())
        self._config = json.dumps(files.LLAMA)
        self._header = json.dumps(files.safetensors_header(files.llama_shapes()))
        self._size = files.size_of(files.llama_shapes())
        self._gguf, self._room = files.gguf_header(files.METADATA, files.gguf_shapes())

    def one(self, random: Random) -> Outcome:
        """One of them, changed as a tree or as bytes, at the length that it says or at another one."""
        room = random.choice((self._size, self._size, 0, 1))
        if random.random() < 0.5:
            path = self._folder / "changed.gguf"
            header = mutations.data(random, self._gguf)
            room = random.choice((self._room, self._room, 0))
        else:
            folder = self._folder / "changed"
            folder.mkdir(exist_ok=True)
            (folder / "config.json").write_text(self._config)
            path = folder / "model.safetensors"
            body = json.dumps(mutations.tree(random, json.loads(self._header))).encode()
            length = len(body) if random.random() < 0.8 else random.choice((0, 1, 2**40, 2**63))
            header = length.to_bytes(8, "little") + body
            if random.random() < 0.3:
                header = mutations.data(random, header)
        path.unlink(missing_ok=True)
        with path.open("wb") as out:
            out.write(header)
            out.truncate(len(header) + room)
        named = path if path.suffix == ".gguf" else path.parent
        return answered(self._formulas, named, f"{path.name} begins with {header[:4000]!r}, {room} bytes follow")

    def close(self) -> None:
        """Nothing was started."""


def answered(formulas: Formulas, path: Path, shown: str) -> Outcome:
    """What comes of a model in a file."""
    try:
        wrong = disagreement(formulas, Question({"model": str(path)}, {}), WANTED)
    except FormulaError as error:
        told = " ".join(f"{each.message} {each.help}" for each in error.diagnostics)
        return Outcome(REFUSED, shown) if told.strip() else Outcome(WRONG, f"{shown}\nrefused in silence")
    return Outcome(WRONG, f"{shown}\n{wrong}") if wrong else Outcome(ACCEPTED, shown)
