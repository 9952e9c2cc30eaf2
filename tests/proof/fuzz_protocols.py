"""Grammars of what servers, masters and clients send, by the formats' documents."""

import random
from collections.abc import Mapping
from typing import Final
from zlib import crc32

import fuzz_a2s_grammar
import fuzz_cube2_grammar
import fuzz_free_games_grammar
from fuzz_fields import TOKENS, exchange, string, u8, u16, u32
from fuzz_gamespy_grammar import GAMESPY1, GAMESPY2, GAMESPY3, UNREAL2
from fuzz_grammar import Fields, Grammar, digits, either, many, maybe, mostly, number, seq, sized, text
from fuzz_http_grammar import MINDUSTRY, STATION
from fuzz_srb2_grammar import SRB2
from fuzz_texts import json_list, json_object, quoted

from browser_app.protocols import luanti
from browser_app.protocols.a2s import a2s
from browser_app.protocols.address import Address
from browser_app.protocols.doom import doom_masters, doom_server, odamex, zandronum
from browser_app.protocols.doom.doom_reader import MAX_DATAGRAM_BYTES
from browser_app.protocols.doom.odamex import OdamexPlayer, OdamexReply
from browser_app.protocols.doom.zandronum import ZandronumPlayer, ZandronumReply
from browser_app.protocols.doom.zandronum_huffman import MAX_DECOMPRESSED_BYTES, compress, decompress
from browser_app.protocols.minecraft import bedrock
from browser_app.protocols.minecraft.java import encode_varint
from browser_app.protocols.quake import dpmaster, infostring, quake2, quake3, quakeworld
from browser_app.protocols.san_andreas import ase, mta_list
from browser_app.protocols.san_andreas.samp import SAMP, VCMP, SampDialect
from browser_app.protocols.teeworlds import teeworlds06, teeworlds07, teeworlds_master
from browser_app.protocols.teeworlds.teeworlds_reply import derive_token

SERVER: Final = Address("192.0.2.7", 27015)
"""The server that is queried."""
_token = mostly(either(*TOKENS), b"token999")

# Quake III and DarkPlaces

_info_key = either(
    b"challenge", b"hostname", b"mapname", b"sv_maxclients", b"clients", b"bots", b"qcstatus", b"gamename", text
)
_qcstatus = seq(
    either(b"ctf", b"duel", text), b":", text, many(seq(b":", either(b"P0", b"S13", b"F0", b"MXonotic", b"S", text))),
    maybe(b"::score!!:caps!:5:2:14:1"),
)  # fmt: skip
_infostring = seq(
    many(seq(b"\\", _info_key, b"\\", either(text, digits, _qcstatus)), 8),
    maybe(b"\\challenge\\", _token), maybe(b"\\qcstatus\\", _qcstatus),
)  # fmt: skip
_player_line = seq(
    either(digits, b"-666", b"1.5"),
    b" ",
    either(digits, b"40"),
    maybe(b" ", either(digits, b"5")),
    b' "',
    either(text, b'a "b"'),
    b'"',
    maybe(b" ", digits),
    either(b"\n", b""),
)
QUAKE3: Final = exchange(
    maybe(b"\xff\xff\xff\xffdisconnect"),
    either(
        seq(
            quake3.STATUS_RESPONSE_HEADER, _infostring, either(b"\n", b""), many(_player_line, 8), either(b"", b"\0\0")
        ),
        seq(quake3.INFO_RESPONSE_HEADER, _infostring, maybe(b"\n")),
        seq(quake3.STATUS_RESPONSE_HEADER, b"\\a\\b\n", b"x" * infostring.MAX_REPLY_BYTES),
    ),
)

# Masters

