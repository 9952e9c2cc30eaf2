"""Grammars of replies by GameSpy's and Unreal Engine 2's protocols."""

from typing import Final

from fuzz_fields import BREAK, TOKENS, exchange, string, u8, u32
from fuzz_grammar import either, many, maybe, mostly, seq, sized, text

from browser_app.protocols import unreal2
from browser_app.protocols.gamespy import gamespy3
from browser_app.protocols.gamespy.gamespy_reply import MAX_DATAGRAM_BYTES, MAX_RULES

_too_large = bytes(MAX_DATAGRAM_BYTES)
_key = either(b"hostname", b"numplayers", b"maxplayers", b"mapname", b"gametype", b"password", b"hostport", text)
_value = either(b"8", b"True", b"7777", b"-1", b"mapname,p1073741825=DM-Deck,x", text)
_indexed = seq(either(b"player_", b"frags_", b"mesh_", b"ping_", b"team_"), either(b"0", b"1", b"255", b"9999"))
_pair = seq(b"\\", either(_key, _indexed), b"\\", _value)
_part = seq(
    b"\\hostname\\A", many(_pair, 8), b"\\queryid\\", either(b"1.1", b"1.2", b"7.65", b"9"), maybe(b"\\final\\")
)
GAMESPY1: Final = exchange(
    mostly(
        seq(b"\\hostname\\A", many(_pair, 8), b"\\final\\"),
        _part,
        seq(_part, _too_large),
        b"\\hostname\\A" + b"\\" * 12_000 + b"\\final\\",
    ),
    _part,
    seq(_part, b"\\final\\"),
)

_token2 = either(*(token[:4] for token in TOKENS))
_names2 = mostly(b"player_\0score_\0", b"x\0" * 40)
_players2 = seq(b"\0", u8, _names2, b"\0", many(seq(string, string)), maybe(b"\0\1team_t\0\0", string))
_many_rules = b"".join(b"%d\0\0" % number for number in range(MAX_RULES + 1))
_rules = seq(b"hostname\0", string, mostly(many(seq(_key, b"\0", _value, b"\0"), 6), _many_rules), mostly(b"\0", b""))
GAMESPY2: Final = exchange(
    mostly(seq(b"\0", _token2, _rules), _too_large),
    seq(b"\0", either(*(token[4:] for token in TOKENS)), mostly(_players2, text)),
)

_field = seq(
    either(b"player_", b"score_", b"AIBot_", b"team_"), b"\0", mostly(b"\0", u8), many(seq(_value, b"\0")), b"\0"
)
_section = either(seq(b"\0", _rules), seq(b"\1", many(_field)), seq(b"\2", many(_field)), seq(u8, text))
_part3 = seq(
    b"\0", _token2, gamespy3.PART_HEADER, either(b"\0", b"\1", b"\x80", b"\x81", u8), b"\0", _rules, many(_section, 3)
)
GAMESPY3: Final = exchange(
    mostly(seq(b"\x09", _token2, mostly(either(b"1234\0", b"-7\0"), text)), _too_large),
    seq(b"\0", _token2, gamespy3.PART_HEADER, b"\x80\0", _rules, many(_section, 3)),
    _part3,
    _part3,
)

_pascal = mostly(
    sized(seq(text, b"\0"), lambda size: bytes([size & 0x7F])),
    sized(text, lambda size: bytes([0x80 | (size // 2) & 0x7F])),
    b"\0",
)
_info = seq(
    b"\x80\0\0\0" + unreal2.INFO, u32, b"\0", mostly(b"\x61\x1e\0\0", u32), u32, _pascal, _pascal,
    mostly(b"\x0cxDeathMatch\0", _pascal), mostly(b"\2\0\0\0", u32), mostly(b"\x10\0\0\0", u32), maybe(u32),
)  # fmt: skip
_unreal2_player = seq(u32, _pascal, u32, u32, u32)
_unreal2_players = seq(b"\x80\0\0\0" + unreal2.PLAYERS, mostly(many(_unreal2_player), bytes(17 * 256)))
_many_rules2 = b"".join(b"\x05%04d\0\0" % number for number in range(unreal2.MAX_RULES + 1))
_unreal2_rules = seq(
    b"\x7f\0\0\0" + unreal2.RULES,
    mostly(many(seq(_pascal, _pascal)), _many_rules2),
    maybe(b"\x08Mutator\0", _pascal),
)
_two_hundred_players = b"\x80\0\0\0" + unreal2.PLAYERS + bytes(17 * 200)
_crowded_info = b"\x80\0\0\0" + unreal2.INFO + bytes(16) + b"\xff\1\0\0\xff\1\0\0"
UNREAL2: Final = mostly(
    exchange(
        mostly(_info, seq(_info, bytes(unreal2.MAX_REPLY_BYTES))), _unreal2_players, _unreal2_players, _unreal2_rules
    ),
    exchange(_crowded_info, _two_hundred_players, _two_hundred_players),
)

_address = mostly(b"192.0.2.7:7778", b"192.0.2.7", b"127.0.0.1:1", text)
GAMESPY_LISTS: Final = seq(
    mostly(b"\\basic\\\\secure\\ABCDEF", b"\\basic\\", seq(b"\\", text, text), text),
    BREAK,
    many(seq(b"\\", mostly(b"ip", text), b"\\", _address)),
    mostly(b"\\final\\", b"\\final", b"\\", bytes(600)),
)
"""What a master sends: the challenge, then the list."""
