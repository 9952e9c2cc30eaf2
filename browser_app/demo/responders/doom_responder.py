"""Zandronum, Odamex and Chocolate Doom replies of a demo server."""

from collections.abc import Sequence

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import DemoServerState, SimulatedPlayer
from browser_app.demo.responders.game_responder import GameResponder, ResponderContext
from browser_app.protocols.doom.chocolate_doom import IN_GAME, QUERY, ChocolateDoomReply
from browser_app.protocols.doom.doom_server import (
    encode_chocolate_doom_reply,
    encode_odamex_reply,
    encode_zandronum_refusal,
    encode_zandronum_reply,
    parse_odamex_request,
    parse_zandronum_request,
)
from browser_app.protocols.doom.odamex import OdamexPlayer, OdamexReply
from browser_app.protocols.doom.zandronum import ZandronumPlayer, ZandronumReply
from browser_app.protocols.query_session import PacketError

_IGNORE_NS = 10_000_000_000
"""Zandronum's `sv_queryignoretime`, 10 s."""
_MAX_PEERS = 512
"""Length of Zandronum's list of peers that it ignores."""


class ZandronumResponder(GameResponder):
    """Replies of one Zandronum server.

    It sends one reply in ten seconds to an IP address, else a refusal.
    """

    def __init__(self, context: ResponderContext) -> None:
        super().__init__(context)
        self._answered_ns: dict[str, int] = {}

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a launcher query (see `ServerResponder`)."""
        token = parse_zandronum_request(request.data).token
        if self._context.flood_guard:
            if request.received_ns - self._answered_ns.get(request.peer[0], 0) < _IGNORE_NS:
                self._context.statistics.guarded += 1
                return (encode_zandronum_refusal(token),)
            if len(self._answered_ns) >= _MAX_PEERS:
                self._answered_ns.clear()
            self._answered_ns[request.peer[0]] = request.received_ns
        return (encode_zandronum_reply(self.cached_reply("info", self._build_reply), token),)

    def _build_reply(self, now_s: float) -> ZandronumReply:
        state, files = self._server, self._server.game.extra_info
        players = tuple([_zandronum_player(state, player, now_s) for player in state.players])
        return ZandronumReply(
            state.game.version,
            name=state.name,
            map=state.map,
            max_clients=min(255, state.max_players + 8),
            max_players=state.max_players,
            wads=_split_names(files["wads"]),
            mode=int(state.current_mode.reported_value),
            game_name="DOOM II",
            iwad=files["iwad"],
            password=state.has_password,
            join_password=False,
            skill=4,
            limits={"fraglimit": 30, "timelimit": 15, "minutes left": 9},
            player_count=len(players),
            players=players,
            has_teams=state.current_mode.teams > 0,
            team_count=2,
        )


def _zandronum_player(server: DemoServerState, player: SimulatedPlayer, now_s: float) -> ZandronumPlayer:
    minutes = min(255, int(now_s - player.joined_s) // 60)
    score = min(32767, server.player_score(player, now_s))
    team = player.team - 1 if player.team else None
    return ZandronumPlayer(player.name, score, player.ping_ms, player.is_spectator, player.is_bot, team, minutes)


class OdamexResponder(GameResponder):
    """Replies of one Odamex server."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to an info request (see `ServerResponder`)."""
        token = parse_odamex_request(request.data)
        return (encode_odamex_reply(self.cached_reply("info", self._build_reply), token),)

    def _build_reply(self, now_s: float) -> OdamexReply:
        state, files = self._server, self._server.game.extra_info
        variables = {
            "sv_hostname": state.name, "sv_gametype": state.current_mode.reported_value, "sv_skill": "4",
            "sv_maxplayers": str(state.max_players), "sv_maxclients": str(min(255, state.max_players + 8)),
        }  # fmt: skip
        players = tuple([_odamex_player(state, player, now_s) for player in state.players])
        wads = ("odamex.wad", files["iwad"], *_split_names(files["wads"]))
        return OdamexReply(
            state.game.version, "demo", variables, state.has_password, state.map, None, (), wads, players
        )


def _odamex_player(server: DemoServerState, player: SimulatedPlayer, now_s: float) -> OdamexPlayer:
    minutes = min(65535, int(now_s - player.joined_s) // 60)
    team, score = max(0, player.team - 1), min(32767, server.player_score(player, now_s))
    return OdamexPlayer(player.name, team, player.ping_ms, minutes, player.is_spectator, score)


class ChocolateDoomResponder(GameResponder):
    """Replies of one Chocolate Doom server, whose game has begun once it is full."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a query (see `ServerResponder`)."""
        if request.data != QUERY:
            raise PacketError("not this protocol")
        state = self._server
        players = len(state.players)
        begun = IN_GAME if players >= state.max_players else 0
        reply = ChocolateDoomReply(state.game.version, begun, players, state.max_players, state.name)
        return (encode_chocolate_doom_reply(reply),)


def _split_names(text: str) -> tuple[str, ...]:
    return tuple(text.split()) if text else ()
