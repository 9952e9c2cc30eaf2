"""Recordings of the newer protocols, read by other readers and ours."""

import asyncio
import json
import struct
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

import pytest
import trio
from family_servers import (
    bedrock,
    ddnet,
    exchanges,
    fivem,
    java_server,
    multi_theft_auto,
    open_mp,
    vcmp,
)
from game_servers import gamedig, info_of, quakestat, query
from loopback_servers import serving
from mcstatus import BedrockServer, JavaServer
from mcstatus.motd import Motd
from opengsq.protocols.quake3 import Quake3  # type: ignore[import-untyped]
from opengsq.protocols.vcmp import Vcmp  # type: ignore[import-untyped]
from samp_query import Client
from timeouts import LIMIT_S
from twnet_parser.packer import Unpacker
from twnet_parser.packet import parse6, parse7

from browser_app.protocols.address import Address
from browser_app.protocols.minecraft.java import encode_java_packet, encode_varint
from browser_app.protocols.teeworlds import teeworlds06, teeworlds07
from browser_app.protocols.teeworlds.teeworlds_reply import TeeworldsClient, TeeworldsReply

Read = TypeVar("Read")

DOCUMENT = {
    "version": {"name": "Paper 1.21.4", "protocol": 769},
    "players": {"max": -1, "online": 2481, "sample": [{"name": "§6Vote now", "id": "0"}, {"name": "Bob", "id": "1"}]},
    "description": {
        "text": "§aRig",
        "bold": True,
        "extra": [" of ", {"text": "Ünïcode\n", "color": "gold"}, "second"],
    },
    "favicon": "data:image/png;base64," + "A" * 20_000,
}


def status_of(document: object) -> bytes:
    text = json.dumps(document).encode()
    return encode_java_packet(b"\0" + encode_varint(len(text)) + text)


def plain(motd: Motd) -> str:
    """The words of a description, on one line."""
    return " ".join(motd.to_plain().split())


STATUSES = [*(each.replies[0] for each in exchanges("minecraft-java") if each.what[0] == "h"), status_of(DOCUMENT)]


@pytest.mark.parametrize("status", STATUSES, ids=["flying-squid", "minecraft-protocol", "network"])
def test_java_as_by_mcstatus(status: bytes) -> None:
    with java_server(status) as address:
        info = info_of(query("minecraft", address))
        other = JavaServer(address.host, address.port, LIMIT_S).status()
    assert (info.name, info.version) == (plain(other.motd), other.version.name)
    assert info.players == other.players.online
    assert info.max_players == (other.players.max if other.players.max >= 0 else None)
    names = [plain(Motd.parse(each.name)) for each in other.players.sample or ()]
    assert dict(info.rules or {})["sample"] == ", ".join(names)


def test_bedrock_as_by_mcstatus() -> None:
    with serving(bedrock()) as (address,):
        info = info_of(query("bedrock", address))
        other = asyncio.run(BedrockServer(address.host, address.port, LIMIT_S).async_status())
    assert (info.name, info.version, info.map) == (plain(other.motd), other.version.name, other.map_name)
    assert (info.players, info.max_players, info.mode) == (other.players.online, other.players.max, other.gamemode)
    assert dict(info.rules or {})["edition"] == other.version.brand


def ask_samp(address: Address, ask: Callable[[Client], Awaitable[Read]]) -> Read:
    async def work() -> Read:
        client = Client(*address)
        try:
            with trio.fail_after(LIMIT_S):
                return await ask(client)
        finally:
            if client._socket is not None:
                client._socket.close()

    return trio.run(work)


def test_open_mp_as_by_samp_query() -> None:
    players = struct.pack("<H", 2) + b"".join(
        bytes([len(name)]) + name + struct.pack("<i", score) for name, score in ((b"[LS]Carl", 31), (b"Big_Smoke", -7))
    )
    with serving(open_mp(c=players)) as (address,):
        info = info_of(query("samp", address))
        other = ask_samp(address, Client.info)
        others_players = ask_samp(address, Client.players).players
        rules = ask_samp(address, Client.rules).rules
    # It guesses the encoding of a text by its letters, and takes short UTF-8 for something else.
    assert info.name == other.name.encode(other.encodings["name"]).decode()
    assert (info.mode, info.tags, info.password) == (other.gamemode, (other.language,), other.password)
    assert (info.players, info.max_players) == (other.players, other.max_players)
    assert [(row.name, row.score) for row in info.player_list or ()] == [
        (row.name, row.score) for row in others_players
    ]
    assert dict(info.rules or {}) == {rule.name: rule.value for rule in rules}


def test_open_mp_as_by_gamedig() -> None:
    with serving(open_mp(c=struct.pack("<HB3si", 1, 3, b"Bob", -7))) as (address,):
        info = info_of(query("samp", address))
        other = gamedig("gtasao", address)
    assert info.name == other["name"].encode("cp1252").decode()  # it takes UTF-8 for Windows-1252
    assert (info.players, info.max_players, info.password) == (
        other["numplayers"],
        other["maxplayers"],
        other["password"],
    )
    assert (info.mode, info.tags, info.version) == (other["raw"]["gamemode"], (other["raw"]["map"],), other["version"])
    assert dict(info.rules or {}) == other["raw"]["rules"]
    assert [(row.name, row.score) for row in info.player_list or ()] == [("Bob", -7)]
    assert [(row["name"], row["raw"]["score"]) for row in other["players"]] == [("Bob", -7)]


