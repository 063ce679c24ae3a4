"""Finds the files of a checkpoint at a path, and makes a model record with the bytes of its weights."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from formula_eval.core.diagnostic import refuse, shortened
from formula_eval.core.record_kind import RecordKind
from formula_eval.library import Library
from formula_eval.records.checkpoint.ggml import read_ggml
from formula_eval.records.checkpoint.gguf import config_of, read_gguf
from formula_eval.records.checkpoint.header import Tensor
from formula_eval.records.checkpoint.npz import read_npz
from formula_eval.records.checkpoint.onnx import read_onnx
from formula_eval.records.checkpoint.parts import Parts
from formula_eval.records.checkpoint.projector import with_projector
from formula_eval.records.checkpoint.safetensors import read_safetensors
from formula_eval.records.checkpoint.shards import (
    MANIFESTS,
    ONNX,
    gguf_files,
    npz_files,
    onnx_file,
    onnx_files,
    refuse_broken_links,
    safetensors_files,
    whole_series,
)
from formula_eval.records.family_named import CONFIG, GGML_ENDING, GGML_FAMILY, PIPELINE, PROJECTOR
from formula_eval.records.huggingface.config import from_config, record_of
from formula_eval.records.huggingface.family import families
from formula_eval.records.mapping.reader import ConfigReader, Written
from formula_eval.records.record import RecordFile
from formula_eval.records.schema import Schema
from formula_eval.toml_table import check_table, table

_TEXTS = table("*:text")
CHECKPOINTS = table(
    "source? date? fields?:fields config?:texts architectures?:architectures types?:types bits?:bits floating?:[text] "
    "layer? tied? parts?:texts alone?:alone counts?:[key] sparse?:key bytes?:named numbers?:key is_tied?:key "
    "counted?:[text] projector?:texts instead_of?:[key] widths?:[width]",
    texts=_TEXTS,
    architectures=table("*:texts", texts=_TEXTS),
    types=table("*:type", type=table("name numbers?:whole bytes?:whole bits?:whole floating?:flag weights?:flag")),
    bits=table("*:whole"),
    fields=table("*:[whole]"),
    named=table("*:key"),
    alone=table("input:key parts:texts", texts=_TEXTS),
    width=table("tensors inputs:[key]"),
)


def from_checkpoint(library: Library, schema: Schema, kind: RecordKind, path: Path) -> RecordFile:
    """The record of a folder, a GGUF, ggml or ONNX file, an Ollama manifest; raises FormulaError for what is wrong."""
    if MANIFESTS in path.parts and path.is_file():
        name = f"{path.parent.name}:{path.name}"
        return _from_gguf(library, schema, kind, gguf_files(path))._replace(id=name)
    if path.suffix in (".safetensors", ".npz"):
        path = path.parent
    if (read := {ONNX: _from_onnx, GGML_ENDING: _from_ggml}.get(path.suffix)) is not None:
        return read(library, schema, kind, path)
    if not path.is_dir():
        return _from_gguf(library, schema, kind, whole_series(path))
    refuse_broken_links(path)
    if (path / PIPELINE).is_file():
        return from_config(library, schema, kind, path / PIPELINE, str(path / PIPELINE))
    if (path / CONFIG).is_file() or not (alone := _gguf_in(path)):
        return _from_folder(library, schema, kind, path)
    return _from_gguf(library, schema, kind, alone)


def _from_folder(library: Library, schema: Schema, kind: RecordKind, folder: Path) -> RecordFile:
    config = folder / CONFIG
    record = from_config(library, schema, kind, config, str(config))
    weights = ("safetensors", safetensors_files(folder), read_safetensors), ("npz", npz_files(folder), read_npz)
    for form, files, read in weights:
        if files:
            types = _table(library, kind, form)
            return _with_bytes(library, kind, record, [tensor for file in files for tensor in read(file, types)])
    model = onnx_file(folder)
    return _from_onnx(library, schema, kind, model) if model else record


def _from_onnx(library: Library, schema: Schema, kind: RecordKind, file: Path) -> RecordFile:
    """The model of the config.json in the file's folder, or in the one around it, with the bytes of the file."""
    folders = (path for path in (file.parent, file.absolute().parent.parent) if (path / CONFIG).is_file())
    folder = next(folders, None)
    if folder is None:
        message = f"`{file}` does not say what its model is like, and no {CONFIG} stands beside it"
        raise refuse("missing-file", message, help=f"Save the {CONFIG} of the model that it was made from there.")
    config = folder / CONFIG
    record = from_config(library, schema, kind, config, str(config))._replace(shown=str(file))
    types, files = _table(library, kind, "onnx")["types"], onnx_files(file)
    if len(files) == 1:
        return _with_bytes(library, kind, record, read_onnx(file, types))
    apart = [(each.stem, tensor) for each in files for tensor in read_onnx(each, types)]
    return _with_bytes(library, kind, record, [tensor._replace(name=f"{stem}.{tensor.name}") for stem, tensor in apart])


