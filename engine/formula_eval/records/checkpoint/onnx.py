"""Reads the tensor descriptions of the weights from the graph of an ONNX file, and checks the files beside it."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from formula_eval.core.diagnostic import refuse, shortened
from formula_eval.records.checkpoint.header import Header, Tensor, bad_header, opened, refuse_overlaps

# Numbers of fields, from onnx.proto.
_GRAPH = 7  # of a model
_NODE, _INITIALIZER, _SPARSE = 1, 5, 15  # of a graph
_INPUT, _NODE_NAME, _ATTRIBUTE = 1, 3, 5  # of a node
_TENSOR, _SUBGRAPH, _TENSORS, _SUBGRAPHS = 5, 6, 10, 11  # of an attribute
_AXES, _TYPE, _TENSOR_NAME, _RAW, _BESIDE, _PLACE = 1, 2, 8, 9, 13, 14  # of a tensor
_VALUES = (4, 5, 6, 7, 10, 11)  # of a tensor: its numbers, one by one
_KEY, _VALUE = 1, 2  # of an entry of `external_data`
_EXTERNAL = 1
_LONGEST_PLACE = 18  # digits
_MOST_PER_BYTE = 4  # numbers of 2 bits
_MOST_AXES = 16
_DEEPEST = 16
_MOST_TENSORS = 1_000_000
WHOLE, LONG, BYTES, SHORT = 0, 1, 2, 5
_LONGEST_WHOLE = 10  # bytes of a number of 64 bits, seven in each
_MOST_FIELDS = 4_000_000
_FIXED = {LONG: 8, SHORT: 4}


class Message:
    """A message that ends at a place of its file: whoever goes through its `fields` takes what it wants of them."""

    def __init__(self, header: Header, end: int, budget: list[int] | None = None) -> None:
        """Read from where `header` is to `end`, counted from the beginning of the file."""
        self._header = header
        self._end = end
        self._budget = budget if budget is not None else [_MOST_FIELDS]
        if end > header.size:
            raise bad_header(header.shown, f"a message would end at byte {end:,} of {header.size:,}")

    def fields(self) -> Iterator[tuple[int, int, int]]:
        """The number, kind and value of each field: of BYTES their length, and what nobody takes is passed over."""
        while self._header.read < self._end:
            self._budget[0] -= 1
            if self._budget[0] < 0:
                raise bad_header(self._header.shown, f"it has more than {_MOST_FIELDS:,} fields")
            key = self.whole()
            number, kind = key >> 3, key & 7
            if kind in _FIXED:
                yield number, kind, int.from_bytes(self._take(_FIXED[kind]), "little")
                continue
            if kind not in (WHOLE, BYTES) or not number:
                raise bad_header(self._header.shown, f"a field is of kind {kind}, which is none of a protocol buffer")
            value = self.whole()
            end = self._header.read + value
            if kind == BYTES and end > self._end:
                raise bad_header(self._header.shown, "a field is longer than the message that holds it")
            yield number, kind, value
            if kind == BYTES and end > self._header.read:
                self._header.pass_weights(end - self._header.read)
        if self._header.read != self._end:
            raise bad_header(self._header.shown, "a field is longer than the message that holds it")

    def inner(self, length: int) -> "Message":
        """The message that a field of BYTES holds."""
        return Message(self._header, self._header.read + length, self._budget)

    def text(self, length: int) -> str:
        """The text that a field of BYTES holds."""
        try:
            return self._take(length).decode()
        except UnicodeDecodeError as error:
            raise bad_header(self._header.shown, "a text in it is not UTF-8") from error

    def whole(self) -> int:
        """The next number of variable length, without its sign."""
        value = 0
        for place in range(_LONGEST_WHOLE):
            byte = self._take(1)[0]
            value |= (byte & 0x7F) << (7 * place)
            if byte < 0x80:  # noqa: PLR2004 - the last byte of a number
                return value & (2**64 - 1)
        raise bad_header(self._header.shown, f"a number is longer than {_LONGEST_WHOLE} bytes")

    def wholes(self, length: int) -> Iterator[int]:
        """The numbers that a field of BYTES holds, packed one behind the other."""
        end = self._header.read + length
        while self._header.read < end:
            yield self.whole()

    def _take(self, count: int) -> bytes:
        return self._header.take(count)


class _Stored(NamedTuple):
    """A tensor as the graph says it: `held` are the bytes in this file, `beside` says where others are."""

    name: str
    kind: int
    shape: tuple[int, ...]
    held: int
    is_raw: bool
    beside: Mapping[str, str]


def read_onnx(path: Path, types: Mapping[str, Any]) -> list[Tensor]:
    """The tensors of one model, by the table of `types`; raises FormulaError for a file that contradicts itself.

    A tensor that has no name of its own (`onnx::MatMul_12`) is called after the node that reads it.
    """
    shown = str(path)
    with opened(path, shown) as header:
        found = _Graph(shown)
        whole = Message(header, header.size)
        for number, kind, length in whole.fields():
            if number == _GRAPH and kind == BYTES:
                found.read(whole.inner(length), 0)
    tensors = [(stored, _tensor(stored, found.name_of(stored), types, shown)) for stored in found.stored]
    _check_files(tensors, path)
    weights = [tensor for stored, tensor in tensors if types[str(stored.kind)].get("weights", True)]
    if not weights:
        raise refuse("bad-header", f"`{shown}` holds no weights", help="Is it an ONNX model?")
    return weights


class _Graph:
    """What a graph and those within it say of tensors, and which node reads each that has no name of its own."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._readers: dict[str, str] = {}
        self.stored: list[_Stored] = []

    def name_of(self, tensor: _Stored) -> str:
        """Its name, behind that of the node that reads it if it says nothing by itself."""
        reader = self._readers.get(tensor.name, "")
        return f"{reader}.{tensor.name}" if reader else tensor.name

    def read(self, graph: Message, depth: int) -> None:
        """Go through a graph."""
        if depth > _DEEPEST:
            raise bad_header(self._shown, f"graphs stand within each other more than {_DEEPEST} deep")
        for number, kind, length in graph.fields():
            if kind != BYTES:
                continue
            if number == _NODE:
                self._node(graph.inner(length), depth)
            elif number == _INITIALIZER:
                self._keep(self._stored(graph.inner(length)))
            elif number == _SPARSE:
                raise refuse("unknown-type", f"`{self._shown}` holds sparse weights, which are not read")

    def _node(self, node: Message, depth: int) -> None:
        name, inputs = "", []
        for number, kind, length in node.fields():
            if kind != BYTES:
                continue
            if number == _INPUT:
                inputs.append(node.text(length))
            elif number == _NODE_NAME:
                name = node.text(length)
            elif number == _ATTRIBUTE:
                self._attribute(node.inner(length), depth)
        path = name.strip("/").replace("/", ".")
        self._readers |= {each: path for each in inputs if "." not in each and each not in self._readers}

    def _attribute(self, attribute: Message, depth: int) -> None:
        for number, kind, length in attribute.fields():
            if kind == BYTES and number in (_TENSOR, _TENSORS):
                constant = self._stored(attribute.inner(length))
                if math.prod(constant.shape) > 1:  # else it belongs to the graph, as a factor does
                    self._keep(constant._replace(name=f"constant_{len(self.stored)}"))
            elif kind == BYTES and number in (_SUBGRAPH, _SUBGRAPHS):
                self.read(attribute.inner(length), depth + 1)

    def _keep(self, tensor: _Stored) -> None:
        if len(self.stored) >= _MOST_TENSORS:
            raise bad_header(self._shown, f"it holds more than {_MOST_TENSORS:,} tensors")
        self.stored.append(tensor)

    def _stored(self, tensor: Message) -> _Stored:
        name, type_, held, is_raw, is_beside = "", 0, 0, False, False
        shape: list[int] = []
        beside: dict[str, str] = {}
        for number, kind, value in tensor.fields():
            if number == _AXES:
                shape += tensor.wholes(value) if kind == BYTES else [value]
            elif number == _TYPE and kind == WHOLE:
                type_ = value
            elif number == _PLACE and kind == WHOLE:
                is_beside = value == _EXTERNAL
            elif number == _TENSOR_NAME and kind == BYTES:
                name = tensor.text(value)
            elif number == _RAW and kind == BYTES:
                held, is_raw = value, True
            elif number == _BESIDE and kind == BYTES:
                beside |= [_pair(tensor.inner(value))]
            elif number in _VALUES:
                held += value if kind == BYTES else 1
            if len(shape) > _MOST_AXES or any(each >= 2**63 for each in shape[-1:]):
                raise bad_header(self._shown, f"the shape of `{shortened(name)}` is none of a tensor")
        return _Stored(name, type_, tuple(shape), held, is_raw, beside if is_beside else {})


