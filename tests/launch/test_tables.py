"""The tables of presets/launch/: each names inputs, words and records that there are, and where it is from."""

from collections.abc import Mapping

import pytest

from counted import seen
from formula_eval import FormulaError
from formula_eval.launch.tables.program_reader import programs_of
from formula_eval.library import Library
from formula_eval.records.record_files import find_record
from formula_eval.records.values import read_value
from formula_eval.text_files import read_toml


@pytest.fixture(scope="module")
def programs(formulas):
    return programs_of(formulas.evaluator.library)


def test_what_a_table_sets_is_an_input_and_takes_it(programs, formulas):
    schema, library = formulas.evaluator.schema, formulas.evaluator.library
    for program in seen(programs.values()):
        for option in program.options.values():
            for meant in option.words.values():
                pairs = meant.items() if isinstance(meant, Mapping) else [(option.input, meant)]
                for name, value in pairs:
                    if name in schema.kinds:
                        assert find_record(library, schema, name, str(value)), (program.id, option.name)
                    else:
                        assert read_value(value, schema.inputs[name], schema.units, program.id) is not None
            known = option.input in schema.inputs or option.input in schema.kinds
            assert not option.input or known, (program.id, option.name)
        for each in program.derived:
            assert each.input in schema.inputs or each.input in schema.kinds, (program.id, each.input)


def test_a_table_says_where_it_is_from(formulas):
    for folder, path in seen(formulas.evaluator.library.files("presets/launch/*.toml")):
        table = read_toml(path, formulas.evaluator.library.shown(folder, path))
        assert table["source"], path
        assert table["date"], path


def test_a_word_that_lacks_a_value_has_none(programs):
    for program in seen(programs.values()):
        for option in program.options.values():
            assert not [word for word in option.words if option.advice(word)], (program.id, option.name)


def test_an_option_stands_once(programs):
    for program in seen(programs.values()):
        for name in program.spelling:
            assert name not in program.without_effect, (program.id, name)
            assert name not in program.without_input, (program.id, name)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("titel = 'x'", "has no key `titel`"),
        ("[options.tp]\ninputs = 'tp'", r"\[options.tp\] has no key `inputs`"),
        ("[options.tp]\nswitch = 'yes'", "is not true or false"),
        ("extends = 'vlm'", "names no other table"),
        ("[derived]\ntp = { wert = '1' }", "has no key `wert`"),
        ("[written]\ntp = '1'", "is not one of its options"),
        ("[without_effect]\nlog = 'x'", "is not a list of texts"),
        ("form = 'ini'", "is not known"),
        ("unwritten = ['port']", "which is not one of its options"),
        ("[options.a]\nalso = ['x']\n[options.b]\nalso = ['x']", "means both"),
    ],
)
def test_a_table_of_another_form_is_refused(table, says, tmp_path):
    folder = tmp_path / "presets" / "launch"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(table)
    with pytest.raises(FormulaError, match=says):
        programs_of(Library((tmp_path,)))