_numbering = seq(
    b"\0", either(b"1", b"2", b"99999", digits), b"\0", either(b"1", b"2", digits),
    maybe(b"\0", either(b"", b"featured", text), maybe(b"\0")),
)  # fmt: skip
_mapped_ipv4 = b"/" + bytes(10) + b"\xff\xff\xc0\0\2\7"
_record = either(
    seq(b"\\", number(4), either(b"\x69\x87", u16)), seq(b"/", number(16), b"\x69\x87"), seq(_mapped_ipv4, b"\x69\x87"),
    b"\\\xff\xff\xff\xff\x69\x87", b"\\\xc0\0\2\7\0\0", b"\\C00002076987", b"\\C00002070000",
)  # fmt: skip
SERVER_LISTS: Final = seq(
    either(
        dpmaster.SERVERS_RESPONSE,
        dpmaster.EXTENDED_SERVERS_RESPONSE,
        dpmaster.EXTENDED_SERVERS_RESPONSE + b"Links",
        text,
    ),
    maybe(_numbering),
    maybe(either(b"\n\0", b"\n", b" ")),
    many(_record, 6),
    maybe(either(b"\\EOT\0\0\0", b"\\EOF", b"\\EOT\x69\x87")),
    maybe(text),
)
MASTER_REQUESTS: Final = seq(
    mostly(b"\xff\xff\xff\xff", b""), mostly(either(b"getservers", b"getserversExt"), b"heartbeat", text), b" ",
    mostly(b"Xonotic ", b" ", digits, text), mostly(b"3", digits), maybe(b" empty"), maybe(b" full"),
    maybe(b" ipv4"), maybe(b" ipv6"), mostly(b"", b"x" * 3000),
)  # fmt: skip
LAN_WORLDS: Final = seq(
    b"[MOTD]", text, b"[/MOTD][AD]", maybe(b"192.0.2.7:"), mostly(b"51234", digits), b"[/AD]", mostly(b"", text)
)
SERVER_REQUESTS: Final = either(
    seq(either(a2s.INFO_REQUEST, a2s.PLAYERS_REQUEST, a2s.RULES_REQUEST), maybe(either(b"\1\2\3\4", a2s.NO_CHALLENGE))),
    seq(
        b"\xff\xff\xff\xff", either(b"getstatus", b"getinfo", text), maybe(b" ", _token), maybe(b" more"), maybe(b"\n")
    ),
    seq(either(b"xe\0\0\0\0", b"\xff" * 6), b"\xff\xff\xff\xffgie3", u8),
    seq(teeworlds07.build_token_request(b"abcd")),
    seq(teeworlds07.build_info_request_07(b"abcd", b"efgh", 1)[:-1], many(u8, 5)),
    seq(b"\xff\xff\xff\xff", either(b"status", b"k", b"ping"), maybe(b" ", digits), maybe(b"\n")),
    seq(zandronum.build_zandronum_request(1)[:5], maybe(u32, u32, u32)),
    mostly(odamex.build_odamex_request(1), seq(u32, odamex.build_odamex_request(1)[4:])),
)

# Teeworlds

_tokens06 = [derive_token(token, 24) for token in TOKENS]
_tokens07 = [derive_token(token, 32).to_bytes(4, "big") for token in TOKENS]


def _token06(rng: random.Random) -> Fields:
    number = rng.choice(_tokens06)
    return [str(rng.choice((number, number & 0xFF, 7))).encode() + b"\0"]


_number06 = seq(mostly(either(b"0", b"1", b"2", b"16"), digits), b"\0")
_client06 = seq(string, string, b"-1\0", _number06, either(b"0\0", b"1\0"))
_texts06 = seq(string, string, string)
_vanilla_info = seq(
    teeworlds06.REPLY_HEADER,
    teeworlds06.VANILLA_INFO,
    _token06,
    _texts06,
    string,
    _number06,
    _number06,
    _number06,
    _number06,
    _number06,
    many(_client06),
)
_extended_info = seq(
    teeworlds06.REPLY_HEADER,
    teeworlds06.EXTENDED_INFO,
    _token06,
    _texts06,
    b"0\0",
    b"0\0",
    string,
    _number06,
    _number06,
    _number06,
    _number06,
    _number06,
    b"\0",
    many(seq(_client06, b"\0")),
)
_more_clients = seq(
    teeworlds06.REPLY_HEADER,
    teeworlds06.MORE_CLIENTS,
    _token06,
    either(b"1\0", b"2\0", digits),
    b"\0",
    many(seq(_client06, b"\0")),
)
TEEWORLDS06: Final = either(
    exchange(_vanilla_info),
    exchange(either(_extended_info, _more_clients), _more_clients, _extended_info),
    exchange(seq(_extended_info, b"x" * 9000)),
)

