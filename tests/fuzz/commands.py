"""Options of every verb; launch texts, with secrets in them; and launch texts of which one option is changed."""

import shlex
import tomllib
from pathlib import Path
from random import Random
from typing import Any

from formula_eval import Formulas
from fuzz import mutations
from fuzz.surface import ACCEPTED, REFUSED, SECRET, UNTOLD, Outcome, command
from launch.mutations import of_text, plain, silent, swapped
from records import config_changes

_TESTS = Path(__file__).parents[1]
_LAUNCH = _TESTS / "launch"
SOUND = (
    "--model llama3-8b --batch 4 --prompt 128 --only inference.tpot",
    "--model qwen3-8b --gpu h100-sxm --tp 2 --only memory.total_bytes",
    "--model mixtral-8x7b --tp 4 --ep 2 --number-format int4 --only memory.fits",
    "--model llama2-7b --answer training --seq 2048 --only params.total",
    "sweep --model llama3-8b --batch 1..64*2 --tp 1,2 --only inference.tpot",
    "explain inference.tpot --model llama3-8b",
    "show inference.tpot --notation latex",
    "list models",
    "list hardware",
    "compare --model llama3-8b,qwen3-8b --only params.total",
    "sensitivity inference.tpot --model llama3-8b",
    "solve batch --model llama3-8b --gpu h100-sxm --where memory.fits",
    "derive memory.kv_cache_bytes --model llama3-8b --free batch",
)


class Options:
    """Arguments of the command."""

    name = "options"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """What the tests of messages ask, and sound questions."""
        del folder, formulas
        cases = _toml(_TESTS / "cli" / "bad_input.toml")["case"]
        lines = [each["line"] for each in cases if "{" not in each["line"] and not each.get("slow")]
        self._sound = [
            shlex.split(line) for line in (*SOUND, *SOUND, *lines) if "plan" not in line and "search" not in line
        ]

    def one(self, random: Random) -> Outcome:
        """One of them, changed."""
        made = mutations.words(random, random.choice(self._sound))
        given = (each.replace("\ud800", "\udcff") for each in made)  # as Python takes bytes that are no text
        return command([each for each in given if each not in _ENDLESS])

    def close(self) -> None:
        """Nothing was started."""


_ENDLESS = (
    "lsp",
    "--watch",
    "check",
    "plan",
    "search",
    "--workers",
    "-o",
    "--output",
    "new",
    "fmt",
)  # wait for an editor, write, or take minutes


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _launches() -> list[dict[str, Any]]:
    return [case for path in sorted((_LAUNCH / "cases").glob("*.toml")) for case in _toml(path)["case"]]


class Launches:
    """Launch commands and files, with a secret in some."""

    name = "launch texts"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """The texts of the tests, and the ways in which people write secrets."""
        del folder, formulas
        self._sound = [each["text"] for each in _launches() if "text" in each]
        self._ways = [each for each in _toml(_LAUNCH / "secrets.toml")["ways"] if "CMD" in each]

    def one(self, random: Random) -> Outcome:
        """One of them, changed, with a secret in one of the ways or without."""
        text = random.choice(self._sound)
        if random.random() < 0.5:
            text = mutations.text(random, text)
        else:
            text = " ".join(mutations.words(random, text.split(" ")))
        if random.random() < 0.3:
            text = random.choice(self._ways).replace("CMD", text).replace("@@", SECRET)
        shown_as = random.choice(((), (), ("--format", "json")))
        return command(("--from", text.replace("\x00", ""), "--only", "params.total", *shown_as))

    def close(self) -> None:
        """Nothing was started."""


class LaunchChanges:
    """One option of a launch text misspelt, or one number doubled, which must be told or change something."""

    name = "options of launches"
    patience = 120

    def prepare(self, folder: Path, formulas: Formulas) -> None:
        """The commands of the tests, and what is known to be without a change."""
        del folder
        self._sound, self._evaluator = list(plain(_launches())), formulas.evaluator
        self._known = _toml(_LAUNCH / "without_change.toml").keys()

    def one(self, random: Random) -> Outcome:
        """A change of one of them, and whether nobody is told of it."""
        case, text = random.choice(self._sound)
        was: dict[str, str] = {}

        def misspelt(option: str) -> str:
            now = f"--{config_changes.misspelt(option[2:], random)}"
            if option.startswith(now):  # which many programs take for it
                now = swapped(option)
            was[now] = swapped(option)
            return now

        made = list(of_text(text, misspelt))
        if not made:
            return Outcome(REFUSED, text)
        one = random.choice(made)
        if was.get(one.option, one.option) in self._known:
            return Outcome(ACCEPTED, one.mutated)
        untold = silent(case, one, self._evaluator, {})
        return Outcome(UNTOLD, f"{untold}\n{one.mutated}") if untold else Outcome(ACCEPTED, one.mutated)

    def close(self) -> None:
        """Nothing was started."""
