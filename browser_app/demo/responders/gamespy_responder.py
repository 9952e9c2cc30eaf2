"""GameSpy and Unreal Engine 2 replies of demo servers."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import SimulatedPlayer
from browser_app.demo.responders.game_responder import GameResponder, ResponderContext
from browser_app.protocols import unreal2
from browser_app.protocols.gamespy import gamespy1, gamespy2, gamespy3
from browser_app.protocols.query_session import PacketError

_ROWS_PER_DATAGRAM = 8
_CHALLENGE = b"-1122334"
_TEAMS_SELECTOR = b"\0\0\xff"
"""Requests the teams, as other programs do; this one never does."""
_GAMESPY2_KINDS = frozenset({gamespy2.RULES_SELECTOR, gamespy2.PLAYERS_SELECTOR, _TEAMS_SELECTOR})


class _GameSpyResponder(GameResponder):
    """A responder that describes its server in the terms of GameSpy's protocols."""

    def rules(self) -> Mapping[str, str]:
        state = self._server
        return {
            "gamename": state.game.gamename, "gamever": state.game.version, "hostname": state.name,
            "mapname": state.map, "gametype": state.current_mode.reported_value, "numplayers": str(len(state.players)),
            "maxplayers": str(state.max_players), "password": str(int(state.has_password)),
            "hostport": str(self._context.game_port), **state.game.extra_info,
        }  # fmt: skip

    def players(self) -> Sequence[tuple[str, str, str]]:
        """Return name, score and ping of each player."""
        now_s = self._context.now_s()

        def row(player: SimulatedPlayer) -> tuple[str, str, str]:
            return player.name, str(self._server.player_score(player, now_s)), str(player.ping_ms)

        return list(map(row, self._server.players))


class GameSpy1Responder(_GameSpyResponder):
    """Replies of one GameSpy 1 server, in two or more datagrams."""

    def __init__(self, context: ResponderContext) -> None:
        super().__init__(context)
        self._reply_numbers = itertools.count(1)

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a status request (see `ServerResponder`)."""
        if not request.data.startswith(gamespy1.STATUS_REQUEST):
            raise PacketError("not this protocol")
        players = [
            {f"player_{number}": name, f"frags_{number}": score, f"ping_{number}": ping}
            for number, (name, score, ping) in enumerate(self.players())
        ]
        rows = [players[first : first + _ROWS_PER_DATAGRAM] for first in range(0, len(players), _ROWS_PER_DATAGRAM)]
        parts = [self.rules(), *({key: text for row in group for key, text in row.items()} for group in rows)]
        reply = next(self._reply_numbers)
        texts = ["".join(f"\\{key}\\{text}" for key, text in part.items()) for part in parts]
        texts[-1] += "\\final\\"
        return [f"{text}\\queryid\\{reply}.{number}".encode() for number, text in enumerate(texts, 1)]


class GameSpy2Responder(_GameSpyResponder):
    """Replies of one GameSpy 2 server."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the rules or the players (see `ServerResponder`)."""
        header, token, kind = request.data[:3], request.data[3:7], request.data[7:]
        if header != gamespy2.REQUEST_HEADER or kind not in _GAMESPY2_KINDS:
            raise PacketError("not this protocol")
        if kind == _TEAMS_SELECTOR:
            return (gamespy2.REPLY_HEADER + token + bytes(2) + _encode_texts(("team_t", "score_t", "")),)
        if kind == gamespy2.RULES_SELECTOR:
            return (gamespy2.REPLY_HEADER + token + _encode_pairs(self.rules()),)
        players = self.players()
        fields = _encode_texts(("player_", "score_", "ping_", ""))
        rows = b"".join(map(_encode_texts, players))
        return (gamespy2.REPLY_HEADER + token + bytes([0, len(players)]) + fields + rows,)


class GameSpy3Responder(_GameSpyResponder):
    """Replies of one GameSpy 3 server: a challenge, then two datagrams."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the challenge or the reply (see `ServerResponder`)."""
        header, token, rest = request.data[:3], request.data[3:7], request.data[7:]
        if header == gamespy3.CHALLENGE_REQUEST:  # some programs send more
            return (gamespy3.CHALLENGE_REPLY + token + _CHALLENGE + b"\0",)
        challenge = (int(_CHALLENGE) & 0xFFFFFFFF).to_bytes(4, "big")
        if header != gamespy3.STATUS_REQUEST or rest != challenge + gamespy3.ALL_SELECTOR:
            raise PacketError("not this protocol")
        head = gamespy3.STATUS_REPLY + token + gamespy3.PART_HEADER
        columns = zip(("player_", "score_", "ping_"), zip(*self.players(), strict=True), strict=False)
        fields = b"".join(_encode_texts((name,)) + b"\0" + _encode_texts((*texts, "")) for name, texts in columns)
        last = bytes([1 | gamespy3.LAST_PART])
        return (head + b"\0\0" + _encode_pairs(self.rules()), head + last + b"\1" + fields + b"\0")


class Unreal2Responder(_GameSpyResponder):
    """Replies of one Unreal Engine 2 server."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the info, the rules or the players (see `ServerResponder`)."""
        kind = request.data.removeprefix(unreal2.REQUEST_HEADER)
        if kind not in (unreal2.INFO, unreal2.RULES, unreal2.PLAYERS):
            raise PacketError("not this protocol")
        head = b"\x80\0\0\0" + kind
        if kind == unreal2.RULES:
            rules = {"ServerMode": "dedicated", "GamePassword": str(self._server.has_password)}
            return (head + b"".join(_encode_pascal(key) + _encode_pascal(text) for key, text in rules.items()),)
        if kind == unreal2.PLAYERS:
            rows = [_encode_player(number, *row) for number, row in enumerate(self.players(), 1)]
            groups = [rows[first : first + _ROWS_PER_DATAGRAM] for first in range(0, len(rows), _ROWS_PER_DATAGRAM)]
            return [head + b"".join(group) for group in groups] or (head,)
        state = self._server
        texts = map(_encode_pascal, (state.name, state.map, state.current_mode.reported_value))
        counts = b"".join(number.to_bytes(4, "little") for number in (len(state.players), state.max_players))
        port = self._context.game_port.to_bytes(4, "little")
        return (head + bytes(5) + port + bytes(4) + b"".join(texts) + counts + bytes(8) + _encode_pascal("0"),)


def _encode_player(number: int, name: str, score: str, ping: str) -> bytes:
    values = (int(ping), int(score))
    numbers = b"".join(value.to_bytes(4, "little", signed=True) for value in values)
    return number.to_bytes(4, "little") + _encode_pascal(name) + numbers + bytes(4)


def _encode_pascal(text: str) -> bytes:
    """Return a text with its length in front, in UTF-16 where it is not ASCII."""
    if not text.isascii():
        raw = f"{text[:100]}\0".encode("utf-16-le")
        return bytes([0x80 | len(raw) // 2]) + raw
    raw = text.encode() + b"\0"
    return bytes([min(len(raw), 0x7F)]) + raw


def _encode_texts(texts: Iterable[str]) -> bytes:
    return b"".join(text.encode() + b"\0" for text in texts)


def _encode_pairs(pairs: Mapping[str, str]) -> bytes:
    return b"".join(map(_encode_texts, pairs.items())) + b"\0"
