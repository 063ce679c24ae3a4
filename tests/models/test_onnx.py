"""ONNX models: the bytes of the weights are those of the file, and damaged or hostile files are refused."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from formula_eval import FormulaError, Formulas
from formula_eval.libraries import find_library
from formula_eval.records.checkpoint import header
from formula_eval.records.checkpoint.onnx import read_onnx
from models.checkpoint_files import LLAMA, Shapes, llama_shapes, size_of, write_folder
from models.onnx_files import field, initializers, model, node, tensor, whole, write_external, write_onnx
from models.test_checkpoints import asked, told
from samples import samples

TYPES = find_library().last("models/checkpoints/onnx.toml")[1]["types"]
SHAPES = llama_shapes("F16")


def test_a_model_takes_the_bytes_of_its_file(formulas: Formulas, tmp_path: Path) -> None:
    path = write_onnx(tmp_path / "model.onnx", model(initializers(SHAPES)))
    found = asked(formulas, path)
    assert found["memory.weights_bytes"] == size_of(SHAPES) == 2 * found["params.total"]
    assert found == asked(formulas, tmp_path) == asked(formulas, write_folder(tmp_path / "same", LLAMA, SHAPES))
    assert "as the model's files hold them" in told(formulas, path)


def test_weights_beside_the_file_count_as_those_within(formulas: Formulas, tmp_path: Path) -> None:
    assert asked(formulas, write_external(tmp_path / "model.onnx"))["memory.weights_bytes"] == size_of(SHAPES)


def test_the_folder_of_a_web_model_has_its_config_above(formulas: Formulas, tmp_path: Path) -> None:
    folder = tmp_path / "onnx"
    write_onnx(folder / "model.onnx", model(initializers(SHAPES)))
    (folder / "config.json").rename(tmp_path / "config.json")
    write_onnx(tmp_path / "other" / "model.onnx", model(initializers(SHAPES)))
    assert asked(formulas, tmp_path) == asked(formulas, tmp_path / "other")


def test_a_tensor_without_a_name_belongs_to_the_layer_of_the_node_that_reads_it(tmp_path: Path) -> None:
    shapes: Shapes = {"onnx::MatMul_7": ("F16", [4, 4]), "model.norm.weight": ("F16", [4])}
    nodes = node("/model/layers.1/mlp/up_proj/MatMul", ["x", "onnx::MatMul_7"])
    found = read_onnx(write_onnx(tmp_path / "model.onnx", model(nodes, initializers(shapes))), TYPES)
    assert [each.name for each in found] == ["model.layers.1.mlp.up_proj.MatMul.onnx::MatMul_7", "model.norm.weight"]


def test_packed_weights_count_by_their_bytes(formulas: Formulas, tmp_path: Path) -> None:
    scales: Shapes = {
        f"{name}_scales": ("F16", [shape[0], 8]) for name, (_, shape) in SHAPES.items() if len(shape) == 2
    }
    packed: Shapes = {
        name: ("U8", [shape[0], shape[1] // 2]) if len(shape) == 2 and ".layers." in name else ("F16", shape)
        for name, (_, shape) in SHAPES.items()
    }
    path = write_onnx(tmp_path / "model.onnx", model(initializers({**packed, **scales})))
    sizes = [each.size for each in read_onnx(path, TYPES)]
    assert asked(formulas, path)["memory.weights_bytes"] == sum(sizes) < size_of(SHAPES)


def test_graphs_within_a_graph_and_constants_are_read(tmp_path: Path) -> None:
    scalar, vector = (field(5, field(5, tensor("", "F32", shape))) for shape in ([], [3]))
    branch = field(5, field(6, initializers({"inner.weight": ("F32", [2])}) + node("", (), vector)))
    shape = initializers({"shape": ("I64", [4])})
    found = read_onnx(
        write_onnx(tmp_path / "model.onnx", model(node("if", (), branch), node("", (), scalar), shape)), TYPES
    )
    assert sorted(each.size for each in found) == [8, 12]


def _deep(depth: int) -> bytes:
    graph = b""
    for _ in range(depth):
        graph = node("if", (), field(5, field(6, graph)))
    return model(graph)


BESIDE = {"location": "weights.bin", "offset": "0", "length": "16"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "holds no weights"),
        (b"GGUF" + bytes(100), "damaged"),
        (model(initializers(SHAPES))[:-5], "longer than the message"),
        (model(field(5, tensor("a", "F16", [4])[:-1])), "damaged"),
        (model(field(5, field(1, 2**63) + field(2, 1) + field(8, "a"))), "is none of a tensor"),
        (model(field(5, field(1, 2**60) + field(2, 1) + field(8, "a") + field(4, bytes(8)))), "contradict"),
        (model(field(5, field(1, 1) * 17 + field(2, 1))), "is none of a tensor"),
        (model(field(5, field(1, 4) + field(2, 99) + field(8, "a"))), "is of type 99, which is not known"),
        (model(field(5, field(1, 4) + field(2, 1) + field(8, b"\xff\xfe"))), "not UTF-8"),
        (model(field(15, b"")), "sparse weights"),
        (whole(7 << 3 | 2) + b"\xff" * 11, "a number is longer"),
        (whole(7 << 3 | 3), "which is none of a protocol buffer"),
        (_deep(20), "more than 16 deep"),
        (model(field(5, tensor("a", "F16", [8], {**BESIDE, "location": "../weights.bin"}))), "not in its folder"),
        (model(field(5, tensor("a", "F16", [8], {**BESIDE, "location": "none.bin"}))), "which is not beside it"),
        (model(field(5, tensor("a", "F16", [8], {**BESIDE, "offset": "-1"}))), "not a whole number"),
        (model(field(5, tensor("a", "F16", [8], {**BESIDE, "offset": "8"}))), "ends before its tensor `a` does"),
        (model(field(5, tensor("a", "F16", [9], BESIDE))), "contradict"),
    ],
)
def test_a_damaged_file_is_refused(formulas: Formulas, tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "weights.bin").write_bytes(bytes(16))
    path = write_onnx(tmp_path / "model.onnx", content)
    with pytest.raises(FormulaError, match=says):
        formulas.evaluate(only=["params.total"], model=str(path))


@settings(max_examples=samples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 400), at=st.integers(0, 400), byte=st.integers(0, 255))
def test_no_bytes_do_anything_but_raise_an_error_of_ours(tmp_path: Path, cut: int, at: int, byte: int) -> None:
    small: Shapes = {"model.layers.0.mlp.weight": ("F16", [4, 4]), "onnx::MatMul_1": ("U4", [3])}
    content = bytearray(model(node("/a/b", ["onnx::MatMul_1"]), initializers(small)))
    content[at % len(content)] = byte
    path = tmp_path / "model.onnx"
    path.write_bytes(bytes(content[: len(content) - cut % len(content)]))
    with suppress(FormulaError):
        read_onnx(path, TYPES)


def test_weights_do_not_count_as_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header, "LONGEST_HEADER", 4096)
    path = write_onnx(tmp_path / "model.onnx", model(initializers(SHAPES)))
    assert sum(each.size for each in read_onnx(path, TYPES)) == size_of(SHAPES)
    long = write_onnx(tmp_path / "long.onnx", model(*(node("n" * 100) for _ in range(100))))
    with pytest.raises(FormulaError, match="longer than"):
        read_onnx(long, TYPES)


def test_what_a_folder_leaves_open_is_said(formulas: Formulas, tmp_path: Path) -> None:
    for name in ("decoder", "encoder"):
        write_onnx(tmp_path / f"{name}.onnx", model(initializers(SHAPES)))
    with pytest.raises(FormulaError, match="several ONNX files: `decoder"):
        formulas.evaluate(only=["params.total"], model=str(tmp_path))
    (tmp_path / "config.json").unlink()
    with pytest.raises(FormulaError, match="does not say what its model is like"):
        formulas.evaluate(only=["params.total"], model=str(tmp_path / "decoder.onnx"))
