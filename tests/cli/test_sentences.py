"""Words without an option say the same as options do."""

import shlex
import tomllib
from pathlib import Path

import pytest

from formula_eval import Formulas
from formula_eval.cli.words import options_said

SENTENCES = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("said", SENTENCES)
def test_words_are_options(said: str, formulas: Formulas) -> None:
    evaluator = formulas.evaluator
    found = options_said(said.split(), evaluator.library, evaluator.schema, ["search", "plan"], job=False)
    assert shlex.join(found) == SENTENCES[said]


@pytest.mark.parametrize("said", [each for each in SENTENCES if "/" not in each])
def test_they_are_answered_alike(said: str, run) -> None:  # type: ignore[no-untyped-def]
    asked = ["--only", "inference.tpot"]
    assert run(*said.split(), *asked)[:2] == run(*shlex.split(SENTENCES[said]), *asked)[:2]


def test_a_library_that_stands_alone_has_words_of_its_own(run) -> None:  # type: ignore[no-untyped-def]
    library = ["--library", str(Path(__file__).parents[2] / "examples" / "household"), "--only", "cost_per_km"]
    assert run("ioniq-6-53", *library) == run("--car", "ioniq-6-53", *library)
    code, _, said = run("ioniq-6-53", "8", "gpus", *library)
    assert code == 2
    assert "`8` is no record of any kind (tariff" in said


def test_a_count_is_of_the_job_where_one_is_asked_about(run) -> None:  # type: ignore[no-untyped-def]
    asked = ["--only", "training.step_time"]
    words = run("--training", "llama3-8b", "16", "h100", *asked)
    assert words[0] == 0
    assert words == run("--training", "--model", "llama3-8b", "--gpu", "h100", "--gpus", "16", *asked)


def test_list_alone_lists_what_can_be_listed(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("list")
    assert code == 0
    assert {"models", "hardware", "inputs", "units"} <= {
        line.split()[0] for line in out.splitlines() if line[:1] != " "
    }
