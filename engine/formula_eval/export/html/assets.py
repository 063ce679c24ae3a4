"""Assembles a self-contained page: scripts and styles of reports/page, its data, and what a browser lets it do."""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from markupsafe import Markup

from formula_eval.core.diagnostic import refuse
from formula_eval.export.html.page_colours import colour_style
from formula_eval.export.templates import filled
from formula_eval.library import Library
from formula_eval.text_files import read_text
from formula_eval.toml_table import check_table, table
from formula_eval.version import __version__

SCRIPTS_FILE = "reports/page/scripts.toml"
SCRIPTS = table("computing:[text] showing:[text] plan:[text]")
# What changes how a browser reads a script element, beside its end.
_BEGINS = re.compile(r"<(?=!|script)", re.IGNORECASE)


def page_of(template: str, shown: Mapping[str, Any], script: str, style: str, folders: list[Path]) -> str:
    """The HTML of a template in reports/page with what it shows, script and style; `data` is what its script reads."""
    own = {
        **shown,
        "policy": _policy(style, script),
        "style": Markup(style),  # noqa: S704 - a part of ours or the user's own, checked by `part`
        "script": Markup(script),  # noqa: S704 - as above; the formulas are printed from trees
        "data": Markup(embedded(shown["data"])),  # noqa: S704 - escaped there
        "version": __version__,
    }
    return filled(f"page/{template}", own, None, folders)


def style_of(library: Library, names: Iterable[str], folders: list[Path]) -> str:
    """Rules for the colours of data, and these style sheets."""
    return colour_style(library) + "".join(part(name, folders) for name in names)


def scripts_of(library: Library, kind: str, folders: list[Path]) -> list[str]:
    """The pieces of script of a page, one of the lists in reports/page/scripts.toml, as they stand."""
    shown, data = library.last_or_ours(SCRIPTS_FILE)
    check_table(SCRIPTS, data, shown, {})
    return [part(name, folders) for name in data[kind]]


def part(name: str, folders: list[Path]) -> str:
    """A style sheet or a piece of script as it stands; refuses what would end the element that holds it."""
    path = next((folder / "page" / name for folder in folders if (folder / "page" / name).is_file()), None)
    if path is None:
        raise refuse("bad-template", f"There is no `page/{name}`", help="It stands in reports/.")
    text = read_text(path, str(path))
    if any(mark in text.lower() for mark in ("</script", "</style", "<!--")):
        raise refuse("bad-template", f"`{path}` would end its own element", help=r"Write `<\/` within a text.")
    return text


def _policy(style: str, script: str) -> str:
    """The content security policy: only this script, also as a worker, this style, and images within the page."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; worker-src blob:; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def embedded(data: object) -> str:
    """JSON that may stand within a script element, whatever its texts hold: it ends no element and begins none."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return _BEGINS.sub(r"\\u003c", text.replace("</", "<\\/"))
