"""Status of a Space Station 14 demo server over HTTP."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import DemoServerState
from browser_app.demo.responders.game_responder import GameResponder
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.space_station.status import IN_ROUND, STATUS_PATH

_MAX_REQUEST_BYTES: Final = 4096
_END_OF_HEADERS: Final = b"\r\n\r\n"
_CHUNK_BYTES: Final = 100


def split_http_request(data: bytes) -> int | None:
    """Return the length of the first request in `data`; None if more bytes are needed.

    Raises:
        PacketError: the request is larger than any of ours.
    """
    end = data.find(_END_OF_HEADERS)
    if end >= 0:
        return end + len(_END_OF_HEADERS)
    if len(data) > _MAX_REQUEST_BYTES:
        raise PacketError("too large")
    return None


def describe_space_station(state: DemoServerState) -> Mapping[str, Any]:
    """Return the status document of a server."""
    return {
        "name": state.name, "players": len(state.players), "soft_max_players": state.max_players,
        "tags": ["lang:en", "region:eu_w", "rp:med"], "map": state.map, "preset": state.current_mode.reported_value,
        "round_id": 1000 + state.number, "run_level": IN_ROUND, "panic_bunker": state.has_password,
        "round_start_time": "2026-01-01T12:00:00.0000000Z",
    }  # fmt: skip


class SpaceStationResponder(GameResponder):
    """Replies of one server to requests for its status.

    Every other server sends the document in chunks.
    """

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        if not request.data.startswith(f"GET {STATUS_PATH} HTTP/1.1\r\n".encode()):
            raise PacketError("not this protocol")
        body = json.dumps(describe_space_station(self._server)).encode()
        if self._server.number % 2:
            return (_make_reply(b"Transfer-Encoding: chunked", _split_into_chunks(body)),)
        return (_make_reply(b"Content-Length: %d" % len(body), body),)


def _make_reply(length_header: bytes, body: bytes) -> bytes:
    headers = (b"HTTP/1.1 200 OK", b"Content-Type: application/json", length_header, b"", b"")
    return b"\r\n".join(headers) + body


def _split_into_chunks(body: bytes) -> bytes:
    chunks = (body[first : first + _CHUNK_BYTES] for first in range(0, len(body), _CHUNK_BYTES))
    return b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
