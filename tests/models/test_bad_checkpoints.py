"""Damaged and hostile headers are refused with a message, whatever their bytes; none is read beyond the file."""

import json
import struct
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from formula_eval import FormulaError, Formulas
from formula_eval.cli import main
from formula_eval.libraries import find_library
from formula_eval.records.checkpoint.gguf import read_gguf
from formula_eval.records.checkpoint.npz import read_npz
from formula_eval.records.checkpoint.safetensors import read_safetensors
from models.checkpoint_files import (
    LLAMA,
    METADATA,
    gguf_header,
    gguf_shapes,
    llama_shapes,
    npy_header,
    safetensors_header,
    text,
    value,
    write_folder,
    write_gguf,
    write_hollow,
    write_npz,
)
from samples import samples

TABLES = {
    name: find_library().last(f"models/checkpoints/{name}.toml")[1]
    for name in ("gguf", "npz", "safetensors", "tensors")
}
BESIDE = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


def refused(formulas: Formulas, path: Path, *says: str) -> None:
    with pytest.raises(FormulaError) as error:
        formulas.evaluate(only=["params.total"], model=str(path))
    for each in says:
        assert each in str(error.value)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ({"a": BESIDE, "b": {**BESIDE, "data_offsets": [4, 12]}}, "overlap"),
        ({"a": {**BESIDE, "data_offsets": [0, 12]}}, "which its shape and type contradict"),
        ({"a": {**BESIDE, "shape": [1000], "data_offsets": [0, 4000]}}, "ends before its tensor `a` does"),
        ({"a": {**BESIDE, "shape": [2**62, 2**62]}}, "contradict"),
        ({"a": {**BESIDE, "shape": [-2]}}, "lacks a shape"),
        ({"a": {**BESIDE, "dtype": ["F32"]}}, "is not known"),
        ({"a": {**BESIDE, "dtype": "Q4"}}, "Known are BOOL"),
        ({"a": 5}, "is not an object"),
        ([], "holds no JSON object"),
        ('{"a": {}, "a": {}}', "`a` stands there twice"),
        ("[" * 100_000, "is not valid JSON"),
        ('{"a": ', "is not valid JSON"),
    ],
)
def test_bad_safetensors(header: Any, says: str, tmp_path: Path) -> None:
    written = (header if isinstance(header, str) else json.dumps(header)).encode()
    path = write_hollow(tmp_path / "model.safetensors", struct.pack("<Q", len(written)) + written, 100)
    with pytest.raises(FormulaError, match=says):
        read_safetensors(path, TABLES["safetensors"])


def begun(tensors: int, pairs: int, rest: bytes = b"", version: int = 3) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, tensors, pairs) + rest


BLOCK = struct.pack("<IQQIQ", 2, 256, 2, 12, 0)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        (b"\x08\0\0\0\0\0\0\0{}", "is not a GGUF file"),
        (begun(0, 0, version=1), "is of version 1"),
        (b"GGUF" + struct.pack(">I", 3) + bytes(16), "big-endian"),
        (begun(2**60, 0), "it would hold"),
        (begun(0, 2**60), "it would hold"),
        (begun(0, 1, struct.pack("<Q", 2**63)), "longer than"),
        (begun(0, 1, text("a") + struct.pack("<IIQ", 9, 8, 2**60)), "has no room"),
        (begun(0, 1, text("a") + struct.pack("<IIQ", 9, 4, 2**60)), "longer than"),
        (begun(0, 1, text("a") + struct.pack("<IIQ", 9, 9, 1)), "values of type 9"),
        (begun(0, 1, text("a") + struct.pack("<I", 99)), "type 99"),
        (begun(0, 2, 2 * (text("a") + value(1))), "`a` stands there twice"),
        (begun(2, 0, 2 * (text("a") + BLOCK)), "the tensor `a` stands there twice"),
        (begun(2, 0, text("a") + BLOCK + text("b") + BLOCK), "overlap"),
        (begun(1, 0, text("a") + struct.pack("<IQQIQ", 2, 256, 2**40, 12, 0)), "ends before its tensor"),
        (begun(1, 0, text("a") + struct.pack("<IQQIQ", 2, 100, 2, 12, 0)), "not whole blocks of Q4_K"),
        (begun(1, 0, text("a") + struct.pack("<IQIQ", 1, 256, 4, 0)), "is of type 4"),
        (begun(1, 0, text("a") + struct.pack("<I", 2**31)), "axes"),
        (begun(1, 1, text("general.alignment") + value(0) + text("a") + BLOCK), "alignment"),
    ],
)
def test_bad_gguf(header: bytes, says: str, tmp_path: Path) -> None:
    path = write_hollow(tmp_path / "model.gguf", header, 600)
    with pytest.raises(FormulaError, match=says):
        read_gguf(path, TABLES["gguf"]["types"])


