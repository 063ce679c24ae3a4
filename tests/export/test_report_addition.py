"""A file of reports/ that adds to another."""

import tomllib
from pathlib import Path

import pytest

from formula_eval.core.diagnostic import FormulaError
from formula_eval.libraries import find_library
from formula_eval.report_addition import is_addition, with_addition

BASE = """
first = ["tp", "pp"]
counts = "count"
[typed]
byte = "GB"
[[section]]
kind = "values"
title = "Speed"
entries = [{ title = "ttft", name = "a" }, { title = "tpot", name = "b" }]
[[section]]
kind = "checks"
title = "Worth knowing"
"""
ADDITION = """
extends = true
first = ["batch"]
counts = "often"
[typed]
pixel = "pixel"
[[section]]
kind = "values"
title = "Speed"
entries = [{ title = "images", name = "c", before = "tpot" }, { title = "ttft", unit = "ms" }]
[[section]]
kind = "values"
title = "Worth knowing"
before = "Worth knowing"
entries = []
[[section]]
kind = "next"
title = "Next"
"""
SUM = """
first = ["tp", "pp", "batch"]
counts = "often"
[typed]
byte = "GB"
pixel = "pixel"
[[section]]
kind = "values"
title = "Speed"
entries = [
    { title = "ttft", name = "a", unit = "ms" },
    { title = "images", name = "c" },
    { title = "tpot", name = "b" },
]
[[section]]
kind = "values"
title = "Worth knowing"
entries = []
[[section]]
kind = "checks"
title = "Worth knowing"
[[section]]
kind = "next"
title = "Next"
"""


def test_lists_get_longer_and_tables_of_one_name_are_joined() -> None:
    assert with_addition(tomllib.loads(BASE), tomllib.loads(ADDITION), "mine.toml") == tomllib.loads(SUM)


def test_a_table_that_is_to_stand_before_nothing_is_refused() -> None:
    with pytest.raises(FormulaError, match=r"mine\.toml: nothing is called `tpto`"):
        with_addition({"entries": []}, {"entries": [{"title": "images", "before": "tpto"}]}, "mine.toml")


def test_a_file_adds_or_not() -> None:
    assert [is_addition(each, "mine.toml") for each in ({}, {"extends": False}, {"extends": True})] == [
        False,
        False,
        True,
    ]
    with pytest.raises(FormulaError, match=r"mine\.toml: `extends` is true or false"):
        is_addition({"extends": "answers"}, "mine.toml")


def test_libraries_add_one_after_another(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "reports").mkdir(parents=True)
        (tmp_path / name / "reports" / "export.toml").write_text(f'extends = true\n[serving]\nlatex = ["{name}"]\n')
    ours = find_library().last("reports/export.toml")[1]["serving"]["latex"]
    shown, data = find_library([tmp_path / "one", tmp_path / "two"]).last("reports/export.toml")
    assert data["serving"]["latex"] == [*ours, "one", "two"]
    assert shown.endswith("two/reports/export.toml")
