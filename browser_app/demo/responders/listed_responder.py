"""List entries of demo servers that are never queried, and refusal of queries."""

from collections.abc import Mapping, Sequence
from typing import Any

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import DemoServerState
from browser_app.demo.responders.game_responder import GameResponder
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists import warzone_list
from browser_app.protocols.query_session import PacketError

_FIRST_LIST_GAMES = 11


class ListedResponder(GameResponder):
    """Refuses whatever it is sent: nobody may query the server."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:  # noqa: ARG002 (no request is answered)
        """Refuse a request (see `ServerResponder`)."""
        raise PacketError("not this protocol")


def demo_server_id(state: DemoServerState) -> str:
    """Return the id by which a list without addresses names a server."""
    return f"{state.number:032x}"


def describe_for_openra(state: DemoServerState, address: Address, _now_s: float) -> Mapping[str, Any]:
    """Return a server's entry in OpenRA's list."""
    clients = [{"name": player.name, "isbot": False, "isspectator": False} for player in state.players]
    return {
        "id": state.number, "name": state.name, "address": str(address), "state": 1 + state.number % 2,
        "players": len(clients), "maxplayers": state.max_players, "bots": 0, "spectators": 0, "map": "5f1d" * 10,
        "mod": state.current_mode.reported_value, "modtitle": "Red Alert", "version": state.game.version,
        "protected": state.has_password, "location": "Testland", "clients": clients,
    }  # fmt: skip


def describe_for_beammp(state: DemoServerState, address: Address, _now_s: float) -> Mapping[str, Any]:
    """Return a server's entry in BeamMP's list, whose numbers are texts."""
    return {
        "ip": address.host, "port": str(address.port), "sname": f"^l{state.name}^r", "players": str(len(state.players)),
        "maxplayers": str(state.max_players), "map": f"/levels/{state.map}/info.json", "version": state.game.version,
        "password": state.has_password, "tags": state.current_mode.reported_value, "owner": "Ada", "modlist": "",
        "playerslist": "".join(f"{player.name};" for player in state.players),
    }  # fmt: skip


def describe_for_vintage_story(state: DemoServerState, address: Address, _now_s: float) -> Mapping[str, Any]:
    """Return a server's entry in Vintage Story's list."""
    return {
        "serverName": state.name, "serverIP": str(address), "players": str(len(state.players)),
        "maxPlayers": str(state.max_players), "gameVersion": state.game.version, "hasPassword": state.has_password,
        "whitelisted": state.number % 2 == 0, "gameDescription": "Everybody is welcome",
        "playstyle": {"id": state.current_mode.reported_value, "langCode": "preset"}, "mods": [],
    }  # fmt: skip


def describe_for_northstar(state: DemoServerState, _address: Address, _now_s: float) -> Mapping[str, Any]:
    """Return a server's entry in Northstar's list, which has no addresses."""
    return {
        "id": demo_server_id(state), "name": state.name, "description": "For pilots", "region": "EU",
        "playerCount": len(state.players), "maxPlayers": state.max_players, "map": state.map,
        "playlist": state.current_mode.reported_value, "hasPassword": state.has_password, "modInfo": {"Mods": []},
    }  # fmt: skip


def encode_lobby_entry(state: DemoServerState, address: Address, _now_s: float) -> bytes:
    """Return a game's entry in Warzone 2100's lobby; its first player is the host."""
    host_player = state.players[0].name if state.players else ""
    texts = (state.map, host_player, state.game.version, "")
    map_name, host_player_name, version, mods = (text.encode()[:39] for text in texts)
    return warzone_list.GAME.pack(
        warzone_list.STRUCTURE_VERSION, state.name.encode()[:63], address.host.encode(), state.max_players,
        len(state.players), 0, 0, 0, 0, b"", b"", b"", address.port, map_name, host_player_name, version, mods, 0, 0,
        state.has_password, 0, 0, state.number, 0, 0, 0,
    )  # fmt: skip


def encode_lobby_list(entries: Sequence[bytes]) -> bytes:
    """Return the lobby's two lists, of which the first is short."""
    first, message = entries[:_FIRST_LIST_GAMES], b"Welcome"
    numbers = (200, len(message))
    return b"".join((
        _number(len(first)), *first, *map(_number, numbers), message,
        _number(warzone_list.FIRST_LIST_IS_SHORT), _number(len(entries)), *entries,
    ))  # fmt: skip


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")
