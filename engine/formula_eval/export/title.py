"""Makes the title of a document: the library's own title, the chosen records, or what was asked for."""

from formula_eval.core.record_kind import subjects
from formula_eval.export.document import Document
from formula_eval.export.quantities import headline_nodes, headline_title


def title_of(document: Document) -> str:
    """One line of plain text."""
    own, chosen = document.evaluator.library.title, subject_of(document)
    if own or chosen:
        return f"{own}: {chosen}" if own and chosen else own or chosen
    nodes = headline_nodes(document, len(document.wanted))
    if len(nodes) == 1:
        return headline_title(nodes[0])
    folders = {node.namespace for node in nodes}
    words = folders.pop().replace("_", " ").replace(".", ": ").capitalize() if len(folders) == 1 else ""
    return words or "Formulas"


def subject_of(document: Document) -> str:
    """The records that it is about, as `llama2-70b on h100-sxm`; those of a library that stands alone as a list."""
    records = document.givens.records
    about = subjects(document.evaluator.schema.kinds)
    return joint_of(document).join(records[kind] for kind in about if kind in document.kinds)


def joint_of(document: Document) -> str:
    """The text between the records that a document is about."""
    return ", " if document.evaluator.library.is_alone else " on "