_int07 = mostly(either(b"\0", b"\1", b"\x10", b"\x80\1"), b"\x41", seq(b"\x80" * 5, b"\1"), u8)
_token_reply07 = seq(
    teeworlds07.CONTROL_HEADER,
    mostly(either(*_tokens07), b"abcd"),
    mostly(teeworlds07.TOKEN_MESSAGE, b"\4"),
    mostly(b"srv1", teeworlds07.NO_TOKEN),
)
_client07 = seq(string, string, _int07, _int07, either(b"\0", b"\1", b"\2"))


def _info_token07(rng: random.Random) -> Fields:
    from browser_app.protocols.teeworlds.teeworlds_reply import pack_int

    return [pack_int(rng.choice((derive_token(rng.choice(TOKENS)[::-1], 24), 7)))]


_info07 = seq(
    teeworlds07.CONNECTIONLESS_HEADER,
    mostly(either(*_tokens07), b"abcd"),
    mostly(b"srv1", b"abcd"),
    teeworlds07.INFO_REPLY,
    _info_token07,
    string,
    string,
    string,
    string,
    string,
    _int07,
    _int07,
    _int07,
    _int07,
    _int07,
    _int07,
    many(_client07),
)


def _old_info07(rng: random.Random) -> Fields:
    """DDNet's reply in version 0.6, which repeats the token of version 0.7."""
    token = derive_token(rng.choice(TOKENS)[::-1], 24)
    return [
        teeworlds06.REPLY_HEADER, teeworlds06.VANILLA_INFO, str(token).encode() + b"\0", *_texts06(rng), *string(rng),
        *(field for _ in range(5) for field in _number06(rng)),
    ]  # fmt: skip


TEEWORLDS07: Final = either(
    exchange(_token_reply07, maybe(_token_reply07), either(_info07, _old_info07, _token_reply07), _info07),
    exchange(either(_info07, seq(_info07, b"x" * 9000)), _token_reply07),
)

_list_part07 = seq(
    teeworlds07.CONNECTIONLESS_HEADER, mostly(b"ownt", number(4)), mostly(b"srv1", number(4)),
    mostly(teeworlds_master.LIST_REPLY, text),
    many(seq(either(bytes(10) + b"\xff\xff\xc0\0\2\7", number(16)), mostly(b"\x20\x6f", b"\0\0"))), maybe(text),
)  # fmt: skip
_master_token07 = seq(
    teeworlds07.CONTROL_HEADER, mostly(b"ownt", number(4)), mostly(teeworlds07.TOKEN_MESSAGE, b"\4"),
    mostly(b"srv1", teeworlds07.NO_TOKEN, b""),
)  # fmt: skip
TEEWORLDS_MASTER: Final = exchange(mostly(_master_token07, _list_part07), mostly(_list_part07, _master_token07))

# Minecraft and San Andreas

_bedrock_text = seq(
    either(b"MCPE", b"MCEE", text),
    b";",
    text,
    b";",
    digits,
    b";",
    text,
    b";",
    either(b"2", digits),
    b";",
    either(b"16", digits),
    maybe(b";", text, b";", text, b";", text, maybe(b";", digits, b";", either(b"19132", digits), b";", digits, b";")),
)
BEDROCK: Final = exchange(
    seq(
        bedrock.UNCONNECTED_PONG, _token, number(8), bedrock.OFFLINE_MESSAGE_ID,
        sized(either(_bedrock_text, seq(_bedrock_text, b"x" * 3000)), lambda size: (size & 0xFFFF).to_bytes(2, "big")),
    ),
    maybe(bedrock.UNCONNECTED_PONG, _token),
)  # fmt: skip


_component = either(
    quoted(text), json_object({b"text": quoted(text), b"extra": json_list(quoted(text)), b"translate": b"7"}),
    b"[" * 20 + b'"x"' + b"]" * 20,
)  # fmt: skip
_java_status = json_object(
    {
        b"version": json_object({b"name": quoted(text), b"protocol": b"47"}),
        b"players": json_object(
            {b"online": either(b"2", b"-1"), b"max": b"20", b"sample": json_list(json_object({b"name": b'"Ann"'}))}
        ),
        b"description": _component,
    }
)
_java_body = seq(mostly(b"\0", b"\1"), sized(mostly(_java_status, b"[]", b"{", text), encode_varint))
MINECRAFT: Final = exchange(
    mostly(
        sized(_java_body, encode_varint),
        b"\xff\xff\xff\xff\xff\1",
        b"\0",
        b"\xff\xff\x7f",
        b"\x80",
        seq(sized(_java_body, encode_varint), b"x"),
    ),
    maybe(b"\t\1", _token),
    maybe(sized(_java_body, encode_varint)),
)
_luanti_greeting = seq(luanti.PROTOCOL_ID, b"\0\1", b"\0", b"\3", u16, b"\0\1", mostly(u16, b""))
LUANTI: Final = exchange(mostly(_luanti_greeting, luanti.build_luanti_ping(), text), maybe(_luanti_greeting))