def _pair(entry: Message) -> tuple[str, str]:
    found = {number: entry.text(value) for number, kind, value in entry.fields() if kind == BYTES}
    return found.get(_KEY, ""), found.get(_VALUE, "")


def _tensor(stored: _Stored, name: str, types: Mapping[str, Any], shown: str) -> Tensor:
    kind = types.get(str(stored.kind))
    if kind is None:
        message = f"`{shown}`: `{shortened(name)}` is of type {stored.kind}, which is not known"
        raise refuse("unknown-type", message, help=f"Known are {', '.join(each['name'] for each in types.values())}.")
    numbers = math.prod(stored.shape)
    size = -(-numbers * kind["bits"] // 8)
    start = 0
    if stored.beside:
        start, size = _place(stored, size, shown)
    elif stored.held != size if stored.is_raw else stored.held * _MOST_PER_BYTE < numbers:
        what = f"`{shortened(name)}` has {stored.held:,} bytes, which its shape and type contradict"
        raise bad_header(shown, what)
    return Tensor(name, numbers if kind.get("floating") else 0, start, size)


def _place(stored: _Stored, size: int, shown: str) -> tuple[int, int]:
    """Where the bytes of a tensor begin in its own file, and how many they are."""
    said = {key: stored.beside.get(key, otherwise) for key, otherwise in (("offset", "0"), ("length", str(size)))}
    wrong = next(
        (text for text in said.values() if not (text.isascii() and text.isdecimal() and len(text) <= _LONGEST_PLACE)),
        None,
    )
    if wrong is not None:
        raise bad_header(shown, f"`{shortened(stored.name)}` lies at `{shortened(wrong)}`, which is not a whole number")
    if int(said["length"]) != size:
        what = f"`{shortened(stored.name)}` has {int(said['length']):,} bytes, which its shape and type contradict"
        raise bad_header(shown, what)
    return int(said["offset"]), size


def _check_files(tensors: list[tuple[_Stored, Tensor]], path: Path) -> None:
    """Refuse a file of weights that is not there, lies elsewhere, or is too short for what it should hold."""
    by_file: dict[str, list[Tensor]] = {}
    for stored, tensor in tensors:
        if stored.beside:
            by_file.setdefault(stored.beside.get("location", ""), []).append(tensor)
    for name, held in by_file.items():
        file = _beside(path, name)
        places = {(each.start, each.size): each for each in held}  # several tensors may share all of their bytes
        with opened(file, str(file)) as weights:
            refuse_overlaps(places.values(), weights.size, str(file))


def _beside(path: Path, name: str) -> Path:
    plain = name.removeprefix("./")
    if not plain or Path(plain).name != plain or plain in (".", ".."):
        raise refuse("bad-value", f"`{path}` names the file `{shortened(name)}`, which is not in its folder")
    file = path.parent / plain
    if not file.is_file():
        help_ = "Download it too: it holds the weights."
        raise refuse("missing-file", f"`{path}` names `{shortened(plain)}`, which is not beside it", help=help_)
    return file
