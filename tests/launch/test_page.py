"""The tables of docs/launch.md are those of the cases and the verdicts here; `UPDATE_DOCS=1` writes them anew."""

import os
import re
from collections import Counter
from pathlib import Path

from formula_eval.launch.tables.program_reader import programs_of
from formula_eval.records.values import read_value
from launch.test_cases import CASES
from launch.test_verdicts import VERDICTS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "launch.md"


def test_the_page_tells_what_is_read(formulas):
    _hold("texts", _texts(formulas))


def test_the_page_tells_what_fits(formulas):
    _hold("verdicts", _verdicts(formulas))


def _hold(name: str, made: str) -> None:
    told = PAGE.read_text(encoding="utf-8")
    place = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    now = place.sub(lambda found: f"{found[1]}{made}{found[2]}", told)
    if os.environ.get("UPDATE_DOCS") == "1":
        PAGE.write_text(now, encoding="utf-8")
    assert made in told or os.environ.get("UPDATE_DOCS") == "1"


def _texts(formulas) -> str:
    programs = programs_of(formulas.evaluator.library)
    titles = {each["id"]: programs[each["program"]].title for each in CASES}
    unread = {each["id"]: _why(each) for each in CASES if _why(each)}
    count, read = len(CASES), len(CASES) - len(unread)
    whole, rest = Counter(titles.values()), Counter(titles[name] for name in unread)
    beside = sum("beside" in each for each in CASES)
    lines = [
        f"Of {count} public texts, {read} ({100 * read / count:.0f} %) are read without an unknown option; of {beside}",
        "a reader has to say what they leave open, the model or the accelerators.",
        "",
    ]
    lines += ["| program | texts | read |", "|---|--:|--:|"]
    lines += [f"| {title} | {number} | {number - rest[title]} |" for title, number in sorted(whole.items())]
    lines += ["", "| not read | why |", "|---|---|"]
    lines += [f"| {each['source']} | {unread[each['id']]} |" for each in CASES if each["id"] in unread]
    return "\n".join([*lines, ""])


def _why(case) -> str:
    unknown = ", ".join(case.get("unknown", ()))
    return case.get("unread", f"unknown: {unknown}" if unknown else "")


def _verdicts(formulas) -> str:
    lines = ["Whether these public commands fit, by their documents and by `memory.fits` or `training.fits` here:", ""]
    lines += ["| command | on | fits | source |", "|---|---|---|---|"]
    for each in VERDICTS:
        shown, fits = each.get("shown", each["text"].strip()), "yes" if each["fits"] else "no"
        lines.append(f"| `{shown}` | {each['hardware']} | {fits} | {each['source']}{_needed(each, formulas)} |")
    return "\n".join([*lines, ""])


def _needed(verdict, formulas) -> str:
    """What a training run needs by our formulas, in the unit in which its source says it."""
    launch = formulas.read_launch(verdict["text"])
    if launch.purpose != "training":
        return ""
    schema = formulas.evaluator.schema
    given = {**launch.stated, **{name: verdict[name] for name in ("hardware", "seq") if name in verdict}}
    needed = formulas.evaluate(only="training.device_bytes", **given)["training.device_bytes"].value
    said = verdict.get("device_bytes", "")
    unit = said.split()[-1] if said else "GB"
    one = read_value(f"1 {unit}", schema.inputs["context_bytes"], schema.units, "device_bytes")
    return f" ({f'{said}; ' if said else ''}here {needed / one:.1f} {unit})"
