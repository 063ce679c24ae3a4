"""Changes of a config.json that must not pass in silence: a key misspelt, a value changed.

`python -m records.config_changes` (with tests/ on the path) makes every change of every config; `sample` draws a few.
What is known to change nothing stands in `[without_effect]` of its family, or in `config_changes.toml` with the reason.
"""

import json
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from formula_eval import FormulaError, Formulas
from formula_eval.records.huggingface.config import record_of
from formula_eval.records.huggingface.family import family_of
from formula_eval.records.huggingface.unread import known_keys, without_effect
from formula_eval.records.record_values import read_record

TESTS = Path(__file__).parents[1]
WRONG: Sequence[Any] = (0, -1, 1.5, "x", 10**15, True, [1, 2], {})
REASONS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
Config = Mapping[str, Any]


class Change(NamedTuple):
    """One change of a config: the key as its path, what it is called now, and the config that has it."""

    path: str
    now: str
    config: Config


class Reading(NamedTuple):
    """What became of a config: what it says in our inputs and what is told, or why it is refused."""

    inputs: Mapping[str, Any]
    told: str
    refused: str = ""


def configs() -> Sequence[tuple[str, Config]]:
    """Every config of the tests, by name."""
    published = sorted((TESTS / "architectures" / "reference" / "configs").glob("*/config.json"))
    found = [(path.parent.name, json.loads(path.read_text(encoding="utf-8"))) for path in published]
    for name in "class_counts", "published_counts":
        rows = json.loads((TESTS / "models" / f"{name}.json").read_text(encoding="utf-8"))
        found += [(f"{row['config']['model_type']}, {name} {n}", row["config"]) for n, row in enumerate(rows)]
    return found


def reading(formulas: Formulas, config: Config) -> Reading:
    """How a config is read."""
    evaluator = formulas.evaluator
    kind = evaluator.schema.kinds["model"]
    try:
        record = record_of(evaluator.library, evaluator.schema, kind, config, "config.json")
    except FormulaError as error:
        return Reading({}, "", str(error))
    return Reading(record.data, record.remark)


def paths(config: Config, within: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every key but the one that names the family, those within objects too."""
    for key, value in config.items():
        path = (*within, key)
        if path != ("model_type",):
            yield path
        if isinstance(value, Mapping):
            yield from paths(value, path)


def misspelt(key: str, random: Random) -> str:
    """A key as people misspell it: a letter left out, two swapped, one or many of it."""
    n = random.randrange(1, len(key)) if len(key) > 1 else 0
    swapped = key[: n - 1] + key[n] + key[n - 1] + key[n + 1 :] if n else f"{key}s"
    dropped = key[:n] + key[n + 1 :]
    plural = key.removesuffix("s") if key.endswith("s") else f"{key}s"
    return random.choice([each for each in (dropped, swapped, plural) if each not in ("", key)])


def renamed(config: Config, path: tuple[str, ...], random: Random) -> Change:
    """The config with one key misspelt."""
    now = misspelt(path[-1], random)
    changed = deepcopy(dict(config))
    holder = changed
    for part in path[:-1]:
        holder = holder[part]
    holder[now] = holder.pop(path[-1])
    return Change(".".join(path), ".".join((*path[:-1], now)), changed)


def revalued(config: Config, path: tuple[str, ...], random: Random) -> Change:
    """The config with one value changed: a number doubled, a flag flipped, a word changed, a list cut."""
    changed = deepcopy(dict(config))
    holder = changed
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = other(holder[path[-1]], random)
    return Change(".".join(path), ".".join(path), changed)


def other(value: Any, random: Random) -> Any:
    """Another value of the same sort."""
    match value:
        case bool():
            return not value
        case int() | float():
            return 2 * value or 1
        case str():
            return random.choice([f"{value}x", value[:-1], "word"]) if value else "word"
        case [_, *_]:
            return random.choice([value[:-1], [*value, value[-1]], [*value[1:], value[0], value[0]]])
        case None:
            return 7
    return [7] if isinstance(value, list) else {"key": 7}


def passes_unnoticed(formulas: Formulas, before: Reading, change: Change, config: Config) -> str:
    """What to say of a change that nobody is told of and that changes nothing; empty where it is noticed."""
    after = reading(formulas, change.config)
    key = change.now.rpartition(".")[2]
    if after.refused or (after.told != before.told and key in after.told):
        return ""
    if change.now == change.path and f"`{key}`" in after.told:  # as before: what is told does not repeat its value
        return ""
    evaluator = formulas.evaluator
    family = family_of(evaluator.library, evaluator.schema.kinds["model"], config, "config.json")
    known, free = known_keys(family), without_effect(family)
    if free & {change.path, change.path.partition(".")[0]} - {change.path if change.now != change.path else ""}:
        return ""
    if change.now != change.path:
        denied = change.path not in known and not value_of(config, change.path)
        return "" if change.now in known or denied else f"`{change.path}` may be written `{change.now}` untold"
    if after.inputs != before.inputs or excused(config, change.path):
        return ""
    return f"`{change.path}` = {value_of(change.config, change.path)} changes nothing, untold"


def value_of(config: Config, path: str) -> Any:
    """What a config says under a path."""
    value: Any = config
    for part in path.split("."):
        value = value[part]
    return value


def excused(config: Config, path: str) -> bool:
    """Whether a key of this family rightly changes nothing in some of its configs."""
    families = ("every family", str(config["model_type"]))
    return any(path in keys for family in families for keys in REASONS.get(family, {}).values())


def unnamed(formulas: Formulas, random: Random, most: int) -> Iterator[tuple[bool, str]]:
    """Some keys of some configs with a wrong value: whether it is refused, and what to say where no key is named."""
    for name, config in random.sample(configs(), most):
        key = random.choice([path[0] for path in paths(config) if len(path) == 1])
        for wrong in WRONG:
            refused = refusal(formulas, {**config, key: wrong})
            yield bool(refused), "" if key in refused else f"{name}, `{key}` = {wrong!r}: {refused}"


def refusal(formulas: Formulas, config: Config) -> str:
    """Why a config cannot be read to values of our inputs; empty if it can."""
    evaluator = formulas.evaluator
    try:
        record = record_of(evaluator.library, evaluator.schema, evaluator.schema.kinds["model"], config, "config.json")
        read_record(record, evaluator.schema)
    except FormulaError as error:
        return str(error)
    return ""


def everything(formulas: Formulas, names: Collection[str] = (), seed: int = 0) -> Iterator[str]:
    """Every key of all configs, or of these, misspelt, every value changed: a line for each that passes unnoticed."""
    random = Random(seed)
    for name, config in configs():
        if names and name not in names:
            continue
        for finding in findings(formulas, config, list(paths(config)), random):
            yield f"{name}: {finding}"


def sample(formulas: Formulas, random: Random, most: int) -> Iterator[str]:
    """One key of some configs misspelt and one value changed: a line for each that passes unnoticed."""
    for name, config in random.sample(configs(), most):
        for finding in findings(formulas, config, [random.choice(list(paths(config)))], random):
            yield f"{name}: {finding}"


def findings(formulas: Formulas, config: Config, changed: Sequence[tuple[str, ...]], random: Random) -> Iterator[str]:
    """What passes unnoticed of misspelling these keys and of changing their values."""
    before = reading(formulas, config)
    if before.refused:
        return
    for path in changed:
        for change in renamed(config, path, random), revalued(config, path, random):
            finding = passes_unnoticed(formulas, before, change, config)
            if finding:
                yield finding


if __name__ == "__main__":
    from formula_eval import load

    sys.stdout.writelines(f"{line}\n" for line in everything(load()))
