"""Grammars of texts: addresses, links, tags, and lists of servers in JSON."""

import random
from collections.abc import Mapping
from typing import Final

from fuzz_grammar import Fields, Grammar, Part, digits, either, many, maybe, mostly, seq, text

_host = mostly(
    either(
        b"192.0.2.7", b"example.org", b"[2001:db8::7]", b"[::ffff:192.0.2.7]", b"[2002:c000:207::1]", b"[fe80::1%lo]"
    ),
    b"224.0.0.1",
    b"255.255.255.255",
    b"2001:db8::7",
    b"[2001:db8::7",
    b"[::1]",
    b"-bad-",
    text,
)
ADDRESSES: Final = seq(maybe(b" "), _host, mostly(b":27015", b":0", seq(b":", digits), b""))
_IP_NETWORKS: Final = (
    "192.0.2.7", "::", "::1", "::192.0.2.7", "::ffff:192.0.2.7", "::ffff:0:192.0.2.7", "64:ff9b::192.0.2.7",
    "2002:c000:207::1", "2001:0:1::1", "2001:db8:1:2::7",
)  # fmt: skip
IP_ADDRESSES: Final = either(*(each.encode() for each in _IP_NETWORKS))

_protocol = mostly(either(b"a2s", b"quake3", b"darkplaces"), b"nothing")
SERVER_URLS: Final = seq(_protocol, b"://", ADDRESSES, maybe(b"/"))
_game = mostly(b"ns2", b"NS 2", text)
JOIN_LINKS: Final = seq(
    either(b"readyroom://join?", b"ReadyRoom://join?"),
    mostly(seq(b"server=", SERVER_URLS), b"", seq(b"server=", SERVER_URLS, b"&server=", SERVER_URLS)),
    maybe(b"&game=", _game),
    mostly(b"", b"&other=1", b"&"),
)
_shared = seq(b"server=", mostly(SERVER_URLS, b"a2s://192.0.2.7:27015"), maybe(b"/", _game, maybe(b"/", text)))
LIST_LINKS: Final = seq(
    mostly(b"readyroom://list?", b"readyroom://join?"),
    mostly(_shared, b"", b"other=1", b"&".join([b"server=a2s://192.0.2.7"] * 51), b"server=" + bytes(6000)),
    many(seq(b"&", _shared)),
    mostly(b"", b"&", b"&server=%ff", b"\0"),
)
SERVER_TEXTS: Final = either(
    either(
        b"224.0.0.1:27015",
        b"quake3://connect/192.0.2.7:27015",
        b"steam://connect/192.0.2.7:27015/a%22b",
        b"readyroom://join?game=ns2",
    ),
    JOIN_LINKS,
    ADDRESSES,
    SERVER_URLS,
    seq(
        b"steam://",
        either(b"connect/", b"run/"),
        ADDRESSES,
        maybe(b"/", either(b"secret", b"a;b", b"a%22b"), maybe(b"/")),
    ),
    seq(_protocol, b"://connect/", ADDRESSES),
    seq(
        maybe(b"connect "),
        ADDRESSES,
        maybe(b"; "),
        maybe(b"password ", either(b"secret", b'"a b"', text)),
        maybe(b";"),
        maybe(b" ; connect ", ADDRESSES),
    ),
    seq(b"password ", either(b"secret", text)),
    seq(b"x" * 600),
    b";",
    b" ",
)

_tag = either(b"P_S2592", b"P_S-1", b"P_S99999", b"R_S4", b"shine", b"NSL", b"rookie_only", b"ignore_playnow", text)
NS2_TAGS: Final = seq(
    either(b"344", b"A", digits), b"|", either(b"ns2", text), maybe(b"|", either(b"M", b"mod", b"")),
    many(seq(b"|", either(b"14", b"80", b"-200", digits))), many(seq(b"|", _tag), 6),
)  # fmt: skip
NS2_RULES: Final = seq(
    maybe(b"mods[1]\x001fa 2fb\0"),
    b"AverageSkill\0",
    either(b"1777.25", b"nan", b"-1", b"inf", b"1e9", text),
    maybe(b"\0"),
)
QCSTATUS: Final = seq(
    either(b"ctf", b"duel", text),
    b":",
    either(b"0.8.6", text),
    many(seq(b":", either(b"P0", b"S13", b"S", b"S\xc2\xb2", b"F0", b"MXonotic", text))),
    maybe(b"::score!!:caps!:5:2:14:1"),
)
COLOURED_TEXTS: Final = many(
    either(
        b"^1",
        b"^xf00",
        b"^^",
        b"^",
        b"^#ff0000",
        b"\xc2\xa7a",
        b"{ff0000}",
        b"#ff0000",
        "\ue041\u202e\x1b".encode(),
        text,
    ),
    8,
)
RELEASE_PAGES: Final = either(
    b"[" * 5000,
    b"[" + b"1," * 25_000 + b"1]",
    either(b"0.2.1", b"v1.2", b"0.2", b'"0.3"', digits),
    seq(
        b"[",
        many(seq(b'{"tag_name": "', either(b"v0.2", b"x"), b'", "draft": ', either(b"false", b"true"), b"},")),
        b'"0.3"',
        b"]",
    ),
)


# Lists in JSON

_space = either(b"", b"", b" ", b"\n", b"\t\r\n")
_odd_value = either(
    b"null", b"true", b"false", b"-1", b"0", b"1e400", b"NaN", b"9" * 30, b'""', b'"\\ud800"', b"[]", b"{}", b"[1, {}]"
)  # fmt: skip
_broken_value = either(b"", b"9" * 5000, b'"\xff"', b'"\n"', b"[" * 5000, b'"' + b"x" * 33_000 + b'"')


