"""Small checkpoints as files: models of two layers, with headers as the formats have them and no weights."""

import json
import math
import struct
import zipfile
from collections.abc import Sequence
from os import SEEK_CUR
from pathlib import Path
from typing import Any

LLAMA = {
    "model_type": "llama",
    "num_hidden_layers": 2,
    "hidden_size": 256,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 1000,
    "intermediate_size": 512,
}
MIXTRAL = {**LLAMA, "model_type": "mixtral", "num_local_experts": 4, "num_experts_per_tok": 2}
_BITS = {"F32": 32, "BF16": 16, "F16": 16, "I32": 32, "U32": 32, "F8_E4M3": 8, "I64": 64}
_GGML = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_K": (12, 256, 144), "Q6_K": (14, 256, 210), "Q8_0": (8, 32, 34)}
_GGML |= {"Q5_0": (6, 32, 22)}
_SCALARS = {bool: (7, "<?"), int: (4, "<I"), float: (6, "<f")}
Shapes = dict[str, tuple[str, list[int]]]


def llama_shapes(dtype: str = "BF16") -> Shapes:
    """The tensors of LLAMA, as Transformers calls them, by type and shape."""
    layer = {
        "self_attn.q_proj": [256, 256],
        "self_attn.k_proj": [128, 256],
        "self_attn.v_proj": [128, 256],
        "self_attn.o_proj": [256, 256],
        "mlp.gate_proj": [512, 256],
        "mlp.up_proj": [512, 256],
        "mlp.down_proj": [256, 512],
        "input_layernorm": [256],
        "post_attention_layernorm": [256],
    }
    outer = {"model.embed_tokens": [1000, 256], "model.norm": [256], "lm_head": [1000, 256]}
    layers = {f"model.layers.{n}.{name}": shape for n in range(2) for name, shape in layer.items()}
    return {f"{name}.weight": (dtype, shape) for name, shape in {**outer, **layers}.items()}


def gguf_shapes(dtype: str = "Q4_K") -> Shapes:
    """The tensors of LLAMA as llama.cpp calls them: matrices of this type, the output in Q6_K, norms in F32."""
    matrices = {"attn_q": 256, "attn_k": 128, "attn_v": 128, "attn_output": 256, "ffn_gate": 512, "ffn_up": 512}
    layers: Shapes = {}
    for n in range(2):
        layers |= {f"blk.{n}.{name}.weight": (dtype, [rows, 256]) for name, rows in matrices.items()}
        layers[f"blk.{n}.ffn_down.weight"] = (dtype, [256, 512])
        layers |= {f"blk.{n}.{name}.weight": ("F32", [256]) for name in ("attn_norm", "ffn_norm")}
    outer: Shapes = {"token_embd.weight": (dtype, [1000, 256]), "output_norm.weight": ("F32", [256])}
    return {**outer, "output.weight": ("Q6_K", [1000, 256]), **layers}


METADATA = {
    "general.architecture": "llama",
    "llama.block_count": 2,
    "llama.embedding_length": 256,
    "llama.feed_forward_length": 512,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": 2,
    "llama.context_length": 4096,
    "llama.rope.freq_base": 500000.0,
    "tokenizer.ggml.tokens": ["a", "b"],
    "tokenizer.ggml.scores": [0.5, 1.5],
}


