"""The settings of the site, and the directive and role by which every quantity is found and linked."""

import sys
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "engine"))

from formula_eval import __version__  # noqa: E402 - found through the line before
from formula_eval.evaluate.cache import Cache  # noqa: E402
from formula_eval.evaluate.evaluator import Evaluator  # noqa: E402
from formula_eval.export.reference import write_reference  # noqa: E402
from formula_eval.library import find_library  # noqa: E402

project = "formula-eval"
version = release = __version__
extensions = ["myst_parser"]
myst_heading_anchors = 3
nitpicky = True
html_theme = "furo"
html_title = f"formula-eval {__version__}"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False


class Entry(SphinxDirective):
    """Stands before the heading of an entry: its address on the page, its place in the index and in the search."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """An invisible target whose id is the name itself."""
        (name,) = self.arguments
        self.env.domains.standard_domain.note_object("quantity", name, name, location=self.get_location())
        folder, _, word = name.rpartition(".")
        text = f"{word} ({folder})" if folder else word
        index = addnodes.index(entries=[("single", text, name, "", None)])
        return [index, nodes.target("", "", ids=[name], classes=["quantity"])]


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the reference anew; it is not kept, so it is never stale."""
    write_reference(Evaluator(find_library(), Cache(None)), HERE / "reference")
    app.add_object_type("quantity", "quantity", objname="quantity")
    app.add_directive("entry", Entry)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
