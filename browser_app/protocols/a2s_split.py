"""Putting split A2S replies together again: GoldSource, Source, Source of 2006; with and without bzip2."""

import bz2
import struct
import zlib
from dataclasses import dataclass, field
from enum import Enum

from browser_app.protocols.a2s_wire import BZIP2_MAGIC, SINGLE
from browser_app.protocols.conversation import Refused

MAX_PARTS = 32
MAX_ASSEMBLED = 64 * 1024
"""Bytes of one message before it is inflated."""
MAX_INFLATED = 128 * 1024
MAX_INFLATIONS = 8
"""Compressed messages of one server that are looked into: a bomb costs as much as hundreds of other datagrams."""
MAX_OPEN = 4
"""Unfinished messages of one server; a new one takes the place of the oldest."""

_ID = struct.Struct("<4xI")
_SIZE_CRC = struct.Struct("<II")
_COMPRESSED_BIT = 1 << 31
_KINDS = b"DEIm"


class _Form(Enum):
    """How a part's header is laid out; the value is its length in bytes."""

    GOLDSOURCE = 9
    SOURCE_2006 = 10
    SOURCE = 12

    def place(self, data: bytes) -> tuple[int, int]:
        """The part's number, from 0, and how many there are."""
        return (data[8] >> 4, data[8] & 15) if self is _Form.GOLDSOURCE else (data[9], data[8])


def _form_of_first(data: bytes) -> _Form | None:
    """The header's form, which only the first part of a message shows; None for all others.

    Told from where the message's own header stands (or bzip2's magic, behind two more words). A few servers leave that
    header out: then a known kind must stand in its place.
    """
    if data[8] >> 4 == 0 and data.startswith(SINGLE, 9):
        return _Form.GOLDSOURCE
    if data[9] != 0:
        return None
    for form in (_Form.SOURCE, _Form.SOURCE_2006):
        if data.startswith(SINGLE, form.value) or _is_compressed(data, form):
            return form
    return _Form.SOURCE if data[12] in _KINDS else None


def _is_compressed(data: bytes, form: _Form) -> bool:
    compressed_id = _ID.unpack_from(data)[0] & _COMPRESSED_BIT
    return bool(compressed_id) and data.startswith(BZIP2_MAGIC, form.value + _SIZE_CRC.size)


def _is_possible(number: int, total: int) -> bool:
    return number < total <= MAX_PARTS


@dataclass(slots=True)
class _Message:
    """One message on its way. Until its first part shows the form, parts wait as they came."""

    form: _Form | None = None
    compressed: bool = False
    total: int = 0
    size: int = 0
    waiting: list[bytes] = field(default_factory=list)
    parts: dict[int, bytes] = field(default_factory=dict)

    def add(self, data: bytes) -> None:
        if data in self.waiting:
            raise Refused("duplicate part")
        if self.size + len(data) > MAX_ASSEMBLED or len(self.waiting) >= MAX_PARTS:
            raise Refused("too large")
        if self.form is None and (form := _form_of_first(data)) is not None:
            self._begin(form, data)
        elif self.form is None:
            places = (_Form.GOLDSOURCE.place(data), _Form.SOURCE.place(data))
            if not any(number > 0 and _is_possible(number, total) for number, total in places):
                raise Refused("impossible part")
            self.waiting.append(data)
        else:
            self._put(self.form, data)
        self.size += len(data)

    def _begin(self, form: _Form, first: bytes) -> None:
        self._put(form, first)
        self.form = form
        self.compressed = form is not _Form.GOLDSOURCE and _is_compressed(first, form)
        early, self.waiting = self.waiting, []
        for data in early:
            try:
                self._put(form, data)
            except Refused:
                continue  # it looked possible only as long as the form was unknown

    def _put(self, form: _Form, data: bytes) -> None:
        number, total = form.place(data)
        if not _is_possible(number, total) or self.total not in (0, total):
            raise Refused("impossible part")
        if number in self.parts:
            raise Refused("duplicate part")
        self.total = total
        self.parts[number] = data[form.value :]

    @property
    def complete(self) -> bool:
        return 0 < self.total == len(self.parts)

    def joined(self) -> bytes:
        whole = b"".join(self.parts[number] for number in range(self.total))
        return _inflate(whole) if self.compressed else whole


class SplitMessages:
    """The unfinished messages of one server, by the id that their parts carry."""

    __slots__ = ("_inflations", "_open")

    def __init__(self) -> None:
        self._open: dict[int, _Message] = {}
        self._inflations = 0

    def add(self, data: bytes) -> bytes | None:
        """Take one part, `data` beginning with `SPLIT`. The message when it is complete, without its header, else None.

        Raises:
            Refused: a duplicate, an impossible part, or one too many or too large; or the message was complete but
                could not be inflated, or too many were before (it is dropped then).
        """
        if len(data) < 13:
            raise Refused("truncated part")
        (message_id,) = _ID.unpack_from(data)
        message = self._open.get(message_id)
        if message is None:
            message = _Message()
        message.add(data)
        if not message.complete:
            self._keep(message_id, message)
            return None
        self._open.pop(message_id, None)
        self._inflations += message.compressed
        if message.compressed and self._inflations > MAX_INFLATIONS:
            raise Refused("too many compressed")
        return message.joined().removeprefix(SINGLE)

    def _keep(self, message_id: int, message: _Message) -> None:
        self._open[message_id] = message
        if len(self._open) > MAX_OPEN:
            del self._open[next(iter(self._open))]


def _inflate(data: bytes) -> bytes:
    """Undo bzip2 behind the two words (size, CRC-32) that announce it; never makes more than the announced size."""
    try:
        size, checksum = _SIZE_CRC.unpack_from(data)
        if size > MAX_INFLATED:
            raise Refused("too large")
        body = bz2.BZ2Decompressor().decompress(data[_SIZE_CRC.size :], size + 1)
    except (OSError, struct.error):
        raise Refused("bad compression") from None
    if len(body) != size or zlib.crc32(body) != checksum:
        raise Refused("bad checksum")
    return body
