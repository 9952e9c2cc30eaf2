"""Replies of a Mindustry demo server."""

from collections.abc import Sequence

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.responders.game_responder import GameResponder
from browser_app.protocols.mindustry import MODES, REQUEST
from browser_app.protocols.query_session import PacketError

_WAVE = 12
_MAX_NAME_BYTES = 100


class MindustryResponder(GameResponder):
    """Replies of one server, which repeat nothing of the request."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        if request.data != REQUEST:
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
