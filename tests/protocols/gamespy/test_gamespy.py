"""GameSpy's protocols: recorded and damaged replies, readers of values."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from recorded_packets import Record, load_records

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.gamespy.gamespy1 import GameSpy1Session
from browser_app.protocols.gamespy.gamespy2 import GameSpy2Session
from browser_app.protocols.gamespy.gamespy3 import GameSpy3Session
from browser_app.protocols.gamespy.gamespy_reply import MAX_REPLY_BYTES, GameSpyReply
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, QueryParts, QuerySession

TOKEN = b"ABCDEFGH"
SERVER = Address("192.0.2.7", 7778)
OTHER_PLAYER_FORMAT = "Justcause2"
"""A game with a list of players of its own kind."""


def records(data_dir: Path, version: int) -> Iterator[Record]:
    for record in load_records(data_dir / "packets" / f"other_gamespy{version}.jsonl"):
        if OTHER_PLAYER_FORMAT not in record.id:
            yield record


def with_token(datagram: bytes, token: bytes) -> bytes:
    return datagram[:1] + token + datagram[5:]


def replay(version: int, datagrams: tuple[bytes, ...]) -> GameSpyReply:
    """Return what a session reads of a recorded reply, whose tokens are made to fit."""
    session: QuerySession
    if version == 1:
        session, replies = GameSpy1Session(), list(datagrams)
    elif version == 2:
        parts = QueryParts.ALL if len(datagrams) > 1 else QueryParts.INFO
        session = GameSpy2Session(parts)
        replies = [with_token(each, token) for each, token in zip(datagrams, (TOKEN[:4], TOKEN[4:]), strict=False)]
    else:
        session = GameSpy3Session()
        replies = [b"\x09" + TOKEN[:4] + b"-1234567\0", *(with_token(each, TOKEN[:4]) for each in datagrams)]
    session.build_request(TOKEN)
    *_steps, last = [session.receive(each) for each in replies]
    assert last is DONE
    assert isinstance(session.reply, GameSpyReply)
    return session.reply


def expected_names(expected: dict[str, Any]) -> list[str]:
    names = [player.get("player", "") or player.get("playername", "") for player in expected.get("players") or ()]
    return [name.strip() for name in names if name.isascii()]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_recorded_replies_are_read(data_dir: Path, version: int) -> None:
    compared = 0
    for record in records(data_dir, version):
        reply = replay(version, record.datagrams)
        keys = [key for key in ("hostname", "numplayers", "maxplayers", "password", "gamever") if key in reply.rules]
        assert len(keys) >= 3
        for key in keys:
            expected = str(record.expected[key])
            assert reply.rules[key] == expected or not expected.isascii() or not reply.rules[key].isascii(), record.id
        names = [player.get("player", "") or player.get("playername", "") for player in reply.player_list or ()]
        wanted = expected_names(record.expected)
        assert set(wanted) <= {name.strip() for name in names}, record.id
        compared += len(wanted) + 1
    assert compared >= 8


@pytest.mark.parametrize("version", [1, 2, 3])
def test_replies_become_info(data_dir: Path, version: int, games: GameRegistry) -> None:
    target = QueryTarget(SERVER, f"gamespy{version}", None)
    for record in records(data_dir, version):
        reply = replay(version, record.datagrams)
        info = read_reply(reply, target, games, QueryParts.ALL)
        assert info.name
        assert info.players == int(record.expected["numplayers"])
        assert info.max_players == int(record.expected["maxplayers"])
        assert (info.password is None) == ("password" not in reply.rules)
        if "hostport" in record.expected:
            assert info.connect == Address(SERVER.host, int(record.expected["hostport"]))


REAL_GAMES = {
    "gameq/Ut/1": ("ut", "CTF-w00tabulousFixed", 11),
    "gameq/Bf1942/1": ("bf1942", "berlin", 18),
    "gameq/Mohaa/3": ("mohaa", "dm/mohdm4", 2),
    "gameq/Halo/1": ("halo", "bloodgulch", 13),
    "gameq/Bf2/1": ("bf2", None, 54),
    "gameq/Ut3/1": ("ut3", "DM-Campgrounds-U3-Fix", 1),
}


def test_games_are_distinguished(data_dir: Path, games: GameRegistry) -> None:
    found: dict[str, ServerInfo] = {}
    for version in (1, 2, 3):
        target = QueryTarget(SERVER, f"gamespy{version}", None)
        for record in records(data_dir, version):
            found[record.id] = read_reply(replay(version, record.datagrams), target, games)
    for name, (game, map_name, players) in REAL_GAMES.items():
        if name in found:
            info = found[name]
            assert (info.game, len(info.player_list or ())) == (game, players)
            assert map_name is None or info.map == map_name


def test_values_of_players(games: GameRegistry) -> None:
    text = (
        r"\hostname\^1A\password\True\numplayers\x\player_0\Ann\frags_0\-3\ping_0\ 86\team_0\255\mesh_0\Spectator"
        r"\player_1\Bob\score_1\ :00\ping_1\-1\maxplayers\0\final\\queryid\7.1"
    )
    target = QueryTarget(SERVER, "gamespy1", "mohaa")
    info = read_reply(replay(1, (text.encode(),)), target, games, QueryParts.ALL)
    ann, bob = info.player_list or ()
    assert (info.name, info.coloured_name, info.players, info.max_players, info.password) == (
        "A",
        "^1A",
        None,
        None,
        True,
    )
    assert (ann.name, ann.score, ann.ping_ms, ann.team, ann.spectator) == ("Ann", -3.0, 86.0, 255, True)
    assert (bob.name, bob.score, bob.ping_ms, bob.team, bob.spectator) == ("Bob", None, None, None, None)
    assert info.connect == Address("192.0.2.7", 7778 - 97)


def test_parts_come_in_any_order() -> None:
    session = GameSpy1Session()
    assert session.receive(b"\\frags_0\\1\\final\\\\queryid\\5.3") is PARTIAL
    assert session.receive(b"\\hostname\\A\\queryid\\5.1") is PARTIAL
    assert session.receive(b"\\hostname\\old\\queryid\\4.1") is PARTIAL
    with pytest.raises(PacketError, match="duplicate"):
        session.receive(b"\\hostname\\B\\queryid\\5.1")
    assert session.receive(b"\\player_0\\Ann\\queryid\\5.2") is DONE
    assert session.reply is not None
    assert (session.reply.rules, session.reply.player_list) == ({"hostname": "A"}, ({"player": "Ann", "frags": "1"},))


def test_repeated_parts_use_up_nothing() -> None:
    session = GameSpy3Session()
    session.build_request(TOKEN)
    session.receive(b"\x09ABCD0\0")
    part = b"\0ABCDsplitnum\0\0\0hostname\0A\0text\0" + b"x" * 1_000 + b"\0\0"
    assert session.receive(part) is PARTIAL
    for _ in range(MAX_REPLY_BYTES // len(part) + 1):
        with pytest.raises(PacketError, match="duplicate"):
            session.receive(part)
    assert session.receive(b"\0ABCDsplitnum\0\x81\0a\0b\0\0") is DONE


def test_field_continues_in_next_datagram() -> None:
    first = b"\0ABCDsplitnum\0\0\0hostname\0A\0\0\x01player_\0\0Ann\0Bo\0"
    second = b"\0ABCDsplitnum\0\x81\x01player_\0\x01Bob\0Cid\0\0score_\0\x003\x002\x001\0\0\0"
    reply = replay(3, (second, first))
    assert reply.player_list == (
        {"player": "Ann", "score": "3"},
        {"player": "Bob", "score": "2"},
        {"player": "Cid", "score": "1"},
    )


def test_requests_have_token_and_challenge() -> None:
    second, third = GameSpy2Session(QueryParts.ALL), GameSpy3Session()
    assert second.build_request(TOKEN) == b"\xfe\xfd\0ABCD\xff\0\0"
    assert second.receive(b"\0ABCDhostname\0A\0\0") == b"\xfe\xfd\0EFGH\0\xff\0"
    assert third.build_request(TOKEN) == b"\xfe\xfd\x09ABCD"
    third.build_request(b"IJKLMNOP")
    assert third.receive(b"\x09ABCD-2\0") == b"\xfe\xfd\0IJKL\xff\xff\xff\xfe\xff\xff\xff\x01"
    assert third.answered_attempt == 0
    without = GameSpy3Session()
    without.build_request(TOKEN)
    assert without.receive(b"\x09ABCD0\0") == b"\xfe\xfd\0ABCD\xff\xff\xff\x01"


@pytest.mark.parametrize(
    ("session", "data", "reason"),
    [
        (GameSpy1Session(), b"hostname", "not this protocol"),
        (GameSpy1Session(), b"\\hostname\\A", "not this protocol"),
        (GameSpy1Session(), b"\\a\\b\\queryid\\1.65", "too large"),
        (GameSpy1Session(), b"\\a\\" + b"x" * MAX_REPLY_BYTES + b"\\final\\", "too large"),
        (GameSpy1Session(), b"\\a\\b\\final\\", "no status"),
        (GameSpy2Session(QueryParts.INFO), b"\0WXYZhostname\0A\0\0", "wrong token"),
        (GameSpy2Session(QueryParts.INFO), b"\0ABCDhostname\0A", "truncated"),
        (GameSpy2Session(QueryParts.INFO), b"\0ABCDa\0b\0\0", "no status"),
        (GameSpy2Session(QueryParts.INFO), b"\1ABCDhostname\0A\0\0", "not this protocol"),
        (GameSpy3Session(), b"\x09WXYZ1\0", "wrong token"),
        (GameSpy3Session(), b"\x09ABCDx\0", "invalid number"),
        (GameSpy3Session(), b"\0ABCDsplitnum\0\x80\0hostname\0A\0\0", "not this protocol"),
    ],
)
def test_invalid_replies_are_refused(session: QuerySession, data: bytes, reason: str) -> None:
    session.build_request(TOKEN)
    with pytest.raises(PacketError, match=reason):
        session.receive(data)
    assert not session.skip_current_part()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"splitnum\0\x10\0", "too large"),
        (b"other\0\x80\0", "not this protocol"),
        (b"splitnum\0\x80\x07x", "invalid list"),
        (b"splitnum\0\x80\0a\0b\0\0", "no status"),
        (b"splitnum\0\x80\0a\0b", "truncated"),
        (b"splitnum\0\x80\x01player_\0\xff" + b"A\0" * 3, "too many"),
    ],
)
def test_invalid_parts_are_refused(body: bytes, reason: str) -> None:
    session = GameSpy3Session()
    session.build_request(TOKEN)
    session.receive(b"\x09ABCD1\0")
    with pytest.raises(PacketError, match=reason):
        session.receive(b"\0ABCD" + body)


def test_players_without_values_are_refused() -> None:
    session = GameSpy2Session(QueryParts.PLAYERS)
    session.build_request(TOKEN)
    session.receive(b"\0ABCDhostname\0A\0\0")
    with pytest.raises(PacketError, match="invalid list"):
        session.receive(b"\0EFGH\0\xff\0")


def test_missing_players_keep_the_rules() -> None:
    session = GameSpy2Session(QueryParts.ALL)
    session.build_request(TOKEN)
    session.receive(b"\0ABCDhostname\0A\0\0")
    with pytest.raises(PacketError, match="truncated"):
        session.receive(b"\0EFGH\0\2player_\0\0Ann\0")
    assert session.skip_current_part()
    assert session.reply is not None
    assert session.reply.player_list is None
