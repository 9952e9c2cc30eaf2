"""QuakeWorld and HexenWorld: requests, recorded and damaged status replies."""

import pytest
from family_servers import exchanges

from browser_app.protocols.quake.infostring import MAX_REPLY_BYTES
from browser_app.protocols.quake.quakeworld import (
    PING_REPLY,
    PING_REQUEST,
    PLAIN_STATUS_REQUEST,
    STATUS_REQUEST,
    HexenWorldSession,
    QuakeWorldSession,
    parse_quakeworld_reply,
)
from browser_app.protocols.query_session import DONE, PacketError

RECORDED = {each.what: each for each in exchanges("quakeworld")}
BUSY = RECORDED["status 151, two players and a spectator"]
HEAD = b"\xff\xff\xff\xffn"


def test_recorded_reply_is_parsed() -> None:
    session = QuakeWorldSession()
    assert session.build_request(b"token000") == BUSY.request
    assert session.receive(BUSY.replies[0]) is DONE
    assert session.reply is not None
    assert session.reply.info["map"] == "room"
    assert session.reply.info["hostname"] == "R\ue0efg \ue0e2\ue0f2\ue0ef\ue0f7\ue0ee"
    assert [(each.name, each.score, each.ping, each.team) for each in session.reply.players] == [
        ("R\ue0e1zor", 0, 999, "red"), ("Bo", 0, 999, "blue"), ("Watcher", -9999, 999, ""),
    ]  # fmt: skip
    assert [each.is_spectator for each in session.reply.players] == [False, False, True]
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(BUSY.replies[0])


def test_old_servers_report_no_spectators() -> None:
    reply = parse_quakeworld_reply(RECORDED["status, the same"].replies[0])
    assert [(each.name, each.team) for each in reply.players] == [("R\ue0e1zor", ""), ("Bo", "")]


def test_spectators_listed_as_players_are_marked() -> None:
    reply = parse_quakeworld_reply(RECORDED["status 31: spectators as players"].replies[0])
    assert [each.is_spectator for each in reply.players] == [False, False, True]


@pytest.mark.parametrize(
    ("version", "lines", "lists_spectators"),
    [
        (b"MVDSV 0.35", b"", True),
        (b"2.40", b"", False),
        (b"", b"", False),
        (b"2.40", b'1 0 0 9 "Watcher" "base" 4 13\n', False),
        (b"2.40", b'1 -9999 0 -9 "\\s\\Watcher" "base" 4 13\n', True),
    ],
)
def test_original_servers_list_players_alone(version: bytes, lines: bytes, lists_spectators: bool) -> None:
    reply = parse_quakeworld_reply(HEAD + b"\\map\\dm6\\*version\\" + version + b"\n" + lines + b"\0")
    assert reply.lists_spectators == lists_spectators


@pytest.mark.parametrize(
    "line",
    [
        b'7 3 12 9 "BOT:Grunt" "" 4 4 "red"',
        b'7 3 12 9 "Grunt" "" 4 4 "red" "b"',
        b'7 3 12 0 "Grunt" "" 4 4',
        b'7 3 12 0 "Grunt" "" 4 4 "red"',
    ],
)
def test_bots_are_marked(line: bytes) -> None:
    (player,) = parse_quakeworld_reply(HEAD + b"\\map\\dm6\n" + line + b"\n\0").players
    assert (player.is_bot, player.score, player.minutes) == (True, 3, 12)


@pytest.mark.parametrize("line", [b'7 3 12 0 "Grunt" "" 4 4 "red" ""', b'7 3 12 0 "Grunt" "" 4 4 "red" "h"'])
def test_reported_kind_counts_more_than_ping(line: bytes) -> None:
    (player,) = parse_quakeworld_reply(HEAD + b"\\map\\dm6\n" + line + b"\n\0").players
    assert not player.is_bot


def test_names_may_contain_quotes() -> None:
    (player,) = parse_quakeworld_reply(HEAD + b'\\map\\dm6\n1 2 3 4 "a "b" c" "skin" 0 0 "red"\n').players
    assert (player.name, player.team) == ('a "b" c', "red")


def test_error_text_leads_to_plain_request() -> None:
    session = QuakeWorldSession()
    assert session.build_request(b"token000") == STATUS_REQUEST
    assert session.receive(HEAD + b"unknown argument\n") == PLAIN_STATUS_REQUEST
    assert session.build_request(b"token001") == PLAIN_STATUS_REQUEST
    with pytest.raises(PacketError, match="no infostring"):
        session.receive(HEAD + b"unknown command\n")
    assert session.receive(HEAD + b"\\map\\dm6\\*version\\MVDSV 0.35\n\0") is DONE
    assert session.reply is not None
    assert not session.reply.lists_spectators


def test_ping_has_its_own_reply() -> None:
    session = QuakeWorldSession()
    assert session.build_ping_probe() == RECORDED["ping"].request == PING_REQUEST
    assert session.is_probe_reply(RECORDED["ping"].replies[0])
    assert not session.is_probe_reply(BUSY.replies[0])
    assert PING_REPLY == b"l"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not this protocol"),
        (b"l", "not this protocol"),
        (HEAD, "no infostring"),
        (HEAD + b"\\map\\dm6", "truncated infostring"),
        (HEAD + b"\\map\n", "no infostring"),
        (HEAD + b"\\map\\" + b"x" * MAX_REPLY_BYTES, "too large"),
    ],
)
def test_damaged_replies_are_rejected(data: bytes, reason: str) -> None:
    with pytest.raises(PacketError, match=reason):
        parse_quakeworld_reply(data)


def test_cut_off_lines_are_left_out() -> None:
    data = BUSY.replies[0]
    for end in range(len(data)):
        try:
            players = parse_quakeworld_reply(data[:end]).players
        except PacketError:
            continue
        assert players == parse_quakeworld_reply(data).players[: len(players)]


def test_hexenworld_is_not_compressed() -> None:
    session = HexenWorldSession()
    assert session.build_request(b"token000") == b"\xff" + PLAIN_STATUS_REQUEST
    assert session.receive(b"\xff" + HEAD + b'\\hostname\\Rig\\map\\hwdm1\n1 5 3 40 "Bo" "" 0 0\n\0') is DONE
    assert session.reply is not None
    assert (session.reply.info["map"], session.reply.players[0].score) == ("hwdm1", 5)
    assert session.build_ping_probe() is None
