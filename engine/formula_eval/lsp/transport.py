"""Reads complete messages of acceptable size from an editor, and answers malformed requests with an error."""

import re
from typing import Any, BinaryIO

from lsprotocol.types import ResponseError
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcParseError
from pygls.protocol import LanguageServerProtocol

_LONGEST_MESSAGE = 64 * 1024 * 1024
_LONGEST_HEADER = 10_000
_LENGTH = re.compile(rb"content-length\s*:\s*([0-9]{1,12})\s*", re.IGNORECASE)
_HALF = re.compile("[\ud800-\udfff]")


class MessageReader:
    """Reads what an editor sends, header by header; a stream whose messages cannot be told apart ends here."""

    def __init__(self, stream: BinaryIO) -> None:
        """`stream` is where the bytes come from."""
        self._stream = stream
        self._lines: list[bytes] = []
        self.wrong = ""

    def readline(self) -> bytes:
        """The next line of a header, in the one way that it is written; nothing at the end."""
        if not self._lines:
            length = self._length()
            self._lines = [] if length is None else [b"\r\n", b"Content-Length: %d\r\n" % length]
        return self._lines.pop() if self._lines else b""

    def read(self, size: int) -> bytes:
        """The body of a message."""
        body = self._stream.read(size)
        return body if len(body) == size else b""

    def _length(self) -> int | None:
        """How long the next message is; None at the end, and where its header does not say."""
        length, header = None, False
        while line := self._stream.readline(_LONGEST_HEADER):
            found = _LENGTH.fullmatch(line)
            length = int(found[1]) if found else length
            if line.strip() and len(line) < _LONGEST_HEADER:
                header = True
            elif length is not None and length > _LONGEST_MESSAGE:
                self.wrong = f"A message of {length:,} bytes: the most is {_LONGEST_MESSAGE:,}."
                return None
            elif length:
                return length
            elif (header or line.strip()) and length is None:
                self.wrong = "A header without a Content-Length that is a number of bytes."
                return None
            else:
                length, header = None, False
        return None


class AnsweringProtocol(LanguageServerProtocol):
    """The protocol, in which a request that cannot be read is answered too."""

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 - as its parent's
        """A message as its type; raises JsonRpcException if it has another shape, with an answer to a request."""
        data = {key: _whole(value) for key, value in data.items()}
        if "jsonrpc" in data and not isinstance(data.get("method", ""), str):
            self._refuse(data.get("id"), JsonRpcInvalidParams("`method` is not a name").to_response_error())
            raise JsonRpcInvalidParams
        try:
            return super().structure_message(data)
        except (JsonRpcException, RecursionError) as error:
            if "id" in data and "method" in data:
                message = f"The parameters of `{data['method']}` have another shape than the protocol says"
                self._refuse(data["id"], JsonRpcInvalidParams(message).to_response_error())
            raise JsonRpcInvalidParams from error

    def refuse_stream(self, reason: str) -> None:
        """Say why nothing more is read."""
        self._refuse(None, JsonRpcParseError(reason).to_response_error())

    def _refuse(self, number: object, error: ResponseError) -> None:
        known = number if isinstance(number, int | str) and not isinstance(number, bool) else None
        self._send_data({"jsonrpc": self.VERSION, "id": known, "error": {"code": error.code, "message": error.message}})


def _whole(value: Any) -> Any:  # noqa: ANN401 - of a message
    """The value with each lone surrogate, which no file can hold, replaced by U+FFFD."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    return [_whole(each) for each in value] if isinstance(value, list) else value
