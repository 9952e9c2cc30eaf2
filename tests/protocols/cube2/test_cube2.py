"""Cube 2 queries: all four games, recorded and damaged replies, lists."""

from collections.abc import Sequence
from contextlib import suppress

import pytest
from family_servers import exchanges

from browser_app.catalogue.reply_readers.cube2_server_info import (
    read_assault_cube_list,
    read_cube2_reply,
    read_tesseract_list,
)
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.cube2.cube2_reply import Cube2Player
from browser_app.protocols.cube2.cube2_session import (
    ASSAULT_CUBE,
    RED_ECLIPSE,
    SAUERBRATEN,
    TESSERACT,
    Cube2Dialect,
    Cube2Session,
)
from browser_app.protocols.cube2.cube_data import CubeReader, encode_cube_integer, encode_cube_text
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts

TOKEN = b"token000"
RED_ECLIPSE_REPLY = bytes.fromhex("000f80e60004008058021800808613020106000240000062617468005269672052450000")
"""As version 1.6.0 answered."""
NO_GAMES = GameRegistry([])


def packed(*values: int | str) -> bytes:
    return b"".join(
        encode_cube_text(value) if isinstance(value, str) else encode_cube_integer(value) for value in values
    )


def asked(dialect: Cube2Dialect, parts: QueryParts = QueryParts.INFO) -> Cube2Session:
    session = Cube2Session(parts, dialect)
    assert session.build_request(TOKEN) == dialect.prefix + dialect.info_request + TOKEN
    return session


def info_of(session: Cube2Session, protocol: str, parts: QueryParts = QueryParts.ALL) -> ServerInfo:
    assert session.reply is not None
    target = QueryTarget(Address("192.0.2.1", 28786), protocol, None)
    return read_cube2_reply(session.reply, target, NO_GAMES, parts)


@pytest.mark.parametrize("value", [0, 1, -1, 127, -127, -128, 128, 32767, -32768, 32768, -(2**31), 2**31 - 1])
def test_integers_are_restored(value: int) -> None:
    assert CubeReader(encode_cube_integer(value)).read_int() == value


@pytest.mark.parametrize("shown", ["Plain", "Ünïcode ß", "Жиф ґЯй", "\f3red"])
def test_texts_are_restored(shown: str) -> None:
    assert CubeReader(encode_cube_text(shown)).read_text() == shown


def test_operators_utf8_is_read() -> None:
    assert CubeReader(b"".join(map(encode_cube_integer, "Été".encode())) + b"\0").read_text() == "Été"


def test_players_follow_info() -> None:
    info, players, *_ = (each for each in exchanges("cube2-sauerbraten") if "three" in each.what)
    session = asked(SAUERBRATEN, QueryParts.INFO | QueryParts.PLAYERS)
    assert session.receive(info.replies[0]) == players.request
    numbers, *rows = players.replies
    assert [session.receive(datagram) for datagram in (*rows, rows[0])] == [PARTIAL] * 4
    assert session.receive(numbers) is DONE
    assert session.answered_attempt == 0
    assert session.reply is not None
    assert session.reply.player_list is not None
    assert session.reply.player_list[0] == Cube2Player(0, "Razor", "good", 0, 0, is_spectator=False)
    found = info_of(session, "cube2")
    assert (found.name, found.players, found.bots, found.spectators, found.max_players) == ("Rig Sauer", 3, 0, 0, 16)
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(numbers)


def player_row(number: int, state: int) -> bytes:
    return packed(number, 40 if number else -1, f"P{number}", "good", 7, 0, 1, 0, 30, 100, 0, 4, 0, state) + b"\x0a\0\0"


def test_bots_and_spectators_are_distinguished() -> None:
    session = asked(SAUERBRATEN, QueryParts.PLAYERS)
    request = session.receive(b"\x01" + TOKEN + packed(2, 5, 260, 12, 125, 16, 2, "reissen", "Rig"))
    assert isinstance(request, bytes)
    header = request + packed(-1, 105, 0)
    session.receive(header + packed(-10, 0, 1, 128))
    for number, state in ((0, 0), (1, 5), (128, 0)):
        session.receive(header + packed(-11) + player_row(number, state))
    found = info_of(session, "cube2")
    assert (found.players, found.bots, found.spectators, found.joinable) == (1, 1, 1, False)
    assert [(row.score, row.ping_ms, row.bot, row.spectator) for row in found.player_list or ()] == [
        (7.0, None, False, False),
        (None, 40.0, False, True),
        (7.0, None, True, False),
    ]
    assert dict(found.rules or {}) == {
        "protocol": "260",
        "gamemode": "12",
        "mastermode": "locked",
        "timeleft": "2:05",
    }


def test_missing_players_are_skipped() -> None:
    session = asked(SAUERBRATEN, QueryParts.ALL)
    session.receive(b"\x01" + TOKEN + packed(2, 5, 260, 0, 0, 16, 4, "", "Rig"))
    assert session.skip_current_part()
    assert not session.has_more
    found = info_of(session, "cube2")
    assert (found.players, found.bots, found.player_list, found.password) == (2, None, None, True)
    assert "timeleft" not in (found.rules or {})  # no limit


def test_token_shows_attempt() -> None:
    session = asked(SAUERBRATEN)
    session.build_request(b"second00")
    body = packed(0, 5, 260, 0, 0, 16, 0, "", "Rig")
    with pytest.raises(PacketError, match="wrong token"):
        session.receive(b"\x01another0" + body)
    assert session.receive(b"\x01second00" + body) is DONE
    assert session.answered_attempt == 1


