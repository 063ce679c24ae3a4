"""Reads the header of a GGUF file, and converts its metadata to a config as the hub keeps one, by gguf.toml."""

import math
import re
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import nearest, refuse, shortened
from formula_eval.library import Library
from formula_eval.records.checkpoint.header import Header, Tensor, bad_header, opened, refuse_overlaps
from formula_eval.records.mapping.interpreter import described, held
from formula_eval.records.mapping.reader import ConfigReader, Written
from formula_eval.records.record_values import flat

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_LEAST_TENSOR = 24  # bytes of the shortest entry: an empty name, no axes, type and offset
_LEAST_VALUE = 13
_MOST_TENSORS, _MOST_VALUES = 1_000_000, 100_000
_MOST_AXES = 4
_ALIGNMENT = 32
_TEXT, _LIST = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_LONGEST_LIST = 10_000  # longer ones are of the tokenizer: what counts of them is their length
_NAME = re.compile(r"[a-z]\w*(\.\w+)*")
_EMBEDDING = "token_embd.weight"


class Gguf(NamedTuple):
    """What one file says: its metadata by key, and its tensors."""

    metadata: Mapping[str, Any]
    tensors: list[Tensor]


def read_gguf(path: Path, types: Mapping[str, Any]) -> Gguf:
    """The header of one file, by the table of `types`; raises FormulaError for one that contradicts the file."""
    with opened(path, str(path)) as header:
        count, metadata = _beginning(header)
        tensors: dict[str, Tensor] = {}
        for _ in range(count):
            tensor = _tensor(header, types)
            if tensor.name in tensors:
                raise bad_header(header.shown, f"the tensor `{shortened(tensor.name)}` stands there twice")
            tensors[tensor.name] = tensor
        refuse_overlaps(tensors.values(), header.left - _padding(header, metadata) if tensors else 0, header.shown)
    return Gguf(metadata, [*tensors.values()])


def projector_types(metadata: Mapping[str, Any]) -> list[str]:
    """What the file of an encoder calls its projectors; nothing in that of a language model."""
    return [str(value) for key, value in metadata.items() if key.endswith(".projector_type")]


def metadata_of(path: Path) -> Mapping[str, Any]:
    """The metadata of one file alone."""
    with opened(path, str(path)) as header:
        return _beginning(header)[1]


def _beginning(header: Header) -> tuple[int, Mapping[str, Any]]:
    """How many tensors there are, and the metadata before them."""
    if header.take(4) != _MAGIC:
        raise refuse("bad-header", f"`{header.shown}` is not a GGUF file", help="Such a file begins with `GGUF`.")
    version = header.whole(4)
    if version not in _VERSIONS:
        big = version >> 16 and not version & 0xFFFF
        what = "is written for big-endian machines" if big else f"is of version {version} of GGUF"
        known = " and ".join(str(each) for each in _VERSIONS)
        help_ = f"Versions {known} are read, as little-endian machines write them."
        raise refuse("unknown-version", f"`{header.shown}` {what}", help=help_)
    tensors, pairs = header.whole(8), header.whole(8)
    if tensors > _MOST_TENSORS or pairs > _MOST_VALUES or tensors * _LEAST_TENSOR + pairs * _LEAST_VALUE > header.left:
        what = f"it would hold {tensors:,} tensors and {pairs:,} values in {header.size:,} bytes"
        raise bad_header(header.shown, what)
    metadata: dict[str, Any] = {}
    for _ in range(pairs):
        key = _text(header)
        if key in metadata:
            raise bad_header(header.shown, f"`{shortened(key)}` stands there twice")
        metadata[key] = _value(header, header.whole(4))
    return tensors, metadata


def _text(header: Header) -> str:
    try:
        return header.take(header.whole(8)).decode()
    except UnicodeDecodeError as error:
        raise bad_header(header.shown, "a text in it is not UTF-8") from error


def _value(header: Header, kind: int) -> Any:  # noqa: ANN401 - metadata holds anything
    """One value of metadata; a list that is long, or of texts, is its length."""
    if kind == _TEXT:
        return _text(header)
    if kind == _LIST:
        return _list(header)
    if kind not in _SCALARS:
        raise bad_header(header.shown, f"a value is of type {kind}, which GGUF does not have")
    form = f"<{_SCALARS[kind]}"
    return struct.unpack(form, header.take(struct.calcsize(form)))[0]


def _list(header: Header) -> list[Any] | int:
    kind, length = header.whole(4), header.whole(8)
    if kind == _TEXT:
        if length * 8 > header.left:
            raise bad_header(header.shown, f"a list of {length:,} texts has no room in the file")
        for _ in range(length):
            header.skip(header.whole(8))
        return length
    if kind not in _SCALARS:
        raise bad_header(header.shown, f"a list holds values of type {kind}, which no model has")
    size = struct.calcsize(f"<{_SCALARS[kind]}")
    if length > _LONGEST_LIST:
        header.skip(length * size)
        return length
    return list(struct.unpack(f"<{length}{_SCALARS[kind]}", header.take(length * size)))


