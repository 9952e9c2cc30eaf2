"""Grammars of status and lists over HTTP, and of Mindustry."""

import random
from collections.abc import Mapping
from typing import Final

from fuzz_fields import exchange
from fuzz_grammar import Fields, Grammar, digits, either, many, maybe, mostly, number, seq, sized, text
from fuzz_texts import ADDRESSES, json_list, json_object, quoted

_STATION_STATUS: Final = json_object(
    {
        b"name": quoted(text), b"players": mostly(b"41", digits), b"soft_max_players": either(b"80", b"0"),
        b"run_level": either(b"0", b"1", b"2"), b"tags": json_list(quoted(either(b"rp:low", b"lang:en", text))),
        b"map": b'"Saltern"', b"preset": b'"Secret"', b"panic_bunker": b"false", b"round_id": digits,
        b"round_start_time": b'"2026-11-22T18:00:00Z"',
    }
)  # fmt: skip
_header = seq(mostly(b"Server", b"Content-Encoding", text), mostly(b": ", b":", b""), text, b"\r\n")
_status_line = mostly(b"HTTP/1.1 200 OK", b"HTTP/1.0 200", b"HTTP/1.1 404 Not Found", text)
_head = seq(_status_line, b"\r\n", many(_header, 3))
_body = mostly(_STATION_STATUS, b"{}", b"[", text)


def _plain(rng: random.Random) -> Fields:
    body = b"".join(_body(rng))
    size = rng.choice((len(body), len(body), len(body) - 1, 1 << 20))
    return [*_head(rng), b"Content-Length: ", b"%d" % size, b"\r\n\r\n", body]


_chunk = sized(seq(text), lambda size: b"%x\r\n" % size)
_chunked = seq(
    seq(_head, b"Transfer-Encoding: ", mostly(b"chunked", b"gzip"), b"\r\n\r\n"),
    sized(_body, lambda size: b"%x;a\r\n" % size),
    mostly(b"\r\n", b"", b"\r\n1;" + bytes(300)),
    many(seq(_chunk, b"\r\n")),
    mostly(b"0\r\n\r\n", b""),
)
STATION: Final = exchange(either(_plain, _chunked, seq(_head, b"\r\n", _body)), maybe(text))

_pstr = sized(text, lambda size: bytes([size & 255]))
MINDUSTRY: Final = exchange(
    seq(
        seq(_pstr, _pstr, mostly(b"\0\0\0\3", number(4)), number(4), b"\0\0\0\x92"),
        seq(_pstr, mostly(either(b"\0", b"\3"), number(1)), mostly(b"\0\0\0\x14", number(4))),
        maybe(_pstr, maybe(_pstr, maybe(text))),
    ),
    maybe(text),
)

HTTP_LISTS: Final[Mapping[str, Grammar]] = {
    "ss14": json_list(
        json_object(
            {b"address": quoted(seq(mostly(b"ss14://", b"ss14s://", b""), ADDRESSES)), b"statusData": _STATION_STATUS}
        )
    ),
    "mindustry": json_list(
        json_object({b"name": quoted(text), b"address": either(quoted(ADDRESSES), json_list(quoted(ADDRESSES)), b"7")})
    ),
    "openra": json_list(
        json_object(
            {
                b"name": quoted(text),
                b"address": quoted(ADDRESSES),
                b"state": either(b"1", b"2", b"-1"),
                b"mod": b'"ra"',
                b"players": digits,
                b"maxplayers": b"8",
                b"bots": b"0",
                b"spectators": b"1",
                b"protected": b"true",
                b"clients": json_list(
                    json_object({b"name": quoted(text), b"isbot": b"true", b"isspectator": b"false"})
                ),
            }
        )
    ),
    "beammp": json_list(
        json_object(
            {
                b"ip": quoted(mostly(b"192.0.2.7", b"-bad-", b"224.0.0.1")),
                b"port": quoted(mostly(b"30814", digits)),
                b"sname": quoted(seq(b"^l", text, b"^r^")),
                b"players": quoted(digits),
                b"maxplayers": b'"10"',
                b"map": either(b'"/levels/utah/info.json"', quoted(text)),
                b"tags": quoted(seq(text, b",", text)),
                b"playerslist": quoted(seq(text, b";", text)),
                b"password": b"false",
                b"modlist": quoted(text),
            }
        )
    ),
    "vintagestory": json_object(
        {
            b"status": b'"ok"',
            b"data": json_list(
                json_object(
                    {
                        b"serverName": quoted(text),
                        b"serverIP": quoted(ADDRESSES),
                        b"players": quoted(digits),
                        b"maxPlayers": b'"16"',
                        b"playstyle": json_object({b"id": quoted(text)}),
                        b"whitelisted": b"true",
                        b"gameVersion": b'"1.20.4"',
                        b"hasPassword": b"true",
                        b"gameDescription": quoted(text),
                    }
                )
            ),
        }
    ),
    "northstar": json_list(
        json_object(
            {
                b"id": quoted(mostly(b"0123456789abcdef", text, b"a" * 200)),
                b"name": quoted(text),
                b"map": quoted(text),
                b"playerCount": digits,
                b"maxPlayers": b"16",
                b"playlist": quoted(text),
                b"hasPassword": b"false",
            }
        )
    ),
}
"""Of the lists, by the first part of the scheme of their URLs."""