def _archive(*arrays: bytes) -> bytes:
    """An archive of files with this content."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for place, each in enumerate(arrays):
            archive.writestr(zipfile.ZipInfo(f"{place}.npy"), each)  # of 1980, as tests are named after their bytes
    return buffer.getvalue()


def _overlapping() -> bytes:
    """An archive of two entries of which the second is said to begin where the first does."""
    whole = bytearray(_archive(npy_header("<f4", (2,)) + bytes(8), npy_header("<f4", (2,)) + bytes(8)))
    second = whole.rindex(b"PK\x01\x02")
    whole[second + 42 : second + 46] = bytes(4)
    return bytes(whole)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (_archive(npy_header("<f4", (3,)) + bytes(8)), "which its shape and type contradict"),
        (_archive(npy_header("<f4", (2**62, 2**62)) + bytes(8)), "contradict"),
        (_archive(npy_header("|O", (1,)) + bytes(8)), "Known are b1"),
        (_archive(npy_header("<f4", (-2,))), "does not say its type and shape"),
        (_archive(b"\x93NUMPY\x01\x00\x05\x00{((((("), "does not say"),
        (_archive(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{"), "does not say"),
        (_archive(b"weights"), "does not say"),
        (_overlapping(), "overlap"),
        (_archive(npy_header("<f4", (2,)) + bytes(8))[:-30], "does not end as a zip archive does"),
        (b"PK", "does not end"),
        (_archive()[:12] + b"\xff" * 4 + bytes(6), "its list of files would have 4,294,967,295 bytes"),
    ],
)
def test_bad_archives(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    path.write_bytes(content)
    with pytest.raises(FormulaError) as error:
        read_npz(path, TABLES["npz"])
    assert says in str(error.value)


def _npz(path: Path) -> list[Any]:
    return read_npz(path, TABLES["npz"])


def _gguf(path: Path) -> list[Any]:
    return read_gguf(path, TABLES["gguf"]["types"]).tensors


def _safetensors(path: Path) -> list[Any]:
    return read_safetensors(path, TABLES["safetensors"])


def _good(name: str) -> tuple[bytes, int]:
    if name == "npz":
        return _archive(*(npy_header("<f4", (2,)) + bytes(8) for _ in range(3))), 0
    if name == "gguf":
        return gguf_header(METADATA, gguf_shapes())
    written = json.dumps(safetensors_header(llama_shapes())).encode()
    return struct.pack("<Q", len(written)) + written, 3_000_000


@pytest.mark.parametrize(("name", "read"), [("gguf", _gguf), ("npz", _npz), ("safetensors", _safetensors)])
@given(data=st.data())
@settings(max_examples=samples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_within_the_file_or_refused(
    name: str, read: Callable[[Path], list[Any]], data: st.DataObject, tmp_path: Path
) -> None:
    header, room = _good(name)
    changed = bytearray(header)
    for place in data.draw(st.lists(st.integers(0, len(header) - 1), min_size=1, max_size=4)):
        changed[place] = data.draw(st.integers(0, 255))
    size = data.draw(st.integers(0, len(header) + room))
    path = write_hollow(tmp_path / f"any.{name}", bytes(changed[:size]), max(size - len(header), 0))
    try:
        tensors = read(path)
    except FormulaError:
        return
    assert sum(each.size for each in tensors) <= size


def test_tensors_that_the_config_contradicts(formulas: Formulas, tmp_path: Path) -> None:
    shapes = llama_shapes()
    first = {name: each for name, each in shapes.items() if ".layers.1." not in name}
    refused(formulas, write_folder(tmp_path / "layer", LLAMA, first), "nothing of 1 of the 2 layers", "describes: 1")
    gap = {name: each for name, each in shapes.items() if name != "model.layers.1.mlp.down_proj.weight"}
    refused(formulas, write_folder(tmp_path / "gap", LLAMA, gap), "layer 1 lacks `model.layers.N.mlp.down_proj.weight`")
    wide = write_folder(tmp_path / "wide", {**LLAMA, "hidden_size": 128}, shapes)
    refused(formulas, wide, "is 256 wide, and the config says 128 (hidden by `hidden_size = 128`)", "another model")
    file = write_gguf(tmp_path / "a.gguf", {**METADATA, "llama.block_count": 3}, gguf_shapes())
    refused(formulas, file, "nothing of 1 of the 3 layers")
    file = write_gguf(tmp_path / "b.gguf", {**METADATA, "llama.attention.head_count": 0}, gguf_shapes())
    refused(
        formulas,
        file,
        "b.gguf`: `llama.embedding_length = 256`, `llama.attention.head_count = 0`: `head_dim` cannot be",
    )


def test_a_link_to_nothing_is_no_folder_without_files(formulas: Formulas, tmp_path: Path) -> None:
    folder = write_folder(tmp_path, LLAMA, llama_shapes())
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").symlink_to("model.safetensors")
    refused(formulas, folder, "model.safetensors` is a link to a file that is not there", "config.json alone")


def test_missing_shards_are_named(formulas: Formulas, tmp_path: Path) -> None:
    names = list(llama_shapes())
    thirds = [{name: llama_shapes()[name] for name in names[n::3]} for n in range(3)]
    folder = write_folder(tmp_path, LLAMA, *thirds)
    (folder / "model-00002-of-00003.safetensors").unlink()
    says = "lacks 1 of the 3 files of its checkpoint: `model-00002-of-00003.safetensors`"
    refused(formulas, folder, says, "name the config.json alone")
    (folder / "model.safetensors.index.json").unlink()
    refused(formulas, folder, says)


@pytest.mark.parametrize(
    ("index", "says"),
    [
        ({"weight_map": {"a": "../other.safetensors"}}, "is not in its folder"),
        ({"weight_map": {"a": 5}}, "is not in its folder"),
        ({"weight_map": {"a": 5, "b": "c"}}, "does not say which file"),
        ({"weight_map": []}, "does not say which file"),
        ([], "does not say which file"),
    ],
)
def test_a_bad_index(index: Any, says: str, formulas: Formulas, tmp_path: Path) -> None:
    folder = write_folder(tmp_path, LLAMA, llama_shapes())
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    refused(formulas, folder, says)


def test_gguf_files_that_no_table_reads(formulas: Formulas, tmp_path: Path) -> None:
    shapes = gguf_shapes()
    write_gguf(tmp_path / "a.gguf", {**METADATA, "general.architecture": "quantum"}, shapes)
    refused(formulas, tmp_path / "a.gguf", "of the architecture `quantum`", "config.json")
    write_gguf(tmp_path / "a.gguf", {"llama.block_count": 2}, shapes)
    refused(formulas, tmp_path / "a.gguf", "lacks `general.architecture`")
    without = {key: each for key, each in METADATA.items() if key != "llama.embedding_length"}
    write_gguf(tmp_path / "a.gguf", without, shapes)
    refused(formulas, tmp_path / "a.gguf", "hidden_size")
    write_gguf(tmp_path / "a.gguf", METADATA, {"token_embd.weight": ("F32", [1000, 256])})
    refused(formulas, tmp_path / "a.gguf", "holds no tensor of a layer")
    write_gguf(tmp_path / "b.gguf", METADATA, shapes)
    refused(formulas, tmp_path, "holds several GGUF files")


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        ("{", "is not valid JSON"),
        ("[]", "lists no layers"),
        ('{"layers": []}', "names no weights"),
        ('{"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:../x"}]}', "not a digest"),
        (
            json.dumps(
                {"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{64 * 'a'}"}]}
            ),
            "ollama pull",
        ),
    ],
)
def test_a_bad_manifest(manifest: str, says: str, formulas: Formulas, tmp_path: Path) -> None:
    path = tmp_path / "manifests" / "latest"
    path.parent.mkdir()
    path.write_text(manifest, encoding="utf-8")
    refused(formulas, path, says)


def test_the_command_says_so_and_no_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "short.gguf"
    path.write_bytes(gguf_header(METADATA, gguf_shapes())[0])
    assert main(["--model", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "ends before its tensor" in err.replace("\n", " ")
    assert "Traceback" not in err


def test_a_missing_part_of_a_series_of_archives_is_named(formulas: Formulas, tmp_path: Path) -> None:
    folder = write_folder(tmp_path, LLAMA, llama_shapes())
    (folder / "model.safetensors").unlink()
    write_npz(folder / "weights.01.npz", {"model.norm.weight": ("F16", [256])})
    refused(formulas, folder, "lacks 1 of the 2 files", "weights.00.npz")


@pytest.mark.parametrize("missing", ["missing.gguf", "missing/model.safetensors", "manifests/missing"])
def test_a_path_that_is_not_there(missing: str, formulas: Formulas, tmp_path: Path) -> None:
    refused(formulas, tmp_path / missing, "Cannot read")
