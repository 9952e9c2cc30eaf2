"""Minecraft replies of a demo server: Java's over TCP, Bedrock's over UDP."""

import base64
import json
from collections.abc import Sequence

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.responders.game_responder import GameResponder
from browser_app.protocols.minecraft.bedrock import OFFLINE_MESSAGE_ID, UNCONNECTED_PING, UNCONNECTED_PONG
from browser_app.protocols.minecraft.java import encode_java_packet, encode_varint, split_java_packet
from browser_app.protocols.query_session import PacketError

_PROTOCOL_VERSIONS = {"minecraft": 769, "bedrock": 766}
_MAX_SAMPLE = 12
_ICON = "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 16).decode()
"""About as long as real icons; never shown."""
_STATUS_REQUEST = b"\x00"
_PING_BYTES = 9
_BEDROCK_REQUEST_BYTES = 33


def split_java_request(data: bytes) -> int | None:
    """Return the length of the first packet in `data`; None if more bytes are needed.

    Raises:
        PacketError: the packet is larger than any request.
    """
    packet = split_java_packet(data)
    return None if packet is None else packet[1]


class JavaResponder(GameResponder):
    """Replies of one Java server to the packets of a connection."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a packet (see `ServerResponder`): none to the handshake."""
        packet = split_java_packet(request.data)
        if packet is None:
            raise PacketError("truncated packet")
        body = packet[0]
        if body == _STATUS_REQUEST:
            return self.cached_reply("status", self._build_status)
        if body[0] == 0:
            return ()
        if body[0] == 1 and len(body) == _PING_BYTES:
            return (request.data,)
        raise PacketError("not this protocol")

    def _build_status(self, _now_s: float) -> Sequence[bytes]:
        state = self._server
        first, space, rest = state.name.partition(" ")
        component = {"text": first, "extra": [{"text": space + rest}]}
        status = {
            "version": {"name": state.game.version, "protocol": _PROTOCOL_VERSIONS[state.game.id]},
            "players": {
                "max": state.max_players,
                "online": len(state.players),
                "sample": [{"name": player.name, "id": ""} for player in state.players[:_MAX_SAMPLE]],
            },
            "description": component if state.number % 2 else state.name,
            **({"favicon": _ICON} if state.number % 3 else {}),
        }
        text = json.dumps(status).encode()
        return (encode_java_packet(b"\0" + encode_varint(len(text)) + text),)


class BedrockResponder(GameResponder):
    """Replies of one Bedrock server to unconnected pings."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a ping (see `ServerResponder`)."""
        if len(request.data) != _BEDROCK_REQUEST_BYTES or not request.data.startswith(UNCONNECTED_PING):
            raise PacketError("not this protocol")
        state, game_port = self._server, self._context.game_port
        server_number = 1_000_000 + state.number
        fields = (
            "MCPE", state.name, _PROTOCOL_VERSIONS[state.game.id], state.game.version, len(state.players),
            state.max_players, server_number, state.map, state.current_mode.reported_value, 1, game_port, 0,
        )  # fmt: skip
        text = "".join(f"{field};" for field in fields).encode()
        token, server_id = request.data[1:9], server_number.to_bytes(8, "big")
        return (UNCONNECTED_PONG + token + server_id + OFFLINE_MESSAGE_ID + len(text).to_bytes(2, "big") + text,)