def _short_text(rng: random.Random) -> Fields:
    return [text(rng)[0][:200]]


_ase_text = sized(_short_text, lambda size: bytes([(size + 1) & 255]))
_ase_number = sized(mostly(either(b"22003", b"2"), digits), lambda size: bytes([(size + 1) & 255]))


def _ase_player(rng: random.Random) -> Fields:
    flags = rng.choice((0, 1, 63, 255, rng.randrange(256)))
    return [bytes([flags]), *(field for bit in range(6) if flags >> bit & 1 for field in _ase_text(rng))]


_ase_reply = seq(
    ase.STATUS_HEADER, _ase_text, _ase_number, _ase_text, _ase_text, _ase_text, _ase_text, _ase_number, _ase_number,
    _ase_number, many(seq(_ase_text, _ase_text)), b"\1", many(_ase_player), mostly(b"", b"x" * ase.MAX_REPLY_BYTES),
)  # fmt: skip
ASE: Final = exchange(_ase_reply, maybe(_ase_reply))


_mta_text = sized(_short_text, lambda size: bytes([size & 255]))
_mta_fields = seq(
    number(2, "big"), number(2, "big"), _mta_text, _mta_text, _mta_text, _mta_text, _mta_text, u8, u8,
    mostly(b"\0\2", number(2, "big")), many(_mta_text), maybe(b"\0"),
)  # fmt: skip
_mta_record = sized(
    seq(mostly(b"\7\2\0\xc0", number(4)), mostly(b"\x55\xf3", number(2, "big")), mostly(_mta_fields, text)),
    lambda size: (size + 2).to_bytes(2, "big"),
)
MTA_LISTS: Final = seq(
    b"\0\0", mostly(mta_list.VERSION.to_bytes(2, "big"), u16), b"\0\0", mostly(b"\x1f\xff", u16), number(4),
    mostly(b"\0\0\0\2", number(4)), many(_mta_record),
)  # fmt: skip


def _samp(dialect: SampDialect) -> Grammar:
    where = bytes((192, 0, 2, 7)) + SERVER.port.to_bytes(2, "little")
    head = seq(dialect.reply_magic, where)
    version = seq(text) if dialect.version_bytes else seq(b"")
    long_text = sized(text, lambda size: size.to_bytes(4, "little"))
    short_text = sized(_short_text, lambda size: bytes([size & 255]))
    count = either(b"\0\0", b"\1\0", b"\2\0", u16)

    def version_field(rng: random.Random) -> Fields:
        return [b"".join(version(rng))[: dialect.version_bytes].ljust(dialect.version_bytes, b"\0")]

    info = seq(head, b"i", version_field, u8, count, count, long_text, long_text, long_text)
    players = seq(head, b"c", count, many(seq(short_text, u32) if dialect.has_details else seq(short_text)))
    rules = seq(head, b"r", count, many(seq(short_text, short_text)))
    headless = seq(head, either(b"c", b"r"), maybe(u8))
    return exchange(
        mostly(info, seq(info, b"x" * 20_000)),
        mostly(either(players, rules), headless),
        mostly(rules, headless),
        either(seq(head, b"p", _token), info),
    )


# QuakeWorld and Quake II

