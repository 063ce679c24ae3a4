"""Sets what stands on either side of `vs` side by side: `tp 8 vs tp 4 pp 2` as two layouts, each as written."""

import shlex
from collections.abc import Iterator, Sequence

from formula_eval.cli.output import say
from formula_eval.records.question_words import merged
from formula_eval.records.roles import Roles
from formula_eval.records.schema import Schema

ZIP = "--zip"
_Side = dict[str, list[str]]  # values by option


def sides_of(options: Sequence[str], marks: Sequence[int], schema: Schema, roles: Roles) -> tuple[list[str], list[str]]:
    """The options, merged; with `--zip` where sides, which end at `marks`, differ in several options that each states.

    What one side alone states holds for all, such as `batch 32`, but for the degrees of a layout where each side states
    one: those that it leaves out are at their defaults. With them come those options that so hold for sides which say
    each for itself what they are.
    """
    ends = sorted({*marks, len(options)})
    sides = [_stated(options[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
    for degree, default in _degrees(sides, schema, roles):
        for side in sides:
            side.setdefault(degree, [default])
    first, *others = sides
    paired = {name: [",".join(side[name]) for side in sides] for name in first if all(name in side for side in others)}
    varied = {name: values for name, values in paired.items() if len({*values}) > 1}
    if len(varied) < 2:  # noqa: PLR2004 - one alone varies freely
        return merged(options), []
    shared = merged([word for side in sides for name in side if name not in varied for word in (name, *side[name])])
    plain = {schema.kinds[kind].option for kind in (roles.model, roles.accelerator)}  # what is asked about, and on what
    told = [word for pair in zip(shared[::2], shared[1::2], strict=True) if pair[0] not in plain for word in pair]
    return [*shared, *(word for name in varied for word in (name, ",".join(varied[name]))), ZIP], told


def tell_held(options: Sequence[str]) -> None:
    """One note of the options that one side states and that hold for all, if any."""
    if options:
        text = shlex.join(options)
        say(f"note: {text} is said of one side and holds for all; to differ, say it of each.", err=True)


def _stated(options: Sequence[str]) -> _Side:
    said: _Side = {}
    for option in options:
        if option.startswith("--"):
            last = said.setdefault(option, [])
        else:
            last.append(option)
    return said


def _degrees(sides: Sequence[_Side], schema: Schema, roles: Roles) -> Iterator[tuple[str, str]]:
    """Options of a layout that any side states, with their defaults; none unless each side states one.

    Those of a layout are declared in one file with the inputs by which accelerators share a model.
    """
    files = {schema.inputs[name].place.partition(":")[0] for name in roles.shared if name in schema.inputs}
    known = (
        each for each in schema.inputs.values() if each.place.partition(":")[0] in files and each.default.isdigit()
    )
    defaults = {f"--{each.name.replace('_', '-')}": each.default for each in known}
    if all(defaults.keys() & side.keys() for side in sides):
        yield from (
            (name, defaults[name])
            for name in dict.fromkeys(name for side in sides for name in side)
            if name in defaults
        )
