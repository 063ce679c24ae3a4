"""`export launch` for every program, of inputs at random: a launch or a message, never a traceback."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from formula_eval.cli import main
from formula_eval.launch.write.launch_values import programs_to_write
from launch.random_values import values_for
from samples import samples

DRAFTS = ((), ("--draft-model", "llama3.2-3b"), ("--draft-model", "llama3.2-3b", "--drafted-tokens", "4"))


def exported(program, choose, schema, started=()):
    """The exit status of one export of random inputs for a program."""
    stated = {name: value for name, value in values_for(program, schema, choose).items() if name in schema.inputs}
    chosen = choose.sample(sorted(stated), min(len(stated), 5))
    words = [word for name in chosen for word in ("--set", f"{name}={stated[name]}")]
    serving = program.purpose == "serving"
    draft = choose.choice(DRAFTS) if serving else ()
    return main(["export", "launch", "--program", program.id, "--model", "llama3.1-70b", *started, *draft, *words])


@pytest.mark.slow
@settings(max_examples=samples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(choose=st.integers(0, 2**32).map(Random))
def test_it_ends_in_a_launch_or_a_message(choose, formulas, capsys):
    programs = programs_to_write(formulas.evaluator)
    program = programs[choose.choice(sorted(programs))]
    assert exported(program, choose, formulas.evaluator.schema) in (0, 2)
    assert any(capsys.readouterr())


def test_a_draft_model_needs_a_number_of_tokens(capsys):
    text = "vllm serve meta-llama/Llama-3.1-70B --speculative-config.model meta-llama/Llama-3.2-3B"
    asked = ["export", "launch", "--from", text, "--program", "vllm"]
    assert main(asked) == 2
    assert "give, say, --drafted-tokens 4" in capsys.readouterr().err
    assert main([*asked, "--drafted-tokens", "4"]) in (0, 2)
    assert "llama3.2-3b" in capsys.readouterr().out


def test_a_draft_model_takes_the_number_that_its_program_drafts_by_default(capsys):
    text = "llama-server --model llama3.1-70b --model-draft llama3.2-3b"
    assert main(["export", "launch", "--from", text, "--program", "vllm"]) == 0
    assert "--speculative-config.num_speculative_tokens 3" in capsys.readouterr().out


def test_a_record_is_not_a_quantity(capsys):
    assert main(["--model", "llama3.1-70b", "--only", "draft_model"]) == 2
    assert "is a record" in capsys.readouterr().err
