"""Grammar of A2S replies: challenges, info, players, rules, split replies.

Info of both engines, and all formats of split replies.
"""

import bz2
import random
import struct
import zlib
from collections.abc import Sequence
from typing import Final

from fuzz_fields import BREAK, exchange, string, u8, u16, u32
from fuzz_grammar import Fields, Grammar, either, many, maybe, mostly, number, seq, text

from browser_app.protocols.a2s import a2s

_challenge = seq(a2s.SINGLE_PACKET_HEADER, a2s.CHALLENGE_REPLY, either(b"\1\2\3\4", b"\1", b"\xff\xff\xff\xff"))
_letter = either(b"d", b"l", b"p", b"w", b"\xff")


def _extra_data(rng: random.Random) -> Fields:
    parts: dict[int, Grammar] = {
        a2s.EDF_PORT: u16,
        a2s.EDF_STEAM_ID: number(8),
        a2s.EDF_SPECTATOR: seq(u16, string),
        a2s.EDF_KEYWORDS: seq(either(b"A|344|ns2|14|80|0|1500|", b"277|ns2|M|1|2|3|4|P_S10", text), b"\0"),
        a2s.EDF_GAME_ID: number(8),
    }
    flags = rng.randrange(256)
    return [bytes([flags]), *(field for flag, part in parts.items() if flags & flag for field in part(rng))]


_source_info = seq(
    a2s.SINGLE_PACKET_HEADER, a2s.INFO_REPLY, b"\x11", string, string, string, string,
    either(
        seq(struct.pack("<H", a2s.THE_SHIP_APPID), u8, u8, u8, _letter, _letter, u8, u8, u8, u8, u8),
        seq(u16, u8, u8, u8, _letter, _letter, u8, u8),
    ),
    string, maybe(_extra_data),
)  # fmt: skip
_mod = seq(b"\1", string, string, b"\0", u32, u32, u8, u8)
_goldsource_info = seq(
    a2s.SINGLE_PACKET_HEADER, a2s.GOLDSOURCE_INFO_REPLY, b"192.0.2.7:27015\0", string, string, string, string,
    u8, u8, u8, _letter, _letter, u8, either(b"\0", _mod), u8, maybe(u8),
)  # fmt: skip
_player_row = seq(b"\0", either(string, b"Max Players\0"), u32, either(struct.pack("<f", 60.5), u32))
_players = seq(
    a2s.SINGLE_PACKET_HEADER, a2s.PLAYERS_REPLY, either(b"\0", b"\1", b"\2", b"\xff"),
    either(many(_player_row), many(_player_row, 1100)), many(seq(u32, u32), 2),
)  # fmt: skip
_no_players = seq(a2s.SINGLE_PACKET_HEADER, a2s.PLAYERS_REPLY)
_no_rules = seq(a2s.SINGLE_PACKET_HEADER, a2s.RULES_REPLY)
_rules = seq(
    a2s.SINGLE_PACKET_HEADER, a2s.RULES_REPLY, u16, many(seq(string, string)),
    maybe(b"AverageSkill\0", either(b"1777.25", b"nan", b"-1", text), b"\0"),
)  # fmt: skip


_FORMS: Final = ("goldsource", "2006", "source", "headless", "bzip2", "bad bzip2", "empty bzip2")


def _split(message: Grammar, forms: Sequence[str] = _FORMS) -> Grammar:
    """A message in parts of any of the three formats, sometimes compressed."""

    def build(rng: random.Random) -> Fields:
        whole = b"".join(message(rng))
        message_id, form = (
            7,
            rng.choice(forms),
        )
        if "bzip2" in form:
            checksum = zlib.crc32(whole) ^ (form == "bad bzip2")
            packed = b"" if form == "empty bzip2" else bz2.compress(whole)
            size = rng.choice((len(whole), len(whole), len(whole) + 1, 1 << 30))
            whole, message_id = struct.pack("<II", size, checksum) + packed, 7 | 1 << 31
        elif form == "headless":
            whole = whole.removeprefix(a2s.SINGLE_PACKET_HEADER)
        size = max(20, rng.choice((len(whole) // 2 + 1, len(whole) // 5 + 1, len(whole))))
        pieces = [whole[start : start + size] for start in range(0, len(whole), size)]
        parts = [
            _split_header(form, message_id, position, len(pieces)) + piece for position, piece in enumerate(pieces)
        ]
        rng.shuffle(parts)
        parts += parts[: rng.randrange(2)]
        return [field for part in parts for field in (part, BREAK)]

    return build


def _split_header(form: str, message_id: int, position: int, total: int) -> bytes:
    head = a2s.SPLIT_PACKET_HEADER + struct.pack("<I", message_id)
    if form == "goldsource":
        return head + bytes([(position << 4 | total) & 255])
    return head + bytes([total & 255, position & 255]) + (b"" if form == "2006" else struct.pack("<H", 1248))


_open_part = seq(a2s.SPLIT_PACKET_HEADER, u32, b"\4", either(b"\1", b"\2"), u16, either(b"part", b"another part"))
_flood = seq(
    a2s.SPLIT_PACKET_HEADER, b"\7\0\0\0\x20", either(*(bytes([number]) for number in range(1, 32))), u32, b"part", BREAK
)
_stray_part = seq(a2s.SPLIT_PACKET_HEADER, u32, u8, u8, u16, either(b"", b"D", b"part of something"))
A2S: Final = either(
    exchange(
        maybe(_challenge),
        mostly(either(_source_info, _goldsource_info), seq(_source_info, b"x" * 9000)),
        maybe(_challenge),
        mostly(_players, _no_players),
        mostly(_rules, _no_rules),
    ),
    exchange(*[_challenge] * 5),
    seq(_split(_source_info), _split(_players), _split(_rules)),
    seq(many(seq(_stray_part, BREAK), 12), many(_split(_source_info), 12)),
    exchange(*[_open_part] * 12),
    seq(*[_split(seq(b"x"), ("bad bzip2",))] * 12),
    seq(*[_flood] * 50),
)
