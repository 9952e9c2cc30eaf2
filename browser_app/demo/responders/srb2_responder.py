"""Replies of demo servers of Sonic Robo Blast 2, SRB2Kart and Ring Racers."""

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from browser_app.demo.demo_server import ServerRequest
from browser_app.demo.population import DemoServerState, SimulatedPlayer
from browser_app.demo.responders.game_responder import GameResponder
from browser_app.protocols import srb2
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import PacketError

_REQUEST_BYTES = 13
_TOKEN_START = 9
_APPLICATIONS: Final = {"srb2": ("SRB2", 5), "srb2kart": ("SRB2Kart", 0), "ringracers": ("RingRacers", 0)}
"""Application and packet version by game."""
_SLOTS = 32
"""Of every list of players, whatever a server allows."""
_YELLOW, _WHITE = "\x82", "\x80"
_MAP = re.compile(r"(.*?)( Zone)?(?: (\d+))?", re.IGNORECASE)
_KART_SPEED = 2
_FILES = ("SL_Lobby_v1.pk3", "MR_MoreMaps.wad")


class Srb2Responder(GameResponder):
    """Replies of one server, which echo the time of the request.

    Unlike a real one, it reads requests with a wrong checksum.
    """

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return both datagrams of the reply (see `ServerResponder`)."""
        if len(request.data) != _REQUEST_BYTES or request.data[6] != srb2.ASK_INFO:
            raise PacketError("not this protocol")
        before, after, players = self.cached_reply("reply", lambda now_s: _encode_reply(self._server, now_s))
        return srb2.encode_srb2_packet(srb2.SERVER_INFO, before + request.data[_TOKEN_START:] + after), players


def _encode_reply(state: DemoServerState, now_s: float) -> tuple[bytes, bytes, bytes]:
    """Return what is before and after the token, and the packet of the players."""
    empty = bytes([srb2.EMPTY_SLOT]).ljust(srb2.PLAYER_BYTES, b"\0")
    players = [_encode_player(state, place, player, now_s) for place, player in enumerate(state.players[:_SLOTS])]
    list_body = b"".join(players + [empty] * (_SLOTS - len(players)))
    return *_encode_info(state, now_s), srb2.encode_srb2_packet(srb2.PLAYER_INFO, list_body)


def _encode_info(state: DemoServerState, now_s: float) -> tuple[bytes, bytes]:
    application, packet_version = _APPLICATIONS[state.game.id]
    layout = srb2.LAYOUTS[application, packet_version]
    *major, minor, patch = map(int, state.game.version.split("."))
    people, mode = len(state.players), state.current_mode.reported_value
    refusal = srb2.SLOTS_FULL if people >= state.max_players else 0
    map_match = _MAP.fullmatch(state.map)
    title, zone, act = map_match.groups() if map_match else (state.map, None, None)
    name = f"{_YELLOW}{state.name}{_WHITE}" if state.number % 2 else state.name
    files = _FILES[: state.number % 3]
    before = [
        bytes([srb2.NEW_FORMAT, packet_version]) + _encode_text(application, srb2.APPLICATION_BYTES),
        bytes([major[0] * 100 + minor if major else minor, patch]) + bytes(layout.commit_bytes),
        bytes([people, state.max_players]),
        bytes([refusal]) + _encode_text(mode, srb2.MODE_BYTES) if layout.has_mode_name else bytes([int(mode)]),
        bytes([bool(files), 0, srb2.DEDICATED | (0 if major else _KART_SPEED), len(files)]),
    ]
    after = [
        int(max(0.0, now_s - state.round_started_s) * srb2.TICS_PER_SECOND).to_bytes(4, "little"),
        _encode_text(name, srb2.SERVER_NAME_BYTES),
        _encode_text("MAP01", srb2.MAP_NAME_BYTES) if layout.has_map_name else b"",
        _encode_text(title, srb2.MAP_TITLE_BYTES) + bytes(16) + bytes([int(act or 0), zone is not None]),
        bytes(layout.bytes_before_files),
        *(b"\x11" + (1 << 20).to_bytes(4, "little") + file.encode() + b"\0" + bytes(16) for file in files),
    ]
    return b"".join(before), b"".join(after)


def _encode_player(state: DemoServerState, place: int, player: SimulatedPlayer, now_s: float) -> bytes:
    team = srb2.SPECTATOR_TEAM if player.is_spectator else player.team
    seconds = min(65535, max(0, int(now_s - player.joined_s)))
    return b"".join(
        (
            bytes([place]) + _encode_text(player.name, srb2.PLAYER_NAME_BYTES) + bytes(4) + bytes([team, 0, 0]),
            state.player_score(player, now_s).to_bytes(4, "little") + seconds.to_bytes(2, "little"),
        )
    )


def _encode_text(text: str, size: int) -> bytes:
    return text.encode("latin-1", "replace")[:size].ljust(size, b"\0")


def encode_srb2_entry(state: DemoServerState, address: Address, _now_s: float) -> bytes:
    """Return the line of the list that describes a server at a game address."""
    return f"{address.host} {address.port} {quote(state.name)} {state.game.version}\n".encode()
