"""Replies of a demo server of a game on the Cube engines."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import DemoServerState, SimulatedPlayer
from browser_app.demo.responders.game_responder import GameResponder, ResponderContext
from browser_app.protocols.cube2 import cube2_session
from browser_app.protocols.cube2.cube2_reply import MasterMode
from browser_app.protocols.cube2.cube_data import encode_cube_integer, encode_cube_text
from browser_app.protocols.query_session import PacketError

_MAX_REQUEST_BYTES = 32
"""MAXPINGDATA of the engines."""
_SECONDS_LEFT = 300
_ALIVE, _SPECTATOR = 0, 5


class Cube2Responder(GameResponder):
    """Replies of one server, each of which starts with the request."""

    def __init__(self, context: ResponderContext, dialect: cube2_session.Cube2Dialect) -> None:
        super().__init__(context)
        self._dialect = dialect

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        prefix, info_request = self._dialect.prefix, self._dialect.info_request
        if len(request.data) > _MAX_REQUEST_BYTES or not request.data.startswith(prefix):
            raise PacketError("not this protocol")
        message = request.data[len(prefix) :]
        if message.startswith(info_request):
            return (message + self.cached_reply("info", self._build_info),)
        if self._dialect.has_extended and message.startswith(cube2_session.PLAYERS_REQUEST):
            return [message + body for body in self.cached_reply("players", self._build_players)]
        raise PacketError("not this protocol")

    def _build_info(self, _now_s: float) -> bytes:
        return _ENCODERS[self._dialect](self._server)

    def _build_players(self, now_s: float) -> Sequence[bytes]:
        header = _pack(cube2_session.EXTENDED_ACK, cube2_session.EXTENDED_VERSION, cube2_session.NO_ERROR)
        players = self._server.players
        rows = (
            header + _pack(cube2_session.PLAYER_STATS, *self._player_values(number, player, now_s)) + b"\x7f\0\0"
            for number, player in enumerate(players)
        )
        return (header + _pack(cube2_session.PLAYER_NUMBERS, *range(len(players))), *rows)

    def _player_values(self, number: int, player: SimulatedPlayer, now_s: float) -> tuple[int | str, ...]:
        frags = self._server.player_score(player, now_s)
        state = _SPECTATOR if player.is_spectator else _ALIVE
        return (number, player.ping_ms, player.name, "good", frags, 0, 0, 0, 30, 100, 0, 4, 0, state)


def _pack(*values: int | str) -> bytes:
    return b"".join(
        encode_cube_text(value) if isinstance(value, str) else encode_cube_integer(value) for value in values
    )


def _master_mode(server: DemoServerState) -> int:
    return MasterMode.PASSWORD if server.has_password else MasterMode.OPEN


def _mode_number(server: DemoServerState) -> int:
    return int(server.current_mode.reported_value)


def _encode_sauerbraten(server: DemoServerState) -> bytes:
    attributes = (int(server.game.version), _mode_number(server), _SECONDS_LEFT, server.max_players)
    return _pack(len(server.players), 5, *attributes, _master_mode(server), server.map, server.name)


def _encode_tesseract(server: DemoServerState) -> bytes:
    counts = (int(server.game.version), len(server.players), server.max_players)
    return _pack(*counts, 3, _mode_number(server), _SECONDS_LEFT, _master_mode(server), server.map, server.name)


def _encode_red_eclipse(server: DemoServerState) -> bytes:
    version = tuple(map(int, server.game.version.split(".")))
    slots = 2 * server.max_players  # as many again for spectators
    attributes = (265, _mode_number(server), 0, _SECONDS_LEFT, slots, _master_mode(server), 0, 0, *version)
    names = [player.name for player in server.players]
    return _pack(
        len(names), len(attributes), *attributes, server.map, server.name, "stable", *names, *["" for _ in names]
    )


def _encode_assault_cube(server: DemoServerState) -> bytes:
    names = [player.name for player in server.players]
    counts = (int(server.game.version), _mode_number(server), len(names), _SECONDS_LEFT // 60)
    return _pack(*counts, server.map, server.name, server.max_players, int(server.has_password), 1, *names, "")


_ENCODERS: Final[Mapping[cube2_session.Cube2Dialect, Callable[[DemoServerState], bytes]]] = {
    cube2_session.SAUERBRATEN: _encode_sauerbraten,
    cube2_session.TESSERACT: _encode_tesseract,
    cube2_session.RED_ECLIPSE: _encode_red_eclipse,
    cube2_session.ASSAULT_CUBE: _encode_assault_cube,
}
"""Encoder of the info of each game."""


def encode_cube_entry(_state: DemoServerState, address: tuple[str, int], _now_s: float) -> bytes:
    """Return the line of a list that names a server at a game address."""
    host, port = address
    return f"addserver {host} {port}\n".encode()
