"""`check`: whether formulas, examples and records hold."""

from pathlib import Path

import click

from formula_eval.cache import Cache, cache_directory
from formula_eval.cli.errors import complain
from formula_eval.library import COMPILED, find_library


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...")
@click.option("--library", metavar="DIR", multiple=True, type=click.Path(), help="A further folder of formulas.")
@click.option("--only", metavar="GLOB", default="", help="Only the chapters that hold a formula of such a name.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print.")
def command(paths: tuple[str, ...], library: tuple[str, ...], only: str, form: str, *, no_cache: bool) -> int:
    """Whether everything holds: spelling, units, notes, every example, every record; or of PATH, a folder or file."""
    from formula_eval.check.library import soundness  # noqa: PLC0415 - loads the parser
    from formula_eval.export.terminal.json_csv import json_text  # noqa: PLC0415
    from formula_eval.printing.diagnostic import as_json  # noqa: PLC0415

    cache = Cache(None) if no_cache else Cache(cache_directory(), COMPILED)
    places = dict.fromkeys(beside_ours(path) for path in paths or ("",))
    looked = [soundness(path, library, cache, only) for path in places]
    findings = [each for one in looked for each in one.findings]
    if form == "json":
        click.echo(json_text([as_json(each) for each in findings]), nl=False)
    elif findings:
        complain(findings)
        click.echo(f"\n{_counted(len(findings), 'finding')}.", err=True)
    else:
        formulas, examples = (sum(each) for each in zip(*((one.formulas, one.examples) for one in looked), strict=True))
        click.echo(f"{_counted(formulas, 'formula')}, {_counted(examples, 'example')} hold.")
    return 2 if findings else 0


def beside_ours(path: str) -> str:
    """The path, or nothing where it is one of our own library, which is looked at as a whole."""
    ours = find_library().folders[0].resolve()
    place = Path(path).resolve()
    return "" if not path or place == ours or place.is_relative_to(ours / "formulas") else path


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
