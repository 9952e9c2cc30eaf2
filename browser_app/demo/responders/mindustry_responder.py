"""Replies of a Mindustry demo server."""

from collections.abc import Sequence

from browser_app.demo.demo_server import PeerAddress
from browser_app.demo.population import DemoServerState
from browser_app.protocols.mindustry import MODES, REQUEST
from browser_app.protocols.query_session import PacketError

_WAVE = 12
_MAX_NAME_BYTES = 100


class MindustryResponder:
    """Replies of one server, which repeat nothing of the request."""

    def __init__(self, server: DemoServerState) -> None:
        self._server = server

    def respond(self, request: bytes, peer: PeerAddress, received_ns: int) -> Sequence[bytes]:  # noqa: ARG002 (replies do not depend on time or peer)
        """Return the reply to a request (see `ServerResponder`)."""
        if request != REQUEST:
            raise PacketError("not this protocol")
        state = self._server
        kind, build = state.game.version.split()
        return (
            _encode_text(f"[accent]{state.name}[]" if state.number % 2 else state.name)
            + _encode_text(state.map)
            + _encode_numbers(len(state.players), _WAVE, int(build))
            + _encode_text(kind)
            + bytes([MODES.index(state.current_mode.reported_value)])
            + _encode_numbers(state.max_players)
            + (_encode_text("Everybody is [red]welcome[]") + _encode_text("") if state.number % 3 else b""),
        )


def _encode_text(text: str) -> bytes:
    raw = text.encode()[:_MAX_NAME_BYTES]
    return bytes([len(raw)]) + raw


def _encode_numbers(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "big", signed=True) for number in numbers)
