"""JSON Schemas by which editors complete TOML are those of the readers, and hold for every table of ours."""

import json
import os
import re
import runpy
from pathlib import Path

import jsonschema
import pytest

from counted import seen
from formula_eval.check.toml_tables import TABLE_FILES
from formula_eval.library import OURS, SHIPPED_LIBRARIES
from formula_eval.text_files import read_toml

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "editors" / "schemas.py"))
SCHEMAS = dict(SCRIPT["schemas"]())
UPDATE = "UPDATE_DOCS" in os.environ


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_that_of_its_reader(name):
    path = ROOT / "editors" / "schemas" / name
    if UPDATE:
        path.write_text(SCHEMAS[name])
    assert path.read_text() == SCHEMAS[name], "`python editors/schemas.py` writes it anew"


def test_the_page_of_launch_tables_has_every_key():
    path, page = ROOT / "presets" / "launch" / "README.md", SCRIPT["page"]()
    if UPDATE:
        path.write_text(page)
    assert path.read_text() == page, "`python editors/schemas.py` writes it anew"
    assert "| `options.NAME.input` | a text |" in page


def test_no_key_is_explained_that_there_is_not():
    rows = re.findall(r"^\| `([^`]+)`", SCRIPT["page"](), re.MULTILINE)
    explained = SCRIPT["MEANINGS"]["presets-launch"]
    inner = [key for each in explained.values() if isinstance(each, dict) for key in each if key]
    assert len(rows) == len(explained) + len(inner)


@pytest.mark.parametrize("kind", TABLE_FILES, ids=lambda kind: kind.pattern)
def test_our_tables_are_what_a_schema_says(kind):
    schema = json.loads(SCHEMAS[f"{SCRIPT['name_of'](kind.pattern)}.json"])
    jsonschema.Draft7Validator.check_schema(schema)
    checker = jsonschema.Draft7Validator(schema)
    ours = [*OURS.glob(kind.pattern)] or [*SHIPPED_LIBRARIES.glob(f"*/{kind.pattern}")]
    for path in seen(ours):
        assert [each.message for each in checker.iter_errors(read_toml(path, path.name))] == [], path


def test_a_schema_refuses_what_the_reader_does():
    schema = jsonschema.Draft7Validator(json.loads(SCHEMAS["presets-launch.json"]))
    assert schema.is_valid({"commands": ["mine"], "options": {"tp": {"input": "tp"}}})
    assert not schema.is_valid({"commands": "mine"})
    assert not schema.is_valid({"options": {"tp": {"inputt": "tp"}}})
