"""Every answer that real servers of the families once gave, read again.

The recordings were made by somebody else, from other servers than those in `tests/data/families`. Each of them is read
here, or its request is one that Ready Room does not send.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from recorded_data import ADDED, data_folders

from browser_app.catalogue.reply_readers.luanti_server_info import read_luanti_list
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols import armagetron, bzflag, luanti, mumble, supertuxkart
from browser_app.protocols.cube2 import cube2_session
from browser_app.protocols.cube2.cube2_session import Cube2Session
from browser_app.protocols.cube2.cube_data import CubeReader
from browser_app.protocols.doom import chocolate_doom, odamex, zandronum
from browser_app.protocols.minecraft import bedrock, java
from browser_app.protocols.openttd import game_info
from browser_app.protocols.quake import quake2, quakeworld
from browser_app.protocols.query_session import PacketError, QueryParts
from browser_app.protocols.san_andreas import samp
from browser_app.protocols.teeworlds import teeworlds06, teeworlds07
from browser_app.protocols.teeworlds.teeworlds_list import parse_teeworlds_list

pytestmark = pytest.mark.further_recordings

Record = Mapping[str, Any]
Reader = Callable[[bytes, bytes], object]
"""Reads a reply, given the request; returns what is compared."""

NOT_SENT: Mapping[str, Mapping[int, str]] = {
    "bzflag": {1: "players over TCP", 2: "players over TCP", 3: "players over TCP"},
    "cube2-sauerbraten": {2: "uptime", 4: "scores of teams", 7: "scores of teams", 8: "uptime"},
    "ddnet06": {2: "older form", 5: "of a server to its master", 8: "older form", 9: "of a server to its master"},
    "hedgewars": {0: "a lobby, not a list of servers"},
    "luanti": {2: "of a server to its list"},
    "minecraft-java": dict.fromkeys((2, 3, 4, 7, 8, 9), "of versions before 1.7"),
    "odamex": {2: "older form"},
    "openttd": {3: "a mistake"},
    "quake2": {3: "shorter form", 4: "shorter form"},
    "samp-openmp": {4: "links of the operator"},
    "supertuxkart": {1: "port alone"},
}
"""File → number of the recording → what its request is, which Ready Room does not send."""


def load_records(name: str) -> list[Record]:
    text = (data_folders()[ADDED] / "families" / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _read_cube2(dialect: cube2_session.Cube2Dialect) -> Reader:
    def read(request: bytes, reply: bytes) -> object:
        assert reply.startswith(request)
        found = dialect.parse(CubeReader(reply, len(request)))
        return found.name, found.map, found.clients, found.max_clients

    return read


def _read_java_status(_request: bytes, reply: bytes) -> object:
    packet = java.split_java_packet(reply)
    if packet is None:
        raise PacketError("truncated")
    found = java.parse_java_status(packet[0])
    return found.name, found.version, found.players, found.max_players


def _read_vanilla(_request: bytes, reply: bytes) -> object:
    token, found = teeworlds06.parse_vanilla_info(reply)
    return token, found.name, found.map, found.players, found.max_players, len(found.client_list or ())


def _read_extended(_request: bytes, reply: bytes) -> object:
    packet = teeworlds06._parse_reply(reply)
    assert isinstance(packet, teeworlds06._InfoPacket)
    found = packet.info
    return packet.token, found.name, found.map, found.clients, found.max_players, len(found.client_list or ())


def _read_teeworlds07(_request: bytes, reply: bytes) -> object:
    if not reply.startswith(teeworlds07.CONNECTIONLESS_HEADER):
        raise PacketError("not this protocol")
    token, found = teeworlds07.parse_info_07(reply[17:])
    clients = [client.name for client in found.client_list or ()]
    return token, found.name, found.map, found.password, found.players, found.clients, clients


def _read_quakeworld(_request: bytes, reply: bytes) -> object:
    found = quakeworld.parse_quakeworld_reply(reply)
    spectators = sum(player.is_spectator for player in found.players)
    return found.info["hostname"], found.info["map"], len(found.players), spectators, found.lists_spectators


def _read_quake2(_request: bytes, reply: bytes) -> object:
    found = quake2.parse_quake2_reply(reply)
    return found.info["hostname"], found.info["mapname"], [player.name for player in found.players]


def _read_cube2_players(request: bytes, reply: bytes) -> object:
    session = Cube2Session(QueryParts.ALL, cube2_session.SAUERBRATEN)
    session.reply = cube2_session.SAUERBRATEN.parse(CubeReader(_CUBE2_INFO))
    session._requests.append(request)
    session.receive(reply)
    return session.has_more


_CUBE2_INFO = bytes.fromhex("0005800401010010000000")
"""Values of a reply without map and name."""

READERS: Mapping[str, Mapping[int, tuple[Reader, object]]] = {
    "armagetron": {
        1: (lambda _request, reply: int.from_bytes(reply[:2], "big"), armagetron.SMALL_REPLY),
        2: (lambda _request, reply: armagetron.parse_big_reply(reply).name, "0xff0000Rig 0x00ff00Arma"),
    },
    "bzflag": {0: (lambda _request, reply: bzflag.parse_bzflag_reply(reply).limits, (8, 8, 0, 0, 0, 4))},
    "chocolate-doom": {0: (lambda _request, reply: chocolate_doom.parse_chocolate_doom_reply(reply).name, "Rig Choco")},
    "cube2-redeclipse": dict.fromkeys((0, 1), (_read_cube2(cube2_session.RED_ECLIPSE), ("Rig RE", "bath", 0, 24))),
    "cube2-sauerbraten": {
        0: (_read_cube2(cube2_session.SAUERBRATEN), ("Rig \f3Sauer", "", 0, 16)),
        1: (_read_cube2(cube2_session.SAUERBRATEN), ("Rig \f3Sauer", "", 0, 16)),
        3: (_read_cube2_players, False),
        5: (_read_cube2(cube2_session.SAUERBRATEN), ("Rig \f3Sauer", "", 3, 16)),
        6: (_read_cube2_players, True),
    },
    "ddnet06": {
        0: (_read_vanilla, (0x2A, "Rig DDNet [0/64]", "dm1", 0, 16, 0)),
        1: (_read_extended, (0x123456, "Rig DDNet", "dm1", 0, 64, 0)),
        3: (lambda _request, reply: reply[7:8], teeworlds07.TOKEN_MESSAGE),
        4: (_read_vanilla, (5, "Rig DDNet [0/64]", "dm1", 0, 16, 0)),
        6: (_read_vanilla, (0x2A, "Rig DDNet [45/64]", "Gold Mine", 15, 16, 16)),
        7: (_read_extended, (0x123456, "Rig DDNet", "Gold Mine", 45, 64, 31)),
        10: (_read_teeworlds07, (5, "Rig DDNet", "Gold Mine", False, 0, 0, [])),
    },
    "luanti": {0: (lambda _request, reply: luanti.parse_luanti_greeting(reply).peer_id, b"\0\2")},
    "luanti-list": {0: (lambda _request, reply: _read_luanti_names(reply), [("Rig Luanti", 0, 12)])},
    "minecraft-bedrock": dict.fromkeys(
        (0, 1), (lambda _request, reply: bedrock.parse_bedrock_reply(reply)[1].level_name, "JSRakNet")
    ),
    "minecraft-java": {
        0: (_read_java_status, ("Rig flying-squid", "1.16.1", 0, 10)),
        1: (lambda request, reply: request == reply, True),
        5: (_read_java_status, ("§aRig §lMC§r", "1.20.4", 3, 20)),
        6: (lambda request, reply: request == reply, True),
    },
    "mumble": {0: (lambda _request, reply: mumble.parse_mumble_reply(reply)[1].max_users, 42)},
    "odamex": {
        0: (lambda _request, reply: odamex.parse_odamex_reply(reply), (0x11223344, odamex.OdamexVersion("10.6.0"))),
        1: (lambda _request, reply: _read_odamex(reply), ("Rig Oda", "MAP01")),
    },
    "openttd": {
        0: (lambda _request, reply: game_info.parse_lan_reply(reply), None),
        1: (lambda _request, reply: game_info.read_game_info(game_info.OpenTTDReader(reply[3:])).name, "Rig OTTD"),
    },
    "quake2": {
        **dict.fromkeys((0, 1, 2), (_read_quake2, ("RigQ2", "rig", ["Razor", "B0t"]))),
        5: (lambda _request, reply: reply, quake2.PING_REPLY),
    },
    "quakeworld": {
        0: (_read_quakeworld, ("Rig QW", "rig", 2, 0, True)),
        **dict.fromkeys((1, 2, 3, 7), (_read_quakeworld, ("Rig QW", "rig", 3, 1, True))),
        4: (_read_quakeworld, ("Rig QW", "rig", 0, 0, True)),
        **dict.fromkeys((5, 6), (lambda _request, reply: reply, quakeworld.PING_REPLY)),
    },
    "samp-openmp": {
        **dict.fromkeys((0, 6), (lambda _request, reply: _read_samp(reply), ("Rig open.mp ü", "Rig RP", 0, 50))),
        1: (lambda _request, reply: samp.parse_samp_rules(reply[11:])[b"mapname"], b"San Andreas"),
        2: (lambda _request, reply: samp.parse_samp_players(reply[11:]), ()),
        5: (lambda request, reply: request == reply, True),
    },
    "supertuxkart": {0: (lambda _request, reply: supertuxkart.parse_supertuxkart_reply(reply).game_port, 12759)},
    "teeworlds07": {
        0: (lambda _request, reply: reply[7:8], teeworlds07.TOKEN_MESSAGE),
        1: (_read_teeworlds07, (5, "Rig [D] Fam", "dm1", False, 0, 0, [])),
        5: (_read_teeworlds07, (1157, "Rig [D] Fam", "dm1", True, 3, 3, ["Razor", "Ünïcode", "Third"])),
    },
    "zandronum": {
        **dict.fromkeys((0, 2, 3), (lambda _request, reply: _read_zandronum(reply), "Rig Zan")),
        1: (
            lambda _request, reply: zandronum.parse_zandronum_reply(reply),
            (0x55667788, zandronum.ZandronumRefusal(is_banned=False)),
        ),
    },
}
"""File → number of the recording → how it is read, and what it says."""


def _read_luanti_names(reply: bytes) -> object:
    games = load_games(resource_folder() / "games")
    return [
        (entry.info.name, entry.info.players, entry.info.max_players)
        for entry in read_luanti_list([reply], games)
        if entry is not None
    ]


def _read_odamex(reply: bytes) -> object:
    found = odamex.parse_odamex_reply(reply)[1]
    assert isinstance(found, odamex.OdamexReply)
    return found.variables["sv_hostname"], found.map


def _read_samp(reply: bytes) -> object:
    found = samp.parse_samp_info(reply[11:])
    return samp.decode_samp_text(found.name), samp.decode_samp_text(found.mode), found.players, found.max_players


def _read_zandronum(reply: bytes) -> object:
    found = zandronum.parse_zandronum_reply(reply)[1]
    assert isinstance(found, zandronum.ZandronumReply)
    return found.name


def test_every_recording_is_read_or_not_asked_for() -> None:
    files = {file.stem for file in (data_folders()[ADDED] / "families").glob("*.jsonl")}
    assert files == READERS.keys() | NOT_SENT.keys()
    for name in files:
        answered = {number for number, record in enumerate(load_records(name)) if record["response_hex"]}
        assert answered == {*READERS.get(name, ()), *NOT_SENT.get(name, ())}, name


@pytest.mark.parametrize(("name", "number"), [(name, number) for name, each in READERS.items() for number in each])
def test_recorded_reply_says_what_was_configured(name: str, number: int) -> None:
    record, (read, expected) = load_records(name)[number], READERS[name][number]
    assert read(bytes.fromhex(record["request_hex"]), bytes.fromhex(record["response_hex"])) == expected


@pytest.mark.parametrize(("number", "password", "clients"), [(5, True, 0), (9, False, 45)])
def test_server_of_ddnet_describes_itself_to_its_list(number: int, password: bool, clients: int) -> None:
    body = bytes.fromhex(load_records("ddnet06")[number]["request_hex"]).partition(b"\r\n\r\n")[2]
    entry = b'{"servers": [{"addresses": ["tw-0.6+udp://8.8.8.8:8303"], "info": ' + body + b"}]}"
    (server,) = parse_teeworlds_list([entry])
    assert server is not None
    assert (server.reply.name, server.reply.password) == ("Rig DDNet", password)
    assert (server.reply.clients, len(server.reply.client_list or ())) == (clients, clients)
