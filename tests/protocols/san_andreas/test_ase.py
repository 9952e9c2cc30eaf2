"""All-Seeing Eye queries: another reader's result, missing parts, damage."""

import asyncio
import socket
import threading
from contextlib import suppress

import pytest
from opengsq.protocols.ase import ASE  # type: ignore[import-untyped]

from browser_app.catalogue.reply_readers.san_andreas_server_info import read_ase_reply
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import DONE, PacketError, QueryParts
from browser_app.protocols.san_andreas.ase import AseSession, parse_ase_reply


def texts(*values: str) -> bytes:
    return b"".join(bytes([len(value.encode()) + 1]) + value.encode() for value in values)


HEAD = b"EYE1" + texts("mta", "22003", "#ff0000Rig Ünïcode", "Race", "None", "1.6", "1", "3", "64")
RULES = texts("owner", "Somebody", "weather", "#00FF00fair") + b"\x01"
PLAYERS = (
    b"\x3f"
    + texts("#FF0000One", "Red", "", "7", "40", "12")
    + b"\x3f"
    + texts("Two", "", "", "Rank 3", "", "")
    + b"\x01"
    + texts("Three")
)
REPLY = HEAD + RULES + PLAYERS


def convert(data: bytes, parts: QueryParts = QueryParts.ALL) -> ServerInfo:
    target = QueryTarget(Address("192.0.2.1", 22126), "ase", None)
    return read_ase_reply(parse_ase_reply(data), target, GameRegistry([]), parts)


def test_reply_becomes_a_server() -> None:
    info = convert(REPLY)
    assert (info.name, info.map, info.mode, info.version) == ("Rig Ünïcode", "", "Race", "1.6")
    assert (info.players, info.bots, info.max_players, info.password) == (3, None, 64, True)
    assert info.connect == Address("192.0.2.1", 22003)
    assert info.player_list == (
        PlayerInfo("One", 7.0, 720.0, 40.0, None, None),
        PlayerInfo("Two", None, None, None, None, None),
        PlayerInfo("Three", None, None, None, None, None),
    )
    assert dict(info.rules or {}) == {"owner": "Somebody", "weather": "fair"}


def test_language_rule_is_read() -> None:
    assert convert(HEAD + texts("languages", "ru, en") + b"\x01").language == "ru,en"
    assert convert(REPLY).language is None


def test_rules_and_players_may_be_missing() -> None:
    for data in (HEAD, HEAD + b"\x01"):
        info = convert(data)
        assert (info.player_list, dict(info.rules or {})) == ((), {})
    assert convert(REPLY, QueryParts.INFO).player_list is None


def test_session_takes_one_reply() -> None:
    session = AseSession()
    assert session.build_request(b"token000") == b"s"
    assert session.receive(REPLY) is DONE
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(REPLY)


@pytest.mark.parametrize(
    "data", [b"", b"EYE1", b"EYE2" + REPLY[4:], HEAD.replace(b"\x0364", b"\x03-1"), b"\0" * 40_000]
)
def test_other_datagrams_are_rejected(data: bytes) -> None:
    with pytest.raises(PacketError):
        parse_ase_reply(data)


def test_damaged_replies_raise_only_packet_errors() -> None:
    for position in range(len(REPLY)):
        flipped = bytearray(REPLY)
        flipped[position] ^= 0x91
        for damaged in (REPLY[:position], bytes(flipped)):
            with suppress(PacketError):
                parse_ase_reply(damaged)


def test_opengsq_reads_the_same() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        server.settimeout(20)

        def answer() -> None:
            _request, sender = server.recvfrom(100)
            server.sendto(REPLY, sender)

        thread = threading.Thread(target=answer)
        thread.start()
        status = asyncio.run(ASE("127.0.0.1", server.getsockname()[1], 20).get_status())
        thread.join()
    reply = parse_ase_reply(REPLY)
    assert (status.game_name, status.game_port, status.hostname) == (reply.game, reply.game_port, reply.name)
    assert (status.num_players, status.max_players, status.password) == (3, 64, True)
    assert status.rules == reply.rules
    assert [player.name for player in status.players] == [player.name for player in reply.player_list]
