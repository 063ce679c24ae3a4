"""Configs of models and headers of checkpoints, changed in one or two places; configs, a key or value of which is."""

import json
from functools import lru_cache
from pathlib import Path
from random import Random
from shutil import rmtree

from formula_eval import FormulaError, Formulas
from formula_eval.records.givens import Question
from fuzz import mutations
from fuzz.surface import ACCEPTED, PRIVATE, REFUSED, UNTOLD, WRONG, Outcome, command, disagreement
from models import checkpoint_files as files
from records import config_changes

WANTED = ("params.total", "memory.kv_bytes_per_token")
_CONFIGS = Path(__file__).parents[1] / "models" / "class_counts.json"
_EACH_COMMAND = 10


class Configs:
    """`config.json` of every family."""

    name = "configs"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """The configs whose classes were counted."""
        self._folder, self._formulas = folder, formulas
        formulas.evaluator.program(WANTED)
        self._sound = [each["config"] for each in json.loads(_CONFIGS.read_text(encoding="utf-8"))]

    def one(self, random: Random) -> Outcome:
        """One of them, changed: refused, or the same numbers by Python and NumPy."""
        text = json.dumps(mutations.tree(random, random.choice(self._sound)))
        if random.random() < 0.1:
            text = mutations.text(random, text)
        path = self._folder / f"{random.getrandbits(60):x}.json"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            if random.randrange(_EACH_COMMAND) == 0:
                return command(("--model", str(path), "--only", WANTED[0]), text)
            return answered(self._formulas, path, text)
        finally:
            path.unlink()

    def close(self) -> None:
        """Nothing was started."""


class ConfigChanges:
    """One key of a config misspelt, or one value changed, which must be told or change something."""

    name = "keys of configs"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """Every config of the tests."""
        del folder
        self._formulas, self._sound = formulas, [config for _, config in config_changes.configs()]
        self._before = lru_cache(lambda place: config_changes.reading(formulas, self._sound[place]))

    def one(self, random: Random) -> Outcome:
        """A change of one of them, and whether nobody notices it."""
        place = random.randrange(len(self._sound))
        config, before = self._sound[place], self._before(place)
        path = random.choice(list(config_changes.paths(config)))
        make = random.choice((config_changes.renamed, config_changes.revalued))
        change = make(config, path, random)
        shown = f"{config['model_type']}: {change.path} as {change.now}\n{json.dumps(change.config)}"
        if before.refused:
            return Outcome(REFUSED, shown)
        untold = config_changes.passes_unnoticed(self._formulas, before, change, config)
        return Outcome(UNTOLD, f"{untold}\n{shown}") if untold else Outcome(ACCEPTED, shown)

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
        name = f"{random.getrandbits(60):x}"
        if random.random() < 0.5:
            path = self._folder / f"{name}.gguf"
            header = mutations.data(random, self._gguf)
            room = random.choice((self._room, self._room, 0))
        else:
            folder = self._folder / name
            folder.mkdir()
            (folder / "config.json").write_text(self._config)
            path = folder / "model.safetensors"
            body = json.dumps(mutations.tree(random, json.loads(self._header))).encode()
            length = len(body) if random.random() < 0.8 else random.choice((0, 1, 2**40, 2**63))
            header = length.to_bytes(8, "little") + body
            if random.random() < 0.3:
                header = mutations.data(random, header)
        with path.open("wb") as out:
            out.write(header)
            out.truncate(len(header) + room)
        named = path if path.suffix == ".gguf" else path.parent
        try:
            return answered(self._formulas, named, f"{path.name} begins with {header[:4000]!r}, {room} bytes follow")
        finally:
            path.unlink()
            if named != path:
                rmtree(named)

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