def test_vcmp_as_by_opengsq() -> None:
    with serving(vcmp) as (address,):
        info = info_of(query("vcmp", address))
        reader = Vcmp(*address, LIMIT_S)
        other, players = asyncio.run(reader.get_status()), asyncio.run(reader.get_players())
    assert (info.name, info.mode, info.version) == (other.server_name, other.game_type, other.version)
    assert (info.players, info.max_players, info.password) == (other.num_players, other.max_players, other.password)
    assert info.tags == (other.language,)
    assert [row.name for row in info.player_list or ()] == [row.name for row in players] == ["Bob", "Alice"]


def test_multi_theft_auto_as_by_gamedig() -> None:
    with serving(multi_theft_auto) as (address,):
        info = info_of(query("ase", address))
        other = gamedig("gtasamta", address)
    assert (info.name, info.map, info.mode) == (
        other["name"].removeprefix("#ff0000"),
        other["map"],
        other["raw"]["gametype"],
    )
    assert (info.players, info.max_players, info.password) == (
        other["numplayers"],
        other["maxplayers"],
        other["password"],
    )
    assert (info.version, dict(info.rules or {})["owner"]) == (other["version"], other["raw"]["owner"])
    known = [(row["name"], row["raw"]["score"], row["raw"]["ping"]) for row in other["players"]]
    assert [(row.name, row.score, row.ping_ms) for row in info.player_list or ()] == known


def test_fivem_as_by_opengsq() -> None:
    with serving(fivem) as (address,):
        info = info_of(query("fivem", address))
        other = asyncio.run(Quake3(*address, LIMIT_S).get_info(strip_color=True))
    assert (info.name, info.map) == (other["hostname"], other["mapname"])
    assert (str(info.players), str(info.max_players)) == (other["clients"], other["sv_maxclients"])
    assert dict(info.rules or {})["gametype"] == other["gametype"]


@pytest.mark.parametrize("players", [0, 45])
def test_ddnet_as_by_quakestat(players: int) -> None:
    with serving(ddnet(players)) as (address,):
        info = info_of(query("teeworlds06", address))
        other = quakestat("tees", address)
    # It asks without DDNet's extension, whose numbers end at 16 slots.
    assert other["name"] == f"{info.name} [{info.players}/{info.max_players}]"
    assert (info.map, info.players) == (other["map"], players)
    assert other["numplayers"] == min(players, 15)


def as_by_twnet_parser(message: Any) -> TeeworldsReply:
    return TeeworldsReply(
        message.version,
        message.name,
        message.map,
        message.game_type,
        bool(message.flags & 1),
        message.num_players,
        message.max_players,
        message.num_clients,
        message.max_clients,
        tuple(
            TeeworldsClient(row.name, row.clan, row.score, is_spectator=not row.is_player, is_bot=None)
            for row in message.clients
        ),
    )


def test_vanilla_ddnet_as_by_twnet_parser() -> None:
    for each in exchanges("ddnet06"):
        if each.what.startswith("gie3 vanilla"):
            (message,) = parse6(each.replies[0]).messages
            assert teeworlds06.parse_vanilla_info(each.replies[0]) == (message.token, as_by_twnet_parser(message))


def test_extended_ddnet_as_by_twnet_parser() -> None:
    for each in exchanges("ddnet06"):
        if each.what.startswith("gie3 extended"):
            session = teeworlds06.Teeworlds06Session()
            session._tokens = [0x123456]
            for datagram in each.replies:
                session.receive(datagram)
            assert session.reply is not None
            (message,) = parse6(each.replies[0]).messages
            other = as_by_twnet_parser(message)
            rows, others = session.reply.client_list or (), other.client_list or ()
            assert rows[: len(others)] == others
            assert len(rows) == session.reply.clients  # it does not read the second datagram of a long list
            assert replace(session.reply, client_list=None) == replace(other, client_list=None)


def test_teeworlds_07_as_by_twnet_parser() -> None:
    names = []
    for each in exchanges("teeworlds07"):
        if each.what.startswith("gie3"):
            info_token, reply = teeworlds07.parse_info_07(each.replies[0][17:])
            rows, reply.client_list = reply.client_list or (), ()
            head, *_ = each.replies[0].partition(rows[0].name.encode()) if rows else (each.replies[0],)
            (message,) = parse7(head).messages
            assert (info_token, reply) == (message.token, as_by_twnet_parser(message))
            # It reads clients only as texts of version 0.6, but has a reader of packed numbers.
            unpacker = Unpacker(each.replies[0][len(head) :])
            for row in rows:
                assert (row.name, row.clan) == (unpacker.get_str(), unpacker.get_str())
                _country, score, kind = (unpacker.get_int() for _number in range(3))
                assert (row.score, row.is_spectator, row.is_bot) == (score, kind == 1, kind == 2)
                names.append(row.name)
            assert unpacker.remaining_size() == 0
    assert names == ["Razor", "Ünïcode", "Third"]
