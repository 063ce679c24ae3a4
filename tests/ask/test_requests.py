"""Requests: a field is an option of the verb that asks it, and an argument of the method that asks it in Python."""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

from formula_eval import Formulas, analyse, ask, export

# Each question, as `ask/` has it: the verb, and the class of its request.
REQUESTS = {
    name: kind
    for name in sorted(each.stem for each in Path(str(ask.__file__)).parent.glob("*.py"))
    for kind in vars(import_module(f"formula_eval.ask.{name}")).values()
    if getattr(kind, "__name__", "") == f"{name.title()}Request"
}
# What no option states by itself: the question, what a program that is to be launched can say, and its conditions.
MADE = {"question", "questions", "tools", "sayable", "holds"}
# What only a command is asked: how to compute, and columns of a table that say nothing.
COMMAND = {"anyway", "ignore"}
IN_PYTHON = {"zipped": "zip"}


@pytest.mark.parametrize("verb", REQUESTS)
def test_a_field_is_an_option(verb):
    options = {each.name for each in import_module(f"formula_eval.cli.{verb}").command.params}
    assert set(REQUESTS[verb]._fields) - MADE <= options


@pytest.mark.parametrize("verb", REQUESTS)
def test_a_field_is_an_argument_in_python(verb):
    arguments = inspect.signature(getattr(Formulas, verb)).parameters
    fields = set(REQUESTS[verb]._fields) - MADE - COMMAND
    assert {IN_PYTHON.get(each, each) for each in fields} <= set(arguments)


def test_a_module_of_a_folder_is_an_attribute_of_its_layer():
    assert export.sweep_table.__name__ == "formula_eval.export.terminal.sweep_table"
    assert analyse.sweep_frame.__name__ == "formula_eval.analyse.sweep.sweep_frame"
    assert ask.sweep.__name__ == "formula_eval.ask.sweep"


def test_what_is_no_module_is_no_attribute():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = ask.nothing
