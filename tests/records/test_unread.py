"""What a config.json says that its family does not read, and what it says twice: told or refused, by a table."""

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from formula_eval import FormulaError, Formulas
from formula_eval.records.record_files import find_record

CASES = tomllib.loads(Path(__file__).with_name("unread.toml").read_text(encoding="utf-8"))
CONFIGS = Path(__file__).parents[1] / "architectures" / "reference" / "configs"
Read = Callable[[Mapping[str, Any] | str], str]


@pytest.fixture
def remark(formulas: Formulas, tmp_path: Path) -> Read:
    def read(config: Mapping[str, Any] | str) -> str:
        written = config if isinstance(config, str) else json.dumps(config)
        (tmp_path / "config.json").write_text(written, encoding="utf-8")
        evaluator = formulas.evaluator
        return find_record(evaluator.library, evaluator.schema, "model", str(tmp_path)).remark

    return read


def changed(case: Mapping[str, Any]) -> Mapping[str, Any]:
    """The config of a case: one of the reference, or its own, with keys renamed and set."""
    base = case["base"]
    if isinstance(base, str):
        base = json.loads((CONFIGS / base / "config.json").read_text(encoding="utf-8"))
    renamed = case.get("renamed", {})
    return {renamed.get(key, key): value for key, value in base.items()} | case.get("with", {})


@pytest.mark.parametrize("case", CASES["told"], ids=lambda case: str(case["id"]))
def test_it_is_told(case: Mapping[str, Any], remark: Read) -> None:
    assert case["says"] in remark(changed(case))


@pytest.mark.parametrize("case", CASES["silent"], ids=lambda case: str(case["id"]))
def test_nothing_is_told(case: Mapping[str, Any], remark: Read) -> None:
    assert remark(changed(case)) == remark(changed({**case, "with": {}}))


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: str(case["id"]))
def test_it_is_refused(case: Mapping[str, Any], remark: Read) -> None:
    with pytest.raises(FormulaError, match=case["says"]):
        remark(changed(case))


def test_a_key_that_stands_twice_is_refused_where_its_values_differ(remark: Read) -> None:
    text = json.dumps(changed({"base": "llama-2-7b"}))
    assert remark(text[:-1] + ', "hidden_size": 4096}') == remark(text)
    with pytest.raises(FormulaError, match="`hidden_size` stands twice"):
        remark(text[:-1] + ', "hidden_size": 5120}')
