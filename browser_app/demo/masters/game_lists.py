"""Lists on the web in the formats of single games, describing the demo servers."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from ipaddress import IPv4Address
from typing import Any, Final, NamedTuple

from browser_app.demo.demo_server import DemoServer
from browser_app.demo.faults.network_faults import FORBIDDEN_ADDRESSES
from browser_app.demo.population import DemoServerState
from browser_app.demo.responders.cube2_responder import encode_cube_entry
from browser_app.demo.responders.free_game_responders import encode_bzflag_entry, encode_short_text
from browser_app.demo.responders.listed_responder import (
    describe_for_beammp,
    describe_for_northstar,
    describe_for_openra,
    describe_for_vintage_story,
)
from browser_app.demo.responders.samp_responder import make_samp_reply
from browser_app.demo.responders.space_station_responder import describe_space_station
from browser_app.demo.responders.srb2_responder import encode_srb2_entry
from browser_app.demo.responders.teeworlds_responder import make_teeworlds_reply
from browser_app.protocols.address import Address
from browser_app.protocols.san_andreas import mta_list
from browser_app.protocols.teeworlds.teeworlds_list import TEEWORLDS_SCHEMES

_SCHEMES: Final = {protocol: scheme for scheme, protocol in TEEWORLDS_SCHEMES.items()}
_MTA_FLAGS: Final = (
    mta_list.PLAYERS | mta_list.MAX_PLAYERS_FLAG | mta_list.GAME | mta_list.NAME | mta_list.MODE | mta_list.MAP
    | mta_list.VERSION_TEXT | mta_list.PASSWORD | mta_list.SERIALS | mta_list.PLAYER_NAMES
)  # fmt: skip


class GameList(NamedTuple):
    """Format of one game's list."""

    scheme: str
    """First part of the scheme of its URLs."""
    path: str
    encode_entry: Callable[[DemoServerState, Address, float], bytes]
    """Returns the entry of a server at a game address and a time (s since the network's start)."""
    encode_list: Callable[[Iterable[bytes]], bytes]
    """Returns the list with these entries."""


def _text_list(entries: Iterable[bytes]) -> bytes:
    return b"".join((*entries, b"\n"))


def _srb2_room_list(entries: Iterable[bytes]) -> bytes:
    """Return a list with one room, or none if there is no server."""
    known = _text_list(entries)
    return b"33\n" + known if known.strip() else known


def _json_list(
    scheme: str,
    path: str,
    describe: Callable[[DemoServerState, Address, float], Mapping[str, Any]],
    before: bytes = b"[",
    after: bytes = b"]",
) -> GameList:
    return GameList(
        scheme,
        path,
        lambda state, address, now_s: json.dumps(describe(state, address, now_s)).encode(),
        lambda entries: before + b",".join(entries) + after,
    )


def _describe_for_ddnet(state: DemoServerState, address: Address, now_s: float) -> Mapping[str, Any]:
    reply = make_teeworlds_reply(state, now_s)
    clients = [
        {"name": each.name, "clan": each.clan, "country": -1, "score": each.score, "is_player": not each.is_spectator}
        for each in reply.client_list or ()
    ]
    info = {
        "max_clients": reply.max_clients, "max_players": reply.max_players, "passworded": reply.password,
        "game_type": reply.game_type, "name": reply.name, "map": {"name": reply.map}, "version": reply.version,
        "clients": clients,
    }  # fmt: skip
    return {"addresses": [f"{_SCHEMES[state.game.protocol]}://{address}"], "location": "eu", "info": info}


def _describe_for_luanti(state: DemoServerState, address: Address, now_s: float) -> Mapping[str, Any]:
    names = [player.name for player in state.players]
    return {
        **state.game.extra_info, "address": address.host, "port": address.port, "name": state.name,
        "description": f"{state.game.modes[state.mode].reported_value} for everybody", "version": state.game.version,
        "clients": len(names), "clients_max": state.max_players, "clients_top": state.max_players,
        "clients_list": names, "gameid": state.current_mode.reported_value, "password": state.has_password,
        "creative": state.number % 3 == 0, "damage": True, "pvp": state.number % 2 == 0, "mods": ["beds", "boats"],
        "proto_min": 37, "proto_max": 46, "uptime": int(now_s), "game_time": 1_000_000, "ping": 0.02,
    }  # fmt: skip


def _describe_for_openmp(state: DemoServerState, address: Address, now_s: float) -> Mapping[str, Any]:
    reply = make_samp_reply(state, now_s)
    name, mode, language, version = (text.decode() for text in (reply.name, reply.mode, reply.language, reply.version))
    core = {
        "ip": str(address), "hn": name, "pc": reply.players, "pm": reply.max_players, "gm": mode, "la": language,
        "pa": reply.password, "vn": version, "omp": True, "pr": False,
    }  # fmt: skip
    rules = {key.decode(): value.decode() for key, value in (reply.rules or {}).items()}
    return {"core": core, "ri": rules, "description": None, "banner": None, "active": True}


