"""HTTP/1.1 codec of one GET request and its reply (the subset of RFC 9112 needed)."""

import re
from typing import Final

from browser_app import __version__
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import PacketError

USER_AGENT: Final = f"ready-room/{__version__}"
"""How this program names itself to game servers and web servers."""
MAX_HEADER_BYTES: Final = 8 << 10
MAX_BODY_BYTES: Final = 64 << 10
_END_OF_LINE = b"\r\n"
_END_OF_HEADERS = b"\r\n\r\n"
_STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([0-9]{3})(?: [^\r\n]*)?")
_LENGTH = re.compile(rb"[0-9]{1,9}")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?")
_MAX_CHUNK_LINE_BYTES = 256
_OK = b"200"


def build_http_request(server: Address, path: str) -> bytes:
    """Return a GET request for JSON, after which the server closes the connection.

    `path` is ASCII and begins with a slash.
    """
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: {Address(server.host.partition('%')[0], server.port)}",
        f"User-Agent: {USER_AGENT}",
        "Accept: application/json",
        "Accept-Encoding: identity",
        "Connection: close",
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode("ascii")


class HttpReplyReader:
    """Reads one reply while it arrives; nothing is read twice.

    Attributes:
        body: the body so far.
        is_complete: the whole body is there.
    """

    __slots__ = ("_has_headers", "_is_chunked", "_left", "_unread", "body", "is_complete")

    def __init__(self) -> None:
        self.body = bytearray()
        self.is_complete = False
        self._unread = bytearray()
        self._has_headers = False
        self._is_chunked = False
        self._left: int | None = None
        """Bytes missing of the body, or of the current chunk; None if unknown, as before each chunk."""

    def feed(self, data: bytes) -> None:
        """Read the next bytes.

        Raises:
            PacketError: the reply is invalid, too large or not a success.
        """
        self._unread += data
        if not self._has_headers:
            self._read_headers()
        if self._has_headers and self._is_chunked:
            self._read_chunks()
        elif self._has_headers:
            self._read_plain_body()

    def finish(self) -> None:
        """Handle the end of the connection, which ends a body of unknown length."""
        if not self.is_complete and (not self._has_headers or self._is_chunked or self._left is not None):
            raise PacketError("truncated text")
        self.is_complete = True

    def _read_headers(self) -> None:
        end = self._unread.find(_END_OF_HEADERS)
        if end > MAX_HEADER_BYTES or (end < 0 and len(self._unread) > MAX_HEADER_BYTES):
            raise PacketError("too large")
        start = bytes(self._unread[:5])
        if not b"HTTP/".startswith(start) and start != b"HTTP/":
            raise PacketError("not this protocol")
        if end < 0:
            return
        status_line, *lines = bytes(self._unread[:end]).split(_END_OF_LINE)
        match = _STATUS_LINE.fullmatch(status_line)
        if match is None:
            raise PacketError("not this protocol")
        if match[1] != _OK:
            raise PacketError("refused by HTTP")
        del self._unread[: end + len(_END_OF_HEADERS)]
        self._apply_headers(dict(map(_split_header, lines)))
        self._has_headers = True

    def _apply_headers(self, headers: dict[bytes, bytes]) -> None:
        if headers.get(b"content-encoding", b"identity") != b"identity":
            raise PacketError("compressed")
        encoding = headers.get(b"transfer-encoding")
        if encoding is not None:
            if encoding != b"chunked":
                raise PacketError("unknown encoding")
            self._is_chunked = True
        elif (length := headers.get(b"content-length")) is not None:
            if not _LENGTH.fullmatch(length):
                raise PacketError("invalid number")
            self._left = int(length)
            self._check_size(self._left)

    def _check_size(self, more: int) -> None:
        if len(self.body) + more > MAX_BODY_BYTES:
            raise PacketError("too large")

    def _read_plain_body(self) -> None:
        self._check_size(len(self._unread))
        if self._left is not None:
            self._left -= len(self._unread)
            if self._left < 0:
                raise PacketError("too large")
            self.is_complete = not self._left
        self.body += self._unread
        self._unread.clear()

    def _read_chunks(self) -> None:
        """Read chunks, each a line with its size, the data and an empty line.

        One of size 0 is the last; what follows it is not read.
        """
        while not self.is_complete:
            if self._left is None:
                line = self._read_line()
                if line is None:
                    return
                match = _CHUNK_SIZE.fullmatch(line)
                if match is None:
                    raise PacketError("invalid number")
                self._left = int(match[1], 16)
                self._check_size(self._left)
                self.is_complete = not self._left
            elif len(self._unread) < self._left + len(_END_OF_LINE):
                return
            else:
                self._read_chunk(self._left)

    def _read_line(self) -> bytes | None:
        end = self._unread.find(_END_OF_LINE)
        if end > _MAX_CHUNK_LINE_BYTES or (end < 0 and len(self._unread) > _MAX_CHUNK_LINE_BYTES):
            raise PacketError("too large")
        if end < 0:
            return None
        line = bytes(self._unread[:end])
        del self._unread[: end + len(_END_OF_LINE)]
        return line

    def _read_chunk(self, size: int) -> None:
        end = size + len(_END_OF_LINE)
        if self._unread[size:end] != _END_OF_LINE:
            raise PacketError("truncated text")
        self.body += self._unread[:size]
        del self._unread[:end]
        self._left = None


def _split_header(line: bytes) -> tuple[bytes, bytes]:
    name, colon, value = line.partition(b":")
    if not colon:
        raise PacketError("invalid header")
    return name.lower(), value.strip().lower()