_early_key = either(
    b"hostname", b"map", b"mapname", b"maxclients", b"*version", b"mode", b"teamplay", b"deathmatch", b"needpass",
    b"gamename", b"sv_hostname", b"match_type", text,
)  # fmt: skip
_early_info = seq(
    many(seq(b"\\", _early_key, b"\\", either(text, digits, b"QTV 1.0", b"kpded")), 8), mostly(b"\n", b"")
)
_quakeworld_line = seq(
    digits, b" ", either(digits, b"S", b"-9999"), b" ", digits, b" ", either(digits, b"-999"), b' "',
    either(text, b'a "b', b"\\s\\Bo", b"BOT:Bo"), b'" "', text, b'" ', digits, b" ", digits,
    maybe(b' "', either(text, b"red"), b'"', maybe(b' "b"')), mostly(b"\n", b""),
)  # fmt: skip
QUAKEWORLD: Final = exchange(
    mostly(
        seq(maybe(b"\xff"), quakeworld.STATUS_HEADER, _early_info, many(_quakeworld_line, 8), maybe(b"\0")),
        seq(quakeworld.STATUS_HEADER, text),
        seq(quakeworld.STATUS_HEADER, b"\\a\\b\n", b"x" * infostring.MAX_REPLY_BYTES),
    ),
    maybe(quakeworld.STATUS_HEADER, _early_info, _quakeworld_line),
    maybe(quakeworld.PING_REPLY),
)
_quake2_line = either(
    seq(digits, b" ", digits, b' "', text, b'"', maybe(b' "192.0.2.1:27901"'), mostly(b"\n", b"")),
    seq(b"\\score\\", digits, b"\\ping\\", digits, b"\\name\\", text, maybe(b"\\ai\\1"), b"\n"),
)
QUAKE2: Final = exchange(
    mostly(
        seq(either(quake2.STATUS_HEADER, quake2.QUETOO_STATUS_HEADER), _early_info, many(_quake2_line, 8)),
        seq(quake2.STATUS_HEADER, text),
        seq(quake2.STATUS_HEADER, b"\\a\\b\n", b"x" * infostring.MAX_REPLY_BYTES),
    ),
    maybe(quake2.PING_REPLY),
)
_six_bytes = seq(mostly(b"\xc0\0\2\7", number(4)), mostly(b"\x6b\x6c", b"\0\0"))
ADDRESS_LISTS: Final = seq(
    mostly(b"", b"\xff"), mostly(b"\xff\xff\xff\xff", u32), either(b"d\n", b"servers ", b"servers\n", text),
    many(_six_bytes, 8), maybe(text),
)  # fmt: skip
WEB_ADDRESS_LISTS: Final = either(
    many(_six_bytes, 8),
    many(seq(either(b"192.0.2.7", b"[2001:db8::1]", text), b":", digits, either(b"\n", b"\r\n"))),
    b"<html>",
    text,
)

# Doom

_token_sum = crc32(TOKENS[0])
_doom_token = either(*(crc32(token).to_bytes(4, "little") for token in TOKENS), u32)
_count = either(b"\0", b"\1", b"\2", u8)
_doom_texts = seq(_count, many(string))
_fields = mostly(
    zandronum.REQUESTED.to_bytes(4, "little"), (zandronum.REQUESTED & ~(1 << 21)).to_bytes(4, "little"), u32
)
_zandronum_player = seq(string, u16, u16, u8, u8, maybe(u8), u8)
_zandronum_reply = seq(
    zandronum.ACCEPTED.to_bytes(4, "little"), _doom_token, string, _fields, string, string, string, u8, u8, _doom_texts,
    u8, u8, u8, string, string, u8, u8, u8, u16, mostly(b"\0\0", seq(u16, u16)), u16, u16, u16, _count,
    many(_zandronum_player), maybe(u8), _count, many(u8), _doom_texts, mostly(b"\6\0\0\0", u32), b"SWE", string,
)  # fmt: skip
_whole_zandronum_reply = doom_server.encode_zandronum_reply(
    ZandronumReply("3.2", "A", players=(ZandronumPlayer("Ann", 5, 40, False, False, 1, 7),), has_teams=True), _token_sum
)
_with_checksums = b"\xff" + decompress(_whole_zandronum_reply)[:-8] + b"\7\0\0\0\1sum\0XUN\0"
_too_long = b"\xff" + bytes(MAX_DECOMPRESSED_BYTES)
_too_long_decompressed = compress(bytes(MAX_DECOMPRESSED_BYTES + 1))
_zandronum_refusal = seq(either(b"\x78\x5d\x56\0", b"\x79\x5d\x56\0"), _doom_token)


def _zandronum_coded(part: Grammar) -> Grammar:
    return either(seq(b"\xff", part), lambda rng: [compress(b"".join(part(rng)))])