def _describe_for_vcmp(_state: DemoServerState, address: Address, _now_s: float) -> Mapping[str, Any]:
    return {"ip": address.host, "port": address.port, "is_official": False}


def _describe_for_hub(state: DemoServerState, address: Address, _now_s: float) -> Mapping[str, Any]:
    return {"address": f"ss14://{address}", "statusData": describe_space_station(state), "inferredTags": []}


def _describe_for_mindustry(state: DemoServerState, address: Address, _now_s: float) -> Mapping[str, Any]:
    return {"name": state.name, "address": [str(address)]}


def _encode_mta_record(state: DemoServerState, address: Address, _now_s: float) -> bytes:
    names = [player.name for player in state.players]
    fields = [
        len(names).to_bytes(2, "big"),
        state.max_players.to_bytes(2, "big"),
        *map(encode_short_text, ("mta", state.name, state.current_mode.reported_value, state.map, state.game.version)),
        bytes([state.has_password, 0]),
        len(names).to_bytes(2, "big"),
        *map(encode_short_text, names),
    ]
    body = b"".join(fields)
    host = IPv4Address(address.host).packed[::-1]
    return mta_list.RECORD_HEADER.pack(mta_list.RECORD_HEADER.size + len(body), host, address.port) + body


def _encode_mta_list(records: Iterable[bytes]) -> bytes:
    known = list(records)
    return mta_list.HEADER.pack(0, mta_list.VERSION, _MTA_FLAGS, 1, len(known)) + b"".join(known)


GAME_LISTS: Final[Mapping[str, GameList]] = {
    "ddnet": _json_list("ddnet", "/ddnet/15/servers.json", _describe_for_ddnet, b'{"servers":[', b"]}"),
    "luanti": _json_list("luanti", "/luanti/list", _describe_for_luanti, b'{"list":[', b"]}"),
    "samp": _json_list("openmp", "/servers/full", _describe_for_openmp),
    "mta": GameList("mta", "/ase/mta", _encode_mta_record, _encode_mta_list),
    "vcmp": _json_list("vcmp", "/servers", _describe_for_vcmp, b'{"success":true,"servers":[', b"]}"),
    "assaultcube": GameList("assaultcube", "/retrieve.do", encode_cube_entry, _text_list),
    "bzflag": GameList("bzflag", "/db", encode_bzflag_entry, _text_list),
    "ss14": _json_list("ss14", "/api/servers", _describe_for_hub),
    "openra-ra": _json_list("openra", "/openra/games", describe_for_openra),
    "beammp": _json_list("beammp", "/servers-info", describe_for_beammp),
    "vintagestory": _json_list(
        "vintagestory", "/api/v1/servers/list", describe_for_vintage_story, b'{"status":"ok","data":[', b"]}"
    ),
    "mindustry": _json_list("mindustry", "/mindustry.json", _describe_for_mindustry),
    "northstar": _json_list("northstar", "/client/servers", describe_for_northstar),
    "srb2": GameList("srb2", "/MS/0/servers", encode_srb2_entry, _srb2_room_list),
    "srb2kart": GameList("srb2kart", "/SRB2Kart/10/servers", encode_srb2_entry, _text_list),
    "ringracers": GameList("ringracers", "/RingRacers/4/servers", encode_srb2_entry, _text_list),
}
"""Lists by game ID."""


class DemoGameList:
    """The list of one game's servers, whose entries are encoded again after changes."""

    def __init__(self, game_list: GameList, servers: Sequence[DemoServer], now_s: Callable[[], float]) -> None:
        self._format = game_list
        self._servers = servers
        self._now_s = now_s
        self._entries: dict[DemoServer, tuple[int, bytes]] = {}

    def encode(self, *, with_private: bool) -> bytes:
        """Return the list, on demand with addresses that must not be queried."""
        entries = list(map(self._encode_entry, self._servers))
        if with_private and self._servers:
            state, now_s = self._servers[0].state, self._now_s()
            entries += (self._format.encode_entry(state, address, now_s) for address in FORBIDDEN_ADDRESSES)
        return self._format.encode_list(entries)

    def _encode_entry(self, server: DemoServer) -> bytes:
        state = server.state
        revision, entry = self._entries.get(server, (-1, b""))
        if revision != state.revision:
            entry = self._format.encode_entry(state, server.game_address, self._now_s())
            self._entries[server] = state.revision, entry
        return entry
