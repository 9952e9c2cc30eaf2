"""Replies of demo servers of Luanti, Mumble and free games of single kinds."""

import itertools
from collections.abc import Sequence

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import DemoServerState
from browser_app.demo.responders.game_responder import GameResponder, ResponderContext
from browser_app.protocols import armagetron, bzflag, mindustry, mumble, supertuxkart
from browser_app.protocols.address import Address
from browser_app.protocols.luanti import PROTOCOL_ID, build_luanti_ping
from browser_app.protocols.openttd import coordinator, game_info
from browser_app.protocols.query_session import PacketError

_TOKEN_BYTES = 8
_BANDWIDTH = 72_000
_NEUTRAL_BYTES = 13
"""Size of a BZFlag server's id and address, which are zero here."""
_CROWD_SHOTS = 3
_DIFFICULTY = 2
_WAVE = 12
_LUANTI_SERVER = b"\x00\x01\x00"
"""Peer ID of the server, and the channel."""
_RELIABLE = b"\x03\xff\xdc"
"""Kind of packet, and the sequence number, as the first one of a real server."""
_SET_PEER_ID = b"\x00\x01"
_LUANTI_GREETING = PROTOCOL_ID + _LUANTI_SERVER + _RELIABLE + _SET_PEER_ID
"""Without the new peer's ID."""
_DISCONNECT = b"\x00\x00\x03"
"""Channel, then a control packet."""
_FIRST_PEER_ID = 2
_MAX_PEERS = 1024


def _counts(state: DemoServerState) -> tuple[int, int]:
    """Return the numbers of players and spectators."""
    spectators = sum(player.is_spectator for player in state.players)
    return len(state.players) - spectators, spectators


class OpenTTDResponder(GameResponder):
    """Replies of one OpenTTD server to the packets of a connection."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a packet (see `ServerResponder`)."""
        if request.data != game_info.encode_openttd_packet(game_info.GAME_INFO_REQUEST):
            raise PacketError("not this protocol")
        return (game_info.encode_openttd_packet(game_info.GAME_INFO_REPLY, _encode_game_info(self._server)),)


def split_openttd_request(data: bytes) -> int | None:
    """Return the length of the first packet in `data`; None if more bytes are needed.

    Raises:
        PacketError: it is no such request.
    """
    packet = game_info.split_openttd_packet(data)
    return None if packet is None else packet[2]


def _encode_game_info(state: DemoServerState) -> bytes:
    players, spectators = _counts(state)
    width, _times, height = state.map.partition("×")
    return b"".join(
        (
            bytes([6, 1]) + bytes(4) + b"\0",  # version, form of NewGRFs, script
            bytes([1]) + bytes(4 + 16) + b"A set of trains\0",
            bytes(8) + bytes([15, min(players, 15), 0]),
            state.name.encode() + b"\0" + state.game.version.encode() + b"\0",
            bytes([state.has_password, state.max_players, players + spectators, spectators]),
            int(width).to_bytes(2, "little") + int(height).to_bytes(2, "little"),
            bytes([int(state.current_mode.reported_value), 1]),
        )
    )


def encode_coordinator_entry(state: DemoServerState, address: Address, _now_s: float) -> bytes:
    """Return the packet of the list that describes a server at a game address."""
    entry = str(address).encode() + b"\0" + _encode_game_info(state)
    return game_info.encode_openttd_packet(coordinator.LISTING, (1).to_bytes(2, "little") + entry)


COORDINATOR_END = game_info.encode_openttd_packet(coordinator.LISTING, bytes(2))


class BzflagResponder(GameResponder):
    """Replies of one BZFlag server, which repeat nothing of the request."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a ping (see `ServerResponder`)."""
        if request.data != bzflag.PING_REQUEST:
            raise PacketError("not this protocol")
        body = self._server.game.version.encode() + bytes(_NEUTRAL_BYTES) + _encode_settings(self._server)
        return (len(body).to_bytes(2, "big") + bzflag.PING_REPLY_CODE.to_bytes(2, "big") + body,)


def _encode_settings(state: DemoServerState) -> bytes:
    players, observers = _counts(state)
    style, slots = int(state.current_mode.reported_value), state.max_players
    teams = (players, slots, *bytes(2 * (len(bzflag.TEAMS) - 2)), observers, slots)
    return bzflag.SETTINGS.pack(style, 0x0028, _CROWD_SHOTS, 0, 0, 0, 0, 0, slots, *teams)


def encode_bzflag_entry(state: DemoServerState, address: Address, _now_s: float) -> bytes:
    """Return the line of the list that describes a server at a game address."""
    settings = _encode_settings(state).hex()
    return f"{address} {state.game.version} {settings} {address.host} {state.name}\n".encode()


