"""Quake III and DarkPlaces replies of a demo server."""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import DemoServerState, SimulatedPlayer
from browser_app.demo.responders.game_responder import GameResponder, ResponderContext
from browser_app.protocols.quake.quake3 import Quake3Player
from browser_app.protocols.quake.quake3_server import (
    Quake3Request,
    encode_info_response,
    encode_status_response,
    parse_quake3_request,
)

_TEAM_IDS: Final = {1: 5, 2: 14}
"""Xonotic's numbers of the red and blue team."""


def make_status_info(server: DemoServerState) -> dict[str, str]:
    """Return the infostring of a statusResponse, without the challenge."""
    return _INFO_BY_GAME.get(server.game.id, _ioquake_status)(server)


def make_short_info(server: DemoServerState) -> dict[str, str]:
    """Return the infostring of an infoResponse, without the challenge."""
    return _INFO_BY_GAME.get(server.game.id, _ioquake_info)(server)


def _darkplaces(state: DemoServerState) -> dict[str, str]:
    """Return both DarkPlaces replies (netconn.c, NetConn_BuildStatusResponse)."""
    spec = state.game
    info = {
        "gamename": spec.gamename, "modname": "data", "gameversion": spec.version,
        "sv_maxclients": str(state.max_players), "clients": str(len(state.players)), "bots": str(state.bot_count),
        "mapname": state.map, "hostname": state.name, "protocol": str(spec.master_protocol),
        "qcstatus": _qcstatus(state),
    }  # fmt: skip
    if spec.id == "xonotic":
        info["d0_blind_id"] = f"1 {_fingerprint_for(state, 'server')}@Xon//KssdlzGkFKdnnN4sgg8H+koTbBn5JTi37BAW1Q="
    return info


def _fingerprint_for(state: DemoServerState, kind: str) -> str:
    """Return a fingerprint unique to the server: 44 characters of Base64."""
    return base64.b64encode(hashlib.sha256(f"{kind} {state.number} {state.name}".encode()).digest()).decode()


def _qcstatus(state: DemoServerState) -> str:
    playing = sum(not person.is_spectator for person in state.players if not person.is_bot)
    joinable = max(0, state.max_players - state.reserved - playing)
    mod = ("Xonotic", "Xonotic", "Overkill", "InstaGib", "XPM")[state.number % 5]
    version = state.game.version if state.game.id != "xonotic" else "0.8.6"
    header = f"{state.mode}:{version}:P{state.number % 190}:S{joinable}:F{5 if state.current_mode.teams else 4}"
    if not state.current_mode.teams:
        return f"{header}:TINVALID:M{mod}::score!!"
    scores = "".join(f":{_TEAM_IDS[team]}:{3 * team}" for team in (1, 2))
    return f"{header}:TINVALID:M{mod}::score!!:score!!{scores}"


def _ioquake_status(state: DemoServerState) -> dict[str, str]:
    """Return all `CVAR_SERVERINFO` variables (ioquake3, sv_main.c, SVC_Status)."""
    spec = state.game
    return {
        **spec.extra_info, "version": spec.version, "gamename": spec.gamename,
        "protocol": str(spec.master_protocol),
        "sv_hostname": state.name, "mapname": state.map, "g_gametype": state.current_mode.reported_value,
        "sv_maxclients": str(state.max_players), "sv_privateClients": str(state.reserved),
        "g_needpass": str(int(state.has_password)),
    }  # fmt: skip


def _ioquake_info(state: DemoServerState) -> dict[str, str]:
    """Return the short info without private slots (ioquake3, sv_main.c, SVC_Info)."""
    spec = state.game
    return {
        "gamename": "Quake3Arena", "protocol": str(spec.master_protocol), "hostname": state.name,
        "mapname": state.map, "clients": str(len(state.players)), "g_humanplayers": str(state.human_count),
        "sv_maxclients": str(state.max_players - state.reserved),
        "gametype": state.current_mode.reported_value, "pure": "1",
        "g_needpass": str(int(state.has_password)), "game": spec.gamename,
    }  # fmt: skip


def _unvanquished(state: DemoServerState) -> dict[str, str]:
    spec = state.game
    return {
        **spec.extra_info, "protocol": str(spec.master_protocol), "hostname": state.name, "sv_hostname": state.name,
        "serverload": str(min(100, 4 * len(state.players))), "mapname": state.map, "clients": str(state.human_count),
        "bots": str(state.bot_count), "sv_maxclients": str(state.max_players), "sv_privateClients": str(state.reserved),
        "gamename": spec.gamename, "version": spec.version, "g_needpass": str(int(state.has_password)),
        "stats": "http://stats.example.net/unv",
    }  # fmt: skip


