"""All-Seeing Eye replies of a demo server."""

from collections.abc import Iterable, Sequence

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import SimulatedPlayer
from browser_app.demo.responders.game_responder import GameResponder
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.san_andreas.ase import MINUTES, NAME, PING, SCORE, STATUS_HEADER, STATUS_REQUEST

_GAME = "mta"
_MAX_TEXT_BYTES = 254
_PLAYER_FLAGS = bytes([NAME | SCORE | PING | MINUTES])


class AseResponder(GameResponder):
    """Replies of one server, which repeat nothing of the request."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a status request (see `ServerResponder`)."""
        if request.data != STATUS_REQUEST:
            raise PacketError("not this protocol")
        return self.cached_reply("status", self._build_status)

    def _build_status(self, now_s: float) -> Sequence[bytes]:
        state = self._server
        info = (
            _GAME, str(self._context.game_port), state.name, state.current_mode.reported_value, state.map,
            state.game.version, str(int(state.has_password)), str(len(state.players)), str(state.max_players),
        )  # fmt: skip
        rules = [text for pair in state.game.extra_info.items() for text in pair]
        players = b"".join(_PLAYER_FLAGS + _encode_texts(self._player_texts(each, now_s)) for each in state.players)
        return (STATUS_HEADER + _encode_texts(info) + _encode_texts([*rules, ""]) + players,)

    def _player_texts(self, player: SimulatedPlayer, now_s: float) -> Sequence[str]:
        score = self._server.player_score(player, now_s)
        return player.name, str(score), str(player.ping_ms), str(int(now_s - player.joined_s) // 60)


def _encode_texts(texts: Iterable[str]) -> bytes:
    raw_texts = (text.encode()[:_MAX_TEXT_BYTES] for text in texts)
    return b"".join(bytes([len(raw) + 1]) + raw for raw in raw_texts)
