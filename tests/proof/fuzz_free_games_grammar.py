"""Grammars of servers and lists of OpenTTD, BZFlag, Armagetron and others."""

import random
from collections.abc import Mapping
from typing import Final

from fuzz_fields import TOKENS, exchange, string, u8, u16, u32
from fuzz_grammar import Fields, Grammar, digits, either, many, maybe, mostly, number, seq, sized, text

from browser_app.protocols import armagetron, bzflag, mumble
from browser_app.protocols.openttd import coordinator, game_info

_token = mostly(either(*TOKENS), b"token999")
_settings = seq(number(16), number(13))
_bzflag_body = seq(mostly(b"BZFS0221", b"BZFSabcd"), number(13), _settings)
_bzflag = sized(
    seq(mostly(bzflag.PING_REPLY_CODE.to_bytes(2, "big"), u16), mostly(_bzflag_body, text)),
    lambda size: max(0, size - 2).to_bytes(2, "big"),
)
_swapped = either(*map(armagetron.encode_armagetron_text, ("", "Rig", "0xff0000Rig 0xRESETT", "Ann\nBob\n", "x" * 300)))
_long = mostly(either(b"\0\2\0\0", b"\x11\xb6\0\0"), number(4))
_small_reply = seq(b"\0\x32", number(4), _long, maybe(number(8)))
_big_reply = seq(
    b"\0\x33", number(4), _long, _swapped, _swapped, _long, _long, _long, _swapped, _long, _swapped,
    maybe(_swapped, maybe(_swapped)), mostly(b"", b"x" * armagetron.MAX_REPLY_BYTES),
)  # fmt: skip
_kart_text = sized(lambda rng: [text(rng)[0][:200]], lambda size: bytes([size & 255]))
_newgrf = seq(u32, maybe(number(16)), maybe(string))


def _game_info(rng: random.Random) -> Fields:
    version = rng.choice((1, 2, 3, 4, 5, 6, 6, 6, 7, 7, 9))
    parts: list[Grammar | bytes] = [bytes([version])]
    parts += [number(8)] if version >= 7 else []
    parts += [either(b"\0", b"\1", b"\2")] if version >= 6 else []
    parts += [u32, string] if version >= 5 else []
    parts += [either(b"\0", seq(b"\1", _newgrf))] if version >= 4 else []
    parts += [number(8)] if version >= 3 else []
    parts += [number(3)] if version >= 2 else []
    parts += [string, string]
    parts += [u8] if version < 6 else []
    parts += [either(b"\0", b"\1"), number(3)]
    parts += [u32] if version < 3 else []
    parts += [string] if version < 6 else []
    return seq(*parts, u16, u16, either(b"\0", b"\3", u8), b"\1")(rng)


def _packet(kind: int, body: Grammar) -> Grammar:
    return sized(seq(mostly(bytes([kind]), u8), body), lambda size: (size + 2).to_bytes(2, "little"))


GRAMMARS: Final[Mapping[str, Grammar]] = {
    "openttd": exchange(_packet(game_info.GAME_INFO_REPLY, _game_info), maybe(text)),
    "bzflag": exchange(_bzflag, maybe(_bzflag)),
    "armagetron": exchange(mostly(_small_reply, _big_reply), mostly(_big_reply, _small_reply), maybe(_big_reply)),
    "stk": exchange(
        seq(u32, _kart_text, u8, u8, mostly(b"\x0a\xc7", b"\0\0"), u8, u8, either(b"\0", b"\1"), b"\1", _kart_text),
        maybe(text),
    ),
    "mumble": exchange(
        seq(mostly(b"\0\1\3\4", u32), _token, u32, u32, u32),
        maybe(mumble.PING_REQUEST, _token),
    ),
}
"""Of the exchanges of each query protocol, by name."""
_hex = mostly(either(*(number.hex().encode() for number in (bytes(29), bytes(range(29)), b"\xff" * 29))), text)
_bzflag_line = mostly(
    seq(
        either(b"a.example:5154", b"[2001:db8::1]:5154", text), b" ", mostly(b"BZFS0221", text), b" ", _hex, b" ",
        mostly(b"192.0.2.7", b"0.0.0.0", text), maybe(b" ", text),
    ),
    b"NOTICE: a", text,
)  # fmt: skip
BZFLAG_LISTS: Final = seq(many(seq(_bzflag_line, mostly(b"\n", b"\r\n")), 6), mostly(b"", b"x" * 5000))
_kart_attribute = seq(
    either(
        b"name", b"ip", b"port", b"max_players", b"current_players", b"game_mode", b"password", b"current_track",
        b"difficulty", b"game_started",
    ),
    b'="', mostly(either(b"1", b"8", b"3221225991", b"A &amp; B"), digits, text, b"&lt;", b"&x;"), b'" ',
)  # fmt: skip
_kart_player = b'<player-info username="Ann"/>'  # as many as `current_players` says
_kart_server = seq(
    b"<server>",
    mostly(seq(b"<server-info ip='3221225991' port='2759' max_players='8' current_players='1' ", b"/>"),
           seq(b"<server-info ", many(_kart_attribute, 10), b"/>")),
    maybe(b"<players>", mostly(_kart_player, many(seq(b'<player-info username="', text, b'"/>'))), b"</players>"),
    b"</server>",
)  # fmt: skip
SUPERTUXKART_LISTS: Final = seq(
    maybe(b'<?xml version="1.0"?>'),
    mostly(b"", b'<!DOCTYPE a [<!ENTITY x "y">]>'),
    b"<list>",
    mostly(b"", b"<!-- " + b"x" * 48_000 + b"-->"),
    mostly(b"<servers>", b"<x>"),
    many(_kart_server),
    mostly(b"</servers>", b"</x>"),
    b"</list>",
    maybe(text),
)
_voice_attribute = seq(
    mostly(either(b"name", b"ip", b"port", b"ca", b"url"), text), b'="',
    mostly(either(b"64738", b"192.0.2.7", b"a.example", b"A &amp; B"), digits, text, b"&lt;", b"&x;"), b'" ',
)  # fmt: skip
MUMBLE_LISTS: Final = seq(
    mostly(b"", b'<!DOCTYPE a [<!ENTITY x "y">]>'),
    mostly(b"<servers>", b"<x>"),
    many(
        mostly(
            seq(b"<server name='A' ip='192.0.2.7' port='64738' ", b"/>"),
            seq(b"<server ", many(_voice_attribute, 10), b"/>"),
        )
    ),
    mostly(b"</servers>", b"</x>"),
)
_listed = seq(mostly(either(b"192.0.2.7:3979\0", b"+AbC1\0"), string), _game_info)
LAN_MTA_SERVERS: Final = seq(mostly(b"MTA-SERVER ", text), mostly(b"22003", digits), mostly(b"\0", text))
LAN_OPENTTD_SERVERS: Final = mostly(b"\3\0\1", seq(u16, u8, text))
OPENTTD_LISTS: Final = seq(
    many(
        either(
            _packet(coordinator.LISTING, seq(b"\1\0", _listed)),
            _packet(coordinator.LISTING, seq(b"\2\0", _listed, _listed)),
            _packet(coordinator.NEWGRF_LOOKUP, seq(text)),
        )
    ),
    mostly(_packet(coordinator.LISTING, seq(b"\0\0")), text),
)
