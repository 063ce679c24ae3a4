"""Turns a word that sets an input into its option: `tp=8`, `tp8`, `1024x768` or `ppo`."""

import re

from formula_eval.core.option_names import option_of
from formula_eval.library import Library
from formula_eval.records.schema import Schema

_SIDES = re.compile(r"\d{2,}(?:[x\u00d7]\d{2,})+", re.IGNORECASE)
_INPUT = re.compile(r"([a-z_]+?)(\d+)")


def stated_input(word: str, library: Library, schema: Schema) -> list[str]:
    """The option that a word says, with its value; nothing for any other word.

    `1024x768` is read where inputs have a size that is said so, and `ppo` where one input of the library's own answer
    offers this word.
    """
    name, equals, value = word.partition("=")
    if (size := next(iter(schema.synonyms.sizes), "")) and _SIDES.fullmatch(word):
        return [option_of(size), word]
    if equals and name:
        return [option_of(name), value]
    found = _INPUT.fullmatch(word.lower())
    if found is not None and found[1] in schema.inputs:
        return [f"--{found[1]}", found[2]]
    own = (each for each in schema.inputs if library.answer and each.startswith(f"{library.answer}."))
    offering = [each for each in own if word.lower() in schema.quantity(each).words]
    return [f"--{offering[0]}", word.lower()] if len(offering) == 1 else []
