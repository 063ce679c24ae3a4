"""No key of a config is misspelt and no value changed in silence: a few of all changes, drawn anew from each seed."""

from random import Random

import pytest

from formula_eval import Formulas
from records.config_changes import REASONS, WRONG, configs, everything, paths, sample, unnamed


@pytest.mark.parametrize("seed", range(2))
def test_a_changed_config_is_noticed(formulas: Formulas, seed: int) -> None:
    assert not list(sample(formulas, Random(seed), 25))


def test_a_wrong_value_is_refused_by_its_key(formulas: Formulas) -> None:
    found = list(unnamed(formulas, Random(1), 20))
    refused = [finding for was, finding in found if was]
    assert len(found) == 20 * len(WRONG)
    assert len(refused) > len(found) / 5
    assert not [each for each in refused if each]


@pytest.mark.slow
def test_keys_of_a_whole_family_are_noticed(formulas: Formulas) -> None:
    assert not list(everything(formulas, ("falcon-40b", "kimi-linear-48b-a3b", "nemotron-3-nano-30b-a3b", "t5-base")))


def test_every_reason_is_of_a_key_that_some_config_has() -> None:
    said = {".".join(path) for _, config in configs() for path in paths(config)}
    families = {str(config["model_type"]) for _, config in configs()} | {"every family"}
    assert families >= REASONS.keys()
    assert said >= {key for reasons in REASONS.values() for keys in reasons.values() for key in keys}
