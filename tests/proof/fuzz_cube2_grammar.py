"""Grammars of what servers and masters of the Cube engines send."""

import random
from collections.abc import Mapping
from typing import Final

from fuzz_fields import TOKENS, exchange, u8
from fuzz_grammar import Fields, Grammar, Part, either, many, maybe, mostly, number, seq, text

from browser_app.protocols.cube2 import cube2_session
from browser_app.protocols.cube2.cube2_session import Cube2Dialect
from browser_app.protocols.cube2.cube_data import encode_cube_integer

_token = mostly(either(*TOKENS), b"token999")
_integer = mostly(
    either(b"\0", b"\1", b"\2", b"\x10", b"\xff"), seq(b"\x80", number(2)), seq(b"\x81", number(4)), b"\x80", u8
)
_text = seq(text, b"\0")


def _integers(count: int) -> Grammar:
    return seq(*[_integer] * count)


def _attributes(*counts: int) -> Grammar:
    """The number of attributes, and as many; the number is sometimes wrong."""

    def build(rng: random.Random) -> Fields:
        count = rng.choice(counts)
        return [encode_cube_integer(rng.choice((*[count] * 8, 0, count + 1, 99))), *_integers(count)(rng)]

    return build


def _game(dialect: Cube2Dialect, *body: Part) -> Grammar:
    return exchange(
        seq(dialect.info_request, _token, *body, mostly(b"", b"x" * cube2_session.MAX_REPLY_BYTES)),
        maybe(dialect.info_request, _token, *body),
    )


_player = seq(_text, _text, _integers(10), b"\xc0\0\2")


def _players(rng: random.Random) -> Fields:
    """The numbers of two players, then their details."""
    header = seq(
        cube2_session.PLAYERS_REQUEST, mostly(rng.choice(TOKENS), b"token999"), mostly(b"\xff", b"\xfe"), b"\x69",
        mostly(b"\0", b"\1"),
    )  # fmt: skip
    return exchange(
        seq(header, mostly(b"\xf6", _integer), b"\0\x80\x80\0", maybe(_integer)),
        seq(header, mostly(b"\xf5", _integer), b"\0", mostly(b"\x1e", _integer), _player),
        seq(header, b"\xf5", mostly(b"\x80\x80\0", _integer), b"\0", _player),
    )(rng)


_stats_header = seq(cube2_session.PLAYERS_REQUEST, TOKENS[1], b"\xff\x69\0")
_sauerbraten = either(
    seq(
        exchange(
            mostly(seq(b"\1", _token, b"\2", _attributes(5, 7), _text, _text), seq(b"\1", _token, _integers(3), _text))
        ),
        _players,
    ),
    exchange(  # all as it should be: two numbers and two players, the second a bot
        seq(b"\1", TOKENS[0], b"\2\5\0\0\0\0\0map\0", either(b"name\0", b"names\0")),
        seq(_stats_header, b"\xf6\0\x80\x80\0"),
        seq(_stats_header, b"\xf5\0\0Ann\0\0", bytes(10), b"\xc0\0\2"),
        seq(_stats_header, b"\xf5\x80\x80\0\0Bot\0\0", bytes(10), b"\xc0\0\2"),
    ),
)
GRAMMARS: Final[Mapping[str, Grammar]] = {
    "cube2": _sauerbraten,
    "redeclipse": _game(
        cube2_session.RED_ECLIPSE, _integer, _attributes(6, 15), _text, _text, maybe(_text, many(_text))
    ),
    "assaultcube": _game(
        cube2_session.ASSAULT_CUBE, _integers(4), _text, _text, _integer, maybe(_integer, maybe(b"\1", many(_text)))
    ),
    "tesseract": _game(cube2_session.TESSERACT, _integers(3), _attributes(3, 5), _text, _text),
}
"""Of the exchanges of each query protocol, by name."""
_word = either(b"192.0.2.7", b"2001:db8::7", b'"a.example"', b"0.0.0.0", text)
_line = mostly(
    seq(b"addserver ", _word, b" ", mostly(b"28785", b"65535", b"0", b"99999", text), maybe(b' 0 "', text, b'"')),
    seq(either(b"clearservers", b"echo ", b"addserver"), text),
)
CUBE_LISTS: Final = seq(many(seq(_line, mostly(b"\n", b"\r\n", b";")), 6), maybe(b"\0"), mostly(b"", b"x" * 5000))
