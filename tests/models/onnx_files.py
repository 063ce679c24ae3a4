"""Small ONNX models as files, written field by field as onnx.proto says, their weights holes or in a file beside."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from models.checkpoint_files import LLAMA, Shapes, llama_shapes

TYPES = {"F32": (1, 32), "BF16": (16, 16), "F16": (10, 16), "U8": (2, 8), "I64": (7, 64), "U4": (21, 4)}
Beside = Mapping[str, str]


def whole(number: int) -> bytes:
    """A number of variable length."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def field(number: int, content: bytes | str | int) -> bytes:
    """A field with a number, or with bytes, a text or a message."""
    if isinstance(content, int):
        return whole(number << 3) + whole(content)
    content = content.encode() if isinstance(content, str) else content
    return whole(number << 3 | 2) + whole(len(content)) + content


def tensor(name: str, dtype: str, shape: Sequence[int], beside: Beside | None = None) -> bytes:
    """A tensor with zeros in the file itself, or with entries that say where its bytes lie."""
    kind, bits = TYPES[dtype]
    axes = b"".join(field(1, each) for each in shape)
    head = axes + field(2, kind) + field(8, name)
    if beside is None:
        return head + field(9, bytes(-(-math.prod(shape) * bits // 8)))
    entries = b"".join(field(13, field(1, key) + field(2, value)) for key, value in beside.items())
    return head + entries + field(14, 1)


def node(name: str, inputs: Sequence[str] = (), attribute: bytes = b"") -> bytes:
    """A node that reads these."""
    return field(1, b"".join(field(1, each) for each in inputs) + field(3, name) + attribute)


def model(*parts: bytes) -> bytes:
    """A model of a graph with these nodes and tensors."""
    return field(1, 8) + field(7, b"".join(parts))


def initializers(shapes: Shapes) -> bytes:
    """Tensors of a graph, with their zeros."""
    return b"".join(field(5, tensor(name, dtype, shape)) for name, (dtype, shape) in shapes.items())


def write_onnx(path: Path, content: bytes, config: Mapping[str, object] = LLAMA) -> Path:
    """A file with a config.json beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    (path.parent / "config.json").write_text(json.dumps(config), encoding="utf-8")
    path.write_bytes(content)
    return path


def write_external(path: Path, shapes: Shapes | None = None) -> Path:
    """A model whose weights lie in a file beside it, one after the other."""
    parts, start = b"", 0
    for name, (dtype, shape) in (shapes or llama_shapes("F16")).items():
        length = math.prod(shape) * TYPES[dtype][1] // 8
        beside = {"location": "weights.bin", "offset": str(start), "length": str(length)}
        parts += field(5, tensor(name, dtype, shape, beside))
        start += length
    with (path.parent / "weights.bin").open("wb") as file:
        file.truncate(start)
    return write_onnx(path, model(parts))