def _gguf_in(folder: Path) -> list[Path]:
    """The GGUF file of a folder, or the series that it begins; nothing if it has none. Several are refused."""
    found = [path for path in sorted(folder.glob("*.gguf")) if PROJECTOR not in path.name]
    series = whole_series(found[0]) if found else []
    if len(found) > len(series):
        named = ", ".join(f"`{path.name}`" for path in found[:4])
        raise refuse("ambiguous", f"`{folder}` holds several GGUF files: {named}", help="Name the one that is meant.")
    return series


def _from_gguf(library: Library, schema: Schema, kind: RecordKind, files: Sequence[Path]) -> RecordFile:
    table = _table(library, kind, "gguf")
    parts = [read_gguf(file, table["types"]) for file in files]
    shown = str(files[0])
    config, keys = config_of(library, table, parts, families(library, kind), shown)
    whole = with_projector(library, kind, files[0], table, config, keys)
    record = record_of(library, schema, kind, whole.config, shown, whole.keys)._replace(id=files[0].stem)
    record = record._replace(remark=" ".join(text for text in (record.remark, whole.told) if text))
    held = [*parts, whole.file] if whole.file else parts
    return _with_bytes(library, kind, record, [tensor for part in held for tensor in part.tensors])


def _from_ggml(library: Library, schema: Schema, kind: RecordKind, file: Path) -> RecordFile:
    known, shown = _table(library, kind, "ggml"), str(file)
    said, tensors = read_ggml(file, known["fields"], _table(library, kind, "gguf")["types"])
    read = ConfigReader(
        library, said, shown, {name: Written(name, f"{name} = {value}") for name, value in said.items()}
    )
    config = {key: read.value(text, key) for key, text in known["config"].items()}
    keys = {key: next((source.key for source in read.sources(text)), "") for key, text in known["config"].items()}
    record = record_of(library, schema, kind, {"model_type": GGML_FAMILY, **config}, shown, keys)._replace(id=file.stem)
    return _with_bytes(library, kind, record, tensors)


def _with_bytes(library: Library, kind: RecordKind, record: RecordFile, tensors: Sequence[Tensor]) -> RecordFile:
    names = set[str]()
    for tensor in tensors:
        if tensor.name in names:
            raise refuse("bad-value", f"`{record.shown}`: two files hold a tensor `{shortened(tensor.name)}`")
        names.add(tensor.name)
    data, told = Parts(_table(library, kind, "tensors"), record.data, record.written).record(tensors, record.shown)
    return record._replace(data=data, remark=" ".join(text for text in (record.remark, told) if text))


def _table(library: Library, kind: RecordKind, name: str) -> Any:  # noqa: ANN401 - as TOML holds it
    """What is known of checkpoints; a library's own is taken before ours."""
    shown, data = library.last_or_ours(f"{kind.path}checkpoints/{name}.toml")
    check_table(CHECKPOINTS, data, shown, {})
    return data