ZANDRONUM: Final = exchange(
    mostly(
        either(_zandronum_coded(_zandronum_reply), _whole_zandronum_reply, _with_checksums),
        _zandronum_coded(_zandronum_refusal),
        seq(u8, text),
        _too_long,
        _too_long_decompressed,
    ),
    maybe(_zandronum_coded(_zandronum_refusal)),
)
_zandronum_announcement = doom_server.encode_zandronum_reply(ZandronumReply("3.2", "A"), 0)
LAN_ZANDRONUM_SERVERS: Final = mostly(
    either(_zandronum_announcement, _zandronum_coded(_zandronum_reply)), _zandronum_coded(_zandronum_refusal)
)
_hash = either(b"\0", seq(b"\x10", number(8), number(8)), u8)
_variable = seq(
    mostly(either(b"sv_hostname\0", b"sv_gametype\0", b"sv_timelimit\0", b"sv_maxclients\0"), string),
    either(b"\1", seq(b"\2", u8), seq(b"\3", u16), seq(b"\4", u32), seq(b"\5", digits, b"\0"), seq(b"\6", string), u8),
)  # fmt: skip
_odamex_player = seq(string, u32, maybe(u8), u16, u16, u8, u16, u16, u16)
_odamex_settings = [
    {"sv_gametype": str(game_type), "sv_maxplayers": "2"} for game_type in (odamex.DEATHMATCH, min(odamex.TEAM_GAMES))
]
_odamex_ann = OdamexPlayer("Ann", None, 40, 7, False, 5)
_whole_odamex_replies = [
    doom_server.encode_odamex_reply(
        OdamexReply("", "", settings, False, "MAP01", None, (), (), (_odamex_ann,)), _token_sum
    )
    for settings in _odamex_settings
]
_odamex_reply = seq(
    mostly(b"\x03\x20\x03\xad", b"\x01\x20\x03\xad", u32), u32, u32, _doom_token, u32, string, _count,
    many(_variable), _hash, string, maybe(u16), maybe(_count, many(seq(string, u32, u16))), _doom_texts, _count,
    many(seq(string, _hash)), _count, many(_odamex_player),
)  # fmt: skip
ODAMEX: Final = exchange(
    mostly(either(_odamex_reply, *_whole_odamex_replies), bytes(MAX_DATAGRAM_BYTES + 1)),
    maybe(b"\x01\x20\x03\xad", u32, u32, _doom_token),
)
CHOCOLATE_DOOM: Final = exchange(
    seq(mostly(b"\0\x0e", u16), string, u8, u8, u8, u8, u8, string, maybe(b"\1CHOCOLATE_DOOM_0\0"))
)
_ports = seq(_count, number(4), many(u16))
DOOM_LISTS: Final = either(
    _zandronum_coded(seq(mostly(b"\6\0\0\0", u32), u8, b"\x08", many(_ports), b"\0", either(b"\7", b"\2", u8))),
    seq(mostly(doom_masters.ODAMEX_LIST, u32), u16, many(seq(number(4), u16))),
    seq(mostly(b"\0\3", u16), many(seq(either(b"192.0.2.7:2342", text), b"\0"))),
)

GRAMMARS: Final[Mapping[str, Grammar]] = {
    "a2s": fuzz_a2s_grammar.A2S,
    "quake3": QUAKE3,
    "darkplaces": QUAKE3,
    "fivem": QUAKE3,
    "teeworlds06": TEEWORLDS06,
    "teeworlds07": TEEWORLDS07,
    "minecraft": MINECRAFT,
    "bedrock": BEDROCK,
    "luanti": LUANTI,
    "ase": ASE,
    "quakeworld": QUAKEWORLD,
    "hexenworld": QUAKEWORLD,
    "quake2": QUAKE2,
    "zandronum": ZANDRONUM,
    "odamex": ODAMEX,
    "chocolate-doom": CHOCOLATE_DOOM,
    "samp": _samp(SAMP),
    "vcmp": _samp(VCMP),
    **fuzz_cube2_grammar.GRAMMARS,
    **fuzz_free_games_grammar.GRAMMARS,
    "ss14": STATION,
    "gamespy1": GAMESPY1,
    "gamespy2": GAMESPY2,
    "gamespy3": GAMESPY3,
    "unreal2": UNREAL2,
    "mindustry": MINDUSTRY,
    "srb2": SRB2,
}
"""Of the exchanges of each query protocol, by name."""
