"""Models from the files of checkpoints: the bytes of the weights are those of the files, and what is odd is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from formula_eval import Formulas
from models.checkpoint_files import (
    LLAMA,
    METADATA,
    MIXTRAL,
    gguf_shapes,
    gguf_size,
    llama_shapes,
    size_of,
    write_folder,
    write_gguf,
    write_npz,
)

NAMES = ("memory.weights_bytes", "params.total", "weight_bits", "expert_weight_bits", "embedding_bits")


def asked(formulas: Formulas, path: Path, **options: Any) -> dict[str, float]:
    result = formulas.evaluate(only=NAMES, model=str(path), **options)
    return {name: result[name].value for name in NAMES}


def told(formulas: Formulas, path: Path) -> str:
    result = formulas.evaluate(only=[*NAMES, "checkpoint_params"], model=str(path))
    return " ".join(each.message for each in result.checks if not each.ok)


def test_a_folder_takes_the_bytes_of_its_file(formulas: Formulas, tmp_path: Path) -> None:
    found = asked(formulas, write_folder(tmp_path, LLAMA, llama_shapes()))
    assert found["memory.weights_bytes"] == size_of(llama_shapes()) == 2 * found["params.total"]
    assert found["weight_bits"] == found["embedding_bits"] == 16


def test_shards_are_read_as_one(formulas: Formulas, tmp_path: Path) -> None:
    names = list(llama_shapes())
    halves = [{name: llama_shapes()[name] for name in part} for part in (names[:9], names[9:])]
    assert asked(formulas, write_folder(tmp_path / "two", LLAMA, *halves)) == asked(
        formulas, write_folder(tmp_path / "one", LLAMA, llama_shapes())
    )


def test_a_cached_repository_of_the_hub_takes_the_bytes_of_its_files(
    formulas: Formulas, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    names = list(llama_shapes())
    halves = [{name: llama_shapes()[name] for name in part} for part in (names[:9], names[9:])]
    snapshot = write_folder(tmp_path / "models--someone--tiny" / "snapshots" / "abc", LLAMA, *halves)
    for file in snapshot.glob("*.safetensors"):  # the hub keeps links to files that are called by their hash
        blob = tmp_path / "blobs" / f"{file.stem}-hash"
        blob.parent.mkdir(exist_ok=True)
        file.rename(blob)
        file.symlink_to(blob)
    name = Path("someone/tiny")
    assert asked(formulas, name)["memory.weights_bytes"] == size_of(llama_shapes())
    assert "as the model's files hold them" in told(formulas, name)
    next(snapshot.glob("*.safetensors")).unlink()
    assert "as the model's files hold them" not in told(formulas, name)  # the config alone


def packed() -> dict[str, tuple[str, list[int]]]:
    """Matrices of the layers in 4 bits, with scales of 16 for groups of 128, as AWQ and MLX pack them."""
    shapes: dict[str, tuple[str, list[int]]] = {}
    for name, (dtype, shape) in llama_shapes().items():
        if "proj" in name:
            rows, columns = shape
            shapes[name.replace(".weight", ".qweight")] = ("I32", [rows, columns // 8])
            shapes[name.replace(".weight", ".scales")] = ("F16", [rows, columns // 128])
        else:
            shapes[name] = (dtype, shape)
    return shapes


def test_archives_of_numpy_are_read_as_safetensors_are(formulas: Formulas, tmp_path: Path) -> None:
    plain = asked(formulas, write_folder(tmp_path / "plain", LLAMA, llama_shapes()))
    (tmp_path / "plain" / "model.safetensors").unlink()
    archive = write_npz(tmp_path / "plain" / "weights.npz", llama_shapes())
    assert asked(formulas, tmp_path / "plain") == asked(formulas, archive) == plain
    archive.unlink()
    names = list(llama_shapes())
    write_npz(tmp_path / "plain" / "weights.00.npz", {name: llama_shapes()[name] for name in names[:9]})
    write_npz(tmp_path / "plain" / "weights.01.npz", {name: llama_shapes()[name] for name in names[9:]})
    assert asked(formulas, tmp_path / "plain") == plain


def test_packed_weights_count_as_stored(formulas: Formulas, tmp_path: Path) -> None:
    config = {**LLAMA, "quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 64}}
    folder = write_folder(tmp_path, config, packed())
    found = asked(formulas, folder)
    assert found["memory.weights_bytes"] == pytest.approx(size_of(packed()), rel=1e-15)
    assert 4.1 < found["weight_bits"] < 4.2
    assert found["embedding_bits"] == 16
    assert asked(formulas, folder, format="bf16")["weight_bits"] == 16


def test_experts_count_apart_and_what_predicts_further_tokens_not(formulas: Formulas, tmp_path: Path) -> None:
    shapes = {name: each for name, each in llama_shapes().items() if "mlp" not in name}
    for layer in range(2):
        base = f"model.layers.{layer}.block_sparse_moe"
        shapes[f"{base}.gate.weight"] = ("BF16", [4, 256])
        matrices = {"w1": [512, 256], "w2": [256, 512], "w3": [512, 256]}
        names = {f"{base}.experts.{n}.{name}.weight": shape for n in range(4) for name, shape in matrices.items()}
        shapes |= {name: ("F8_E4M3", shape) for name, shape in names.items()}
    counted = size_of(shapes)
    shapes["model.layers.2.eh_proj.weight"] = ("BF16", [256, 5120])
    found = asked(formulas, write_folder(tmp_path, MIXTRAL, shapes))
    assert found["memory.weights_bytes"] == counted
    assert (found["weight_bits"], found["expert_weight_bits"]) == (16, 8)
    assert "GB in the files belong to encoders" in told(formulas, tmp_path)


def test_a_second_copy_of_a_tied_embedding_is_not_counted(formulas: Formulas, tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {**LLAMA, "tie_word_embeddings": True}, llama_shapes())
    found = asked(formulas, folder)
    assert found["memory.weights_bytes"] == size_of(llama_shapes()) - 2 * 1000 * 256
    assert found["embedding_bits"] == 16


def test_a_config_of_another_model_is_told(formulas: Formulas, tmp_path: Path) -> None:
    shapes = llama_shapes()
    fits = write_folder(tmp_path / "fits", LLAMA, shapes)
    other = write_folder(tmp_path / "other", {**LLAMA, "intermediate_size": 1024}, shapes)
    assert "Weights take" in told(formulas, fits)
    assert "does it belong to them?" not in told(formulas, fits)
    assert "does it belong to them?" in told(formulas, other)


def test_a_gguf_file_takes_its_own_bytes(formulas: Formulas, tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "small-Q4_K_M.gguf", METADATA, gguf_shapes())
    found = asked(formulas, path)
    plain = asked(formulas, write_folder(tmp_path / "plain", LLAMA, llama_shapes()))
    assert found["memory.weights_bytes"] == pytest.approx(gguf_size(gguf_shapes()), rel=1e-15)
    assert found["params.total"] == plain["params.total"]
    assert found["embedding_bits"] == pytest.approx((4.5 + 6.5625) / 2, rel=1e-2)
    assert asked(formulas, tmp_path) == found
    assert "does it belong to them?" not in told(formulas, path)


def test_a_gguf_file_without_an_output_matrix_shares_the_embedding(formulas: Formulas, tmp_path: Path) -> None:
    shapes = {name: each for name, each in gguf_shapes("Q8_0").items() if name != "output.weight"}
    found = asked(formulas, write_gguf(tmp_path / "tied.gguf", METADATA, shapes))
    assert found["memory.weights_bytes"] == pytest.approx(gguf_size(shapes), rel=1e-15)
    assert "does it belong to them?" not in told(formulas, tmp_path / "tied.gguf")


def test_a_split_gguf_file_is_read_whole(formulas: Formulas, tmp_path: Path) -> None:
    whole = gguf_shapes()
    names = list(whole)
    first = tmp_path / "m-00001-of-00002.gguf"
    write_gguf(first, {**METADATA, "split.count": 2}, {name: whole[name] for name in names[:7]})
    write_gguf(tmp_path / "m-00002-of-00002.gguf", {"split.no": 1}, {name: whole[name] for name in names[7:]})
    assert asked(formulas, first) == asked(formulas, write_gguf(tmp_path / "whole.gguf", METADATA, whole))


def test_an_ollama_manifest_leads_to_its_blob(formulas: Formulas, tmp_path: Path) -> None:
    digest = "ab" * 32
    (tmp_path / "blobs").mkdir()
    blob = write_gguf(tmp_path / "blobs" / f"sha256-{digest}", METADATA, gguf_shapes())
    manifest = tmp_path / "manifests" / "registry.ollama.ai" / "library" / "small" / "2b"
    manifest.parent.mkdir(parents=True)
    layer = {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}", "size": 1}
    manifest.write_text(json.dumps({"schemaVersion": 2, "layers": [{"mediaType": "text"}, layer]}), encoding="utf-8")
    assert asked(formulas, manifest) == asked(formulas, blob)


def test_a_config_of_mlx_says_how_its_weights_are_grouped(formulas: Formulas, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**LLAMA, "quantization": {"group_size": 64, "bits": 4}}), encoding="utf-8")
    found = asked(formulas, path)
    assert found["weight_bits"] == 4
    assert found["embedding_bits"] == 4.5
    result = formulas.evaluate(only=["params.stored_weight_bytes"], model=str(path))
    assert result["params.stored_weight_bytes"].value == 4.5 / 8
