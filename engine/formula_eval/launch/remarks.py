"""Words the remarks on options: which of two statements counts, and what an unknown one may mean."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet

from formula_eval.core.diagnostic import FormulaError, enumerated, nearest, refuse
from formula_eval.core.option_names import option_of
from formula_eval.launch.tables.launch_program import LAUNCHER, LaunchProgram
from formula_eval.records.launch_reading import Launch, Use

_MOST_TOLD = 5
_MOST_APART = 4
_NAME = re.compile(r"(?:--)?[A-Za-z][\w.-]*")


def overruled(used: Sequence[Use], but: str) -> Iterator[str]:
    """What is said differently of an input, and which of it counts; of `but` one, what commands of launchers say."""
    last = {each.input: each for each in used}
    for each in used:
        counts = last[each.input]
        same = each.value == counts.value or str(each.said).lower() == str(counts.said).lower()
        if each.input == but and each.value != counts.value and each.written[:1] == counts.written[:1] == "-":
            yield (
                f"{each.written} {each.said} makes {each.value} accelerators, and {counts.written} {counts.said} makes "
                f"{counts.value}: {counts.value} counts."
            )
        if same or each.input == but:
            continue
        if each.implied or counts.implied:
            yield (
                f"{each.written} {each.said} makes {each.input} {each.value}, and {counts.written} {counts.said} makes "
                f"it {counts.value}: {counts.value} counts."
            )
        else:
            yield f"{each.written} says {each.said} and {counts.written} says {counts.said}: {counts.said} counts."


def resembling(program: LaunchProgram, unknown: Sequence[str], programs: Iterable[LaunchProgram]) -> Iterator[str]:
    """What an option that is not known may mean: one of nearly its name, or one of another program."""
    options = [each for each in dict.fromkeys(unknown) if _NAME.fullmatch(each)]
    known = [each for each in programs if each is not program and each.purpose != LAUNCHER and not each.extends]
    for written in options[:_MOST_TOLD]:
        dashed = written.startswith("--")
        others = [each for each in known if each.names(written)]
        others = [each for each in others if each.purpose == program.purpose] or others
        near = nearest(written, [option_of(each) if dashed else each for each in program.options])
        if near:
            yield f"{written} is not known. {near}"
        elif others:
            yield f"{written} is an option of {enumerated([each.title for each in others])}, not of {program.title}."


def nearest_of(launcher: LaunchProgram, unknown: Sequence[str]) -> Iterator[str]:
    """What a launcher's option that it does not have may mean."""
    known = [*launcher.options, *launcher.spelling, *launcher.without_effect]
    for written in unknown[:_MOST_TOLD]:
        dashes = "_" if "_" in written else "-"
        near = nearest(written, [f"--{each.replace('_', dashes)}" for each in known if not each.endswith("*")])
        yield f"{launcher.title} has no option {written}, so it counts for nothing. {near}".rstrip()


def several_launches(found: Sequence[Launch], shown: str, first: Sequence[str]) -> FormulaError:
    """The refusal of a text with different commands, each in a few words: these inputs, and what sets it apart."""
    programs = dict.fromkeys(each.title for each in found)
    stated = {name for each in found for name in each.stated}
    apart = {name for name in stated if any(each.stated.get(name) != found[0].stated.get(name) for each in found)}
    told = "; ".join(f"{number}: {_summary(each, first, apart)}" for number, each in enumerate(found, 1))
    of = f" of {' and '.join(programs)}" if len(programs) > 1 else ""
    help_ = "Paste one of them, or put its number behind the file's name: `--from launch.sh#2`."
    return refuse("several-launches", f"{shown}: {len(found)} different commands{of}: {told}", help=help_)


def _summary(launch: Launch, first: Sequence[str], apart: AbstractSet[str]) -> str:
    """A launch in a few words: what most ask about, and what sets it apart from the others."""
    shown = [name for name in first if name in launch.stated]
    shown += sorted(name for name in apart - {*shown} if name in launch.stated)[:_MOST_APART]
    values = ((name, launch.stated[name]) for name in shown)
    told = ", ".join(f"{name} = {each['name'] if isinstance(each, Mapping) else each}" for name, each in values)
    return f"{launch.title} ({told})"
