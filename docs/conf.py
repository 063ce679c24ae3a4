"""The settings of the site: how the reference is made, found and linked, and how formulas are coloured."""
# ruff: noqa: INP001 - Sphinx reads it as a script

import gc
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "engine"), str(HERE)]

from formula_eval import __version__  # noqa: E402 - found through the line before
from formula_eval.analyse.validate.comparisons import Selection  # noqa: E402
from formula_eval.analyse.validate.validation import validate  # noqa: E402
from formula_eval.cache import Cache, cache_directory  # noqa: E402
from formula_eval.cli import main  # noqa: E402
from formula_eval.evaluate.evaluator import Evaluator  # noqa: E402
from formula_eval.export.accuracy.report import accuracy_text  # noqa: E402
from formula_eval.export.document import document_of  # noqa: E402
from formula_eval.export.formats import write_document  # noqa: E402
from formula_eval.libraries import find_library  # noqa: E402
from formula_eval.records.givens import Question  # noqa: E402
from reference_pages.formula_lexer import FormulaLexer  # noqa: E402
from reference_pages.pages import write_reference  # noqa: E402

gc.set_threshold(100_000, 20, 20)  # a page is a tree of many nodes, among which there is seldom any garbage
project = "formula-eval"
version = release = __version__
extensions = ["myst_parser"]
myst_heading_anchors = 3
nitpicky = True
html_theme = "furo"
html_title = f"formula-eval {__version__}"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_extra_path = ["reference/static"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options = {"light_css_variables": {"color-brand-primary": "#1f6fb2", "color-brand-content": "#1f6fb2"}}

PICTURE = Question(
    {"model": "llama3.1-405b", "format": "fp8"}, {"tp": 8, "batch": 64, "prompt": 2000, "generated": 500}
)


class Entry(SphinxDirective):
    """Stands before the heading of an entry: its address on the page, its place in the index and in the search."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """An invisible target whose id is the name itself."""
        (name,) = self.arguments
        self.env.domains.standard_domain.note_object("quantity", name, name, location=self.get_location())
        folder, _, word = name.rpartition(".")
        text = f"{word} ({folder})" if folder else word
        return [addnodes.index(entries=[("single", text, name, "", None)]), nodes.target("", "", ids=[name])]


def open_where_we_are(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: nodes.Node) -> None:
    """A sidebar of the branch that a page lies on, instead of every page on every page."""
    whole = context["toctree"]
    context["toctree"] = lambda **said: whole(**{**said, "collapse": True})


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the reference anew; it is not kept, so it is never stale.

    With the tag `text_alone` the pages to try are left out, which `export site` writes by itself.
    """
    evaluator = Evaluator(find_library(), Cache(cache_directory()))
    write_reference(evaluator, HERE / "reference")
    write_document(document_of(evaluator, PICTURE, ["params.total"]), "graph", HERE / "reference" / "structure.svg")
    pages = HERE / "reference" / "static" / "live"
    pages.parent.mkdir(parents=True, exist_ok=True)
    if not app.tags.has("text_alone") and main(["export", "site", "-o", str(pages)]) != 0:
        raise SystemExit("The pages to try could not be written.")
    measured = accuracy_text(validate(evaluator, HERE.parent / "tests" / "measured", Selection()), "csv", None)
    (HERE / "reference" / "measured.csv").write_text(measured, encoding="utf-8")
    gc.freeze()  # the graph of all formulas is there until the end, and no garbage
    app.add_object_type("quantity", "quantity", objname="quantity")
    app.add_directive("entry", Entry)
    app.add_lexer("formula", FormulaLexer)
    app.add_lexer("mermaid", TextLexer)  # a picture on GitHub; here its text
    app.connect("html-page-context", open_where_we_are, priority=100)  # before the theme asks
    return {"parallel_read_safe": True, "parallel_write_safe": True}
