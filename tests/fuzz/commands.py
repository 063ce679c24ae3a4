"""Options of every verb, and launch texts with secrets in them."""

import shlex
import tomllib
from pathlib import Path
from random import Random

from formula_eval import Formulas
from fuzz import mutations
from fuzz.surface import SECRET, Outcome, command

_TESTS = Path(__file__).parents[1]
_SECRETS = (
    f"--api-key {SECRET}",
    f"--api-key={SECRET}",
    f"-e HF_TOKEN={SECRET}",
    f"--header 'Authorization: Bearer {SECRET}'",
    f"--download-dir https://me:{SECRET}@example.org/x",
)
SOUND = (
    "--model llama3-8b --batch 4 --prompt 128 --only inference.tpot",
    "--model qwen3-8b --gpu h100-sxm --tp 2 --only memory.total_bytes",
    "--model mixtral-8x7b --tp 4 --ep 2 --weights int4 --only memory.fits",
    "--model llama2-7b --answer training --seq 2048 --only params.total",
    "sweep --model llama3-8b --batch 1..64:*2 --tp 1,2 --only inference.tpot",
    "explain inference.tpot --model llama3-8b",
    "show inference.tpot --notation latex",
    "list models",
    "list hardware",
    "compare --model llama3-8b,qwen3-8b --only params.total",
    "sensitivity inference.tpot --model llama3-8b",
    "solve batch --model llama3-8b --gpu h100-sxm",
    "derive params.total --model llama3-8b",
)


class Options:
    """Arguments of the command."""

    name = "options"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """What the tests of messages ask, and sound questions."""
        del folder, formulas
        cases = tomllib.loads((_TESTS / "cli" / "bad_input.toml").read_text(encoding="utf-8"))["case"]
        lines = [each["line"] for each in cases if "{" not in each["line"] and not each.get("slow")]
        self._sound = [
            shlex.split(line) for line in (*SOUND, *SOUND, *lines) if "plan" not in line and "search" not in line
        ]

    def one(self, random: Random) -> Outcome:
        """One of them, changed."""
        made = mutations.words(random, random.choice(self._sound))
        return command([each for each in made if each not in _ENDLESS])

    def close(self) -> None:
        """Nothing was started."""


_ENDLESS = (
    "lsp",
    "plan",
    "search",
    "--workers",
    "-o",
    "--output",
    "new",
    "fmt",
)  # wait for an editor, write, or take minutes


class Launches:
    """Launch commands and files, with a secret in each."""

    name = "launch texts"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """The texts of the tests."""
        del folder, formulas
        paths = sorted((_TESTS / "launch" / "cases").glob("*.toml"))
        cases = [each for path in paths for each in tomllib.loads(path.read_text(encoding="utf-8"))["case"]]
        self._sound = [each["text"] for each in cases if "text" in each]

    def one(self, random: Random) -> Outcome:
        """One of them, changed, with a secret at its end or a variable of one before it."""
        text = random.choice(self._sound)
        text = (
            mutations.text(random, text)
            if random.random() < 0.5
            else " ".join(mutations.words(random, text.split(" ")))
        )
        if random.random() < 0.3:
            secret = random.choice(_SECRETS)
            text = f"export HF_TOKEN={SECRET}\n{text}" if random.random() < 0.3 else f"{text.rstrip()} {secret}\n"
        return command(("--from", text.replace("\x00", ""), "--only", "params.total"))

    def close(self) -> None:
        """Nothing was started."""