def _tensor(header: Header, types: Mapping[str, Any]) -> Tensor:
    name = _text(header)
    axes = header.whole(4)
    if axes > _MOST_AXES:
        raise bad_header(header.shown, f"the tensor `{shortened(name)}` has {axes:,} axes")
    shape = tuple(header.whole(8) for _ in range(axes))
    kind, start = header.whole(4), header.whole(8)
    if str(kind) not in types:
        known = ", ".join(each["name"] for each in types.values())
        message = f"`{header.shown}`: `{shortened(name)}` is of type {kind}, which is not known"
        raise refuse("unknown-type", message, help=f"Known are {known}.")
    block, numbers = types[str(kind)], math.prod(shape)
    if (shape[0] if shape else 1) % block["numbers"]:
        what = f"rows of `{shortened(name)}` are not whole blocks of {block['name']}"
        raise bad_header(header.shown, what)
    return Tensor(name, numbers, start, numbers // block["numbers"] * block["bytes"], shape[::-1])


def _padding(header: Header, metadata: Mapping[str, Any]) -> int:
    """The bytes between the header and the first tensor."""
    alignment = metadata.get("general.alignment", _ALIGNMENT)
    if isinstance(alignment, bool) or not isinstance(alignment, int) or alignment < 1:
        raise bad_header(header.shown, f"its alignment is {shortened(alignment)}")
    return -header.read % alignment


def config_of(
    library: Library, table: Mapping[str, Any], parts: Iterable[Gguf], families: Iterable[str], shown: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """The config of a model whose first file says its architecture, and the file's own key for each of its keys.

    Raises FormulaError for an unknown architecture.
    """
    files = list(parts)
    metadata = files[0].metadata
    architecture = _architecture(metadata, table["architectures"], shown)
    shapes = {tensor.name: tensor.shape for file in files for tensor in file.tensors}
    said: dict[str, Any] = {"tensors": list(shapes)}
    if len(shapes.get(_EMBEDDING, ())) == 2:  # noqa: PLR2004 - rows and width
        said["vocabulary"] = shapes[_EMBEDDING][0]
    read = reader_of(library, metadata, f"{architecture}.", said, shown)
    return converted(read, {**table["config"], **table["architectures"][architecture]}, tuple(families))


def reader_of(
    library: Library, metadata: Mapping[str, Any], prefix: str, beside: Mapping[str, Any], shown: str
) -> ConfigReader:
    """Reads expressions over the metadata behind a prefix, and what is known beside it."""
    own = _nested(metadata, prefix)
    keys = ((name, f"{prefix}{name}", value) for name, value in flat(own))
    written = {name: Written(key, f"{key} = {described(value)}") for name, key, value in keys}
    return ConfigReader(library, {**own, **beside}, shown, written)


def converted(
    read: ConfigReader, expressions: Mapping[str, str], families: tuple[str, ...] = ()
) -> tuple[dict[str, Any], dict[str, str]]:
    """The config that expressions say, and the file's own key for each of its keys.

    A key that is nothing but a name is left out where the file lacks it.
    """
    config = {
        key: read.value(text, key, families if key == "model_type" else ())
        for key, text in expressions.items()
        if not _NAME.fullmatch(text) or key == "model_type" or held(tuple(text.split(".")), read.config) is not None
    }
    sources = {key: " and ".join(source.key for source in read.sources(expressions[key])) for key in config}
    return config, {key: names for key, names in sources.items() if names}


def _architecture(metadata: Mapping[str, Any], known: Mapping[str, Any], shown: str) -> str:
    name = metadata.get("general.architecture")
    if not isinstance(name, str):
        raise refuse("missing-value", f"`{shown}` lacks `general.architecture`", help="Is it a file of a model?")
    if name not in known:
        near = nearest(name, known) or f"There are tables for {', '.join(known)}."
        help_ = f"{near} The config.json of the model that it was made from can be named instead."
        message = f"`{shown}` is of the architecture `{shortened(name)}`, which is not read from GGUF files"
        raise refuse("unknown-family", message, help=help_)
    return name


def _nested(metadata: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The values behind a prefix: `attention.head_count` is `head_count` within `attention`."""
    found: dict[str, Any] = {}
    for key, value in metadata.items():
        if key.startswith(prefix):
            *outer, last = key.removeprefix(prefix).split(".")
            inner = found
            for part in outer:
                inner = inner.setdefault(part, {})
                if not isinstance(inner, dict):
                    break
            else:
                inner[last] = value
    return found
