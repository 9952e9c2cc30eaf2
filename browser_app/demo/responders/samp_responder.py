"""SA-MP, open.mp and VC:MP replies of a demo server."""

import struct
from collections.abc import Sequence

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import DemoServerState
from browser_app.demo.responders.game_responder import GameResponder, ResponderContext
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.san_andreas import samp

_HEADER_BYTES = 10
_PING_BYTES = 15
SAMP_LANGUAGES = ("English", "Español", "Русский", "-")


def make_samp_reply(server: DemoServerState, now_s: float) -> samp.SampReply:
    """Return all that a server reports at a time (s since the network's start)."""
    rules = {**server.game.extra_info, "mapname": server.map, "version": server.game.version}
    return samp.SampReply(
        password=server.has_password,
        players=len(server.players),
        max_players=server.max_players,
        name=server.name.encode(),
        mode=server.current_mode.reported_value.encode(),
        language=SAMP_LANGUAGES[server.number % len(SAMP_LANGUAGES)].encode(),
        version=server.game.version.encode(),
        player_list=tuple(
            samp.SampPlayer(player.name.encode(), server.player_score(player, now_s))
            for player in server.players[: samp.MAX_LISTED_PLAYERS]
        ),
        rules={key.encode(): value.encode() for key, value in rules.items()},
    )


class SampResponder(GameResponder):
    """Replies of one server; each repeats the address in its request."""

    def __init__(self, context: ResponderContext, dialect: samp.SampDialect) -> None:
        super().__init__(context)
        self._dialect = dialect

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        kind, length = request.data[_HEADER_BYTES : _HEADER_BYTES + 1], len(request.data)
        if not request.data.startswith(self._dialect.request_magic):
            raise PacketError("not this protocol")
        header = self._dialect.reply_magic + request.data[len(self._dialect.request_magic) :]
        if kind == samp.PING and length == _PING_BYTES:
            return (header,)
        kinds = (samp.INFO, samp.PLAYERS, samp.RULES) if self._dialect.has_details else (samp.INFO, samp.PLAYERS)
        if kind not in kinds or length != _HEADER_BYTES + 1:
            raise PacketError("not this protocol")
        reply = self.cached_reply("reply", lambda now_s: make_samp_reply(self._server, now_s))
        if kind == samp.PLAYERS and reply.players > samp.MAX_LISTED_PLAYERS:
            return ()
        if kind == samp.INFO:
            return (header + _encode_info(reply, self._dialect.version_bytes),)
        return (header + (_encode_players(reply, self._dialect) if kind == samp.PLAYERS else _encode_rules(reply)),)


def _encode_info(reply: samp.SampReply, version_bytes: int) -> bytes:
    version = reply.version[:version_bytes].ljust(version_bytes, b"\0")
    counts = struct.pack("<?HH", reply.password, reply.players, reply.max_players)
    return version + counts + b"".join(_encode_text(text, "<I") for text in (reply.name, reply.mode, reply.language))


def _encode_players(reply: samp.SampReply, dialect: samp.SampDialect) -> bytes:
    players = reply.player_list or ()
    rows = (
        _encode_text(player.name, "<B") + (struct.pack("<i", player.score) if dialect.has_details else b"")
        for player in players
    )
    return struct.pack("<H", len(players)) + b"".join(rows)


def _encode_rules(reply: samp.SampReply) -> bytes:
    rules = reply.rules or {}
    texts = (_encode_text(text, "<B") for pair in sorted(rules.items()) for text in pair)
    return struct.pack("<H", len(rules)) + b"".join(texts)


def _encode_text(raw: bytes, length_format: str) -> bytes:
    return struct.pack(length_format, len(raw)) + raw
