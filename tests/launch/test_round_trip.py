"""What is written for a program, read in again, is the same configuration: for all programs and random values."""

import json
import shlex
from random import Random

from hypothesis import HealthCheck, given, settings, strategies as st

from formula_eval.launch.launch_reader import read_launch, silent_launch
from formula_eval.launch.to_options import options_for, same, tables_of, words_of
from formula_eval.launch.write.launch_values import FILES, programs_to_write
from formula_eval.records.launch_reading import Beside
from formula_eval.records.record_files import find_record
from formula_eval.records.record_values import read_record
from formula_eval.records.values import read_value
from launch.random_values import values_for
from samples import samples

HARDWARE = Beside({"hardware": "h100-sxm"}, {})
MODEL = "llama3.1-70b"


@settings(max_examples=samples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(choose=st.integers(0, 2**32).map(Random))
def test_what_is_written_is_read_as_it_was(choose, formulas, tmp_path_factory):
    programs = programs_to_write(formulas.evaluator)
    library, schema = formulas.evaluator.library, formulas.evaluator.schema
    program = programs[choose.choice(sorted(programs))]
    accelerator = read_record(find_record(library, schema, "hardware", "h100-sxm"), schema, whole=False).values
    values = {**values_for(program, schema, choose), "model": MODEL, "accelerator": accelerator}
    silent = {**silent_launch(program, MODEL, library, schema, HARDWARE).stated, "model": None}
    options = list(options_for(program, values, silent, library))
    if program.form in FILES:
        path = tmp_path_factory.mktemp("launch") / f"config.{program.form}"
        path.write_text(json.dumps(tables_of(options)))
        text = str(path)
    else:
        start = program.started(8, 2)
        text = shlex.join([*shlex.split(start), *(word for each in options for word in words_of(each, program))])
    if not options:
        return
    launch = read_launch(text, library, schema, HARDWARE)
    if program.form in FILES and launch.program == program.extends:
        return  # a file that says nothing of its own
    assert launch.program == program.id
    assert not launch.unknown
    shape = launch.stated["model"] if isinstance(launch.stated.get("model"), dict) else {}
    back = {**values, **{name: value for name, value in {**launch.stated, **shape}.items() if name in values}}
    sized = (name for name, value in back.items() if str(value).endswith(" byte"))
    back |= {name: read_value(back[name], schema.inputs[name], schema.units, text) for name in sized}
    back["model"] = MODEL
    for each in options:
        if len(each.inputs) == 1:
            assert same(back[each.inputs[0]], values[each.inputs[0]]), (each, text)
    again = list(options_for(program, back, silent, library))
    assert [each for each in options if each not in again] == []