class ArmagetronResponder(GameResponder):
    """Replies of one Armagetron server, which sleeps until it gets a small request."""

    _is_awake = False

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`).

        There is none to a big one while the server sleeps.
        """
        if request.data == armagetron.build_armagetron_request(armagetron.SMALL_REQUEST):
            self._is_awake = True
            return (armagetron.SMALL_REPLY.to_bytes(2, "big") + bytes(4) + self._encode_port() + bytes(8),)
        if request.data != armagetron.build_armagetron_request(armagetron.BIG_REQUEST):
            raise PacketError("not this protocol")
        return (self._encode_big_reply(),) if self._is_awake else ()

    def _encode_port(self) -> bytes:
        return armagetron.encode_long_number(self._context.game_port)

    def _encode_big_reply(self) -> bytes:
        state, text, number = self._server, armagetron.encode_armagetron_text, armagetron.encode_long_number
        names = "".join(f"{player.name}\n" for player in state.players)
        release = f"{state.game.version} unix dedicated"
        info = (text(state.game.extra_info["options"]), text(state.game.extra_info["url"]))
        body = (
            self._encode_port(), text(""), text(state.name), number(len(state.players)), number(0), number(17),
            text(release), number(state.max_players), text(names), *info,
        )  # fmt: skip
        return armagetron.BIG_REPLY.to_bytes(2, "big") + bytes(4) + b"".join(body) + bytes(2)


class SuperTuxKartResponder(GameResponder):
    """Replies of one SuperTuxKart server, which repeat nothing of the request."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a LAN discovery request (see `ServerResponder`)."""
        if request.data != supertuxkart.SERVER_REQUEST:
            raise PacketError("not this protocol")
        state = self._server
        mode = int(state.current_mode.reported_value)
        counts = bytes([state.max_players, len(state.players)]) + self._context.game_port.to_bytes(2, "big")
        flags = bytes([_DIFFICULTY, mode, state.has_password, bool(state.players)])
        return (bytes([0, 0, 0, 6]) + encode_short_text(state.name) + counts + flags + encode_short_text(state.map),)


def encode_short_text(text: str) -> bytes:
    """Return a text after its length in one byte."""
    raw = text.encode()[:255]
    return bytes([len(raw)]) + raw


class MumbleResponder(GameResponder):
    """Replies of one Mumble server, which repeat the bytes of a ping."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a ping (see `ServerResponder`)."""
        token = request.data[len(mumble.PING_REQUEST) :]
        if not request.data.startswith(mumble.PING_REQUEST) or len(token) != _TOKEN_BYTES:
            raise PacketError("not this protocol")
        major, minor, patch = map(int, self._server.game.version.split("."))
        people = len(self._server.players), self._server.max_players
        return (mumble.REPLY.pack(0, major, minor, patch, token, *people, _BANDWIDTH),)


class MindustryResponder(GameResponder):
    """Replies of one Mindustry server, which repeat nothing of the request."""

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        if request.data != mindustry.REQUEST:
            raise PacketError("not this protocol")
        state = self._server
        kind, build = state.game.version.split()
        return (
            encode_short_text(f"[accent]{state.name}[]" if state.number % 2 else state.name)
            + encode_short_text(state.map)
            + _encode_numbers(len(state.players), _WAVE, int(build))
            + encode_short_text(kind)
            + bytes([mindustry.MODES.index(state.current_mode.reported_value)])
            + _encode_numbers(state.max_players)
            + (encode_short_text("Everybody is [red]welcome[]") + encode_short_text("") if state.number % 3 else b""),
        )


def _encode_numbers(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(4, "big", signed=True) for number in numbers)


class LuantiResponder(GameResponder):
    """Greets whoever sends an empty packet until that peer disconnects."""

    def __init__(self, context: ResponderContext) -> None:
        super().__init__(context)
        self.connected_peers: set[bytes] = set()
        """IDs of the peers that have not disconnected."""
        self._peer_ids = itertools.cycle(range(_FIRST_PEER_ID, 1 << 16))

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a packet (see `ServerResponder`)."""
        if request.data == build_luanti_ping() and len(self.connected_peers) < _MAX_PEERS:
            peer_id = next(self._peer_ids).to_bytes(2, "big")
            self.connected_peers.add(peer_id)
            return (_LUANTI_GREETING + peer_id,)
        if request.data.startswith(PROTOCOL_ID) and request.data[6:] == _DISCONNECT:
            self.connected_peers.discard(request.data[4:6])
            return ()
        raise PacketError("not this protocol")

    def is_repeated(self, reply: Sequence[bytes]) -> bool:
        """Return whether the peer is still connected (see `RepeatingResponder`)."""
        return any(greeting.removeprefix(_LUANTI_GREETING) in self.connected_peers for greeting in reply)
