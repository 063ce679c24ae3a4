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
    last = {use.input: use for use in used}
    for use in used:
        counts = last[use.input]
        same = use.value == counts.value or str(use.said).lower() == str(counts.said).lower()
        if use.input == but and use.value != counts.value and use.written[:1] == counts.written[:1] == "-":
            yield (
                f"{use.written} {use.said} makes {use.value} accelerators, and {counts.written} {counts.said} makes "
                f"{counts.value}: {counts.value} counts."
            )
        if same or use.input == but:
            continue
        if use.implied or counts.implied:
            yield (
                f"{use.written} {use.said} makes {use.input} {use.value}, and {counts.written} {counts.said} makes "
                f"it {counts.value}: {counts.value} counts."
            )
        else:
            yield f"{use.written} says {use.said} and {counts.written} says {counts.said}: {counts.said} counts."


def resembling(program: LaunchProgram, unknown: Sequence[str], programs: Iterable[LaunchProgram]) -> Iterator[str]:
    """What an option that is not known may mean: one of nearly its name, or one of another program."""
    options = [name for name in dict.fromkeys(unknown) if _NAME.fullmatch(name)]
    known = [each for each in programs if each is not program and each.purpose != LAUNCHER and not each.extends]
    for written in options[:_MOST_TOLD]:
        dashed = written.startswith("--")
        others = [each for each in known if each.names(written)]
        others = [other for other in others if other.purpose == program.purpose] or others
        near = nearest(written, [option_of(option) if dashed else option for option in program.options])
        if near:
            yield f"{written} is not known. {near}"
        elif others:
            yield f"{written} is an option of {enumerated([other.title for other in others])}, not of {program.title}."


def nearest_of(launcher: LaunchProgram, unknown: Sequence[str]) -> Iterator[str]:
    """What a launcher's option that it does not have may mean."""
    known = [*launcher.options, *launcher.spelling, *launcher.without_effect]
    for written in unknown[:_MOST_TOLD]:
        dashes = "_" if "_" in written else "-"
        near = nearest(written, [f"--{name.replace('_', dashes)}" for name in known if not name.endswith("*")])
        yield f"{launcher.title} has no option {written}, so it counts for nothing. {near}".rstrip()


def several_launches(found: Sequence[Launch], shown: str, first: Sequence[str]) -> FormulaError:
    """The refusal of a text with different commands, each in a few words: these inputs, and what sets it apart."""
    programs = dict.fromkeys(launch.title for launch in found)
    stated = {name for launch in found for name in launch.stated}
    apart = {name for name in stated if any(launch.stated.get(name) != found[0].stated.get(name) for launch in found)}
    told = "; ".join(f"{number}: {_summary(launch, first, apart)}" for number, launch in enumerate(found, 1))
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