def size_of(shapes: Shapes) -> int:
    """The bytes of all these tensors in a safetensors file."""
    return sum(math.prod(shape) * _BITS[dtype] // 8 for dtype, shape in shapes.values())


def safetensors_header(shapes: Shapes) -> dict[str, Any]:
    """The header of a file that holds these tensors one after the other."""
    entries: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    start = 0
    for name, (dtype, shape) in shapes.items():
        end = start + math.prod(shape) * _BITS[dtype] // 8
        entries[name] = {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}
        start = end
    return entries


def write_safetensors(path: Path, shapes: Shapes) -> Path:
    """Such a file, its weights a hole."""
    header = json.dumps(safetensors_header(shapes)).encode()
    return write_hollow(path, struct.pack("<Q", len(header)) + header, size_of(shapes))


def write_hollow(path: Path, header: bytes, room: int) -> Path:
    """A file that begins so, with room for this many bytes behind."""
    with path.open("wb") as file:
        file.write(header)
        file.truncate(len(header) + room)
    return path


def write_folder(folder: Path, config: dict[str, Any], *files: Shapes) -> Path:
    """A folder with a config.json and safetensors files, numbered and with an index if there are several."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    if len(files) == 1:
        write_safetensors(folder / "model.safetensors", files[0])
        return folder
    names = [f"model-{n:05}-of-{len(files):05}.safetensors" for n in range(1, len(files) + 1)]
    for name, shapes in zip(names, files, strict=True):
        write_safetensors(folder / name, shapes)
    index = {"weight_map": {tensor: name for name, shapes in zip(names, files, strict=True) for tensor in shapes}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    return folder


def npy_header(descr: str, shape: tuple[int, ...]) -> bytes:
    """What stands before the numbers of an array in a file of NumPy's version 1."""
    said = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape!r}, }}".encode("latin-1")
    said += b" " * (-(len(said) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(said)) + said


def write_npz(path: Path, shapes: Shapes) -> Path:
    """An archive as MLX wrote it, with weights of zeros."""
    kinds = {"F16": "<f2", "F32": "<f4", "BF16": "|V2", "U32": "<u4"}
    with zipfile.ZipFile(path, "w") as archive:
        for name, (dtype, shape) in shapes.items():
            room = bytes(math.prod(shape) * _BITS[dtype] // 8)
            archive.writestr(f"{name}.npy", npy_header(kinds[dtype], tuple(shape)) + room)
    return path


def text(written: str) -> bytes:
    """A text as GGUF has it."""
    return struct.pack("<Q", len(written.encode())) + written.encode()


def value(of: Any) -> bytes:
    """A value of metadata, its type in front."""
    if isinstance(of, str):
        return struct.pack("<I", 8) + text(of)
    if isinstance(of, list):
        items = [value(each) for each in of]
        return struct.pack("<I", 9) + items[0][:4] + struct.pack("<Q", len(of)) + b"".join(each[4:] for each in items)
    kind, form = _SCALARS[type(of)]
    return struct.pack("<I", kind) + struct.pack(form, of)


def gguf_header(metadata: dict[str, Any], shapes: Shapes, version: int = 3) -> tuple[bytes, int]:
    """A header of these values and tensors, padded to 32 bytes, and the bytes that the tensors take behind it."""
    infos, start = b"", 0
    for name, (dtype, shape) in shapes.items():
        kind, numbers, size = _GGML[dtype]
        axes = struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape))
        infos += text(name) + axes + struct.pack("<IQ", kind, start)
        start += -(-math.prod(shape) // numbers * size // 32) * 32
    pairs = b"".join(text(key) + value(each) for key, each in metadata.items())
    header = b"GGUF" + struct.pack("<IQQ", version, len(shapes), len(metadata)) + pairs + infos
    return header + bytes(-len(header) % 32), start


def write_ggml(path: Path, numbers: Sequence[int], shapes: Shapes, tokens: Sequence[str] = ("a", "", "bc")) -> Path:
    """A file as whisper.cpp's scripts write it, its weights holes, with one filter."""
    with path.open("wb") as file:
        file.write(b"lmgg" + struct.pack(f"<{len(numbers)}i", *numbers) + struct.pack("<ii", 1, 201) + bytes(804))
        file.write(struct.pack("<i", len(tokens)))
        file.write(b"".join(struct.pack("<i", len(token)) + token.encode() for token in tokens))
        for name, (dtype, shape) in shapes.items():
            kind, block, size = _GGML[dtype]
            axes = struct.pack(f"<{len(shape)}i", *reversed(shape))
            file.write(struct.pack("<iii", len(shape), len(name), kind) + axes + name.encode())
            file.seek(math.prod(shape) // block * size, SEEK_CUR)
        file.truncate()
    return path


def gguf_size(shapes: Shapes) -> int:
    """The bytes of all these tensors in a GGUF file."""
    return sum(math.prod(shape) // _GGML[dtype][1] * _GGML[dtype][2] for dtype, shape in shapes.values())


def write_gguf(path: Path, metadata: dict[str, Any], shapes: Shapes) -> Path:
    """A GGUF file, its weights a hole."""
    return write_hollow(path, *gguf_header(metadata, shapes))
