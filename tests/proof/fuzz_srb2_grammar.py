"""Grammars of servers and lists of Sonic Robo Blast 2 and its relatives."""

import random
import zlib
from typing import Final

from fuzz_fields import TOKENS, exchange, filled, string, u8, u16, u32
from fuzz_grammar import Fields, Grammar, changed_fields, digits, either, many, maybe, mostly, number, seq, text

from browser_app.protocols import srb2


def _packet(kind: int, body: Grammar) -> Grammar:
    """A packet whose checksum is right, whatever has become of its content."""

    def build(rng: random.Random) -> Fields:
        fields = body(rng)
        content = b"".join(changed_fields(fields, rng) if rng.random() < 0.3 else fields)
        return [srb2.encode_srb2_packet(kind, content)]

    return build


_token = mostly(either(*(zlib.crc32(token).to_bytes(4, "little") for token in TOKENS)), u32)
_name = mostly(either(b"\x82Green \x80Hills", b"x" * 40, b""), text)
_title = mostly(either(b"GREENFLOWER", b"Panic City", b""), text)
_file = seq(b"\x11", u32, mostly(b"a.pk3\0", string), number(16))


def _info(application: bytes, packet_version: int) -> Grammar:
    layout = srb2.LAYOUTS[application.decode(), packet_version]
    mode = seq(either(b"\0", b"\1", b"\2", u8), filled(either(b"Co-op", b"Race", text), srb2.MODE_BYTES))
    flags = either(b"\0\0\x41\0", seq(b"\1\1", u8, b"\1"), b"\1\0\3\2")
    return seq(
        mostly(bytes([srb2.NEW_FORMAT, packet_version]), either(b"\xc9\x0f", b"\xff\x09")),
        filled(mostly(application, text), srb2.APPLICATION_BYTES),
        either(b"\xca\x0f", b"\1\6", u16),
        bytes(layout.commit_bytes),
        either(b"\3\x10", b"\x10\x10", b"\0\0", u16),
        mode if layout.has_mode_name else either(b"\2", b"\3", u8),
        flags,
        _token,
        u32,
        filled(_name, srb2.SERVER_NAME_BYTES),
        filled(either(b"MAP01", text), srb2.MAP_NAME_BYTES) if layout.has_map_name else b"",
        filled(_title, srb2.MAP_TITLE_BYTES),
        number(16),
        either(b"\0\0", b"\1\1", b"\0\1", u16),
        bytes(layout.bytes_before_files),
        mostly(seq(_file, _file), many(_file)),
    )


_player = mostly(
    seq(
        either(b"\0", b"\1"), filled(_name, srb2.PLAYER_NAME_BYTES), bytes(4), either(b"\0", b"\1", b"\xff", u8),
        bytes(2), u32, u16,
    ),
    bytes([srb2.EMPTY_SLOT]) + bytes(srb2.PLAYER_BYTES - 1),
)  # fmt: skip
_infos = [_info(application.encode(), version) for application, version in srb2.LAYOUTS]
_server_info = _packet(srb2.SERVER_INFO, either(*_infos))
_player_info = mostly(_packet(srb2.PLAYER_INFO, many(_player, 6)), _packet(9, text))
SRB2: Final = either(
    exchange(_server_info, _player_info, maybe(_server_info), maybe(_player_info)),
    exchange(_player_info, _server_info, _server_info),
    exchange(mostly(text, bytes(srb2.MAX_DATAGRAM_BYTES + 1)), _server_info),
)
_line = mostly(
    seq(mostly(either(b"192.0.2.7", b"2001:db8::7", b"[::1]"), text), b" ", mostly(b"5029", digits), maybe(b" ", text)),
    either(b"33", digits),
    text,
)
SRB2_LISTS: Final = seq(many(seq(_line, mostly(b"\n", b"\n\n", b"\r\n")), 6), mostly(b"", b"x" * 5000))
