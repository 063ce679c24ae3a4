"""Launch texts of the cases to texts that say one thing otherwise: an option misspelt, a number doubled.

`every` goes through all of them, `some` through a sample by seed; `silent` says what is wrong with how one is read.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from formula_eval import FormulaError
from formula_eval.launch.launch_reader import read_launch
from formula_eval.records.launch_reading import Beside
from launch.renderer import forms_of

_OPTION = re.compile(r"(?<!\S)--[A-Za-z][\w.-]{3,}(?=[\s=]|$)")
_NUMBER = re.compile(r"(?<!\S)(--[A-Za-z][\w.-]*)([ =])(\d{1,6})(?=\s|$)")


class Mutation(NamedTuple):
    """A text, what was made of it, the kind of change and the option that it touches, as it is written now."""

    text: str
    mutated: str
    kind: str
    option: str


def swapped(name: str) -> str:
    """An option whose last two letters are swapped, or which has one more where they are alike."""
    place = len(name) - 2
    return f"{name[:place]}{name[place + 1]}{name[place]}{'q' * (name[place] == name[place + 1])}"


def of_text(text: str, misspelt: Callable[[str], str] = swapped) -> Iterator[Mutation]:
    """Each option misspelt, each number behind one doubled."""
    for found in _OPTION.finditer(text):
        written = misspelt(found[0])
        yield Mutation(text, f"{text[: found.start()]}{written}{text[found.end() :]}", "misspelt", written)
    for found in _NUMBER.finditer(text):
        twice = f"{found[1]}{found[2]}{2 * int(found[3])}"
        if int(found[3]):
            yield Mutation(text, f"{text[: found.start()]}{twice}{text[found.end() :]}", "doubled", found[1])


def wrong(text: str, value: str) -> Iterator[tuple[str, str]]:
    """Each number behind an option made a wrong value: the option, and the text that has it."""
    for found in _NUMBER.finditer(text):
        yield found[1], f"{text[: found.start()]}{found[1]}{found[2]}{value}{text[found.end() :]}"


def every(cases: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], Mutation]]:
    """All of them, of the commands in their plain form."""
    for case, text in plain(cases):
        yield from ((case, each) for each in of_text(text))


def plain(cases: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], str]]:
    """The cases that are read as they stand, in their plain form."""
    for case in cases:
        if "unread" not in case and "file" not in case and "number" not in case:
            yield case, next(forms_of(case))[1]


def some(cases: Sequence[dict[str, Any]], count: int, seed: int) -> list[tuple[dict[str, Any], Mutation]]:
    """So many of them."""
    return Random(seed).sample(list(every(cases)), count)


def silent(case: dict[str, Any], mutation: Mutation, evaluator: Any, unchanged: dict[str, Any]) -> str:
    """What nobody is told of a mutation; empty where it is refused, changes something, or is accounted for.

    `unchanged` keeps what the text of each case says by its id, since a case has many mutations.
    """
    values = dict(case.get("beside", {}))
    model = values.pop("model", "")
    beside = Beside({"model": model} if model else {}, values)
    try:
        if case["id"] not in unchanged:
            unchanged[case["id"]] = read_launch(mutation.text, evaluator.library, evaluator.schema, beside)
        before = unchanged[case["id"]]
        after = read_launch(mutation.mutated, evaluator.library, evaluator.schema, beside)
    except FormulaError:
        return ""
    if mutation.kind == "doubled" and after.stated != before.stated:
        return ""
    told = [*(each for each, _ in (*after.without_effect, *after.without_input)), *after.unknown, *after.remarks]
    if mutation.kind == "misspelt":
        told += [each.written for each in after.used]
    if any(mutation.option in each for each in told):
        return ""
    return f"{case['id']}: {mutation.kind} {mutation.option} is not told"
