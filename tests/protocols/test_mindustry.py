"""Mindustry: server data, lists of addresses, and damaged ones."""

import json

import pytest

from browser_app.catalogue.reply_readers.mindustry_server_info import read_mindustry_list
from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.mindustry_list import MAX_ADDRESSES
from browser_app.protocols.mindustry import MindustrySession
from browser_app.protocols.query_session import DONE, PacketError

TARGET = QueryTarget(Address("192.0.2.7", 6567), "mindustry", None, host_name="play.example.org")


def text(value: str) -> bytes:
    raw = value.encode()
    return bytes([len(raw)]) + raw


def number(value: int) -> bytes:
    return value.to_bytes(4, "big", signed=True)


def reply(players: int = 3, limit: int = 20, mode: int = 3, build: int = 146, more: bytes = b"") -> bytes:
    names = text("[accent]Nydus [#ff00ff]Network[]") + text("Glacier")
    return (
        names + number(players) + number(12) + number(build) + text("official") + bytes([mode]) + number(limit) + more
    )


def info_of(data: bytes, games: GameRegistry) -> ServerInfo:
    session = MindustrySession()
    assert session.build_request(b"token000") == b"\xfe\x01"
    assert session.receive(data) is DONE
    with pytest.raises(PacketError, match="unexpected"):
        session.receive(data)
    return read_reply(session.reply, TARGET, games)


def test_reply_becomes_info(games: GameRegistry) -> None:
    info = info_of(reply(), games)
    assert (info.game, info.name, info.map) == ("mindustry", "Nydus Network", "Glacier")
    assert (info.players, info.max_players, info.mode, info.mode_name) == (3, 20, "pvp", "PvP")
    assert (info.version, info.password) == ("official 146", False)
    assert info.connect == Address("play.example.org", 6567)
    assert dict(info.rules or {}) == {"wave": "12"}


def test_newer_servers_add_fields(games: GameRegistry) -> None:
    info = info_of(reply(limit=0, mode=9, build=-1, more=text("[red]Hi") + text("Hexed") + bytes(40)), games)
    assert (info.max_players, info.mode, info.version) == (None, "Hexed", "official")
    assert dict(info.rules or {})["description"] == "Hi"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "truncated"),
        (reply()[:-1], "truncated"),
        (reply(more=b"\5abc"), "truncated"),
        (reply(players=-1), "not this protocol"),
        (reply(limit=1 << 30), "not this protocol"),
        (reply(mode=40), "not this protocol"),
        (reply(more=bytes(3000)), "too large"),
    ],
)
def test_invalid_replies_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(PacketError, match=reason):
        MindustrySession().receive(data)


def test_list_names_addresses(games: GameRegistry) -> None:
    many = [f"192.0.2.{number}" for number in range(1, MAX_ADDRESSES + 9)]
    entries = [{"name": "A", "address": ["192.0.2.7:7000", "play.example.org", "x y"]}, {"address": "192.0.2.8"}, {}, 1]
    found = list(read_mindustry_list([json.dumps([*entries, {"address": many}]).encode()], games))
    expected = [Address("192.0.2.7", 7000), Address("play.example.org", 6567), None, Address("192.0.2.8", 6567)]
    assert [None if each is None else each.address for each in found[:6]] == [*expected, None, None]
    assert len(found) == 6 + MAX_ADDRESSES
    assert found[0] == QueryTarget(Address("192.0.2.7", 7000), "mindustry", "mindustry")
