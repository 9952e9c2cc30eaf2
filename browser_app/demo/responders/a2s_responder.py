"""A2S replies of a demo server."""

import zlib
from collections.abc import Sequence

from browser_app.demo.demo_server import PeerAddress, ServerRequest
from browser_app.demo.faults.demo_states import DemoState
from browser_app.demo.faults.network_faults import ServerFault
from browser_app.demo.population import DemoServerState
from browser_app.demo.responders.game_responder import GameResponder, ResponderContext
from browser_app.protocols.a2s import a2s_server
from browser_app.protocols.a2s.a2s import A2SInfo, A2SPlayer
from browser_app.protocols.query_session import QueryParts


def ns2_keywords(server: DemoServerState) -> str:
    """Return the keywords of NS2 (format: `protocols/a2s/ns2_tags.py`).

    Build, mode, mods, an unknown number, performance now and on average, its quality, named tags.
    """
    modded = "M" if server.number % 3 else ""
    skill = server.mean_skill
    named = [
        f"P_S{int(skill or 0)}",
        *([f"R_S{server.reserved}"] if server.reserved else []),
        *(["rookie_only"] if server.rookie_only else []),
        *(["shine"] if server.number % 2 else []),
        f"tickrate_{_tickrate(server)}",
    ]
    header = (
        server.game.version, server.current_mode.reported_value, modded, "149", str(server.current_performance),
        str(server.performance), str(server.quality),
    )  # fmt: skip
    return "|".join((*header, *named))


def ns2_rules(server: DemoServerState) -> dict[str, str]:
    """Return NS2's rules; the average skill is `nan` while the server is empty."""
    skill = server.mean_skill
    return {
        "AverageSkill": "nan" if skill is None else f"{skill:.4f}",
        "tickrate": str(_tickrate(server)),
        "ent_count": f"{900 + 37 * len(server.players) + server.number % 400:,}",
        "mods[1]": "706d242 3fb90249 1e62a2ce",
        "mods[2]": "d41e0b6a",
        "sv_dyndns": "",
    }


def _tickrate(server: DemoServerState) -> int:
    return 30 if server.current_performance > 0 else max(8, 30 + server.current_performance // 4)


_MAX_SINGLE_BYTES = 1400
_PROTOCOL = 17
_GAME_SERVER_ACCOUNT_BITS = (1 << 56) | (3 << 52)
"""Universe 1 and account type 3 of a Steam ID."""


def server_steam_id(server: DemoServerState) -> int:
    """Return the server's Steam ID."""
    return _GAME_SERVER_ACCOUNT_BITS | (5_000_000 + server.number)


class A2SResponder(GameResponder):
    """A2S replies of one server.

    Players and rules always need the challenge, info on some servers.
    """

    def __init__(self, context: ResponderContext) -> None:
        super().__init__(context)
        spec = context.spec
        challenge_info = spec.challenge_info or spec.fault is ServerFault.SILENT_AFTER_CHALLENGE
        self._challenge_parts = QueryParts.ALL if challenge_info else QueryParts.PLAYERS | QueryParts.RULES
        self._false_count = spec.fault is ServerFault.FALSE_COUNT or spec.state is DemoState.EMPTY_LIST
        self._reply_builders = {
            QueryParts.INFO: self._build_info,
            QueryParts.PLAYERS: self._build_players,
            QueryParts.RULES: self._build_rules,
        }

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to an A2S request (see `ServerResponder`)."""
        parsed = a2s_server.parse_a2s_request(request.data)
        if parsed.requested_part & self._challenge_parts:
            challenge = self._challenge_for(request.peer)
            if parsed.challenge != challenge:
                return (a2s_server.encode_challenge(challenge),)
        return self.cached_reply(parsed.requested_part, self._reply_builders[parsed.requested_part])

    def _challenge_for(self, peer: PeerAddress) -> bytes:
        """Return the peer's challenge: four bytes, never 0 or -1."""
        number = zlib.crc32(f"{peer[0]} {peer[1]}".encode(), self._server.number)
        return ((number & 0x7FFFFFFF) or 1).to_bytes(4, "little")

    def _build_info(self, _now_s: float) -> Sequence[bytes]:
        state, spec = self._server, self._server.game
        info = A2SInfo(
            protocol=_PROTOCOL,
            name=state.name,
            map=state.map,
            folder=spec.folder,
            game=spec.profile.name,
            appid=spec.appid,
            players=state.max_players - 1 if self._false_count else len(state.players),
            max_players=state.max_players,
            bots=0 if self._false_count else state.bot_count,
            server_type="d",
            environment="lw"[state.number % 2],
            password=state.has_password,
            vac=True,
            version=spec.version,
            port=self._context.game_port,
            steam_id=server_steam_id(state),
            spectator_port=None,
            spectator_name=None,
            keywords=ns2_keywords(state)
            if spec.id == "ns2"
            else f"alltalk,{state.current_mode.reported_value},nocrits",
            game_id=spec.appid,
        )
        return (a2s_server.encode_info(info),)

    def _build_players(self, now_s: float) -> Sequence[bytes]:
        state = self._server
        people = [] if self._false_count else state.players
        rows = [A2SPlayer(one.name, state.player_score(one, now_s), now_s - one.joined_s) for one in people]
        return self._split(a2s_server.encode_players(rows))

    def _build_rules(self, _now_s: float) -> Sequence[bytes]:
        state = self._server
        reported_rules = {**state.game.extra_info, **(ns2_rules(state) if state.game.id == "ns2" else {})}
        return self._split(
            a2s_server.encode_rules({key.encode(): value.encode() for key, value in reported_rules.items()})
        )

    def _split(self, message: bytes) -> Sequence[bytes]:
        if len(message) <= _MAX_SINGLE_BYTES:
            return (message,)
        return a2s_server.split_source_reply(message, 1 + self._server.revision & 0x7FFFFFFF)
