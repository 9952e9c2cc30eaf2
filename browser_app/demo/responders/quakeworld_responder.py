"""QuakeWorld, HexenWorld and Quake II replies of a demo server."""

from collections.abc import Sequence

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import DemoServerState, SimulatedPlayer
from browser_app.demo.responders.game_responder import GameResponder, ResponderContext
from browser_app.protocols.quake.quake2 import PING_REPLY as QUAKE2_PING_REPLY
from browser_app.protocols.quake.quake2 import Quake2Player
from browser_app.protocols.quake.quakeworld import PING_REPLY, UNCOMPRESSED, QuakeWorldPlayer
from browser_app.protocols.quake.quakeworld_server import (
    encode_quake2_status,
    encode_quakeworld_status,
    parse_quakeworld_request,
)
from browser_app.protocols.query_protocols import HEXENWORLD
from browser_app.protocols.query_session import PacketError

_TEAMS = ("", "red", "blue")


class QuakeWorldResponder(GameResponder):
    """Replies of one server of QuakeWorld or HexenWorld.

    Datagrams of HexenWorld are marked as not compressed.
    """

    def __init__(self, context: ResponderContext) -> None:
        super().__init__(context)
        self._for_hexenworld = self._server.game.protocol == HEXENWORLD

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a status request or a ping (see `ServerResponder`)."""
        if self._for_hexenworld and not request.data.startswith(UNCOMPRESSED * 5):
            raise PacketError("not this protocol")
        word, wanted = parse_quakeworld_request(request.data)
        if word == "k":
            return (PING_REPLY,)
        return self.cached_reply(wanted, lambda now_s: (self._build_status(wanted, now_s),))

    def _build_status(self, wanted: int, now_s: float) -> bytes:
        state = self._server
        info = {
            **state.game.extra_info, "*version": state.game.version, "hostname": state.name, "map": state.map,
            "maxclients": str(state.max_players), "maxspectators": "8", "needpass": str(int(state.has_password)),
            "mode": state.current_mode.reported_value,
        }  # fmt: skip
        players = [_quakeworld_player(state, player, now_s) for player in state.players]
        return encode_quakeworld_status(info, players, wanted, for_hexenworld=self._for_hexenworld)


def _quakeworld_player(server: DemoServerState, player: SimulatedPlayer, now_s: float) -> QuakeWorldPlayer:
    minutes = int(now_s - player.joined_s) // 60
    team = _TEAMS[player.team] if server.current_mode.teams else ""
    score = server.player_score(player, now_s)
    return QuakeWorldPlayer(player.name, score, minutes, player.ping_ms, team, player.is_spectator, player.is_bot)


class Quake2Responder(GameResponder):
    """Replies of one Quake II server."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a status request or a ping (see `ServerResponder`)."""
        word, _wanted = parse_quakeworld_request(request.data)
        if word == "ping":
            return (QUAKE2_PING_REPLY,)
        return self.cached_reply("status", self._build_status)

    def _build_status(self, now_s: float) -> Sequence[bytes]:
        state = self._server
        mode = state.current_mode.reported_value
        info = {
            **state.game.extra_info, "hostname": state.name, "mapname": state.map, "version": state.game.version,
            "maxclients": str(state.max_players), "needpass": str(int(state.has_password)), "deathmatch": "1",
            "teamplay": str(int(mode == "tdm")), "ctf": str(int(mode == "ctf")),
        }  # fmt: skip
        players = [
            Quake2Player(player.name, state.player_score(player, now_s), player.ping_ms, None)
            for player in state.players
        ]
        return (encode_quake2_status(info, players),)
