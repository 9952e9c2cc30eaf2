"""Split A2S replies in all formats, valid and hostile."""

import bz2
import itertools
import struct
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
from goldsource_encoder import split_goldsource_reply
from recorded_packets import session_at

from browser_app.protocols.a2s.a2s_server import encode_rules, split_source_reply
from browser_app.protocols.a2s.a2s_split import (
    MAX_ASSEMBLED_BYTES,
    MAX_DECOMPRESSED_BYTES,
    MAX_DECOMPRESSIONS,
    MAX_OPEN_MESSAGES,
    MAX_PARTS,
    PacketReassembler,
)
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError

RULES = {b"rule %d" % number: b"value %d" % (number * number) for number in range(120)}
MESSAGE = encode_rules(RULES)

FORMS: dict[str, Callable[[bytes], list[bytes]]] = {
    "goldsource": lambda message: split_goldsource_reply(message, 7, size=700),
    "source": lambda message: split_source_reply(message, 7, size=600),
    "source with id bit 15": lambda message: split_source_reply(message, 0x8007, size=600),
    "source with id bit 31": lambda message: split_source_reply(message, 1 << 31, size=600),
    "2006": lambda message: split_source_reply(message, 7, size=600, with_size=False),
    "2006 with id bit 31": lambda message: split_source_reply(message, 1 << 31, size=600, with_size=False),
    "bzip2": lambda message: split_source_reply(message, 7, size=300, compress=True),
    "bzip2 without size": lambda message: split_source_reply(message, 7, size=300, compress=True, with_size=False),
    "source without inner header": lambda message: split_source_reply(message[4:], 7, size=600),
    "one part": lambda message: split_source_reply(message, 7, size=60000),
}


@pytest.mark.parametrize("form", FORMS)
def test_formats_in_any_order(form: str) -> None:
    parts = FORMS[form](MESSAGE)
    orders = list(itertools.islice(itertools.permutations(parts), 24))
    assert len(orders) == 24 or len(parts) < 4
    for order in orders:
        session = session_at("rules")
        assert [session.receive(part) for part in order] == [PARTIAL] * (len(parts) - 1) + [DONE]
        assert session.reply is not None
        assert session.reply.rules == RULES


@pytest.mark.parametrize("form", [form for form in FORMS if form != "one part"])
def test_duplicates_are_rejected(form: str) -> None:
    parts = FORMS[form](MESSAGE)
    session = session_at("rules")
    for part in parts[:0:-1]:
        assert session.receive(part) is PARTIAL
        with pytest.raises(PacketError, match="duplicate part"):
            session.receive(part)
    assert session.receive(parts[0]) is DONE


def test_two_replies_stay_apart() -> None:
    """As after a second attempt whose first reply was only late."""
    first, second = split_source_reply(MESSAGE, 1, size=900), split_source_reply(MESSAGE, 2, size=900)
    session = session_at("rules")
    mixed = [part for pair in zip(first, second, strict=True) for part in pair][:-1]
    assert [session.receive(part) for part in mixed] == [PARTIAL] * (len(mixed) - 1) + [DONE]


def test_other_kind_is_rejected() -> None:
    session = session_at("players")
    *early, last = split_source_reply(MESSAGE, 1)
    for part in early:
        assert session.receive(part) is PARTIAL
    with pytest.raises(PacketError, match="unexpected kind"):
        session.receive(last)


def test_next_exchange_starts_clean() -> None:
    session = session_at("rules")
    parts = split_source_reply(MESSAGE, 1, size=900)
    session.receive(parts[1])
    session.skip_current_part()
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(parts[0])


@pytest.mark.parametrize(("total", "number"), [(0, 0), (MAX_PARTS + 1, 0), (255, 1), (4, 4), (4, 200)], ids=str)
def test_part_numbers_are_checked(total: int, number: int) -> None:
    part = b"\xfe\xff\xff\xff" + struct.pack("<IBBH", 1, total, number, 1248) + b"\xff\xff\xff\xffE\0\0"
    with pytest.raises(PacketError, match="impossible part"):
        PacketReassembler().add(part)


def test_totals_must_agree() -> None:
    messages = PacketReassembler()
    parts = split_source_reply(MESSAGE, 1, size=900)
    messages.add(parts[0])
    other = parts[1][:8] + bytes([parts[1][8] + 1]) + parts[1][9:]
    with pytest.raises(PacketError, match="impossible part"):
        messages.add(other)


def test_message_size_limit() -> None:
    messages = PacketReassembler()
    parts = split_source_reply(
        bytes(b"\xff\xff\xff\xff" + b"E" * 4 * MAX_ASSEMBLED_BYTES), 1, size=MAX_ASSEMBLED_BYTES // 4
    )[:MAX_PARTS]
    for part in parts[:3]:
        assert messages.add(part) is None
    with pytest.raises(PacketError, match="too large"):
        messages.add(parts[3])


def test_open_message_limit() -> None:
    messages = PacketReassembler()
    first = split_source_reply(MESSAGE, 0, size=900)
    for message_id in range(MAX_OPEN_MESSAGES + 1):
        messages.add(split_source_reply(MESSAGE, message_id, size=900)[0])
    for part in first[1:]:
        assert messages.add(part) is None


def test_too_short_for_header() -> None:
    for length in range(4, 13):
        with pytest.raises(PacketError, match="truncated part"):
            PacketReassembler().add(split_source_reply(MESSAGE, 1)[0][:length])


def bomb(size: int, announced: int | None = None) -> bytes:
    body = struct.pack("<II", size if announced is None else announced, zlib.crc32(bytes(size))) + bz2.compress(
        bytes(size)
    )
    return b"\xfe\xff\xff\xff" + struct.pack("<IBBH", 1 << 31 | 1, 1, 0, 1248) + body


@pytest.mark.parametrize("announced", [None, 1000, MAX_DECOMPRESSED_BYTES])
def test_bomb_is_not_inflated(announced: int | None) -> None:
    datagram = bomb(64 << 20, announced)
    assert len(datagram) < 120
    session = session_at("rules")
    tracemalloc.start()
    with pytest.raises(PacketError, match=r"too large|bad checksum"):
        session.receive(datagram)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20
    assert session.reply is not None
    assert session.reply.rules is None


def test_decompression_limit() -> None:
    messages = PacketReassembler()
    for _ in range(MAX_DECOMPRESSIONS):
        with pytest.raises(PacketError, match="bad checksum"):
            messages.add(bomb(MAX_DECOMPRESSED_BYTES, MAX_DECOMPRESSED_BYTES - 1))
    with pytest.raises(PacketError, match="too many compressed"):
        messages.add(bomb(MAX_DECOMPRESSED_BYTES))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (lambda part: part[:12] + struct.pack("<I", len(MESSAGE) + 1) + part[16:], "bad checksum"),
        (lambda part: part[:16] + b"\0\0\0\0" + part[20:], "bad checksum"),
        (lambda part: part[:30] + b"\0\0\0\0" + part[34:], "bad compression"),
        (lambda part: part[:-20], "bad checksum"),
    ],
    ids=["size", "crc", "stream", "cut"],
)
def test_broken_compression_is_rejected(spoil: Callable[[bytes], bytes], reason: str) -> None:
    (part,) = split_source_reply(MESSAGE, 1, size=60000, compress=True)
    session = session_at("rules")
    with pytest.raises(PacketError, match=reason):
        session.receive(spoil(part))
    assert session.receive(part) is DONE
