"""Teeworlds and DDNet replies of a demo server, protocol versions 0.6 and 0.7."""

import zlib
from collections.abc import Sequence
from typing import Final

from browser_app.demo.demo_server import PeerAddress, ServerRequest
from browser_app.demo.population import DemoServerState, SimulatedPlayer
from browser_app.demo.responders.game_responder import GameResponder
from browser_app.protocols.teeworlds.teeworlds_reply import TeeworldsClient, TeeworldsReply
from browser_app.protocols.teeworlds.teeworlds_server import (
    TokenRequest07,
    encode_extended_info,
    encode_info_07,
    encode_token_reply,
    encode_vanilla_info,
    parse_request_06,
    parse_request_07,
)

_RACE_MODES: Final = ("race", "gores")
"""The score is the time of the race in negative seconds."""
_NO_TIME = -9999
_CLANS = ("", "", "tee", "[hook]", "ddr", "Kobra")


def make_teeworlds_reply(server: DemoServerState, now_s: float) -> TeeworldsReply:
    """Return the info reply of a server at a time (s since the network's start)."""
    clients = tuple(_make_client(server, player, now_s) for player in server.players)
    return TeeworldsReply(
        version=server.game.version,
        name=server.name,
        map=server.map,
        game_type=server.current_mode.reported_value,
        password=server.has_password,
        players=sum(not client.is_spectator for client in clients),
        max_players=server.max_players,
        clients=len(clients),
        max_clients=server.max_players,
        client_list=clients,
    )


def _make_client(server: DemoServerState, player: SimulatedPlayer, now_s: float) -> TeeworldsClient:
    score = server.player_score(player, now_s)
    if server.mode in _RACE_MODES:
        score = -(60 + player.skill) if player.skill % 3 else _NO_TIME
    return TeeworldsClient(player.name, _CLANS[player.skill % len(_CLANS)], score, player.is_spectator, is_bot=False)


class Teeworlds06Responder(GameResponder):
    """Replies of version 0.6, with DDNet's extension where it is asked for."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to an info request (see `ServerResponder`)."""
        parsed = parse_request_06(request.data)
        reply = self.cached_reply("info", lambda now_s: make_teeworlds_reply(self._server, now_s))
        if parsed.extended:
            return tuple(encode_extended_info(reply, parsed.token))
        return (encode_vanilla_info(reply, parsed.token),)


class Teeworlds07Responder(GameResponder):
    """Replies of version 0.7, whose info needs the token that a server sends first."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a token or info request (see `ServerResponder`)."""
        parsed, token = parse_request_07(request.data), peer_token(request.peer, self._server.number)
        if isinstance(parsed, TokenRequest07):
            return (encode_token_reply(parsed, token),)
        if parsed.server_token != token:
            return ()
        reply = self.cached_reply("info", lambda now_s: make_teeworlds_reply(self._server, now_s))
        return (encode_info_07(reply, parsed),)


def peer_token(peer: PeerAddress, secret: int) -> bytes:
    """Return the token that a server or master server expects from a peer: four bytes."""
    return (zlib.crc32(f"{peer[0]} {peer[1]}".encode(), secret) & 0x7FFFFFFF).to_bytes(4, "big")