def test_red_eclipse_reply_is_read() -> None:
    session = asked(RED_ECLIPSE)
    assert session.receive(b"\x01" + TOKEN + RED_ECLIPSE_REPLY) is DONE
    found = info_of(session, "redeclipse")
    assert (found.name, found.map, found.version, found.mode) == ("Rig RE", "bath", "1.6.0", "4")
    assert (found.players, found.max_players, found.player_list) == (0, None, ())
    assert dict(found.rules or {})["maxslots"] == "24"


@pytest.mark.parametrize(("clients", "joinable"), [(15, None), (16, False)])
def test_red_eclipse_is_full_without_any_slot(clients: int, joinable: bool | None) -> None:
    session = asked(RED_ECLIPSE)
    body = packed(clients, 6, 230, 2, 0, 60, 16, 0, "castle", "Rig", "", *["Ann"] * clients)
    session.receive(b"\x01" + TOKEN + body)
    found = info_of(session, "redeclipse")
    assert (found.players, found.max_players, found.joinable) == (clients, None, joinable)


def test_red_eclipse_names_follow() -> None:
    session = asked(RED_ECLIPSE)
    body = packed(2, 6, 230, 2, 8, 60, 8, 0, "dutility", "Rig", "stable", "\f[255]Ann", "Bob", "@handle")
    session.receive(b"\x01" + TOKEN + body)
    found = info_of(session, "redeclipse")
    assert [row.name for row in found.player_list or ()] == ["Ann", "Bob"]
    assert dict(found.rules or {})["mutators"] == "8"


def assault_cube(flags: int, *names: str) -> bytes:
    return packed(1201, 5, len(names), 9, "ac_desert", "\f3Rig \f5AC", 14, flags, 1, *names, "")


@pytest.mark.parametrize(
    ("flags", "password", "joinable"), [(0, False, None), (1, True, None), (2, False, False), (64, False, False)]
)
def test_assault_cube_flags_are_read(flags: int, password: bool, joinable: bool | None) -> None:
    session = asked(ASSAULT_CUBE)
    assert session.receive(b"\x01\x01" + TOKEN + assault_cube(flags, "Ann", "Bob")) is DONE
    found = info_of(session, "assaultcube")
    assert (found.name, found.map, found.mode, found.players, found.max_players) == ("Rig AC", "ac_desert", "5", 2, 14)
    assert (found.password, found.joinable) == (password, joinable)
    assert [row.name for row in found.player_list or ()] == ["Ann", "Bob"]


def test_tesseract_answers_behind_prefix() -> None:
    session = asked(TESSERACT)
    assert session.receive(b"\x01" + TOKEN + packed(2, 3, 8, 3, 5, 90, -1, "aastha", "Rig")) is DONE
    found = info_of(session, "tesseract")
    assert (found.map, found.mode, found.players, found.max_players) == ("aastha", "5", 3, 8)


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        (SAUERBRATEN, packed(2, 7, 260, 1, 9, 16, 0, 1, 100, "map", "Rig")),
        (RED_ECLIPSE, RED_ECLIPSE_REPLY),
        (ASSAULT_CUBE, assault_cube(0, "Ann")),
        (TESSERACT, packed(2, 0, 8, 3, 0, 0, 0, "m", "n")),
    ],
)
def test_damaged_replies_raise_only_packet_errors(dialect: Cube2Dialect, body: bytes) -> None:
    whole = dialect.info_request + TOKEN + body
    for position in range(len(whole)):
        flipped = bytearray(whole)
        flipped[position] ^= 0x91
        for damaged in (whole[:position], bytes(flipped)):
            session = asked(dialect)
            with suppress(PacketError):
                session.receive(damaged)
                info_of(session, "cube2")


def test_refused_details_are_reported() -> None:
    session = asked(SAUERBRATEN, QueryParts.PLAYERS)
    request = session.receive(b"\x01" + TOKEN + packed(2, 5, 260, 0, 0, 16, 0, "", "Rig"))
    assert isinstance(request, bytes)
    for tail, reason in (
        ((-1, 105, 1), "refused"),
        ((-2,), "not this protocol"),
        ((-1, 105, 0, -12), "unexpected kind"),
    ):
        with pytest.raises(PacketError, match=reason):
            session.receive(request + packed(*tail))


def listed(*lines: str) -> Sequence[QueryTarget | None]:
    text = "\n".join(lines).encode()
    return list(read_assault_cube_list([text[:20], text[20:]], NO_GAMES))


def test_list_names_query_ports() -> None:
    lines = ("addserver 192.0.2.7 28763 12;", "echo hello", 'addserver "192.0.2.8" 28765 0 "A b"', "")
    found = listed(*lines)
    assert [target.address for target in found if target] == [
        Address("192.0.2.7", 28764),
        Address("192.0.2.8", 28766),
    ]
    assert len(found) == len(lines)
    (target,) = filter(None, read_tesseract_list([b"addserver 192.0.2.7 42000\n\0"], NO_GAMES))
    assert target == QueryTarget(Address("192.0.2.7", 42000), "tesseract", None)


def test_bad_entries_list_nothing() -> None:
    assert not any(listed("addserver", "addserver 0.0.0.0 1", "addserver 192.0.2.1 65535", "addserver 192.0.2.1 x"))
    assert listed("", "\0") == [None, None]


@pytest.mark.parametrize("text", [b"7", b"<html>", b"x" * 5000, b"x" * 5000 + b"\n"])
def test_other_texts_are_no_list(text: bytes) -> None:
    with pytest.raises(DescribedListError):
        list(read_assault_cube_list([text], NO_GAMES))
