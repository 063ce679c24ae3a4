"""Implements `check`: tests whether formulas, examples and records hold."""

import gc
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from formula_eval import analyse, check, export
from formula_eval.cache import Cache, cache_directory
from formula_eval.cli.errors import complain
from formula_eval.cli.output import say
from formula_eval.cli.terminal import paints, this_screen
from formula_eval.core.diagnostic import Diagnostic, FormulaError, refuse
from formula_eval.evaluate.evaluator import Evaluator
from formula_eval.export import files
from formula_eval.libraries import find_library
from formula_eval.library import COMPILED, OURS
from formula_eval.printing.diagnostic import as_json

if TYPE_CHECKING:
    from formula_eval.check.soundness import Soundness


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...")
@click.option("--library", metavar="DIR", multiple=True, type=click.Path(), help="A further folder of formulas.")
@click.option("--only", metavar="GLOB", default="", help="Only the chapters that hold a formula of such a name.")
@click.option("--draft", is_flag=True, help="What is only not written yet is a warning, and comes last.")
@click.option("--accept", is_flag=True, help="Write the computed result into each example that ends with `-> ?`.")
@click.option("--watch", is_flag=True, help="Look again whenever a file changes, until interrupted.")
@click.option("--ranges", is_flag=True, help="Where in the ranges of its inputs a formula fails or turns negative.")
@click.option("--precision", is_flag=True, help="Which formulas lose digits where the ranges of inputs end.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print.")
def command(  # noqa: PLR0913 - one for each option
    paths: tuple[str, ...],
    library: tuple[str, ...],
    only: str,
    form: str,
    *,
    draft: bool,
    accept: bool,
    watch: bool,
    ranges: bool,
    precision: bool,
    no_cache: bool,
) -> int:
    """Whether everything holds: spelling, units, notes, every example, every record; or of PATH, a folder or file."""
    cache = Cache(None) if no_cache else Cache(cache_directory(), COMPILED)
    places = list(dict.fromkeys(beside_ours(path) for path in paths or ("",)))
    folders, alone = [*library, *filter(None, places)], {"--only": only, "--draft": draft, "--accept": accept}
    if ranges or precision:
        what = "--ranges" if ranges else "--precision"
        _refuse_beside(what, alone | {"--watch": watch, "--precision": ranges and precision})
        return (_ranges if ranges else _precision)(Evaluator(find_library(folders), cache), form)

    def look() -> "list[Soundness]":
        return [check.library.soundness(path, library, cache, only) for path in places]

    def looked() -> "list[Soundness]":
        found = look()
        return look() if accept and _accept(found, form) else found

    if watch:
        _watch(looked, [*find_library(library).folders, *(Path(place) for place in places if place)], draft=draft)
    return _report(looked(), form, draft=draft)


def _refuse_beside(what: str, others: Mapping[str, object]) -> None:
    """Raise FormulaError for options that an option which looks at all formulas at once cannot heed."""
    for option in (option for option, value in others.items() if value):
        help_ = f"Leave {option} out, or run `check {option}` by itself."
        raise refuse("bad-value", f"{what} does not go with {option}", help=help_)


def _ranges(evaluator: Evaluator, form: str) -> int:
    """Print what formulas come to over the ranges of all inputs."""
    say("Looking at every formula over the ranges of its inputs, which takes a minute ...", err=True)
    found, shown = analyse.hazards.hazards(evaluator), export.ranges
    return _shown(form, lambda: shown.hazards_data(found), lambda: shown.hazards_text(found, this_screen()))


def _precision(evaluator: Evaluator, form: str) -> int:
    """Print which formulas lose digits at the ends of inputs."""
    say("Computing every formula with fifty digits at the ends of each input, which takes minutes ...", err=True)
    found, shown = analyse.precision.precision(evaluator), export.ranges
    return _shown(form, lambda: shown.precision_data(found), lambda: shown.precision_text(found, this_screen()))


def _shown(form: str, data: Callable[[], object], text: Callable[[], str]) -> int:
    """Print one of both; what it says is no reason to fail."""
    say(
        export.json_csv.json_text(data()) if form == "json" else text(),
        nl=False,
        coloured=form == "text" and paints(),
    )
    return 0


def _accept(looked: "Sequence[Soundness]", form: str) -> bool:
    """Write the results of empty examples, and say which."""
    for one in looked:
        for path, text in one.accepted.texts.items():
            files.write_whole(path, text)
        for line in one.accepted.lines:
            say(line, err=form == "json")
    return any(one.accepted.texts for one in looked)


def _watch(look: "Callable[[], list[Soundness]]", places: Sequence[Path], *, draft: bool) -> None:
    """Report at once, then after each change what is new; ends only by an interruption."""
    gc.enable()  # unlike other verbs, this one lives for hours
    before: dict[tuple[str, str], Diagnostic] = {}
    for number, _ in enumerate(check.watch.changes(places)):
        try:
            looked = look()
        except FormulaError as error:
            complain(error.diagnostics)
            continue
        now = {(finding.code, finding.message): finding for one in looked for finding in one.findings}
        gone = len(before.keys() - now.keys())
        if number and (gone or before.keys() & now.keys()):
            say(f"{_counted(gone, 'finding')} gone, {len(before.keys() & now.keys())} left as before.")
        _report(looked, "text", draft=draft, told=before.keys())
        before = now


def _report(looked: "Sequence[Soundness]", form: str, *, draft: bool, told: Collection[tuple[str, str]] = ()) -> int:
    """Print the findings but those that were told before, and give the exit code."""
    found = [finding for one in looked for finding in one.findings]
    wrong, lacking = check.severity.drafted(found) if draft else (found, [])
    new = [diagnostic for diagnostic in wrong if (diagnostic.code, diagnostic.message) not in told]
    new += [
        diagnostic._replace(message=f"warning: {diagnostic.message}")
        for diagnostic in lacking
        if (diagnostic.code, diagnostic.message) not in told
    ]
    if form == "json":
        say(export.json_csv.json_text([as_json(diagnostic) for diagnostic in new]), nl=False)
        return 2 if wrong else 0
    if new:
        complain(new)
    if wrong or lacking:
        counts = [_counted(len(each), word) for each, word in ((wrong, "finding"), (lacking, "warning")) if each]
        say(f"{chr(10) if new else ''}{', '.join(counts)}.", err=True)
    if not wrong:
        formulas, examples = (sum(each) for each in zip(*((one.formulas, one.examples) for one in looked), strict=True))
        say(f"{_counted(formulas, 'formula')}, {_counted(examples, 'example')} hold.")
        for remark in dict.fromkeys(each for one in looked for each in one.remarks):
            say(f"note: {remark}")
    return 2 if wrong else 0


def beside_ours(path: str) -> str:
    """The path, or nothing where it is one of our own library, which is looked at as a whole."""
    ours = OURS.resolve()
    place = Path(path).resolve()
    return "" if not path or place == ours or place.is_relative_to(ours / "formulas") else path


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