def _warfork(state: DemoServerState) -> dict[str, str]:
    spec = state.game
    return {
        **spec.extra_info, "version": f"{spec.version} x86_64 Linux", "gamename": spec.gamename,
        "protocol": str(spec.master_protocol), "sv_hostname": state.name, "mapname": state.map,
        "gametype": state.current_mode.reported_value, "sv_maxclients": str(state.max_players),
        "g_needpass": str(int(state.has_password)), "clients": str(len(state.players)),
    }  # fmt: skip


def _fivem(state: DemoServerState) -> dict[str, str]:
    """Return the short info, FiveM's only reply (GetInfoOutOfBand.h)."""
    return {
        **state.game.extra_info, "sv_maxclients": str(state.max_players), "clients": str(len(state.players)),
        "hostname": state.name, "gametype": state.current_mode.reported_value, "mapname": state.map,
        "iv": str(state.number),
    }  # fmt: skip


_INFO_BY_GAME: Final[Mapping[str, Callable[[DemoServerState], dict[str, str]]]] = {
    "xonotic": _darkplaces, "nexuiz": _darkplaces, "unvanquished": _unvanquished, "warfork": _warfork,
    "fivem": _fivem,
}  # fmt: skip


_CHALLENGE_PLACEHOLDER = "{challenge}"
"""Replaced by the peer's challenge in a cached reply."""
_FLOOD_INTERVAL_NS = 1_000_000_000
"""DarkPlaces' net_getstatusfloodblockingtimeout."""
_SPECTATOR_SCORES = {"warfork": "-9999", "xonotic": "-666", "nexuiz": "-666"}
_MAX_FIVEM_CHALLENGE = 8
_GAMES_WITH_TEAM_NUMBERS = ("xonotic", "nexuiz", "warfork")


class QuakeResponder(GameResponder):
    """Replies of one server: cached bytes with the peer's challenge inserted."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a Quake III request (see `ServerResponder`)."""
        # Engines read up to a zero byte, and some clients send one.
        parsed = parse_quake3_request(request.data.rstrip(b"\0"))
        pieces = self.cached_reply((parsed.wants_players, bool(parsed.challenge)), self._make_builder(parsed))
        return (parsed.challenge.encode("ascii").join(pieces),)

    def _make_builder(self, request: Quake3Request) -> Callable[[float], Sequence[bytes]]:
        """Return a function that builds the reply, split where the challenge belongs."""
        token = _CHALLENGE_PLACEHOLDER if request.challenge else ""

        def build(now_s: float) -> Sequence[bytes]:
            if request.wants_players:
                rows = [_make_player(self._server, person, now_s) for person in self._server.players]
                team_after_name = self._server.game.id == "warfork"
                reply = encode_status_response(
                    make_status_info(self._server), rows, challenge=token, team_after_name=team_after_name
                )
            else:
                reply = encode_info_response(make_short_info(self._server), challenge=token)
            return reply.split(_CHALLENGE_PLACEHOLDER.encode("ascii"))

        return build


class DarkPlacesResponder(QuakeResponder):
    """DarkPlaces replies, with the engine's flood guard.

    One reply a second to an IP address, whatever its port; blocked queries do not prolong the wait (netconn.c,
    NetConn_PreventFlood).
    """

    def __init__(self, context: ResponderContext) -> None:
        super().__init__(context)
        self._answered_ns: dict[str, int] = {}

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply unless the flood guard blocks it (see `ServerResponder`)."""
        datagrams = super().respond(request)
        if self._context.flood_guard:
            if request.received_ns - self._answered_ns.get(request.peer[0], 0) < _FLOOD_INTERVAL_NS:
                self._context.statistics.guarded += 1
                return ()
            self._answered_ns[request.peer[0]] = request.received_ns
        return datagrams


class FiveMResponder(QuakeResponder):
    """FiveM replies: only the short info, and none to a challenge that is too long."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        parsed = parse_quake3_request(request.data)
        if parsed.wants_players or len(parsed.challenge) > _MAX_FIVEM_CHALLENGE:
            return ()
        return super().respond(request)


def _make_player(server: DemoServerState, player: SimulatedPlayer, now_s: float) -> Quake3Player:
    game = server.game.id
    score = str(server.player_score(player, now_s))
    if player.is_spectator:
        score = _SPECTATOR_SCORES.get(game, score)
    numbered = game in _GAMES_WITH_TEAM_NUMBERS and (server.current_mode.teams or game == "warfork")
    return Quake3Player(player.name, score, player.ping_ms, player.team if numbered else None)