def _value(usual: Part, rng: random.Random) -> Fields:
    chance = rng.random()
    part = _broken_value if chance < 0.01 else _odd_value if chance < 0.1 else usual
    return [part] if isinstance(part, bytes) else part(rng)


def json_object(members: Mapping[bytes, Part]) -> Grammar:
    """An object; members may be missing or have odd values."""

    def build(rng: random.Random) -> Fields:
        fields = [b"{"]
        for key, value in members.items():
            if rng.random() < 0.9:
                fields += [b"," if len(fields) > 1 else b"", *_space(rng), b'"' + key + b'"', *_space(rng), b":"]
                fields += [*_space(rng), *_value(value, rng)]
        return [*fields, *_space(rng), b"}"]

    return build


def json_list(entry: Part, most: int = 4) -> Grammar:
    """A list of such entries, some of them odd."""

    def build(rng: random.Random) -> Fields:
        fields = [b"["]
        for number in range(rng.randrange(most + 1)):
            fields += [b"," if number else b"", *_space(rng), *_value(entry, rng)]
        return [*fields, *_space(rng), b"]"]

    return build


def quoted(part: Part) -> Grammar:
    """A text in quotes."""
    return seq(b'"', part, b'"')


def _document(members: Grammar) -> Grammar:
    """Return a document that may be malformed.

    A byte order mark, trailing data, or more members than any list has.
    """
    crowd = seq(b"{", b",".join(b'"k%d":0' % number for number in range(1100)), b"}")
    usual = seq(maybe(b"\xef\xbb\xbf"), _space, members, _space)
    return mostly(usual, crowd, _odd_value, _broken_value, seq(usual, b"x"))


_listed = json_object(
    {
        b"protocol": quoted(_protocol),
        b"address": quoted(ADDRESSES),
        b"game": quoted(_game),
        b"name": b'"A"',
        b"host_name": mostly(b'"play.example.org"', b"7"),
    }
)
COMMUNITY_LISTS: Final = _document(
    json_object({b"name": b'"x"', b"servers": json_list(either(quoted(SERVER_URLS), _listed))})
)

_count = either(b"2", b'"2"', b"-1", b"70000")
_steam_server = json_object(
    {
        b"addr": quoted(ADDRESSES),
        b"gameport": _count,
        b"steamid": b'"90071992547409920"',
        b"name": b'"A"',
        b"appid": b"4920",
        b"gamedir": b'"ns2"',
        b"version": b'"344"',
        b"players": _count,
        b"max_players": _count,
        b"bots": _count,
        b"map": b'"ns2_veil"',
        b"secure": b"true",
        b"dedicated": b"true",
        b"gametype": b'"a,b"',
    }
)
STEAM_LISTS: Final = _document(
    json_object(
        {
            b"response": json_object(
                {b"success": either(b"true", b"false"), b"servers": mostly(json_list(_steam_server), b"7")}
            )
        }
    )
)

_client = json_object(
    {b"name": b'"Ann"', b"clan": b'"x"', b"score": either(b"5", b"-9999", b"99999999999"), b"is_player": b"false"}
)
_teeworlds_info = json_object(
    {
        b"name": b'"A"', b"version": b'"0.6"', b"game_type": b'"DM"', b"passworded": b"true", b"max_players": b"16",
        b"max_clients": b"16", b"map": json_object({b"name": b'"dm1"'}), b"clients": json_list(_client),
    }
)  # fmt: skip
_teeworlds_address = quoted(seq(either(b"tw-0.6+udp", b"tw-0.7+udp", b"tw-0.7+tcp"), b"://", ADDRESSES))
_teeworlds_lists = _document(
    json_object(
        {b"servers": json_list(json_object({b"addresses": json_list(_teeworlds_address), b"info": _teeworlds_info}))}
    )
)

_luanti_server = json_object(
    {
        b"address": quoted(mostly(b"192.0.2.7", b"-bad-", b"224.0.0.1")),
        b"port": mostly(b"30000", b"0"),
        b"name": b'"A"',
        b"gameid": mostly(b'"minetest"', b'"mineclone2"'),
        b"version": b'"5.9.0"',
        b"clients": _count,
        b"clients_max": _count,
        b"clients_list": json_list(b'"Ann"'),
        b"mods": json_list(b'"x"'),
        b"pvp": b"true",
        b"description": b'"x"',
    }
)
_openmp_core = json_object(
    {
        b"ip": quoted(ADDRESSES), b"hn": b'"A"', b"gm": b'"RP"', b"la": b'"English"', b"vn": b'"omp 1.5"',
        b"pc": mostly(b"2", b"-1"), b"pm": b"50", b"pa": b"true",
    }
)  # fmt: skip
_vcmp_server = json_object({b"ip": quoted(_host), b"port": mostly(b"8192", b"0"), b"is_official": b"true"})
DESCRIBED_LISTS: Final[Mapping[str, Grammar]] = {
    "ddnet": _teeworlds_lists,
    "luanti": _document(json_object({b"list": json_list(_luanti_server)})),
    "openmp": _document(json_list(json_object({b"core": _openmp_core}))),
    "vcmp": _document(json_object({b"success": b"true", b"servers": json_list(_vcmp_server)})),
}
"""Of the lists in formats of single games in JSON, by the first part of the scheme of their URLs."""
