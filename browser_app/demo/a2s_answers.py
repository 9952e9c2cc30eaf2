"""What a demo server says when asked by A2S."""

import zlib
from collections.abc import Callable, Sequence

from browser_app.demo.ns2_report import keywords, rules
from browser_app.demo.population import Population
from browser_app.demo.prepared import Prepared
from browser_app.demo.server import Peer
from browser_app.protocols.a2s import A2SInfo, A2SPlayer
from browser_app.protocols.a2s_server import (
    read_request,
    split_source,
    write_challenge,
    write_info,
    write_players,
    write_rules,
)
from browser_app.protocols.conversation import Want

_LARGEST_SINGLE = 1400
_PROTOCOL = 17
_GAME_SERVER = (1 << 56) | (3 << 52)
"""Universe 1, account type 3 of a Steam id."""


def steam_id(state: Population) -> int:
    """The server's Steam id."""
    return _GAME_SERVER | (5_000_000 + state.number)


class A2SAnswers:
    """One server's answers. Players and rules always want the challenge, info where `challenge` is set."""

    def __init__(
        self, state: Population, game_port: int, challenge: bool, false_count: bool, now_s: Callable[[], float]
    ) -> None:
        self._state = state
        self._game_port = game_port
        self._challenge_parts = Want.ALL if challenge else Want.PLAYERS | Want.RULES
        self._false_count = false_count
        self._prepared = Prepared(state, now_s)
        self._make = {Want.INFO: self._info, Want.PLAYERS: self._players, Want.RULES: self._rules}

    def answer(self, request: bytes, peer: Peer, received_ns: int) -> Sequence[bytes]:  # noqa: ARG002 (always the same)
        """See `Answers`."""
        asked = read_request(request)
        if asked.part & self._challenge_parts:
            challenge = self._challenge(peer)
            if asked.challenge != challenge:
                return (write_challenge(challenge),)
        return self._prepared.get(asked.part, self._make[asked.part])

    def _challenge(self, peer: Peer) -> bytes:
        """The asker's own four bytes, never 0 or -1."""
        number = zlib.crc32(f"{peer[0]} {peer[1]}".encode(), self._state.number)
        return ((number & 0x7FFFFFFF) or 1).to_bytes(4, "little")

    def _info(self, _now_s: float) -> Sequence[bytes]:
        state, sheet = self._state, self._state.sheet
        info = A2SInfo(
            protocol=_PROTOCOL,
            name=state.name,
            map=state.map,
            folder=sheet.folder,
            game=sheet.title,
            appid=sheet.appid,
            players=state.max_players - 1 if self._false_count else len(state.people),
            max_players=state.max_players,
            bots=0 if self._false_count else state.bots,
            server_type="d",
            environment="lw"[state.number % 2],
            password=state.password,
            vac=True,
            version=sheet.version,
            port=self._game_port,
            steam_id=steam_id(state),
            spectator_port=None,
            spectator_name=None,
            keywords=keywords(state) if sheet.id == "ns2" else f"alltalk,{state.played.reported},nocrits",
            game_id=sheet.appid,
        )
        return (write_info(info),)

    def _players(self, now_s: float) -> Sequence[bytes]:
        state = self._state
        people = [] if self._false_count else state.people
        rows = [A2SPlayer(one.name, state.score_of(one, now_s), now_s - one.joined_s) for one in people]
        return self._in_parts(write_players(rows))

    def _rules(self, _now_s: float) -> Sequence[bytes]:
        state = self._state
        told = {**state.sheet.extra, **(rules(state) if state.sheet.id == "ns2" else {})}
        return self._in_parts(write_rules({key.encode(): value.encode() for key, value in told.items()}))

    def _in_parts(self, message: bytes) -> Sequence[bytes]:
        if len(message) <= _LARGEST_SINGLE:
            return (message,)
        return split_source(message, 1 + self._state.revision & 0x7FFFFFFF)
