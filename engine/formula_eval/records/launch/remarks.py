"""What a reader is told of options: which of two statements counts, and what one that is not known may mean."""

from collections.abc import Iterable, Iterator, Sequence

from formula_eval.core.diagnostic import nearest
from formula_eval.records.launch.program_table import Program
from formula_eval.records.launch.translation import Use

_MOST_TOLD = 5


def overruled(used: Sequence[Use]) -> Iterator[str]:
    """What a command and a file, or two files, say differently of one input, and which of them counts."""
    last = {each.input: each for each in used if not each.implied}
    for each in used:
        counts = last.get(each.input, each)
        if not each.implied and each.value != counts.value and each.input != "gpus":
            yield f"{each.written} says {each.said} and {counts.written} says {counts.said}: {counts.said} counts."


def resembling(program: Program, unknown: Sequence[str], programs: Iterable[Program]) -> Iterator[str]:
    """What an option that is not known may mean: one of nearly its name, or one of another program."""
    options = [each for each in dict.fromkeys(unknown) if each.startswith("--") and " " not in each]
    for written in options[:_MOST_TOLD]:
        others = [
            each.title
            for each in programs
            if each.purpose == program.purpose and not each.extends and each.option_named(written)
        ]
        near = nearest(written, [f"--{each.replace('_', '-')}" for each in program.options])
        if near:
            yield f"{written} is not known. {near}"
        elif others:
            yield f"{written} is an option of {' and '.join(others)}, not of {program.title}."


def nearest_of(launcher: Program, unknown: Sequence[str]) -> Iterator[str]:
    """What a launcher's option that it does not have may mean."""
    known = [*launcher.options, *launcher.spelling, *launcher.without_effect]
    for written in unknown[:_MOST_TOLD]:
        dashes = "_" if "_" in written else "-"
        near = nearest(written, [f"--{each.replace('_', dashes)}" for each in known if not each.endswith("*")])
        yield f"{launcher.title} has no option {written}, so it counts for nothing. {near}".rstrip()
