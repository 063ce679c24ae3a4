"""What is written for programs whose parsers cannot be had here, held against their definitions as data."""

from pathlib import Path
from random import Random

import pytest
import tomli

from formula_eval.launch.to_options import RECORD, WrittenOption, options_for, words_of
from formula_eval.launch.write.launch_values import programs_to_write
from launch.random_values import values_for

DEFINITIONS = [tomli.loads(path.read_text()) for path in sorted((Path(__file__).parent / "definitions").glob("*.toml"))]
TRIES = 200


def refusal(written: WrittenOption, definition: dict, spelt: str) -> str:
    """Why a program as it is defined refuses an option; empty where it takes it."""
    value = written.value
    if spelt in definition["words"]:
        return "" if value in definition["words"][spelt] else f"{spelt} is not {value}"
    kinds = {"text": str, "whole": int, "number": (int, float), "switch": bool}
    kind = next((each for each in kinds if spelt in definition[each]), "")
    if not kind:
        return f"there is no {spelt}"
    is_flag = isinstance(value, bool) and kind != "switch"
    return "" if (kind == "text" or isinstance(value, kinds[kind])) and not is_flag else f"{spelt} is not {value}"


@pytest.mark.parametrize("definition", DEFINITIONS, ids=[each["program"] for each in DEFINITIONS])
def test_what_is_written_is_as_the_program_defines_it(definition, formulas):
    program = programs_to_write(formulas.evaluator)[definition["program"]]
    schema, library, choose = formulas.evaluator.schema, formulas.evaluator.library, Random(0)
    names = {"model": "meta-llama/Llama-3.1-70B", RECORD: "llama3.1-70b"}
    refused: dict[str, WrittenOption] = {}
    for _ in range(TRIES):
        values = {**values_for(program, schema, choose), **names}
        for each in options_for(program, values, {}, library):
            spelt = each.option if program.form == "yaml" else next(words_of(each, program)).removeprefix("--")
            refused |= {why: each for why in [refusal(each, definition, spelt)] if why}
    assert sorted(refused) == []


def test_a_definition_says_where_it_is_from():
    assert all(each["source"] and each["date"] and each["version"] for each in DEFINITIONS)
