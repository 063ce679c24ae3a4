"""Reads the fields of a protocol buffer in order, without its weights, each message within its own bytes."""

from collections.abc import Iterator

from formula_eval.records.checkpoint.header import Header, bad_header

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
