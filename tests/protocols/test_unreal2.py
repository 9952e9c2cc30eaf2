"""Unreal Engine 2's protocol: recorded and damaged replies, and values."""

import struct
from pathlib import Path

import pytest
from recorded_packets import load_records

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryTarget
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts, ReceiveStatus
from browser_app.protocols.unreal2 import (
    MAX_RULES,
    Unreal2Reply,
    Unreal2Session,
    parse_unreal2_players,
    parse_unreal2_rules,
)

TARGET = QueryTarget(Address("192.0.2.7", 7778), "unreal2", None)
COLOURED = {"gameq/Ut2004/1": "Old Dudes/Dames Sniper - Campers Only"}


def pascal(text: bytes) -> bytes:
    return bytes([len(text) + 1]) + text + b"\0"


def info_reply(players: int = 1, name: bytes = b"A", game_type: bytes = b"xDeathMatch", max_players: int = 16) -> bytes:
    counts = players.to_bytes(4, "little") + max_players.to_bytes(4, "little")
    head = b"\x80\0\0\0\0" + bytes(5) + (7777).to_bytes(4, "little") + bytes(4)
    return head + pascal(name) + pascal(b"DM-Rankin") + pascal(game_type) + counts


def player(name: bytes, score: int = 5, ping: int = 40) -> bytes:
    return bytes(4) + pascal(name) + struct.pack("<2i", ping, score) + bytes(4)


def replay(datagrams: tuple[bytes, ...]) -> Unreal2Reply:
    """Return what a session reads of a recorded reply: one datagram of rules."""
    session = Unreal2Session(QueryParts.ALL)
    session.build_request(b"token000")
    by_kind = {kind: [each for each in datagrams if each[4] == kind] for kind in (0, 1, 2)}
    steps: list[bytes | ReceiveStatus] = []
    for datagram in (*by_kind[0], *by_kind[2]):
        if session.has_more and (not steps or steps[-1] != b"\x79\0\0\0\1"):
            steps.append(session.receive(datagram))
    if steps[-1] == PARTIAL:
        session.skip_current_part()
    assert session.receive(by_kind[1][0]) is DONE
    assert session.reply is not None
    return session.reply


def test_recorded_replies_are_read(data_dir: Path, games: GameRegistry) -> None:
    for record in load_records(data_dir / "packets" / "other_unreal2.jsonl"):
        reply = replay(record.datagrams)
        info = read_reply(reply, TARGET, games, QueryParts.ALL)
        assert (info.players, info.max_players) == tuple(
            int(record.expected[key]) for key in ("numplayers", "maxplayers")
        )
        assert info.connect.port == int(record.expected.get("gameport") or record.expected["hostport"])
        assert info.map.isprintable()
        assert record.expected["mapname"].endswith(info.map)
        assert info.name == COLOURED.get(record.id, info.name)
        assert info.name.isprintable()
        assert "ServerMode" in (info.rules or {})
        names = {each.name for each in info.player_list or ()}
        wanted = {each["name"] for each in record.expected.get("players") or () if each["name"].isascii()}
        assert len(wanted - names) <= 1  # one server has more players than it counts


@pytest.mark.parametrize(("game_type", "game"), [(b"xDeathMatch", "ut2004"), (b"KFGameType", "killingfloor")])
def test_mode_identifies_the_game(game_type: bytes, game: str, games: GameRegistry) -> None:
    session = Unreal2Session(QueryParts.INFO)
    assert session.build_request(b"token000") == b"\x79\0\0\0\0"
    assert session.receive(info_reply(game_type=game_type)) is DONE
    info = read_reply(session.reply, TARGET, games)
    assert (info.game, info.map, info.players, info.max_players) == (game, "DM-Rankin", 1, 16)
    assert info.connect == Address("192.0.2.7", 7777)
    assert info.password is None


def test_players_come_in_several_datagrams() -> None:
    session = Unreal2Session(QueryParts.PLAYERS)
    assert session.receive(info_reply(players=3)) == b"\x79\0\0\0\2"
    assert session.receive(b"\x80\0\0\0\2" + player(b"Ann") + player(b"Bob", -2)) is PARTIAL
    assert session.receive(b"\x80\0\0\0\2" + player(b"Cid")) is DONE
    assert session.reply is not None
    assert [(each.name, each.score) for each in session.reply.player_list or ()] == [
        ("Ann", 5),
        ("Bob", -2),
        ("Cid", 5),
    ]


def test_repeated_players_count_once() -> None:
    session = Unreal2Session(QueryParts.PLAYERS)
    session.receive(info_reply(players=3))
    first = b"\x80\0\0\0\2" + player(b"Ann") + player(b"Bob", -2)
    assert session.receive(first) is PARTIAL
    assert session.receive(first) is PARTIAL  # duplicated by the network
    session.build_request(b"")  # the next attempt is answered from the start
    assert session.receive(first) is PARTIAL
    assert session.receive(b"\x80\0\0\0\2" + player(b"Cid")) is DONE
    assert session.reply is not None
    assert [each.name for each in session.reply.player_list or ()] == ["Ann", "Bob", "Cid"]


@pytest.mark.parametrize("max_players", [0, 256])
def test_impossible_values_are_unknown(max_players: int, games: GameRegistry) -> None:
    session = Unreal2Session(QueryParts.PLAYERS)
    session.receive(info_reply(max_players=max_players))
    assert session.receive(b"\x80\0\0\0\2" + player(b"Ann", ping=-1)) is DONE
    info = read_reply(session.reply, TARGET, games)
    assert (info.max_players, [each.ping_ms for each in info.player_list or ()]) == (None, [None])


def test_repeated_rules_are_bounded() -> None:
    rule = pascal(b"Mutator") + pascal(b"M")
    assert parse_unreal2_rules(b"\x80\0\0\0\1" + 2 * rule) == {"Mutator": "M, M"}
    with pytest.raises(PacketError, match="too many"):
        parse_unreal2_rules(b"\x80\0\0\0\1" + (MAX_RULES + 1) * rule)


def test_wide_and_coloured_texts_are_read() -> None:
    wide = b"\x84" + "Ädä\0".encode("utf-16-le")
    data = b"\x80\0\0\0\2" + bytes(4) + wide + bytes(12) + bytes(4) + b"\x04\x1b\xff\x01\x01Red\0" + bytes(12)
    assert [each.name for each in parse_unreal2_players(data)] == ["Ädä", "Red"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x81\0\0\0\0", "not this protocol"),
        (b"\x80\0\0\0", "not this protocol"),
        (b"\x80\0\0\0\2", "unexpected kind"),
        (info_reply()[:-1], "truncated"),
        (info_reply()[:-9], "truncated"),
        (info_reply(players=1 << 31), "invalid number"),
        (b"\x80\0\0\0\0" + bytes(17 << 10), "too large"),
    ],
)
def test_invalid_replies_are_refused(data: bytes, reason: str) -> None:
    session = Unreal2Session(QueryParts.INFO)
    session.build_request(b"token000")
    with pytest.raises(PacketError, match=reason):
        session.receive(data)
    assert not session.skip_current_part()
