"""Compression of Zandronum's datagrams by one fixed Huffman code.

The code as a tree: its leaves from left to right, and how deep each is. A left branch is a 0. Bits fill bytes from the
lowest one. The first byte of a datagram is the number of unused bits at its end, or `UNCOMPRESSED` before plain bytes.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Final

from browser_app.protocols.query_session import PacketError

UNCOMPRESSED: Final = b"\xff"
MAX_DECOMPRESSED_BYTES = 16 * 1024
"""Servers build replies of at most 8 KiB."""

_LEAVES = bytes.fromhex(
    "802622506e90434af38e257c3ab624dd83f5a3237155294dc782ceb9994676030518c6be3f8bba4b2cf0da382827f4f7"
    "5141097d443c19bf8a561117dcb2a5c20e00d0969db5ded8e6d3fc8d0a2a86876867bbe15f20393db7ede9eaf6cbfa93"
    "4f81078f8814b3941c6a655742b4dbe3f11afbe5d63645e7d49cb05d5360fd1e0daffe5e9f1b08cce24e6b581f89a9d7"
    "9106047f63d1d9d5eeb1aa84160c729ec5612d2e70aef9e066ab97c10f1002a8315b9230ad1d137e5cf2cdc0eb95ffdf"
    "b8f86cec6f5a7573470b32bc777aa7a2a0857b153b9b9a622b4c33c974486d6479c3e81201a478bd49c4efd2403e5921"
    "e4a13754982fcfac8c52a6356934cac8"
)
_DEPTHS = (
    "4889aa89aa89988aaaa89989aa9aa99557aa9aa98aa988aa9899999aa999aaaa939aa88aa9aa98aa99aa5489aaaaaaaa"
    "979aa9aa99998aaaa89aa88aaaa999999aa9999aa8999aaaa9879aaaaaa4998aa9889aa99aa99999899899999999aa99"
    "98999999888999aa78998aa97889989989986799889988579988879988888899"
)
"""Hexadecimal."""
_LONGEST = 10
"""Bits of the longest code."""


@cache
def _build_codes() -> dict[int, str]:
    """Return the bits of each byte."""
    codes, path = {}, 0
    for leaf, digit in zip(_LEAVES, _DEPTHS, strict=True):
        depth = int(digit, 16)
        codes[leaf] = f"{path >> (_LONGEST - depth):0{depth}b}"
        path += 1 << (_LONGEST - depth)
    return codes


@cache
def _build_decode_table() -> list[tuple[int, int]]:
    """Return a lookup table for the next `_LONGEST` bits, the first of them lowest.

    Each entry is the byte whose code these bits begin with, and the length of that code.
    """
    table = [(0, 0)] * (1 << _LONGEST)
    for byte, code in _build_codes().items():
        for rest in range(0, 1 << _LONGEST, 1 << len(code)):
            table[int(code[::-1], 2) | rest] = byte, len(code)
    return table


def decompress(data: bytes) -> bytes:
    """Return the plain bytes of a datagram.

    Raises:
        PacketError: it is empty, ends within a code, or is too large.
    """
    if not data:
        raise PacketError("empty")
    if len(data) > MAX_DECOMPRESSED_BYTES:
        raise PacketError("too large")
    if data.startswith(UNCOMPRESSED):
        return data[1:]
    if data[0] > 7 or len(data) == 1:
        raise PacketError("not this protocol")
    plain = bytes(islice(_decode_bits(data[1:], data[0]), MAX_DECOMPRESSED_BYTES + 1))
    if len(plain) > MAX_DECOMPRESSED_BYTES:
        raise PacketError("too large")
    return plain


def _decode_bits(data: bytes, unused: int) -> Iterator[int]:
    table, following = _build_decode_table(), iter(data)
    bits, held, left = 0, 0, 8 * len(data) - unused
    while left > 0:
        while held < _LONGEST:
            bits |= next(following, 0) << held
            held += 8
        byte, length = table[bits % len(table)]
        bits >>= length
        held -= length
        left -= length
        if left < 0:
            raise PacketError("truncated")
        yield byte


def compress(data: bytes) -> bytes:
    """Return the datagram of some plain bytes, compressed unless that makes it longer."""
    codes = _build_codes()
    bits = "".join([codes[byte] for byte in data])
    if len(bits) > 8 * len(data):
        return UNCOMPRESSED + data
    unused = -len(bits) % 8
    bits += "0" * unused
    return bytes([unused, *(int(bits[start : start + 8][::-1], 2) for start in range(0, len(bits), 8))])
