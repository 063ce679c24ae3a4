"""What a node says of itself as fields is what its name is made of."""

from formula_eval.core.graph import FormulaGraph, Node
from formula_eval.core.namespace import qualified
from formula_eval.core.table import FILLED
from formula_eval.resolve.passes import resolve
from language.cases import reader, units

ROOT = """
record model in models/
input heads = 8
input small = 1
table layers
    width
    cost = width * twice(heads + 1)
    row one "The first"
        width = 2
    row two "The second"
        width = 3
table kinds from model at most 2
    count = 1 from model
    double = count * 2
def twice(n) = 2 * n
check enough warn: heads > small
    "{heads} heads"
"""
INNER = "bytes = sum(row.cost for row in layers)\nless = (bytes with heads = small)\n"


def graph_of() -> FormulaGraph:
    texts = {"root.formula": (ROOT, ""), "memory/inner.formula": (INNER, "memory")}
    chapters = [reader().chapter(text, file, namespace) for file, (text, namespace) in texts.items()]
    assert not any(findings for _, findings in chapters)
    resolved = resolve([chapter for chapter, _ in chapters], units())
    assert resolved.findings == ()
    assert resolved.graph is not None
    return resolved.graph


def name_of(node: Node) -> str:
    """The name that the fields of a node make."""
    if node.original:
        return f"{node.original}@{node.binding}"
    if node.cell is not None:
        return ".".join(node.cell)
    return "" if node.owner else qualified(node.namespace, node.declaration.name)


def test_fields_make_the_name() -> None:
    graph = graph_of()
    assert [name for name, node in graph.nodes.items() if name_of(node) not in ("", name)] == []


def test_a_copy_names_what_it_copies() -> None:
    graph = graph_of()
    copy = graph.nodes["memory.bytes@heads=small"]
    assert (copy.original, copy.binding, copy.namespace) == ("memory.bytes", "heads=small", "memory")
    assert graph.copies["memory.bytes"] == ("memory.bytes", "memory.bytes@heads=small")


def test_a_call_belongs_to_what_calls_it() -> None:
    graph = graph_of()
    call, argument = graph.nodes["layers.one.cost.twice"], graph.nodes["layers.one.cost.twice.n"]
    assert (call.owner, call.function) == ("layers.one.cost", "twice")
    assert (argument.owner, argument.function) == ("layers.one.cost.twice", "")
    assert graph.written_in(argument) is graph.nodes["layers.one.cost"]
    assert graph.written_in(graph.nodes["enough.0"]) is graph.nodes["enough"]


def test_a_cell_of_a_record_is_an_input_with_a_place() -> None:
    graph = graph_of()
    node = graph.nodes["kinds.2.count"]
    assert node.kind == "input"
    assert node.cell == ("kinds", "2", "count")
    assert node.cell.is_numbered
    assert node.cell.beside(FILLED, "draft_model") == "draft_model.kinds.2.filled"
    assert [each.name for each in graph.cells(graph.tables["layers"].column("cost"))] == [
        "layers.one.cost",
        "layers.two.cost",
    ]


def test_a_name_means_what_is_nearest() -> None:
    graph = graph_of()
    assert graph.declared("bytes", "memory") is graph.nodes["memory.bytes"].declaration
    assert graph.declared("twice", "memory") is graph.functions["twice"]
    assert graph.declared("nothing", "memory") is None
